#include <cstring>

#include "cases/operators/quantize_linear/cases.h"

namespace qconform::generators {

// x is 0, 1, 2, ... 199, 0, ..., the scale 1 and the zero point 3.
FedModel QuantizeLinearExample(int64_t elements, bool with_constants) {
  Tensor x = Tensor::Zeros(DataType::kFloat, {elements});
  for (int64_t i = 0; i < elements; ++i) {
    const auto value = static_cast<float>(i % 200);
    std::memcpy(x.data.data() + sizeof value * i, &value, sizeof value);
  }
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  const float one = 1.0f;
  std::memcpy(scale.data.data(), &one, sizeof one);
  Tensor zero_point{DataType::kUint8, {}, {std::byte{3}}};

  FedModel fed;
  Model& model = fed.model;
  model.opset_version = 13;
  model.ir_version = 8;
  model.node = {"QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
  model.inputs = {{"x", x.type, x.shape}};
  model.outputs = {{"y", zero_point.type, x.shape}};
  fed.inputs.push_back(std::move(x));
  if (with_constants) {
    model.initializers = {{"y_scale", std::move(scale)},
                          {"y_zero_point", std::move(zero_point)}};
  } else {
    model.inputs.push_back({"y_scale", scale.type, {}});
    model.inputs.push_back({"y_zero_point", zero_point.type, {}});
    fed.inputs.push_back(std::move(scale));
    fed.inputs.push_back(std::move(zero_point));
  }
  return fed;
}

}  // namespace qconform::generators
