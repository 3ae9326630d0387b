// A graph that can be rewritten and then evaluated node by node. What no mistake touches
// is taken from the evaluation without mistakes.
#ifndef QCONFORM_HARNESS_GRAPHS_WORKSPACE_H_
#define QCONFORM_HARNESS_GRAPHS_WORKSPACE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/core/reading_set.h"
#include "oracle/tensor/tensor.h"

namespace qconform::graphs {

// The positions of the inputs of QuantizeLinear and DequantizeLinear.
inline constexpr size_t kQuantizedInput = 0;
inline constexpr size_t kScaleInput = 1;
inline constexpr size_t kZeroPointInput = 2;

using SharedTensor = std::shared_ptr<const Tensor>;
using Values = std::map<std::string, SharedTensor>;
// Computes the outputs of a step from its inputs, null where one is left out.
using Evaluation =
    std::function<Result<std::vector<Tensor>>(std::span<const SharedTensor> inputs)>;

struct GraphStep {
  Node node;
  int since_version = 0;
  int number = 0;  // the node's number in the graph, from 1; 0: a mistake added it
  // Takes the place of the operator's definition.
  Evaluation evaluation{};
  ReadingSet readings{};  // that the operator follows
  // Faults of the node's operator, by name.
  std::vector<std::string_view> faults{};
  bool changed = false;

  bool Is(std::string_view op_type) const { return node.op_type == op_type; }
};

class Workspace {
 public:
  // `operands` are those of the outer node, `readings` those of the graph: nodes follow
  // them, unless they are bounds, which no function gives. An Error if one of the
  // definitions of the nodes is not known.
  static Result<Workspace> Create(const Node& graph, int opset_version,
                                  const Operands& operands,
                                  const ReadingSet& readings = {});

  std::vector<GraphStep>& steps() { return steps_; }
  const std::vector<GraphStep>& steps() const { return steps_; }
  std::vector<std::string>& outputs() { return outputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }

  // Returns the value of a name as the evaluation without mistakes has it, and of a name
  // that a mistake made that of the value in whose place it stands; null if there is
  // none. Before Evaluate was called once, only operands have values.
  SharedTensor ValueOf(const std::string& name) const;
  SharedTensor InputOf(const GraphStep& step, size_t position) const;

  // Returns the index of the step that gives or of those that read a value.
  std::optional<size_t> ProducerOf(const std::string& name) const;
  std::vector<size_t> ReadersOf(const std::string& name) const;
  // Returns the only step that reads a value that is no output; nothing if it is not one.
  std::optional<size_t> OnlyReaderOf(const std::string& name) const;
  bool IsOutput(const std::string& name) const;

  // Edits one input of a step: at once if that is an operand of the graph, else by a step
  // in between. Returns the step's index, which the latter moves.
  size_t EditInput(size_t step, size_t position,
                   std::function<Result<Tensor>(const Tensor&)> edit);
  // The same after a step, between it and those that read its output.
  void EditOutput(size_t step, std::function<Result<Tensor>(const Tensor&)> edit,
                  size_t output = 0);
  // Makes a step give its first input.
  void Drop(size_t step);
  // Sets an attribute, or takes it away.
  void SetAttribute(size_t step, std::string_view name, AttributeValue value);
  void RemoveAttribute(size_t step, std::string_view name);
  // Makes the step read another value.
  void Redirect(size_t step, size_t position, const std::string& name);
  // Says in whose place a new name stands.
  void Alias(const std::string& name, const std::string& of) { aliases_[name] = of; }
  // Adds a value and returns its name.
  std::string AddValue(Tensor tensor);
  // Inserts a step in front of `step`, with a new output; returns the output's name.
  std::string Insert(size_t step, std::vector<std::string> inputs, Evaluation evaluation);

  // Returns every value. Steps that are not changed and read nothing that is, have the
  // values that the first call found.
  Result<Values> Evaluate();

 private:
  std::string FreshName();

  std::vector<GraphStep> steps_;
  std::vector<std::string> outputs_;
  Values values_;  // operands, and those of the evaluation without mistakes
  std::map<std::string, std::string> aliases_;
  int names_ = 0;
};

// Evaluates a node by the oracle.
Result<std::vector<Tensor>> EvaluateNode(const Node& node, int since_version,
                                         std::span<const SharedTensor> inputs,
                                         const ReadingSet& readings = {});

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_WORKSPACE_H_
