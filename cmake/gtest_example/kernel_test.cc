// One GoogleTest for each cell of a function that quantizes FLOAT to 8 bits with one
// scale. With --wrong it rounds half away from zero, and the tests fail.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "harness/gtest/gtest_cells.h"

namespace {

bool g_wrong = false;

template <typename Y>
void Quantize(const float* x, size_t n, float scale, int zero_point, std::byte* y) {
  const float lowest = static_cast<float>(std::numeric_limits<Y>::min() - zero_point);
  const float highest = static_cast<float>(std::numeric_limits<Y>::max() - zero_point);
  for (size_t i = 0; i < n; ++i) {
    const float q = std::fmin(std::fmax(x[i] / scale, lowest), highest);
    const float rounded = g_wrong ? std::round(q) : std::nearbyint(q);
    y[i] = static_cast<std::byte>(static_cast<int>(rounded) + zero_point);
  }
}

qconform::RunResult Kernel(const qconform::Model& model,
                           const qconform::Operands& operands) {
  using qconform::DataType;
  const auto scale = qconform::OperandAt(operands, 1);
  const auto zero_point = qconform::OperandAt(operands, 2);
  const DataType type = model.outputs[0].type;
  if (!scale->shape.empty()) return qconform::Unsupported{"more than one scale", ""};
  const qconform::TensorView& x = *operands[0];
  auto y = qconform::Tensor::Zeros(type, qconform::Shape(x.shape.begin(), x.shape.end()));
  float s = 0;
  std::memcpy(&s, scale->data.data(), sizeof s);
  std::vector<float> values(x.data.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), x.data.data(), x.data.size());
  const auto code =
      zero_point ? std::to_integer<uint8_t>(zero_point->data[0]) : uint8_t{0};
  if (type == DataType::kUint8) {
    Quantize<uint8_t>(values.data(), values.size(), s, code, y.data.data());
  } else {
    Quantize<int8_t>(values.data(), values.size(), s, static_cast<int8_t>(code),
                     y.data.data());
  }
  return qconform::Outputs{std::move(y)};
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  g_wrong = argc > 1 && std::strcmp(argv[1], "--wrong") == 0;
  const qconform::Status registered =
      qconform::RegisterCellTests({"QuantizeLinear/10/FLOAT-*"}, Kernel);
  if (!registered) {
    std::fprintf(stderr, "%s\n", registered.error().message.c_str());
    return 2;
  }
  return RUN_ALL_TESTS();
}
