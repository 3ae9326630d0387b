#include <algorithm>
#include <set>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/core/bound_model.h"
#include "harness/parts/cut.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

class Cutter {
 public:
  Cutter(const ModelFile& file, const Part& part, const Sizes& sizes,
         LargeConstants large)
      : file_(file), part_(part), known_(file.ShapesWith(sizes)), large_(large) {}

  Result<Model> Run() {
    model_.opset_version = file_.opset_version();
    // The file may be newer than the linked ONNX.
    const int newest = IrVersionFor(NewestOpsetVersion());
    model_.ir_version = file_.ir_version() < 1 ? IrVersionFor(model_.opset_version)
                                               : std::min(file_.ir_version(), newest);
    AddNodes();
    for (const std::string& name : model_.node.inputs) {
      if (name.empty()) continue;
      if (Status added = AddValue(name); !added) return added.error();
    }
    if (model_.inputs.empty()) {
      if (Status fed = FeedData(); !fed) return fed.error();
    }
    auto outputs = InferOutputs(model_, part_.outputs);
    if (!outputs) return outputs.error();
    model_.outputs = *std::move(outputs);
    return std::move(model_);
  }

 private:
  void AddNodes() {
    std::vector<Node> nodes;
    for (const size_t index : part_.nodes) nodes.push_back(file_.nodes()[index].node);
    if (nodes.size() == 1) {
      model_.node = std::move(nodes.front());
      return;
    }
    model_.node.op_type = part_.cell ? part_.cell->op_type : kGraphOpType;
    std::set<std::string> met{""};
    for (const Node& node : nodes) {
      for (const std::string& input : node.inputs) {
        if (met.insert(input).second) model_.node.inputs.push_back(input);
      }
      met.insert(node.outputs.begin(), node.outputs.end());
    }
    model_.node.outputs = part_.outputs;
    model_.node.body = std::move(nodes);
  }

  bool IsThere(const std::string& name) const {
    return std::ranges::find(model_.inputs, name, &ValueInfo::name) !=
               model_.inputs.end() ||
           std::ranges::find(model_.initializers, name, &Initializer::name) !=
               model_.initializers.end();
  }

  Status AddValue(const std::string& name) {
    if (IsThere(name)) return Ok();  // a node may use a value twice
    if (const FileConstant* constant = file_.FindConstant(name)) {
      return AddConstant(*constant);
    }
    const std::string what = "value '" + name + "'";
    const FileValue* value = file_.FindValue(name);
    if (value == nullptr || value->type == DataType::kUndefined) {
      return Expected(
          what, "a type that is known",
          value == nullptr || value->type_name.empty() ? "none" : value->type_name);
    }
    const auto shape = known_.shapes.find(name);
    if (shape == known_.shapes.end()) {
      return Expected(what, "a shape that is known", "none");
    }
    const auto numbers = known_.numbers.find(name);
    if (numbers == known_.numbers.end()) {
      model_.inputs.push_back({name, value->type, shape->second});
      return Ok();
    }
    Tensor tensor = Tensor::Zeros(value->type, shape->second);
    if (ElementCount(shape->second) != std::ssize(numbers->second)) {
      return Expected(what, std::to_string(*ElementCount(shape->second)) + " numbers",
                      std::to_string(numbers->second.size()));
    }
    for (size_t i = 0; i < numbers->second.size(); ++i) {
      WriteCode(tensor.mutable_view(), static_cast<int64_t>(i),
                static_cast<uint64_t>(numbers->second[i]));
    }
    model_.initializers.push_back({name, std::move(tensor)});
    return Ok();
  }

  Status AddConstant(const FileConstant& constant) {
    if (large_ == LargeConstants::kFed && constant.type != DataType::kUndefined) {
      const auto count = ElementCount(constant.shape);
      if (count && PackedByteSize(constant.type, *count) > ModelFile::kSmallBytes) {
        model_.inputs.push_back({constant.name, constant.type, constant.shape});
        return Ok();
      }
    }
    auto tensor = file_.LoadConstant(constant.name);
    if (!tensor) return tensor.error();
    model_.initializers.push_back({constant.name, *std::move(tensor)});
    return Ok();
  }

  // Feeds the data of a part that has only constants, such as weights that are quantized
  // when the model is loaded: otherwise there would be nothing to ask.
  Status FeedData() {
    const auto bound = BindModel(model_);
    if (!bound) return bound.error();
    const auto operands = bound->op->operands();
    for (size_t i = 0; i < operands.size() && i < model_.node.inputs.size(); ++i) {
      if (operands[i].role != OperandRole::kData) continue;
      const auto constant = std::ranges::find(model_.initializers, model_.node.inputs[i],
                                              &Initializer::name);
      if (constant == model_.initializers.end()) continue;
      model_.inputs.push_back(
          {constant->name, constant->tensor.type, constant->tensor.shape});
      model_.initializers.erase(constant);
    }
    return Ok();
  }

  const ModelFile& file_;
  const Part& part_;
  const KnownShapes& known_;
  const LargeConstants large_;
  Model model_;
};

}  // namespace

Result<Model> Cut(const ModelFile& file, const Part& part, const Sizes& sizes,
                  LargeConstants large) {
  if (part.nodes.empty()) {
    return Expected("part '" + part.name + "'", "nodes of the graph",
                    "a node that is " + part.not_judged);
  }
  return Cutter(file, part, sizes, large).Run();
}

Result<Model> CutOut(const ModelFile& file, const Part& part, const Sizes& sizes) {
  return Cut(file, part, sizes, LargeConstants::kLoaded);
}

}  // namespace qconform
