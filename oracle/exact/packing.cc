#include "oracle/exact/packing.h"

#include <gmpxx.h>

#include <cassert>
#include <span>

namespace qconform::exact {
namespace {

mpz_class PowerOfBase(int bits, size_t digits) {
  mpz_class power = 1;
  mpz_mul_2exp(power.get_mpz_t(), power.get_mpz_t(),
               digits * static_cast<unsigned long>(bits));
  return power;
}

// The number whose digits in base 2^bits these are, lowest first.
mpz_class NumberOf(std::span<const uint64_t> digits, int bits) {
  if (digits.empty()) return 0;
  if (digits.size() == 1) return static_cast<unsigned long>(digits[0]);
  const size_t half = digits.size() / 2;  // halves of equal length keep products few
  return NumberOf(digits.first(half), bits) +
         NumberOf(digits.subspan(half), bits) * PowerOfBase(bits, half);
}

// The inverse: fills the room with digits. Precondition: they suffice.
void DigitsOf(const mpz_class& number, int bits, std::span<uint64_t> digits) {
  if (digits.empty()) return;
  if (digits.size() == 1) {
    digits[0] = number.get_ui();
    return;
  }
  const size_t half = digits.size() / 2;
  const mpz_class base = PowerOfBase(bits, half);
  DigitsOf(number % base, bits, digits.first(half));
  DigitsOf(number / base, bits, digits.subspan(half));
}

}  // namespace

std::vector<std::byte> PackedBytes(const std::vector<uint64_t>& codes, int bits) {
  const size_t count = (codes.size() * static_cast<size_t>(bits) + 7) / 8;
  std::vector<uint64_t> digits(count);
  DigitsOf(NumberOf(codes, bits), 8, digits);
  std::vector<std::byte> bytes;
  bytes.reserve(count);
  for (uint64_t digit : digits) bytes.push_back(static_cast<std::byte>(digit));
  return bytes;
}

std::vector<uint64_t> UnpackedCodes(const std::vector<std::byte>& bytes, int bits,
                                    size_t count) {
  assert(bytes.size() * 8 >= count * static_cast<size_t>(bits));
  std::vector<uint64_t> digits;
  digits.reserve(bytes.size());
  for (std::byte byte : bytes) digits.push_back(static_cast<uint64_t>(byte));
  std::vector<uint64_t> codes(count);
  DigitsOf(NumberOf(digits, 8) % PowerOfBase(bits, count), bits, codes);
  return codes;
}

}  // namespace qconform::exact
