// Readers of model.onnx and *.pb take any bytes. A model that they read stays the
// same when it is written and read again.
#include "cases/model/serialize.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

Model ExampleModel() {
  Model model;
  model.opset_version = 25;
  model.ir_version = 11;
  model.node = {
      "QuantizeLinear", "", {"x", "y_scale", ""}, {"y"}, {{"axis", int64_t{0}}}};
  model.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3}}};
  model.initializers = {{"y_scale", Tensor::Zeros(DataType::kFloat, {})}};
  return model;
}

Model ExampleGraph() {
  Model graph = ExampleModel();
  graph.node = {
      kGraphOpType,
      "",
      {"x", "y_scale"},
      {"y"},
      {},
      {{"LeakyRelu", "", {"x"}, {"h"}, {{"alpha", 0.5f}}},
       {"QuantizeLinear", "", {"h", "y_scale"}, {"y"}, {{"axis", int64_t{0}}}}}};
  return graph;
}

ReadAs ReadModelBytes(std::string_view bytes) {
  const auto operators = OperatorsOf(bytes);
  if (!operators) Outcome(operators);
  const Result<Model> model = ParseModel(bytes);
  if (!model) return Outcome(model);
  const std::string written = SerializeModel(*model);
  const Result<Model> again = ParseModel(written);
  Require(again.ok(), "a written model can be read");
  Require(SerializeModel(*again) == written, "a model is written as it was read");
  return ReadAs::kWhole;
}

// What ONNX's checker and its shape inference are given: bytes that nobody has read yet.
ReadAs CheckModelBytes(std::string_view bytes) { return Outcome(CheckModel(bytes)); }

ReadAs ReadTensorBytes(std::string_view bytes) {
  const Result<Tensor> tensor = ParseTensor(bytes);
  if (!tensor) return Outcome(tensor);
  const std::string written = SerializeTensor(*tensor, "t");
  const Result<Tensor> again = ParseTensor(written);
  Require(again.ok() && *again == *tensor, "a tensor is read as it was written");
  return ReadAs::kWhole;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  const auto models = [] {
    return std::vector{SerializeModel(ExampleModel()), SerializeModel(ExampleGraph())};
  };
  const auto tensors = [] {
    const Tensor nibbles = Tensor::Zeros(DataType::kInt4, {5});
    return std::vector{SerializeTensor(Tensor::Zeros(DataType::kFloat, {2}), "y_scale"),
                       SerializeTensor(nibbles, "x")};
  };
  return {{"model", ReadModelBytes, models},
          {"checker", CheckModelBytes, models},
          {"tensor", ReadTensorBytes, tensors}};
}

}  // namespace qconform
