#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "cases/lattice/lattice.h"
#include "cases/model/lookup.h"
#include "harness/core/bound_model.h"
#include "harness/parts/cut.h"
#include "oracle/base/expected.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using NamedShapes = std::map<std::string, Shape, std::less<>>;

class Cutter {
 public:
  // `shapes`: of values, in place of those with the sizes.
  Cutter(const ModelFile& file, const Part& part, const Sizes& sizes,
         LargeConstants large, const NamedShapes& shapes)
      : file_(file),
        part_(part),
        known_(file.ShapesWith(sizes)),
        large_(large),
        shapes_(shapes) {}

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
    model_.node.inputs = OuterInputs(nodes);
    model_.node.outputs = part_.outputs;
    model_.node.body = std::move(nodes);
  }

  bool IsThere(const std::string& name) const {
    return FindInput(model_, name) != nullptr || FindConstant(model_, name) != nullptr;
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
    const auto fitted = shapes_.find(name);
    const auto shape = fitted == shapes_.end() ? known_.shapes.find(name) : fitted;
    if (fitted == shapes_.end() && shape == known_.shapes.end()) {
      return Expected(what, "a shape that is known", "none");
    }
    const auto numbers = known_.numbers.find(name);
    if (fitted != shapes_.end() || numbers == known_.numbers.end()) {
      model_.inputs.push_back({name, value->type, shape->second});
      return Ok();
    }
    if (ElementCount(shape->second) != std::ssize(numbers->second)) {
      return Expected(what, std::to_string(*ElementCount(shape->second)) + " numbers",
                      std::to_string(numbers->second.size()));
    }
    Tensor tensor = Tensor::Zeros(value->type, shape->second);
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
  const NamedShapes& shapes_;
  Model model_;
};

// --- shapes that are not known ---------------------------------------------------------

// Looks for shapes of the values that are fed with which the part is valid, if the model
// leaves some of them open. An operator of another domain in front of a part hides what
// it gives, but the weights of the part imply much of it.
class Fitter {
 public:
  Fitter(const ModelFile& file, const Part& part, const Sizes& sizes)
      : file_(file), part_(part), sizes_(sizes) {
    for (const size_t node : part.nodes) {
      for (const std::string& name : file.nodes()[node].node.inputs) AddInput(name);
    }
    dimensions_.insert(dimensions_.begin(), sizes.other);
    constexpr int64_t kWindow = 8;  // most windows that slide fit into it
    dimensions_.push_back(kWindow);
    std::set<int64_t> seen;
    std::erase_if(dimensions_, [&](int64_t size) { return !seen.insert(size).second; });
    constexpr size_t kMostDimensions = 8;
    if (dimensions_.size() > kMostDimensions) dimensions_.resize(kMostDimensions);
  }

  // Returns the shapes; none if no shapes fit, or the first that were tried do.
  NamedShapes Run() {
    NamedShapes shapes;
    if (!open_.empty() && TryFrom(0, shapes)) return shapes;
    return {};
  }

 private:
  void AddInput(const std::string& name) {
    if (name.empty()) return;
    if (const FileConstant* constant = file_.FindConstant(name)) {
      dimensions_.insert(dimensions_.end(), constant->shape.begin(),
                         constant->shape.end());
      AddNumbers(*constant);
      return;
    }
    if (const auto producer = file_.ProducerOf(name);
        producer && std::ranges::find(part_.nodes, *producer) != part_.nodes.end()) {
      return;
    }
    const auto& numbers = file_.ShapesWith(sizes_).numbers;
    if (const auto known = numbers.find(name); known != numbers.end()) {
      for (const int64_t number : known->second) {
        if (number > 0) dimensions_.push_back(number);
      }
      return;
    }
    const FileValue* value = file_.FindValue(name);
    if (value == nullptr || open_.contains(name)) return;
    if (!value->shape || std::ranges::find(*value->shape, -1) != value->shape->end()) {
      open_[name] = *value;
    }
  }

  // The sizes that a constant names, such as the shape that a Reshape gets.
  void AddNumbers(const FileConstant& constant) {
    constexpr int64_t kMostNumbers = 8;
    if (constant.type != DataType::kInt64 ||
        ElementCount(constant.shape).value_or(kMostElements) > kMostNumbers) {
      return;
    }
    const auto tensor = file_.LoadConstant(constant.name);
    if (!tensor) return;
    for (int64_t i = 0; i < *ElementCount(constant.shape); ++i) {
      const auto number = static_cast<int64_t>(ReadCode(tensor->view(), i));
      if (number > 0) dimensions_.push_back(number);
    }
  }

  // Tries all shapes of the open values from the `index`th on.
  bool TryFrom(size_t index, NamedShapes& shapes) {
    if (tries_ > kMostTries) return false;
    if (index == open_.size()) {
      ++tries_;
      const auto model = Cutter(file_, part_, sizes_, LargeConstants::kFed, shapes).Run();
      return model && ProblemOf(*model).text.empty();
    }
    const auto& open = *std::next(open_.begin(), static_cast<int64_t>(index));
    const FileValue& value = open.second;
    if (value.shape) return TryAxes(index, *value.shape, 0, shapes, open.first);
    constexpr size_t kRanks[] = {2, 4, 3, 1, 0};
    return std::ranges::any_of(kRanks, [&](size_t rank) {
      return TryAxes(index, Shape(rank, -1), 0, shapes, open.first);
    });
  }

  bool TryAxes(size_t index, Shape shape, size_t axis, NamedShapes& shapes,
               const std::string& name) {
    while (axis < shape.size() && shape[axis] >= 0) ++axis;
    if (axis == shape.size()) {
      shapes[name] = shape;
      return TryFrom(index + 1, shapes);
    }
    return std::ranges::any_of(dimensions_, [&](int64_t size) {
      shape[axis] = size;
      return TryAxes(index, shape, axis + 1, shapes, name);
    });
  }

