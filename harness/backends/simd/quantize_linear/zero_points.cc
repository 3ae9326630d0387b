#include "harness/backends/simd/quantize_linear/zero_points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

namespace qconform::simd {
namespace {

// The value of a code of at most 8 bits.
float ValueOf(const NumberFormat& format, uint32_t code) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const uint32_t sign = code >> (format.bits - 1);
  const uint32_t magnitude = code & ((1u << (format.bits - 1)) - 1);
  const uint32_t exponent = magnitude >> format.mantissa_bits;
  const uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  switch (format.nan) {
    case NanEncoding::kIeee:
      if (exponent == (1u << format.exponent_bits) - 1) {
        if (mantissa != 0) return kNan;
        return sign != 0 ? -std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::infinity();
      }
      break;
    case NanEncoding::kAllOnes:
      if (magnitude == (1u << (format.bits - 1)) - 1) return kNan;
      break;
    case NanEncoding::kNegativeZero:
      if (code == 1u << (format.bits - 1)) return kNan;
      break;
    case NanEncoding::kNone:
      break;
  }
  const int field = std::max(1, static_cast<int>(exponent));
  const auto significand =
      static_cast<float>(mantissa + (exponent != 0 ? 1u << format.mantissa_bits : 0u));
  // A power of two within FLOAT's normal range: the product is exact.
  const float unit = std::bit_cast<float>(
      static_cast<uint32_t>(field - format.exponent_bias - format.mantissa_bits + 127)
      << 23);
  return (sign != 0 ? -significand : significand) * unit;
}

// The values of all codes of a float type of at most 8 bits.
using Values = std::array<float, 256>;
const Values& ValuesOf(DataType type) {
  static const auto kValues = [] {
    std::array<Values, 32> of_types{};
    for (const DataType each : AllDataTypes()) {
      const NumberFormat& format = FormatOf(each);
      if (format.kind != NumberKind::kFloat || format.bits > 8) continue;
      for (uint32_t code = 0; code < 1u << format.bits; ++code) {
        of_types[static_cast<size_t>(each)][code] = ValueOf(format, code);
      }
    }
    return of_types;
  }();
  return kValues[static_cast<size_t>(type)];
}

// Calls `visit(i, code)` for the packed codes [begin, begin + n), i from 0 on (QL-50,
// QL-52).
template <int kBits, typename Visit>
void ForEachCode(const TensorView& tensor, int64_t begin, size_t n, Visit visit) {
  // The fewest codes that are whole bytes.
  constexpr size_t kCodes = 8 / std::gcd(kBits, 8);
  constexpr size_t kBytes = kCodes * kBits / 8;
  constexpr uint32_t kMask = (1u << kBits) - 1;
  const auto* data = reinterpret_cast<const uint8_t*>(tensor.data.data());
  const auto first = static_cast<size_t>(begin);
  const auto visit_one = [&](size_t i) {
    const size_t bit = (first + i) * kBits;
    uint32_t bits = data[bit / 8];
    if (bit % 8 + kBits > 8) bits |= uint32_t{data[bit / 8 + 1]} << 8;
    visit(i, (bits >> bit % 8) & kMask);
  };
  size_t i = 0;
  for (; i < n && (first + i) % kCodes != 0; ++i) visit_one(i);
  const uint8_t* group = data + (first + i) * kBits / 8;
  for (; i + kCodes <= n; i += kCodes, group += kBytes) {
    uint32_t codes = 0;
    for (size_t j = 0; j < kBytes; ++j) codes |= uint32_t{group[j]} << (8 * j);
    for (size_t j = 0; j < kCodes; ++j) visit(i + j, (codes >> (j * kBits)) & kMask);
  }
  for (; i < n; ++i) visit_one(i);
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
  const Values& values = ValuesOf(zero_point.type);
  const auto write = [&](size_t i, uint32_t code) { out[i] = values[code]; };
  switch (BitWidth(zero_point.type)) {
    case 4:
      return ForEachCode<4>(zero_point, begin, n, write);
    case 6:
      return ForEachCode<6>(zero_point, begin, n, write);
    default:
      return ForEachCode<8>(zero_point, begin, n, write);
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
