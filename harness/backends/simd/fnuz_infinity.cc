#include "harness/backends/simd/fnuz_infinity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace qconform::simd {
namespace {

template <typename T>
T Load(const TensorView& tensor, int64_t index) {
  T value;
  std::memcpy(&value, tensor.data.data() + static_cast<size_t>(index) * sizeof(T),
              sizeof(T));
  return value;
}

double HalfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double magnitude = std::ldexp(exponent == 0 ? fraction : 1024 + fraction,
                                std::max(exponent, 1) - 25);
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double ValueAt(const TensorView& tensor, int64_t index) {
  switch (tensor.type) {
    case DataType::kFloat:
      return Load<float>(tensor, index);
    case DataType::kFloat16:
      return HalfValue(Load<uint16_t>(tensor, index));
    case DataType::kBfloat16:
      return std::bit_cast<float>(uint32_t{Load<uint16_t>(tensor, index)} << 16);
    default:  // INT32: FLOAT8E8M0 is since 24
      return Load<int32_t>(tensor, index);
  }
}

// Rounds to P. What is a quotient of two numbers of P is rounded correctly so, as DOUBLE
// has more than twice their digits.
double RoundTo(DataType p, double value) {
  if (p == DataType::kFloat) return static_cast<float>(value);
  const bool half = p == DataType::kFloat16;
  if ((!half && p != DataType::kBfloat16) || !std::isfinite(value) || value == 0) {
    return value;
  }
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit =
      half ? std::max(exponent - 1, -14) - 10 : std::max(exponent - 1, -126) - 7;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  const double largest = half ? 65504.0 : 0x1.FEp127;
  if (std::abs(rounded) <= largest) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

}  // namespace

void MakeInfinitiesNan(const QuantizeLinearArgs& args, const Geometry& geometry,
                       std::span<std::byte> y) {
  const DataType p = args.division_precision;
  for (size_t i = 0; i < y.size(); ++i) {
    if ((y[i] & std::byte{0x7F}) != std::byte{0x7F}) continue;
    const auto index = static_cast<int64_t>(i);
    const int64_t line = index / geometry.inner;
    const int64_t scale = line / geometry.axis * geometry.outer_stride +
                          line % geometry.axis / geometry.block * geometry.block_stride +
                          index % geometry.inner * geometry.inner_stride;
    const double quotient = RoundTo(p, RoundTo(p, ValueAt(args.x, index)) /
                                           RoundTo(p, ValueAt(args.y_scale, scale)));
    if (std::isinf(quotient)) y[i] = std::byte{0x80};
  }
}

}  // namespace qconform::simd
