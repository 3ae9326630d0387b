// Readers of model.onnx and *.pb take any bytes. A model that they read stays the
// same when it is written and read again.
#include <cstdint>
#include <string>
#include <string_view>

#include "cases/model/serialize.h"
#include "oracle/base/testing/fuzz_seeds.h"

using namespace qconform;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  Model model;
  model.opset_version = 25;
  model.ir_version = 11;
  model.node = {
      "QuantizeLinear", "", {"x", "y_scale", ""}, {"y"}, {{"axis", int64_t{0}}}};
  model.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3}}};
  model.initializers = {{"y_scale", scale}};
  Model graph = model;
  graph.node = {
      kGraphOpType,
      "",
      {"x", "y_scale"},
      {"y"},
      {},
      {{"LeakyRelu", "", {"x"}, {"h"}, {{"alpha", 0.5f}}},
       {"QuantizeLinear", "", {"h", "y_scale"}, {"y"}, {{"axis", int64_t{0}}}}}};
  WriteSeedsIfAsked({
      std::string(1, '\0') + SerializeModel(model),
      std::string(1, '\0') + SerializeModel(graph),
      std::string(1, '\1') + SerializeTensor(scale, "y_scale"),
      std::string(1, '\1') + SerializeTensor(Tensor::Zeros(DataType::kInt4, {5}), "x"),
  });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    const Result<Model> model = ParseModel(bytes);
    if (!model.ok()) return 0;
    const std::string written = SerializeModel(*model);
    const Result<Model> again = ParseModel(written);
    Require(again.ok(), "a written model can be read");
    Require(SerializeModel(*again) == written, "a model is written as it was read");
  } else {
    const Result<Tensor> tensor = ParseTensor(bytes);
    if (!tensor.ok()) return 0;
    const std::string written = SerializeTensor(*tensor, "t");
    const Result<Tensor> again = ParseTensor(written);
    Require(again.ok() && *again == *tensor, "a tensor is read as it was written");
  }
  return 0;
}
