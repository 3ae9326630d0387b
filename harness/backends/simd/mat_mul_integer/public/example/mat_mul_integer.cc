// Multiplies a UINT8 matrix with a zero point for each row by an INT8 matrix.
// Prints: -1 -2 2 4 by
#include "qconform/mat_mul_integer.h"

#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

int main() {
  namespace kernels = qconform::kernels;
  const std::array<uint8_t, 4> a = {9, 10, 22, 20};
  const std::array<int8_t, 4> b = {1, 2, 2, 2};
  const std::array<uint8_t, 2> a_zero_point = {10, 20};
  const std::array<int64_t, 2> shape = {2, 2};
  const std::array<int64_t, 1> rows = {2};
  std::array<int32_t, 4> y{};
  const kernels::Error error = kernels::MatMulInteger(
      {kernels::Type::kUint8, shape, std::as_bytes(std::span(a))},
      {kernels::Type::kInt8, shape, std::as_bytes(std::span(b))},
      kernels::Input{kernels::Type::kUint8, rows, std::as_bytes(std::span(a_zero_point))},
      std::nullopt, std::as_writable_bytes(std::span(y)));
  if (error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  for (const int32_t element : y) std::printf("%d ", static_cast<int>(element));
  std::printf("by %s\n", std::string(kernels::InstructionSet()).c_str());
}
