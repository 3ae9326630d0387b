#include "harness/backends/simd/core/code_format.h"

#include <cmath>

namespace qconform::simd {
namespace {

CodeFormat Integer(const NumberFormat& y) {
  CodeFormat format;
  format.sink = y.bits == 16 ? Sink::kInteger16 : Sink::kInteger8;
  format.integers.min = y.is_signed ? -(1 << (y.bits - 1)) : 0;
  format.integers.range = (1 << y.bits) - 1;
  return format;
}

// The value of a positive code, infinity's and NaN's too: as if the format went on there.
float ValueOf(const NumberFormat& y, uint32_t code) {
  const auto exponent = static_cast<int>(code >> y.mantissa_bits);
  const uint32_t mantissa = code & ((1u << y.mantissa_bits) - 1);
  return std::ldexp(static_cast<float>((1u << y.mantissa_bits) | mantissa),
                    exponent - y.exponent_bias - y.mantissa_bits);
}

// The code for NaN: of types without NaN that of the canonical reading (QL-26, QL-28).
uint32_t NanCode(const NumberFormat& y, uint32_t largest) {
  const uint32_t sign = 1u << (y.bits - 1);
  switch (y.nan) {
    case NanEncoding::kIeee:
      return largest + 1 + (1u << (y.mantissa_bits - 1));
    case NanEncoding::kAllOnes:
      return sign - 1;
    case NanEncoding::kNegativeZero:
      return sign;
    case NanEncoding::kNone:
      break;
  }
  return y.code_for_nan;
}

// Precondition: all exponents of y are normal ones of FLOAT.
CodeFormat Float(const NumberFormat& y, bool saturate) {
  const uint32_t codes = 1u << (y.bits - 1);  // of one sign
  uint32_t largest = codes - 1;
  if (y.nan == NanEncoding::kAllOnes) largest -= 1;
  if (y.nan == NanEncoding::kIeee) largest = codes - (1u << y.mantissa_bits) - 1;
  const int min_exponent = 1 - y.exponent_bias;

  CodeFormat format;
  format.sink = y.has_negative_zero ? Sink::kFloat8 : Sink::kFloat8Fnuz;
  format.is_float = true;
  // Types without NaN always saturate (QL-14, QL-25, QL-27).
  const bool has_nan = y.nan != NanEncoding::kNone;
  format.floats.clamp = ValueOf(y, saturate || !has_nan ? largest : largest + 1);
  format.floats.min_normal = std::ldexp(1.0f, min_exponent);
  format.floats.mantissa_shift = 23 - y.mantissa_bits;
  format.floats.code_offset = static_cast<uint32_t>(min_exponent + 127)
                              << y.mantissa_bits;
  format.floats.sign_shift = 32 - y.bits;
  format.floats.nan_code = NanCode(y, largest);
  return format;
}

}  // namespace

std::optional<CodeFormat> FormatOfCodes(DataType type, bool saturate) {
  if (BitWidth(type) == 0) return std::nullopt;
  const NumberFormat& y = FormatOf(type);
  if (y.kind == NumberKind::kInteger && y.bits <= 16) return Integer(y);
  if (y.kind == NumberKind::kFloat && y.bits <= 8) return Float(y, saturate);
  return std::nullopt;
}

}  // namespace qconform::simd
