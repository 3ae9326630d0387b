#include "harness/backends/simd/quantize_linear/zero_points.h"

#include <algorithm>
#include <array>
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

constexpr float Decode(const SmallFloat& format, int bits, uint32_t code) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const uint32_t sign = code >> (bits - 1);
  const uint32_t magnitude = code & ((1u << (bits - 1)) - 1u);
  const uint32_t exponent = magnitude >> format.mantissa_bits;
  const uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1u);
  switch (format.special) {
    case SmallFloat::Special::kIeee:
      if (exponent == 31) {  // only FLOAT8E5M2
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

template <int kBits>
using Values = std::array<float, size_t{1} << kBits>;

template <int kBits>
constexpr Values<kBits> ValuesOf(const SmallFloat& format) {
  Values<kBits> values{};
  for (size_t code = 0; code < values.size(); ++code) {
    values[code] = Decode(format, kBits, static_cast<uint32_t>(code));
  }
  return values;
}

using Special = SmallFloat::Special;
constexpr auto kE4M3FN = ValuesOf<8>({3, 7, Special::kAllOnes});
constexpr auto kE4M3FNUZ = ValuesOf<8>({3, 8, Special::kNegativeZero});
constexpr auto kE5M2 = ValuesOf<8>({2, 15, Special::kIeee});
constexpr auto kE5M2FNUZ = ValuesOf<8>({2, 16, Special::kNegativeZero});
constexpr auto kE2M1 = ValuesOf<4>({1, 1, Special::kNone});

const Values<8>& ValuesOfFloat8(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return kE4M3FN;
    case DataType::kFloat8E4M3FNUZ:
      return kE4M3FNUZ;
    case DataType::kFloat8E5M2:
      return kE5M2;
    default:
      return kE5M2FNUZ;
  }
}

// Calls `visit(i, code)` for the packed codes [begin, begin + n), i from 0 on.
template <int kBits, typename Visit>
void ForEachCode(const TensorView& tensor, int64_t begin, size_t n, Visit visit) {
  constexpr size_t kPerByte = 8 / kBits;
  constexpr uint32_t kMask = (1u << kBits) - 1;
  size_t i = 0;
  for (; i < n && (begin + static_cast<int64_t>(i)) % kPerByte != 0; ++i) {
    visit(i, SubByteCode(tensor, kBits, begin + static_cast<int64_t>(i)));
  }
  const auto* byte = reinterpret_cast<const uint8_t*>(tensor.data.data()) +
                     (begin + static_cast<int64_t>(i)) / kPerByte;
  for (; i + kPerByte <= n; i += kPerByte) {
    const uint32_t codes = *byte++;
    for (size_t j = 0; j < kPerByte; ++j) visit(i + j, (codes >> (j * kBits)) & kMask);
  }
  for (; i < n; ++i) {
    visit(i, SubByteCode(tensor, kBits, begin + static_cast<int64_t>(i)));
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
  const auto write = [&](size_t i, uint32_t code) {
    out[i] = static_cast<int32_t>(code ^ flip);
  };
  if (bits == 4) {
    ForEachCode<4>(zero_point, begin, n, write);
  } else {
    ForEachCode<2>(zero_point, begin, n, write);
  }
}

void LoadZeroPoints(const Kernels&, const TensorView& zero_point, int64_t begin, size_t n,
                    int32_t, float* out) {
  if (BitWidth(zero_point.type) == 4) {
    return ForEachCode<4>(zero_point, begin, n,
                          [&](size_t i, uint32_t code) { out[i] = kE2M1[code]; });
  }
  const Values<8>& values = ValuesOfFloat8(zero_point.type);
  const std::byte* codes = zero_point.data.data() + begin;
  for (size_t i = 0; i < n; ++i) out[i] = values[static_cast<size_t>(codes[i])];
}

bool AllZero(const TensorView& zero_point) {
  // Each byte is the one before it, and the first is zero: so memcmp goes through them.
  const auto& data = zero_point.data;
  return data.empty() ||
         (data[0] == std::byte{0} &&
          std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0);
}

}  // namespace qconform::simd
