#include "harness/graphs/workspace.h"

#include <algorithm>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/core/operator_faults.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/graphs/evaluate.h"
#include "oracle/graphs/graph.h"

namespace qconform::graphs {
namespace {

Tensor Owned(const TensorView& view) {
  return {view.type,
          Shape(view.shape.begin(), view.shape.end()),
          {view.data.begin(), view.data.end()}};
}

Tensor TensorOf(DataType type, const Shape& shape, std::span<const uint32_t> codes) {
  Tensor tensor = Tensor::Zeros(type, shape);
  const MutableTensorView view = tensor.mutable_view();
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(view, static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

Operands ViewsOf(std::span<const SharedTensor> inputs) {
  Operands operands;
  for (const SharedTensor& input : inputs) {
    operands.push_back(input == nullptr ? std::optional<TensorView>() : input->view());
  }
  return operands;
}

Codes CodesOf(const std::vector<Answer>& answers) {
  Codes codes;
  for (const Answer& answer : answers) {
    for (const ElementAnswer& element : answer.elements) codes.push_back(element.code);
  }
  return codes;
}

std::vector<Tensor> TensorsOf(const std::vector<Answer>& answers, const Codes& codes) {
  std::vector<Tensor> tensors;
  size_t first = 0;
  for (const Answer& answer : answers) {
    const size_t count = answer.elements.size();
    tensors.push_back(
        TensorOf(answer.type, answer.shape, std::span(codes).subspan(first, count)));
    first += count;
  }
  return tensors;
}

Result<std::vector<Answer>> AnswersOfOperator(const Operator& op, const Node& node,
                                              int since_version, const Operands& operands,
                                              const ReadingSet& readings) {
  const auto bound = op.Bind(node.attributes, since_version);
  if (!bound) return bound.error();
  return (*bound)->Evaluate(operands, readings);
}

// Evaluates a node of an operator that makes the faults of the step.
Result<std::vector<Tensor>> EvaluateWithFaults(const GraphStep& step,
                                               std::span<const SharedTensor> inputs) {
  const Operator* op = FindOperator(step.node.op_type);
  const OperatorFaults* faults = FindOperatorFaults(step.node.op_type);
  if (op == nullptr || faults == nullptr) {
    return Error{step.node.op_type + ": expected an operator with faults"};
  }
  const Operands operands = ViewsOf(inputs);
  const auto answers =
      AnswersOfOperator(*op, step.node, step.since_version, operands, step.readings);
  if (!answers) return answers.error();
  std::optional<FaultSet> together;
  for (const std::string_view name : step.faults) {
    const Fault* fault = FindFault(name);
    const FaultSet* set = fault == nullptr ? nullptr : fault->SetFor(step.node.op_type);
    if (set == nullptr) {
      return Error{std::string(step.node.op_type) + ": no fault is named " +
                   std::string(name)};
    }
    if (!together) {
      together = *set;
    } else {
      together = faults->Merge(*together, *set);
      if (!together) return Error{"the faults of a node do not go together"};
    }
  }
  const auto decoded = faults->Decode(step.node, step.since_version, operands,
                                      CodesOf(*answers), step.readings);
  if (!decoded) return decoded.error();
  FaultState state;
  return TensorsOf(*answers, (*decoded)->CodesOf(*together, state));
}

Result<std::vector<Tensor>> EvaluateStep(const GraphStep& step,
                                         std::span<const SharedTensor> inputs) {
  if (step.evaluation) return step.evaluation(inputs);
  if (!step.faults.empty()) return EvaluateWithFaults(step, inputs);
  return EvaluateNode(step.node, step.since_version, inputs, step.readings);
}

// Returns the readings of each node; empty: all are canonical.
Result<std::vector<ReadingSet>> ReadingsOfNodes(const Node& graph,
                                                const std::vector<GraphStep>& steps,
                                                const Operands& operands,
                                                const ReadingSet& readings) {
  if (readings.is_canonical() || readings.is_bounded()) return std::vector<ReadingSet>();
  std::vector<int> since_versions;
  for (const GraphStep& step : steps) since_versions.push_back(step.since_version);
  const auto bound = BindGraph(graph, since_versions);
  if (!bound) return bound.error();
  return (*bound)->ReadingsOfNodes(operands, readings);
}

}  // namespace

Result<std::vector<Tensor>> EvaluateNode(const Node& node, int since_version,
                                         std::span<const SharedTensor> inputs,
                                         const ReadingSet& readings) {
  const Operands operands = ViewsOf(inputs);
  const Operator* op = FindOperator(node.op_type);
  if (op == nullptr) return EvaluateFloatNode(node, since_version, operands);
  const auto answers = AnswersOfOperator(*op, node, since_version, operands, readings);
  if (!answers) return answers.error();
  return TensorsOf(*answers, CodesOf(*answers));
}

Result<Workspace> Workspace::Create(const Node& graph, int opset_version,
                                    const Operands& operands,
                                    const ReadingSet& readings) {
  Workspace made;
  for (const Node& node : graph.body) {
    const auto version = JudgingVersionFor(node.op_type, opset_version);
    if (!version) return version.error();
    made.steps_.push_back({.node = node,
                           .since_version = version->since_version,
                           .number = static_cast<int>(made.steps_.size()) + 1});
  }
  const auto of_nodes = ReadingsOfNodes(graph, made.steps_, operands, readings);
  if (!of_nodes) return of_nodes.error();
  for (size_t i = 0; i < of_nodes->size(); ++i) made.steps_[i].readings = (*of_nodes)[i];
  made.outputs_ = graph.outputs;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const auto operand = OperandAt(operands, i);
    if (operand)
      made.values_[graph.inputs[i]] = std::make_shared<Tensor>(Owned(*operand));
  }
  auto values = made.Evaluate();
  if (!values) return values.error();
  made.values_ = *std::move(values);
  return made;
}

SharedTensor Workspace::ValueOf(const std::string& name) const {
  const auto value = values_.find(name);
  if (value != values_.end()) return value->second;
  const auto alias = aliases_.find(name);
  return alias == aliases_.end() ? nullptr : ValueOf(alias->second);
}

SharedTensor Workspace::InputOf(const GraphStep& step, size_t position) const {
  return position < step.node.inputs.size() ? ValueOf(step.node.inputs[position])
                                            : nullptr;
}

std::optional<size_t> Workspace::ProducerOf(const std::string& name) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!name.empty() && std::ranges::count(steps_[i].node.outputs, name) > 0) return i;
  }
  return std::nullopt;
}

