// Convolves a row of UINT8 with two kernels of one element, each of which has a scale of
// its own.
// Prints: 10 20 5 10 by
#include "qconform/q_linear_conv.h"

#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "qconform/convolution.h"

int main() {
  namespace kernels = qconform::kernels;
  using kernels::Type;
  const std::array<uint8_t, 2> x = {10, 20};
  const std::array<int8_t, 2> w = {1, 1};
  const std::array<int64_t, 3> x_shape = {1, 1, 2};
  const std::array<int64_t, 3> w_shape = {2, 1, 1};
  const std::array<int64_t, 1> channels = {2};
  const std::array<float, 1> one = {1.0f};
  const std::array<float, 2> w_scale = {1.0f, 0.5f};
  const std::array<uint8_t, 2> zero = {0, 0};
  const kernels::Quantization of_x_and_y = {
      {Type::kFloat, {}, std::as_bytes(std::span(one))},
      {Type::kUint8, {}, std::as_bytes(std::span(zero).first(1))}};
  const kernels::Quantization of_w = {
      {Type::kFloat, channels, std::as_bytes(std::span(w_scale))},
      {Type::kInt8, channels, std::as_bytes(std::span(zero))}};
  std::vector<int64_t> y_shape;
  kernels::Error error = kernels::ConvolutionOutputShape(x_shape, w_shape, {}, y_shape);
  std::array<uint8_t, 4> y{};  // [1,2,2]
  if (!error) {
    error = kernels::QLinearConv(
        {Type::kUint8, x_shape, std::as_bytes(std::span(x))}, of_x_and_y,
        {Type::kInt8, w_shape, std::as_bytes(std::span(w))}, of_w, of_x_and_y,
        std::nullopt, {}, std::as_writable_bytes(std::span(y)));
  }
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const uint8_t element : y) std::printf("%d ", static_cast<int>(element));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
