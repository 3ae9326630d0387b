#include "harness/backends/simd/quantize_linear/fnuz_infinity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "harness/backends/simd/core/float_at.h"

namespace qconform::simd {
namespace {

// FLOAT8E8M0 is no type of scales before 24, which is where this is used.
double ValueAt(const TensorView& tensor, int64_t index) {
  if (tensor.type != DataType::kInt32) return FloatAt(tensor, index);
  int32_t value = 0;
  std::memcpy(&value, tensor.data.data() + index * 4, 4);
  return value;
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
    const double quotient = RoundTo(
        p, RoundTo(p, ValueAt(args.x, index)) / RoundTo(p, ValueAt(args.y_scale, scale)));
    if (std::isinf(quotient)) y[i] = std::byte{0x80};
  }
}

}  // namespace qconform::simd