std::vector<size_t> Workspace::ReadersOf(const std::string& name) const {
  std::vector<size_t> readers;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (std::ranges::count(steps_[i].node.inputs, name) > 0) readers.push_back(i);
  }
  return readers;
}

std::optional<size_t> Workspace::OnlyReaderOf(const std::string& name) const {
  const std::vector<size_t> readers = ReadersOf(name);
  if (readers.size() != 1 || IsOutput(name)) return std::nullopt;
  return readers.front();
}

bool Workspace::IsOutput(const std::string& name) const {
  return std::ranges::count(outputs_, name) > 0;
}

std::string Workspace::FreshName() { return "wrong_" + std::to_string(++names_); }

size_t Workspace::EditInput(size_t step, size_t position,
                            std::function<Result<Tensor>(const Tensor&)> edit) {
  const std::string input = steps_[step].node.inputs[position];
  const SharedTensor value = ValueOf(input);
  if (value != nullptr && !ProducerOf(input)) {
    auto edited = edit(*value);
    if (edited) Redirect(step, position, AddValue(*std::move(edited)));
    return step;
  }
  const std::string name =
      Insert(step, {input},
             [edit = std::move(edit)](
                 std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
               auto edited = edit(*inputs.front());
               if (!edited) return edited.error();
               return std::vector<Tensor>{*std::move(edited)};
             });
  Alias(name, input);
  Redirect(step + 1, position, name);
  return step + 1;
}