  static constexpr int kMostTries = 2000;

  const ModelFile& file_;
  const Part& part_;
  const Sizes& sizes_;
  std::map<std::string, FileValue> open_;
  std::vector<int64_t> dimensions_;  // that are tried
  int tries_ = 0;
};

// Whether the wiring of a graph is small: it has every term of every sum.
bool IsQuick(const Model& model) {
  constexpr int64_t kMostTerms = 1'000'000;
  int64_t largest = 1;
  for (const ValueInfo& input : model.inputs) {
    largest = std::max(largest, ElementCount(input.shape).value_or(kMostElements));
  }
  for (const Initializer& constant : model.initializers) {
    largest = std::max(largest, *ElementCount(constant.tensor.shape));
  }
  int64_t outputs = 0;
  for (const ValueInfo& output : model.outputs) {
    outputs += ElementCount(output.shape).value_or(kMostElements);
  }
  return largest <= kMostTerms && outputs <= kMostTerms / largest;
}

// Returns types and shapes of all values of a model. An Error if one cannot be inferred.
Result<std::map<std::string, ValueInfo>> ValuesOf(const Model& model) {
  std::map<std::string, ValueInfo> values;
  for (const ValueInfo& input : model.inputs) values[input.name] = input;
  for (const Initializer& constant : model.initializers) {
    values[constant.name] = {constant.name, constant.tensor.type, constant.tensor.shape};
  }
  std::vector<std::string> names;
  for (const Node& node : NodesOf(model.node)) {
    for (const std::string& output : node.outputs) {
      if (!output.empty()) names.push_back(output);
    }
  }
  const auto outputs = InferOutputs(model, names);
  if (!outputs) return outputs.error();
  for (const ValueInfo& output : *outputs) values[output.name] = output;
  return values;
}

// Returns why a value is too large to be asked about; "" if none is. Larger ones come
// from sizes that were chosen, or from a file that is wrong.
std::string TooLargeValue(const std::map<std::string, ValueInfo>& values) {
  constexpr int64_t kMost = (int64_t{1} << 31) - 1;
  for (const auto& named : values) {
    const Shape& shape = named.second.shape;
    const bool is_known = std::ranges::all_of(shape, [](int64_t n) { return n >= 0; });
    if (!is_known || ElementCount(shape).value_or(kMostElements) <= kMost) continue;
    return Expected("value '" + named.first + "'",
                    "at most " + std::to_string(kMost) + " elements",
                    ShapeToString(shape))
        .message;
  }
  return "";
}

}  // namespace

Result<Model> Cut(const ModelFile& file, const Part& part, const Sizes& sizes,
                  LargeConstants large) {
  if (part.nodes.empty()) {
    return Expected("part '" + part.name + "'", "nodes of the graph",
                    "a node that is " + part.not_judged);
  }
  if (part.outputs.empty()) {
    return Expected("part '" + part.name + "'", "an output", "none");
  }
  NamedShapes shapes;
  auto model = Cutter(file, part, sizes, LargeConstants::kFed, shapes).Run();
  if ((!model || !ProblemOf(*model).text.empty()) && HasOpenShape(file, part)) {
    shapes = Fitter(file, part, sizes).Run();
    if (!shapes.empty()) {
      model = Cutter(file, part, sizes, LargeConstants::kFed, shapes).Run();
    }
  }
  if (large == LargeConstants::kFed || !model) return model;
  return Cutter(file, part, sizes, large, shapes).Run();
}

bool HasOpenShape(const ModelFile& file, const Part& part) {
  for (const size_t index : part.nodes) {
    for (const std::string& name : file.nodes()[index].node.inputs) {
      const FileValue* value = file.FindValue(name);
      if (value == nullptr) continue;
      if (!value->shape || std::ranges::find(*value->shape, -1) != value->shape->end()) {
        return true;
      }
    }
  }
  return false;
}

CutProblem ProblemOf(const Model& model) {
  const auto values = ValuesOf(model);
  if (!values) return {.text = values.error().message};
  if (auto too_large = TooLargeValue(*values); !too_large.empty()) {
    return {.text = std::move(too_large)};
  }
  // (1) The operators that are judged by themselves.
  size_t position = 0;
  for (const Node& node : NodesOf(model.node)) {
    const size_t at = position++;
    const Operator* op = FindOperator(node.op_type);
    if (op == nullptr) continue;
    const auto version = JudgingVersionFor(node.op_type, model.opset_version);
    if (!version) return {.text = version.error().message};
    const auto bound = op->Bind(node.attributes, version->since_version);
    if (!bound) return {bound.error().message, true, at};
    Operands operands;
    for (const std::string& name : node.inputs) {
      operands.emplace_back();
      const auto value = values->find(name);
      if (value == values->end()) continue;
      operands.back() = TensorView{value->second.type, value->second.shape, {}};
    }
    const auto dimensions = (*bound)->DimensionsOf(operands);
    if (!dimensions) return {dimensions.error().message, true, at};
  }
  // (2) Whether the clauses for graphs know the float nodes and their attributes.
  if (model.node.is_graph() && IsQuick(model)) {
    const auto dimensions = DimensionsOf(model);
    if (!dimensions) return {.text = dimensions.error().message};
  }
  return {};
}

Result<Model> CutOut(const ModelFile& file, const Part& part, const Sizes& sizes) {
  return Cut(file, part, sizes, LargeConstants::kLoaded);
}

}  // namespace qconform
