#include "harness/backends/simd/core/code_format.h"

#include <cmath>

namespace qconform::simd {
namespace {

CodeFormat Integer(DataType type, bool is_signed) {
  const int bits = BitWidth(type);
  CodeFormat format;
  format.sink = bits == 16 ? Sink::kInteger16 : Sink::kInteger8;
  format.integers.min = is_signed ? -(1 << (bits - 1)) : 0;
  format.integers.range = (1 << bits) - 1;
  return format;
}

struct FloatFormat {
  int bits;
  int mantissa_bits;
  int min_exponent;  // of the normal numbers
  float max;
  float above_max;  // the next value, if the exponent went on
  uint32_t nan_code;
};

CodeFormat Float(const FloatFormat& f, Sink sink, bool saturate) {
  CodeFormat format;
  format.sink = sink;
  format.is_float = true;
  format.floats.clamp = saturate ? f.max : f.above_max;
  format.floats.min_normal = std::ldexp(1.0f, f.min_exponent);
  format.floats.mantissa_shift = 23 - f.mantissa_bits;
  format.floats.code_offset = static_cast<uint32_t>(f.min_exponent + 127)
                              << f.mantissa_bits;
  format.floats.sign_shift = 32 - f.bits;
  format.floats.nan_code = f.nan_code;
  return format;
}

}  // namespace

std::optional<CodeFormat> FormatOfCodes(DataType type, bool saturate) {
  switch (type) {
    case DataType::kUint16:
    case DataType::kUint8:
    case DataType::kUint4:
    case DataType::kUint2:
      return Integer(type, false);
    case DataType::kInt16:
    case DataType::kInt8:
    case DataType::kInt4:
    case DataType::kInt2:
      return Integer(type, true);
    case DataType::kFloat8E4M3FN:
      return Float({8, 3, -6, 448, 480, 0x7F}, Sink::kFloat8, saturate);
    case DataType::kFloat8E5M2:
      return Float({8, 2, -14, 57344, 65536, 0x7E}, Sink::kFloat8, saturate);
    case DataType::kFloat8E4M3FNUZ:
      return Float({8, 3, -7, 240, 256, 0x80}, Sink::kFloat8Fnuz, saturate);
    case DataType::kFloat8E5M2FNUZ:
      return Float({8, 2, -15, 57344, 65536, 0x80}, Sink::kFloat8Fnuz, saturate);
    case DataType::kFloat4E2M1:  // saturates always (QL-14, QL-25); NaN gives +6
                                 // (QL-26)
      return Float({4, 1, 0, 6, 6, 0x7}, Sink::kFloat8, true);
    default:
      return std::nullopt;
  }
}

}  // namespace qconform::simd
