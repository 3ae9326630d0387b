#include <cstring>

#include "cases/operators/dequantize_linear/cases.h"

namespace qconform::generators {

// x is 0, 1, 2, ... 199, 0, ..., the scale 0.5 and the zero point 3.
FedModel DequantizeLinearExample(int64_t elements, bool with_constants) {
  Tensor x = Tensor::Zeros(DataType::kUint8, {elements});
  for (int64_t i = 0; i < elements; ++i) {
    x.data[static_cast<size_t>(i)] = static_cast<std::byte>(i % 200);
  }
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  const float half = 0.5f;
  std::memcpy(scale.data.data(), &half, sizeof half);
  Tensor zero_point{DataType::kUint8, {}, {std::byte{3}}};

  FedModel fed;
  Model& model = fed.model;
  model.opset_version = 13;
  model.ir_version = 8;
  model.node = {"DequantizeLinear", "", {"x", "x_scale", "x_zero_point"}, {"y"}, {}};
  model.inputs = {{"x", x.type, x.shape}};
  model.outputs = {{"y", DataType::kFloat, x.shape}};
  fed.inputs.push_back(std::move(x));
  if (with_constants) {
    model.initializers = {{"x_scale", std::move(scale)},
                          {"x_zero_point", std::move(zero_point)}};
  } else {
    model.inputs.push_back({"x_scale", scale.type, {}});
    model.inputs.push_back({"x_zero_point", zero_point.type, {}});
    fed.inputs.push_back(std::move(scale));
    fed.inputs.push_back(std::move(zero_point));
  }
  return fed;
}

}  // namespace qconform::generators
