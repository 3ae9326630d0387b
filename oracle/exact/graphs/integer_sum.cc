#include "oracle/exact/graphs/integer_sum.h"

#include <cstdint>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/format.h"
#include "oracle/exact/graphs/wires.h"
#include "oracle/exact/scale_layout.h"
#include "oracle/exact/target.h"

namespace qconform::exact {
namespace {

const GraphNode* SourceOf(const Graph& graph, const std::string& name) {
  for (const GraphNode& node : graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (output == name) return &node;
    }
  }
  return nullptr;
}

// An operand of the sum as DequantizeLinear sees it: by element d and the scale.
struct Integers {
  int scale_type = 0;
  bool has_zero_point = false;  // other than 0
  std::vector<mpq_class> d;
  std::vector<Value> scales;
};

std::optional<Integers> IntegersOf(const GraphNode* node, const GraphValues& values) {
  if (node == nullptr || node->op_type != "DequantizeLinear") return std::nullopt;
  const GraphTensor& x = values.at(node->inputs[0]);
  const GraphTensor& scale = values.at(node->inputs[1]);
  if (GetFormat(x.type).set != Format::Set::kIntegers) return std::nullopt;
  const std::vector<size_t> at = ScaleIndices(
      x.shape, scale.shape, node->Integer("axis", 1), node->Integer("block_size", 0));
  Integers all;
  all.scale_type = scale.type;
  for (size_t i = 0; i < x.elements.size(); ++i) {
    if (!x.elements[i].HasOneCode()) return std::nullopt;
    mpq_class d = ValueOf(GetFormat(x.type), x.elements[i].code).number;
    if (node->inputs.size() > 2 && !node->inputs[2].empty()) {
      const GraphTensor& zero = values.at(node->inputs[2]);
      const size_t index = zero.elements.size() == 1 ? 0 : at[i];
      const mpq_class& z = ValueOf(GetFormat(x.type), zero.elements[index].code).number;
      all.has_zero_point = all.has_zero_point || sgn(z) != 0;
      d -= z;
    }
    all.d.push_back(d);
    all.scales.push_back(ValueOf(GetFormat(scale.type), scale.elements[at[i]].code));
  }
  return all;
}

bool IsSame(const Value& a, const Value& b) {
  return a.kind == b.kind && a.negative == b.negative && a.number == b.number;
}

// The scale of all of these places; nothing where it varies.
std::optional<Value> CommonScale(const std::vector<Place>& places,
                                 const Integers& operand) {
  std::optional<Value> scale;
  for (const Place& place : places) {
    const Value& one = operand.scales[place.index];
    if (scale && !IsSame(*scale, one)) return std::nullopt;
    scale = one;
  }
  return scale;
}

}  // namespace

std::optional<GraphTensor> IntegerSum(const Graph& graph, const GraphValues& values,
                                      const std::string& output,
                                      const RequantizationReadings& readings) {
  const GraphNode* quantize = SourceOf(graph, output);
  if (quantize == nullptr || quantize->op_type != "QuantizeLinear") return std::nullopt;
  const GraphNode* sum = SourceOf(graph, quantize->inputs[0]);
  const bool has_relu = sum != nullptr && sum->op_type == "Relu";
  if (has_relu) sum = SourceOf(graph, sum->inputs[0]);
  if (sum == nullptr || !IsSumOfProducts(*sum)) return std::nullopt;
  const FormulaConstants constants = ConstantsOf(*sum);
  if (constants.alpha != 1 || constants.beta != 1) return std::nullopt;
  const auto a = IntegersOf(SourceOf(graph, sum->inputs[0]), values);
  const auto b = IntegersOf(SourceOf(graph, sum->inputs[1]), values);
  if (!a || !b) return std::nullopt;
  const bool has_bias = sum->inputs.size() > 2 && !sum->inputs[2].empty();
  std::optional<Integers> bias;
  if (has_bias) {
    bias = IntegersOf(SourceOf(graph, sum->inputs[2]), values);
    if (!bias || bias->has_zero_point) return std::nullopt;
  }
  std::vector<std::optional<Codes>> operands;
  for (const std::string& name : sum->inputs) {
    operands.push_back(name.empty() ? std::nullopt
                                    : CanonicalCodes(std::optional(values.at(name))));
  }
  const std::vector<WiredOutput> wired = WiresOf(*sum, operands);
  const GraphTensor& scale = values.at(quantize->inputs[1]);
  GraphTensor y = values.at(output);
  const std::vector<size_t> at =
      ScaleIndices(y.shape, scale.shape, quantize->Integer("axis", 1),
                   quantize->Integer("block_size", 0));
  for (size_t i = 0; i < y.elements.size(); ++i) {
    const Wire& wire = wired[0].elements[i];
    std::vector<Place> weights = wire.factors;
    weights.insert(weights.end(), wire.padded.begin(), wire.padded.end());
    const auto a_scale = CommonScale(wire.places, *a);
    const auto b_scale = CommonScale(weights, *b);
    if (!wire.places.empty() && (!a_scale || !b_scale)) return std::nullopt;
    mpq_class c = 0;
    for (size_t k = 0; k < wire.places.size(); ++k) {
      c += a->d[wire.places[k].index] * b->d[wire.factors[k].index];
    }
    const RequantizationScales scales = {
        scale.type, a_scale.value_or(a->scales.empty() ? Value::Number(1) : a->scales[0]),
        b_scale.value_or(Value::Number(1)),
        ValueOf(GetFormat(scale.type), scale.elements[at[i]].code)};
    if (bias) {
      const Value product =
          RoundToPrecision(GetFormat(kFloat), Multiply(scales.a, scales.b));
      if (!IsSame(product, bias->scales[wire.bias->index])) return std::nullopt;
      c += bias->d[wire.bias->index];
    }
    GraphElement& element = y.elements[i];
    if (!IsInt32(c)) {
      element.any_code = true;
      continue;
    }
    const Value real = Multiply(Multiply(Value::Number(c), scales.a), scales.b);
    if (has_relu && real.negative) c = 0;
    std::optional<Value> zero_point;
    if (quantize->inputs.size() > 2 && !quantize->inputs[2].empty()) {
      const GraphTensor& zero = values.at(quantize->inputs[2]);
      zero_point = ValueOf(GetFormat(y.type),
                           zero.elements[zero.elements.size() == 1 ? 0 : at[i]].code);
    }
    const Element quantized =
        QuantizeToTarget(quantize->since_version < 24, GetFormat(y.type),
                         Requantize(Value::Number(c), scales, readings), zero_point,
                         TypeOfV(readings), quantize->Integer("saturate", 1) != 0, {});
    const Tier tier = element.tier;
    element = {};
    element.tier = tier;
    element.code = quantized.code;
    element.any_code = quantized.freedom == Freedom::kAnyCode;
    element.any_nan = quantized.freedom == Freedom::kAnyNan;
  }
  return y;
}

}  // namespace qconform::exact
