// Convolves a row of UINT8, padded by one element at both ends, with a kernel of three.
// Padded positions contribute 0.
// Prints: 2 -2 -2 1 by
#include "qconform/conv_integer.h"

#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

int main() {
  namespace kernels = qconform::kernels;
  const std::array<uint8_t, 4> x = {4, 3, 6, 5};
  const std::array<int8_t, 3> w = {1, 0, -1};
  const std::array<uint8_t, 1> x_zero_point = {5};
  const std::array<int64_t, 3> x_shape = {1, 1, 4};
  const std::array<int64_t, 3> w_shape = {1, 1, 3};
  const std::array<int64_t, 2> pads = {1, 1};
  std::array<int32_t, 4> y{};
  const kernels::Error error = kernels::ConvInteger(
      {kernels::Type::kUint8, x_shape, std::as_bytes(std::span(x))},
      {kernels::Type::kInt8, w_shape, std::as_bytes(std::span(w))},
      kernels::Input{kernels::Type::kUint8, {}, std::as_bytes(std::span(x_zero_point))},
      std::nullopt, {.pads = pads}, std::as_writable_bytes(std::span(y)));
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const int32_t element : y) std::printf("%d ", static_cast<int>(element));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
