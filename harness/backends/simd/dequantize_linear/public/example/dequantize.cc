// Dequantizes a row of INT8 to FLOAT with one scale and zero point.
// Prints: -2 -0.5 0 1.5 by
#include <array>
#include <cstdio>
#include <span>
#include <string>

#include "qconform/dequantize_linear.h"

int main() {
  namespace kernels = qconform::kernels;
  const std::array<int8_t, 4> x = {-1, 2, 3, 6};
  const std::array<int64_t, 1> shape = {4};
  const std::array<float, 1> scale = {0.5f};
  const std::array<int8_t, 1> zero_point = {3};
  std::array<float, 4> y{};
  const kernels::Error error = kernels::DequantizeLinear(
      {kernels::Type::kInt8, shape, std::as_bytes(std::span(x))},
      {kernels::Type::kFloat, {}, std::as_bytes(std::span(scale))},
      kernels::Input{kernels::Type::kInt8, {}, std::as_bytes(std::span(zero_point))},
      kernels::Type::kFloat, {}, std::as_writable_bytes(std::span(y)));
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const float element : y) std::printf("%g ", static_cast<double>(element));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
