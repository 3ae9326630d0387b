#include "oracle/exact/graphs/compose.h"

#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/nodes.h"
#include "oracle/exact/graphs/wires.h"

namespace qconform::exact {
namespace {

mpq_class InFloat(const mpq_class& v) {
  return RoundToPrecision(GetFormat(kFloat), Value::Number(v)).number;
}

}  // namespace

std::vector<GraphTensor> ComputeNode(
    const GraphNode& node, const std::vector<std::optional<GraphTensor>>& operands,
    const NodeReadings& readings) {
  if (const auto kind = KindOf(node)) return ComputeFloats(node, *kind, operands);
  return ComputeQuantizing(node, operands, readings);
}

Value ValueOfElement(int type, uint64_t code) { return ValueOf(GetFormat(type), code); }

std::optional<Codes> CanonicalCodes(const std::optional<GraphTensor>& tensor) {
  if (!tensor) return std::nullopt;
  Codes codes{tensor->type, tensor->shape, {}};
  for (const GraphElement& element : tensor->elements)
    codes.codes.push_back(element.code);
  return codes;
}

std::vector<std::optional<GraphTensor>> OperandsOf(const GraphNode& node,
                                                   const GraphValues& values) {
  GraphOperands operands;
  for (const std::string& name : node.inputs) {
    operands.push_back(name.empty() ? std::nullopt : std::optional(values.at(name)));
  }
  return operands;
}

FormulaConstants ConstantsOf(const GraphNode& node) {
  FormulaConstants constants;
  if (node.op_type == "HardSwish") {
    constants = {mpq_class(1, 6), mpq_class(1, 2)};
  } else if (node.op_type == "HardSigmoid") {
    constants.alpha = node.Number("alpha", InFloat(mpq_class(1, 5)));
    constants.beta = node.Number("beta", mpq_class(1, 2));
  } else if (node.op_type == "LeakyRelu") {
    constants.alpha = node.Number("alpha", InFloat(mpq_class(1, 100)));
  } else if (node.op_type == "Gemm") {
    constants.alpha = node.Number("alpha", 1);
    constants.beta = node.Number("beta", 1);
  }
  return constants;
}

Value Formula(const GraphNode& node, const std::vector<Value>& x) {
  const std::string& name = node.op_type;
  if (name == "Add") return Add(x[0], x[1]);
  if (name == "Sub") return Add(x[0], Negated(x[1]));
  if (name == "Mul") return Multiply(x[0], x[1]);
  if (name == "Div") return Divide(x[0], x[1]);
  if (name == "Neg") return Negated(x[0]);
  if (x[0].IsNan()) return Value::Nan();
  const bool is_below = x[0].negative && !x[0].IsZero();
  if (name == "Abs") return x[0].negative ? Negated(x[0]) : x[0];
  const FormulaConstants constants = ConstantsOf(node);
  if (name == "LeakyRelu") {
    return is_below ? Multiply(Value::Number(constants.alpha), x[0]) : x[0];
  }
  if (name == "PRelu") return is_below ? Multiply(x[1], x[0]) : x[0];
  Value inner =
      Add(Multiply(Value::Number(constants.alpha), x[0]), Value::Number(constants.beta));
  const Value zero = Value::Number(0), one = Value::Number(1);
  if (!inner.IsNan()) {
    const bool is_below_zero =
        inner.IsInfinity() ? inner.negative : sgn(inner.number) < 0;
    const bool is_above_one = inner.IsInfinity() ? !inner.negative : inner.number > 1;
    if (is_above_one) inner = one;
    if (is_below_zero) inner = zero;
  }
  return name == "HardSigmoid" ? inner : Multiply(x[0], inner);
}

GraphValues Compose(const Graph& graph, const std::map<std::string, Codes>& inputs,
                    const std::vector<NodeReadings>& readings) {
  GraphValues values;
  for (const auto& [name, codes] : inputs) {
    GraphTensor tensor{codes.type, codes.shape, {}};
    for (uint64_t code : codes.codes) tensor.elements.push_back({.code = code});
    values[name] = std::move(tensor);
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    std::vector<GraphTensor> results = ComputeNode(
        node, OperandsOf(node, values), readings.empty() ? NodeReadings{} : readings[n]);
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      if (!node.outputs[o].empty()) values[node.outputs[o]] = std::move(results[o]);
    }
  }
  return values;
}

}  // namespace qconform::exact
