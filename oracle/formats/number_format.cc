#include "oracle/formats/number_format.h"

#include <cassert>

#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

constexpr uint64_t LowBits(int count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

uint64_t SignBit(const NumberFormat& format) { return uint64_t{1} << (format.bits - 1); }

// The codes of a float without its sign: exponent and mantissa, which order the
// magnitudes as their values are ordered.
uint64_t Magnitude(const NumberFormat& format, uint64_t code) {
  return code & LowBits(format.bits - 1);
}

// The magnitude of infinity in formats that have one.
uint64_t InfinityMagnitude(const NumberFormat& format) {
  return LowBits(format.exponent_bits) << format.mantissa_bits;
}

ExactValue DecodeInteger(const NumberFormat& format, uint64_t code) {
  const int64_t value = ToInteger(format, code);
  if (value == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value < 0,
          .significand = value < 0 ? 0 - static_cast<uint64_t>(value)
                                   : static_cast<uint64_t>(value)};
}

ExactValue DecodePowerOfTwo(const NumberFormat& format, uint64_t code) {
  if (IsNan(format, code)) return {.value_class = ValueClass::kNan};
  return {.value_class = ValueClass::kFinite,
          .significand = 1,
          .exponent = static_cast<int>(code) - format.exponent_bias};
}

// The neighbour of a float one step up (+1) or down (-1) in the order of values.
uint64_t FloatNeighbour(const NumberFormat& format, uint64_t code, int step) {
  const uint64_t sign = code & SignBit(format);
  const uint64_t magnitude = Magnitude(format, code);
  const uint64_t top = format.has_infinity ? InfinityMagnitude(format) : LargestFinite(format);
  const bool away = magnitude == 0 || (sign != 0) == (step < 0);
  if (magnitude == 0) return step > 0 ? 1 : SignBit(format) | 1;
  if (away) return magnitude == top ? code : code + 1;
  // As IEEE 754's nextUp: the step from the smallest negative gives -0.
  if (magnitude == 1) return format.has_negative_zero ? sign : 0;
  return code - 1;
}

uint64_t Neighbour(const NumberFormat& format, uint64_t code, int step) {
  assert(!IsNan(format, code));
  switch (format.kind) {
    case NumberKind::kInteger: {
      const int64_t end = step > 0 ? IntegerMax(format) : IntegerMin(format);
      const int64_t value = ToInteger(format, code);
      return static_cast<uint64_t>(value == end ? value : value + step) & LowBits(format.bits);
    }
    case NumberKind::kPowerOfTwo: {
      const uint64_t end = step > 0 ? LargestFinite(format) : 0;
      return code == end ? code : step > 0 ? code + 1 : code - 1;
    }
    case NumberKind::kFloat:
      break;
  }
  return FloatNeighbour(format, code, step);
}

}  // namespace

ExactValue Decode(const NumberFormat& format, uint64_t code) { return Decoder(format)(code); }

Decoder::Decoder(const NumberFormat& format)
    : format_(&format),
      is_float_(format.kind == NumberKind::kFloat),
      mantissa_bits_(format.mantissa_bits),
      smallest_unit_(1 - format.exponent_bias - format.mantissa_bits),
      sign_bit_(SignBit(format)),
      magnitude_mask_(LowBits(format.bits - 1)),
      mantissa_mask_(LowBits(format.mantissa_bits)),
      largest_(LargestFinite(format)) {}

ExactValue Decoder::DecodeOther(uint64_t code) const {
  return format_->kind == NumberKind::kInteger ? DecodeInteger(*format_, code)
                                               : DecodePowerOfTwo(*format_, code);
}

uint64_t LargestFinite(const NumberFormat& format) {
  if (format.kind == NumberKind::kInteger) {
    return static_cast<uint64_t>(IntegerMax(format));
  }
  if (format.has_infinity) return InfinityMagnitude(format) - 1;
  const uint64_t top = LowBits(format.is_signed ? format.bits - 1 : format.bits);
  return format.nan == NanEncoding::kAllOnes ? top - 1 : top;
}

uint64_t SmallestNormal(const NumberFormat& format) {
  assert(format.kind == NumberKind::kFloat);
  return uint64_t{1} << format.mantissa_bits;
}

uint64_t SmallestPositive(const NumberFormat& format) {
  return format.kind == NumberKind::kPowerOfTwo ? 0 : 1;
}

