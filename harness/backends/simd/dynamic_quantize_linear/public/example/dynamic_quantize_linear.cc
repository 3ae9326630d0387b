// Quantizes a row of FLOAT by its own range, [-253, 257].
// Prints: 0 126 254 254 by
#include "qconform/dynamic_quantize_linear.h"

#include <array>
#include <cstdio>
#include <span>
#include <string>

int main() {
  namespace kernels = qconform::kernels;
  const std::array<float, 4> x = {-253.0f, 0.0f, 256.0f, 257.0f};
  const std::array<int64_t, 1> shape = {4};
  std::array<uint8_t, 4> y{};
  float y_scale = 0;
  uint8_t y_zero_point = 0;
  const kernels::Error error = kernels::DynamicQuantizeLinear(
      {kernels::Type::kFloat, shape, std::as_bytes(std::span(x))},
      std::as_writable_bytes(std::span(y)), y_scale, y_zero_point);
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const uint8_t element : y) std::printf("%d ", static_cast<int>(element));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
