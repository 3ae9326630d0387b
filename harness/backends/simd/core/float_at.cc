#include "harness/backends/simd/core/float_at.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace qconform::simd {
namespace {

float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const auto fraction = static_cast<float>(half & 0x3FF);
  float magnitude;
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? HUGE_VALF : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

float FloatAt(const TensorView& tensor, int64_t index) {
  if (tensor.type == DataType::kFloat) {
    float value;
    std::memcpy(&value, tensor.data.data() + index * 4, 4);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, tensor.data.data() + index * 2, 2);
  return tensor.type == DataType::kFloat16 ? HalfToFloat(bits)
                                           : std::bit_cast<float>(uint32_t{bits} << 16);
}

}  // namespace qconform::simd
