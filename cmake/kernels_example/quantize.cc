// Quantizes a row of FLOATs to UINT8 in blocks of four with a scale each.
// Prints: 2 4 6 8 2 4 6 8 by
#include <array>
#include <cstdio>

#include "qconform/quantize_linear.h"

int main() {
  namespace kernels = qconform::kernels;
  const std::array<float, 8> x = {0.1f, 0.2f, 0.3f, 0.4f, 1, 2, 3, 4};
  const std::array<int64_t, 2> shape = {1, 8};
  const std::array<float, 2> scale = {0.05f, 0.5f};
  const std::array<int64_t, 2> scale_shape = {1, 2};
  std::array<std::byte, 8> y{};
  const kernels::Error error = kernels::QuantizeLinear(
      {kernels::Type::kFloat, shape, std::as_bytes(std::span(x))},
      {kernels::Type::kFloat, scale_shape, std::as_bytes(std::span(scale))}, std::nullopt,
      kernels::Type::kUint8, {.axis = 1, .block_size = 4}, y);
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const std::byte code : y) std::printf("%d ", std::to_integer<int>(code));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
