#include "harness/backends/simd/zero_points.h"

#include <algorithm>
#include <bit>
#include <cstring>
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
                    size_t n, int32_t min, int32_t* out) {
  const DataType type = zero_point.type;
  const int bits = BitWidth(type);
  if (bits >= 8) {
    const std::byte* in = zero_point.data.data() + begin * (bits / 8);
    return kernels.offsets(type, in, n, min, out);
  }
  // In two's complement, code ^ half is value - min where min is -half, and the
  // code itself is where min is 0.
  const auto flip = static_cast<uint32_t>(-min);
  const auto mask = (1u << bits) - 1u;
  const int per_byte = 8 / bits;
  const auto* bytes = reinterpret_cast<const uint8_t*>(zero_point.data.data());
  int64_t index = begin;
  size_t i = 0;
  for (; i < n && index % per_byte != 0; ++i, ++index) {
    out[i] = static_cast<int32_t>(SubByteCode(zero_point, bits, index) ^ flip);
  }
  for (const uint8_t* byte = bytes + index / per_byte; i + 4 <= n; ++byte) {
    uint32_t codes = *byte;
    for (int j = 0; j < per_byte; ++j, ++i, codes >>= bits) {
      out[i] = static_cast<int32_t>((codes & mask) ^ flip);
    }
  }
  for (index = begin + static_cast<int64_t>(i); i < n; ++i, ++index) {
    out[i] = static_cast<int32_t>(SubByteCode(zero_point, bits, index) ^ flip);
  }
}

void LoadZeroPoints(const Kernels&, const TensorView& zero_point, int64_t begin, size_t n,
                    int32_t, float* out) {
  const SmallFloat format = FormatOfZeroPoint(zero_point.type);
  const int bits = BitWidth(zero_point.type);
  for (size_t i = 0; i < n; ++i) {
    const int64_t index = begin + static_cast<int64_t>(i);
    const uint32_t code =
        bits == 8 ? static_cast<uint32_t>(zero_point.data[static_cast<size_t>(index)])
                  : SubByteCode(zero_point, bits, index);
    out[i] = Decode(format, bits, code);
  }
}

bool AllZero(const TensorView& zero_point) {
  // Each byte is the one before it, and the first is zero: so memcmp goes through them.
  const auto& data = zero_point.data;
  return data.empty() ||
         (data[0] == std::byte{0} &&
          std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0);
}

}  // namespace qconform::simd
