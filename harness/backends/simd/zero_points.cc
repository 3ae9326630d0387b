#include "harness/backends/simd/zero_points.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace qconform::simd {
namespace {

// Element `index` of packed codes of 4 or 2 bits (QL-50).
uint32_t SubByteCode(const TensorView& tensor, int bits, int64_t index) {
  const int64_t bit = index * bits;
  const auto byte = static_cast<uint32_t>(tensor.data[static_cast<size_t>(bit >> 3)]);
  return (byte >> (bit & 7)) & ((1u << bits) - 1u);
}

struct SmallFloat {
  int mantissa_bits;
  int bias;
  enum class Special { kNone, kIeee, kAllOnes, kNegativeZero } special;
};

float Decode(const SmallFloat& format, int bits, uint32_t code) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const uint32_t sign = code >> (bits - 1);
  const uint32_t magnitude = code & ((1u << (bits - 1)) - 1u);
  const uint32_t exponent = magnitude >> format.mantissa_bits;
  const uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1u);
  switch (format.special) {
    case SmallFloat::Special::kIeee:
      if (exponent == 31) {  // FLOAT8E5M2 alone
        if (mantissa != 0) return kNan;
        return sign != 0 ? -std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::infinity();
      }
      break;
    case SmallFloat::Special::kAllOnes:
      if (magnitude == 0x7F) return kNan;
      break;
    case SmallFloat::Special::kNegativeZero:
      if (code == 0x80) return kNan;
      break;
    case SmallFloat::Special::kNone:
      break;
  }
  const int field = std::max(1, static_cast<int>(exponent));
  const auto significand =
      static_cast<float>(mantissa + (exponent != 0 ? 1u << format.mantissa_bits : 0u));
  // A power of two within FLOAT's normal range: the product is exact.
  const float unit = std::bit_cast<float>(
      static_cast<uint32_t>(field - format.bias - format.mantissa_bits + 127) << 23);
  return (sign != 0 ? -significand : significand) * unit;
}

SmallFloat FormatOfZeroPoint(DataType type) {
  using Special = SmallFloat::Special;
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return {3, 7, Special::kAllOnes};
    case DataType::kFloat8E4M3FNUZ:
      return {3, 8, Special::kNegativeZero};
    case DataType::kFloat8E5M2:
      return {2, 15, Special::kIeee};
    case DataType::kFloat8E5M2FNUZ:
      return {2, 16, Special::kNegativeZero};
    default:
      return {1, 1, Special::kNone};  // FLOAT4E2M1
  }
}

}  // namespace

void LoadZeroPoints(const Kernels& kernels, const TensorView& zero_point, int64_t begin,
                    size_t n, float* out) {
  const DataType type = zero_point.type;
  const int bits = BitWidth(type);
  if (IsFloatingPoint(type)) {
    const SmallFloat format = FormatOfZeroPoint(type);
    for (size_t i = 0; i < n; ++i) {
      const int64_t index = begin + static_cast<int64_t>(i);
      out[i] = Decode(
          format, bits,
          bits == 8 ? static_cast<uint32_t>(zero_point.data[static_cast<size_t>(index)])
                    : SubByteCode(zero_point, bits, index));
    }
  } else if (bits >= 8) {
    kernels.zero_points_to_float(type, zero_point.data.data() + begin * (bits / 8), n,
                                 out);
  } else {
    const bool is_signed = type == DataType::kInt4 || type == DataType::kInt2;
    const int half = 1 << (bits - 1);
    for (size_t i = 0; i < n; ++i) {
      const int code = static_cast<int>(
          SubByteCode(zero_point, bits, begin + static_cast<int64_t>(i)));
      out[i] = static_cast<float>(is_signed && code >= half ? code - 2 * half : code);
    }
  }
}

bool AllZero(const TensorView& zero_point) {
  return std::all_of(zero_point.data.begin(), zero_point.data.end(),
                     [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace qconform::simd
