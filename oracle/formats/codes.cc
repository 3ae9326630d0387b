#include "oracle/formats/codes.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

static_assert(std::endian::native == std::endian::little,
              "whole bytes are copied as ONNX stores them");

template <typename T>
T ReadWhole(std::span<const std::byte> data, size_t position) {
  assert((position + 1) * sizeof(T) <= data.size());
  T code;
  std::memcpy(&code, data.data() + position * sizeof(T), sizeof(T));
  return code;
}

std::string Hex(uint64_t value, int digits) {
  std::string text = "0x";
  for (int i = digits - 1; i >= 0; --i) text += kHexDigits[(value >> (4 * i)) & 0xF];
  return text;
}

// As C's %a writes a normal number: one digit, the fraction without trailing
// zeros, the exponent with its sign.
std::string HexFloat(const ExactValue& value) {
  const int shift = std::countl_zero(value.significand);
  const int exponent = value.exponent + 63 - shift;
  uint64_t fraction = (value.significand << shift) << 1;
  std::string text = value.negative ? "-0x1" : "0x1";
  if (fraction != 0) text += '.';
  for (; fraction != 0; fraction <<= 4) text += kHexDigits[fraction >> 60];
  text += exponent < 0 ? "p-" : "p+";
  return text += std::to_string(exponent < 0 ? -exponent : exponent);
}

// Where an element narrower than a byte lies in the stream of bits.
struct BitPlace {
  size_t byte;
  size_t shift;      // from the lowest bit of that byte
  bool is_crossing;  // its last bits lie in the next byte
};

BitPlace PlaceOf(int bits, size_t position) {
  const size_t bit = position * static_cast<size_t>(bits);
  return {bit / 8, bit % 8, bit % 8 + static_cast<size_t>(bits) > 8};
}

}  // namespace

uint64_t ReadCode(const TensorView& tensor, int64_t index) {
  const int bits = FormatOf(tensor.type).bits;
  const auto position = static_cast<size_t>(index);
  if (bits < 8) {
    const BitPlace place = PlaceOf(bits, position);
    assert(place.byte + (place.is_crossing ? 1 : 0) < tensor.data.size());
    auto window = std::to_integer<uint64_t>(tensor.data[place.byte]);
    if (place.is_crossing) {
      window |= std::to_integer<uint64_t>(tensor.data[place.byte + 1]) << 8;
    }
    return (window >> place.shift) & ((uint64_t{1} << bits) - 1);
  }
  switch (bits) {
    case 8:
      return ReadWhole<uint8_t>(tensor.data, position);
    case 16:
      return ReadWhole<uint16_t>(tensor.data, position);
    case 32:
      return ReadWhole<uint32_t>(tensor.data, position);
    default:
      return ReadWhole<uint64_t>(tensor.data, position);
  }
}

std::vector<uint64_t> ReadCodes(const TensorView& tensor) {
  std::vector<uint64_t> codes(static_cast<size_t>(*ElementCount(tensor.shape)));
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = ReadCode(tensor, static_cast<int64_t>(i));
  return codes;
}

void WriteCode(const MutableTensorView& tensor, int64_t index, uint64_t code) {
  const int bits = FormatOf(tensor.type).bits;
  const auto position = static_cast<size_t>(index);
  if (bits < 8) {
    const BitPlace place = PlaceOf(bits, position);
    assert(place.byte + (place.is_crossing ? 1 : 0) < tensor.data.size());
    const uint64_t mask = ((uint64_t{1} << bits) - 1) << place.shift;
    const uint64_t written = (code << place.shift) & mask;
    std::byte& first = tensor.data[place.byte];
    first = (first & static_cast<std::byte>(~mask)) | static_cast<std::byte>(written);
    if (place.is_crossing) {
      std::byte& second = tensor.data[place.byte + 1];
      second =
          (second & static_cast<std::byte>(~(mask >> 8))) | static_cast<std::byte>(written >> 8);
    }
    return;
  }
  const auto size = static_cast<size_t>(bits / 8);
  assert((position + 1) * size <= tensor.data.size());
  std::memcpy(tensor.data.data() + position * size, &code, size);
}

std::string ValueToString(DataType type, uint64_t code) {
  const NumberFormat& format = FormatOf(type);
  if (format.kind == NumberKind::kInteger) return std::to_string(ToInteger(format, code));
  const ExactValue value = Decode(format, code);
  switch (value.value_class) {
    case ValueClass::kNan:
      return "NaN";
    case ValueClass::kInfinity:
      return value.negative ? "-Inf" : "+Inf";
    case ValueClass::kZero:
      return value.negative ? "-0" : "0";
    case ValueClass::kFinite:
      break;
  }
  return HexFloat(value);
}

std::string BitsToString(DataType type, uint64_t code) {
  return Hex(code, (FormatOf(type).bits + 3) / 4);
}

std::string CodeToString(DataType type, uint64_t code) {
  return BitsToString(type, code) + " (" + ValueToString(type, code) + ")";
}

}  // namespace qconform