void Workspace::EditOutput(size_t step, std::function<Result<Tensor>(const Tensor&)> edit,
                           size_t output) {
  const std::string name = steps_[step].node.outputs[output];
  const std::string before = FreshName();
  steps_[step].node.outputs[output] = before;
  Alias(before, name);
  steps_[step].changed = true;
  GraphStep added;
  added.node = {.op_type = "edit",
                .domain = "",
                .inputs = {before},
                .outputs = {name},
                .attributes = {}};
  added.changed = true;
  added.evaluation =
      [edit = std::move(edit)](
          std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
    auto edited = edit(*inputs.front());
    if (!edited) return edited.error();
    return std::vector<Tensor>{*std::move(edited)};
  };
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1, std::move(added));
}

void Workspace::Drop(size_t step) {
  GraphStep& dropped = steps_[step];
  dropped.changed = true;
  dropped.faults.clear();
  dropped.evaluation =
      [](std::span<const SharedTensor> inputs) -> Result<std::vector<Tensor>> {
    return std::vector<Tensor>{*inputs.front()};
  };
}

void Workspace::SetAttribute(size_t step, std::string_view name, AttributeValue value) {
  RemoveAttribute(step, name);
  steps_[step].node.attributes.push_back({std::string(name), std::move(value)});
}

void Workspace::RemoveAttribute(size_t step, std::string_view name) {
  steps_[step].changed = true;
  std::erase_if(steps_[step].node.attributes,
                [&](const Attribute& attribute) { return attribute.name == name; });
}

void Workspace::Redirect(size_t step, size_t position, const std::string& name) {
  steps_[step].changed = true;
  std::vector<std::string>& inputs = steps_[step].node.inputs;
  if (inputs.size() <= position) inputs.resize(position + 1);
  inputs[position] = name;
}

std::string Workspace::AddValue(Tensor tensor) {
  std::string name = FreshName();
  values_[name] = std::make_shared<Tensor>(std::move(tensor));
  return name;
}

std::string Workspace::Insert(size_t step, std::vector<std::string> inputs,
                              Evaluation evaluation) {
  std::string name = FreshName();
  GraphStep added;
  added.node = {.op_type = "edit",
                .domain = "",
                .inputs = std::move(inputs),
                .outputs = {name},
                .attributes = {}};
  added.changed = true;
  added.evaluation = std::move(evaluation);
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(step), std::move(added));
  return name;
}

Result<Values> Workspace::Evaluate() {
  Values values = values_;
  std::set<std::string> changed;
  for (const GraphStep& step : steps_) {
    const Node& node = step.node;
    bool is_changed = step.changed;
    bool is_known = true;
    for (const std::string& input : node.inputs) is_changed |= changed.contains(input);
    for (const std::string& output : node.outputs) {
      is_known &= output.empty() || values_.contains(output);
    }
    if (is_known && !is_changed) continue;
    std::vector<SharedTensor> inputs;
    for (const std::string& input : node.inputs) {
      if (!input.empty() && !values.contains(input)) {
        return Error{node.op_type + ": '" + input + "' has no value"};
      }
      inputs.push_back(input.empty() ? nullptr : values[input]);
    }
    auto made = EvaluateStep(step, inputs);
    if (!made) return made.error();
    size_t next = 0;
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      if (next >= made->size()) return Error{node.op_type + ": an output is missing"};
      Tensor& tensor = (*made)[next++];
      const auto known = values_.find(output);
      if (known != values_.end() && *known->second == tensor) {
        values[output] = known->second;
      } else {
        values[output] = std::make_shared<Tensor>(std::move(tensor));
        changed.insert(output);
      }
    }
  }
  return values;
}

}  // namespace qconform::graphs