uint64_t CanonicalNan(const NumberFormat& format) {
  switch (format.nan) {
    case NanEncoding::kIeee:
      return InfinityMagnitude(format) | (uint64_t{1} << (format.mantissa_bits - 1));
    case NanEncoding::kAllOnes:
      return LowBits(format.is_signed ? format.bits - 1 : format.bits);
    case NanEncoding::kNegativeZero:
      return SignBit(format);
    case NanEncoding::kNone:
      break;
  }
  assert(false && "the format has no NaN");
  return 0;
}

uint64_t Infinity(const NumberFormat& format, bool negative) {
  assert(format.has_infinity);
  return InfinityMagnitude(format) | (negative ? SignBit(format) : 0);
}

bool IsZero(const NumberFormat& format, uint64_t code) {
  return Decode(format, code).value_class == ValueClass::kZero;
}

bool IsNan(const NumberFormat& format, uint64_t code) {
  switch (format.nan) {
    case NanEncoding::kNone:
      return false;
    case NanEncoding::kIeee:
      return Magnitude(format, code) > InfinityMagnitude(format);
    case NanEncoding::kAllOnes:
      return (format.is_signed ? Magnitude(format, code) : code) == CanonicalNan(format);
    case NanEncoding::kNegativeZero:
      return code == SignBit(format);
  }
  return false;
}

bool IsSubnormal(const NumberFormat& format, uint64_t code) {
  if (format.kind != NumberKind::kFloat) return false;
  const uint64_t magnitude = Magnitude(format, code);
  return magnitude != 0 && magnitude < SmallestNormal(format) && !IsNan(format, code);
}

bool HoldsAllOf(const NumberFormat& to, const NumberFormat& from) {
  assert(to.kind == NumberKind::kFloat);
  // (1) Enough digits. The smallest integer is a power of two and needs one.
  const int digits = from.kind == NumberKind::kInteger ? from.bits - (from.is_signed ? 1 : 0)
                                                       : from.mantissa_bits + 1;
  if (digits > to.mantissa_bits + 1) return false;
  // (2) The last digit of the smallest, and the first one of the largest.
  const ExactValue from_smallest = Decode(from, SmallestPositive(from));
  const ExactValue to_smallest = Decode(to, SmallestPositive(to));
  if (from_smallest.exponent < to_smallest.exponent) return false;
  const ExactValue from_largest = Decode(from, LargestFinite(from));
  const ExactValue to_largest = Decode(to, LargestFinite(to));
  const int to_top = TopBit(to_largest.significand) + to_largest.exponent;
  if (from.kind == NumberKind::kInteger) return digits <= to_top;
  const int from_top = TopBit(from_largest.significand) + from_largest.exponent;
  // Of two formats with one top bit the one with more digits reaches further;
  // NaN and infinity codes can take that away, so the values are compared.
  if (from_top != to_top) return from_top < to_top;
  return (from_largest.significand << (63 - TopBit(from_largest.significand))) <=
         (to_largest.significand << (63 - TopBit(to_largest.significand)));
}

int64_t IntegerMin(const NumberFormat& format) {
  assert(format.kind == NumberKind::kInteger);
  return format.is_signed ? -1 - IntegerMax(format) : 0;
}

int64_t IntegerMax(const NumberFormat& format) {
  assert(format.kind == NumberKind::kInteger);
  return static_cast<int64_t>(LowBits(format.is_signed ? format.bits - 1 : format.bits));
}

int64_t ToInteger(const NumberFormat& format, uint64_t code) {
  assert(format.kind == NumberKind::kInteger);
  if (!format.is_signed || (code & SignBit(format)) == 0) return static_cast<int64_t>(code);
  return static_cast<int64_t>(code | ~LowBits(format.bits));
}

int64_t ValueOrder(const NumberFormat& format, uint64_t code) {
  assert(!IsNan(format, code));
  switch (format.kind) {
    case NumberKind::kInteger:
      return ToInteger(format, code);
    case NumberKind::kPowerOfTwo:
      return static_cast<int64_t>(code);
    case NumberKind::kFloat:
      break;
  }
  const auto magnitude = static_cast<int64_t>(Magnitude(format, code));
  return (code & SignBit(format)) != 0 ? -magnitude : magnitude;
}

uint64_t NextUp(const NumberFormat& format, uint64_t code) { return Neighbour(format, code, +1); }

uint64_t NextDown(const NumberFormat& format, uint64_t code) { return Neighbour(format, code, -1); }

}  // namespace qconform
