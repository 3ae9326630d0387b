#include "harness/reference_path/testing/small_models.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include "cases/model/serialize.h"

namespace qconform {
namespace {

class PreparedNodeByNode : public PreparedModel {
 public:
  PreparedNodeByNode(ModelFile file, Backend& inner, NodeByNode::Change change)
      : file_(std::move(file)), inner_(inner), change_(change) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    NamedTensors fed;
    for (size_t i = 0; i < inputs.size(); ++i) {
      fed.emplace(file_.inputs()[i],
                  Tensor{inputs[i].type,
                         {inputs[i].shape.begin(), inputs[i].shape.end()},
                         {inputs[i].data.begin(), inputs[i].data.end()}});
    }
    const ValueNames wanted(file_.outputs().begin(), file_.outputs().end());
    const auto values = EvaluateModel(file_, {{&inner_}, nullptr}, fed, wanted);
    if (!values) return HarnessFailed(values.error());
    if (!values->stopped.empty()) {
      return Unsupported{values->stopped.front().Words(), ""};
    }
    Outputs outputs;
    for (const std::string& name : file_.outputs()) {
      outputs.push_back(values->values.at(name));
    }
    if (change_ != nullptr) change_(outputs);
    return outputs;
  }

 private:
  ModelFile file_;
  Backend& inner_;
  NodeByNode::Change change_;
};

}  // namespace

Tensor Floats(Shape shape, const std::vector<float>& values) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

Tensor Bytes(DataType type, Shape shape, const std::vector<int>& values) {
  Tensor tensor{type, std::move(shape), {}};
  for (const int value : values) tensor.data.push_back(static_cast<std::byte>(value));
  return tensor;
}

Node MakeNode(const char* op_type, std::vector<std::string> inputs, const char* output,
              std::vector<Attribute> attributes) {
  Node node;
  node.op_type = op_type;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  node.attributes = std::move(attributes);
  return node;
}

Model EmptyGraph() {
  Model model;
  model.opset_version = 13;
  model.ir_version = 7;
  model.node.op_type = kGraphOpType;
  return model;
}

Model TwoStages() {
  Model model = EmptyGraph();
  model.node.body = {MakeNode("QuantizeLinear", {"x", "s", "zero"}, "q"),
                     MakeNode("DequantizeLinear", {"q", "s", "zero"}, "d"),
                     MakeNode("Relu", {"d"}, "r"),
                     MakeNode("QuantizeLinear", {"r", "one"}, "y"),
                     MakeNode("DequantizeLinear", {"y", "one"}, "z")};
  model.inputs = {{"x", DataType::kFloat, {4}}};
  model.outputs = {{"z", DataType::kFloat, {4}}};
  model.initializers = {{"s", Floats({}, {0.5F})},
                        {"zero", Bytes(DataType::kUint8, {}, {10})},
                        {"one", Floats({}, {1})}};
  return model;
}

TemporaryFolder::TemporaryFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "qconform_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

ModelFile WrittenModel(const TemporaryFolder& folder, const std::string& name,
                       const Model& model) {
  const std::filesystem::path path = folder.path() / (name + ".onnx");
  std::ofstream(path, std::ios::binary) << SerializeModel(model);
  auto file = ModelFile::Open(path);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    std::abort();
  }
  return *std::move(file);
}

PrepareResult NodeByNode::PrepareWhole(const WholeModel& model) {
  const std::filesystem::path path = folder_.path() / "whole.onnx";
  std::ofstream(path, std::ios::binary) << model.bytes;
  auto file = ModelFile::Open(path);
  if (!file) return Refused{file.error().message};
  return std::make_unique<PreparedNodeByNode>(*std::move(file), *inner_, change_);
}

}  // namespace qconform
