#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "oracle/exact/graphs/nodes.h"
#include "oracle/exact/graphs/windows.h"
#include "oracle/exact/operators/conv_integer/conv_integer.h"
#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"
#include "oracle/exact/scale_layout.h"

namespace qconform::exact {
namespace {

// An element of an operand that an element of a result depends on.
struct Source {
  size_t operand = 0;
  size_t index = 0;
};

using Sources = std::function<std::vector<Source>(size_t output, size_t index)>;
using Function =
    std::function<std::vector<Answer>(const std::vector<std::optional<Codes>>&)>;

// Whether each code of an element is tried; what depends on another one may be anything.
bool IsTried(const GraphTensor& operand, const GraphElement& element) {
  return IsFinite(operand.type, element) &&
         Representatives(operand.type, element).size() <= kMostCombinations;
}

// Calls the operator with each combination of possible operands.
std::vector<GraphTensor> Call(const GraphOperands& operands, const Function& function,
                              const Sources& sources) {
  std::vector<size_t> most(operands.size(), 1);
  size_t combinations = 1;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]) continue;
    for (const GraphElement& element : operands[k]->elements) {
      if (!IsTried(*operands[k], element)) continue;
      most[k] = std::max(most[k], Representatives(operands[k]->type, element).size());
    }
    combinations *= most[k];
  }
  const bool follows = combinations <= kMostCombinations;
  std::vector<GraphTensor> outputs;
  std::vector<std::vector<Gathering>> gathered;
  for (size_t round = 0; round < (follows ? combinations : 1); ++round) {
    std::vector<std::optional<Codes>> codes(operands.size());
    size_t rest = round;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (!operands[k]) continue;
      const size_t choice = rest % most[k];
      rest /= most[k];
      codes[k] = Codes{operands[k]->type, operands[k]->shape, {}};
      for (const GraphElement& element : operands[k]->elements) {
        std::vector<uint64_t> all = {element.code};
        if (IsTried(*operands[k], element)) {
          all = Representatives(operands[k]->type, element);
        }
        codes[k]->codes.push_back(all[std::min(choice, all.size() - 1)]);
      }
    }
    const std::vector<Answer> answers = function(codes);
    gathered.resize(answers.size());
    for (size_t o = 0; o < answers.size(); ++o) {
      if (outputs.size() <= o) outputs.push_back({answers[o].type, answers[o].shape, {}});
      gathered[o].resize(answers[o].elements.size());
      for (size_t i = 0; i < answers[o].elements.size(); ++i) {
        const Element& element = answers[o].elements[i];
        Gathering& to = gathered[o][i];
        switch (element.freedom) {
          case Freedom::kNone:
            to.Add(element.code);
            break;
          case Freedom::kAnyNan:
            to.AddAnyNan(element.code);
            break;
          case Freedom::kAnyZero:
            to.Add(element.code);
            to.Add(element.code ^ MinusZero(answers[o].type));
            break;
          case Freedom::kAnyCode:
          case Freedom::kSameCode:
            to.AddAnyCode(element.code);
            break;
        }
        if (round == 0) to.AddTier(element.tier);
      }
    }
  }
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (size_t i = 0; i < gathered[o].size(); ++i) {
      for (const Source& source : sources(o, i)) {
        const GraphElement& from = operands[source.operand]->elements[source.index];
        gathered[o][i].AddTier(from.tier);
        const bool is_tried = IsTried(*operands[source.operand], from);
        if (!is_tried || !follows) gathered[o][i].AddAnyCode(0);
      }
      outputs[o].elements.push_back(std::move(gathered[o][i]).Result(outputs[o].type));
    }
  }
  return outputs;
}

// Where scale and zero point of each element lie.
Sources ScaledSources(const GraphOperands& operands, int64_t axis, int64_t block_size) {
  const std::vector<size_t> at =
      ScaleIndices(operands[0]->shape, operands[1]->shape, axis, block_size);
  const bool has_zero_point = operands.size() > 2 && operands[2];
  const size_t zero_points = has_zero_point ? operands[2]->elements.size() : 0;
  return [=](size_t, size_t index) {
    std::vector<Source> all = {{0, index}, {1, at[index]}};
    if (has_zero_point) all.push_back({2, zero_points == 1 ? 0 : at[index]});
    return all;
  };
}

// The factors of an integer product, and all zero points.
Sources ProductSources(const GraphOperands& operands, const std::string& op_type,
                       const GraphNode& node) {
  GraphNode product = node;
  product.op_type = op_type;
  const std::vector<WiredOutput> wires =
      WiresOf(product, {CanonicalCodes(operands[0]), CanonicalCodes(operands[1])});
  std::vector<Source> zero_points;
  for (size_t k = 2; k < operands.size(); ++k) {
    for (size_t i = 0; operands[k] && i < operands[k]->elements.size(); ++i) {
      zero_points.push_back({k, i});
    }
  }
  return [wires, zero_points](size_t, size_t index) {
    std::vector<Source> all = zero_points;
    for (const auto* places :
         {&wires[0].elements[index].places, &wires[0].elements[index].factors}) {
      for (const Place& place : *places) all.push_back({*place.operand, place.index});
    }
    return all;
  };
}

std::optional<Codes> At(const std::vector<std::optional<Codes>>& codes, size_t k) {
  return k < codes.size() ? codes[k] : std::nullopt;
}

std::vector<GraphTensor> Quantize(const GraphNode& node, const GraphOperands& operands,
                                  const NodeReadings& readings) {
  QuantizeLinearInput input;
  input.since_version = node.since_version;
  input.axis = node.Integer("axis", 1);
  input.block_size = node.Integer("block_size", 0);
  input.saturate = node.Integer("saturate", 1);
  input.output_dtype = node.Integer("output_dtype", 0);
  input.precision = node.Integer("precision", 0);
  return Call(
      operands,
      [&](const auto& codes) {
        input.x = *codes[0];
        input.y_scale = *codes[1];
        input.y_zero_point = At(codes, 2);
        return std::vector<Answer>{
            QuantizeLinear(input, readings.quantize.value_or(QuantizeLinearReadings{}))};
      },
      ScaledSources(operands, input.axis, input.block_size));
}

// GR-10: a finite product that overflows. Where d itself is out of range, the operator's
// own tier says so (DQ-13).
void AddTierOfOverflow(const DequantizeLinearInput& input, Answer& y) {
  const Format& p = GetFormat(y.type);
  const DequantizeLinearReadings canonical =
      CanonicalReadings(input.since_version, input.x.type, input.x_scale.type, y.type);
  const std::vector<size_t> at =
      ScaleIndices(input.x.shape, input.x_scale.shape, input.axis, input.block_size);
  for (size_t i = 0; i < y.elements.size(); ++i) {
    Value d = ValueOfElement(input.x.type, input.x.codes[i]);
    if (input.x_zero_point) {
      const std::vector<uint64_t>& codes = input.x_zero_point->codes;
      d = Add(
          d, Negated(ValueOfElement(input.x.type, codes[codes.size() == 1 ? 0 : at[i]])));
    }
    if (canonical.difference_in_p) d = RoundToPrecision(p, d);
    const Value product =
        Multiply(d, ValueOfElement(input.x_scale.type, input.x_scale.codes[at[i]]));
    if (product.IsNumber() && RoundToPrecision(p, product).IsInfinity()) {
      y.elements[i].tier = std::max(y.elements[i].tier, Tier::kDegenerateScale);
    }
  }
}

std::vector<GraphTensor> Dequantize(const GraphNode& node, const GraphOperands& operands,
                                    const NodeReadings& readings) {
  DequantizeLinearInput input;
  input.since_version = node.since_version;
  input.axis = node.Integer("axis", 1);
  input.block_size = node.Integer("block_size", 0);
  input.output_dtype = node.Integer("output_dtype", 0);
  return Call(
      operands,
      [&](const auto& codes) {
        input.x = *codes[0];
        input.x_scale = *codes[1];
        input.x_zero_point = At(codes, 2);
        Answer answer = readings.dequantize
                            ? DequantizeLinear(input, *readings.dequantize)
                            : DequantizeLinear(input);
        AddTierOfOverflow(input, answer);
        return std::vector<Answer>{std::move(answer)};
      },
      ScaledSources(operands, input.axis, input.block_size));
}

std::vector<GraphTensor> QuantizeDynamically(const GraphOperands& operands,
                                             const NodeReadings& readings) {
  return Call(
      operands,
      [&](const auto& codes) {
        DynamicQuantizeLinearAnswers answers = DynamicQuantizeLinear(
            *codes[0], readings.dynamic.value_or(DynamicQuantizeLinearReadings{}));
        return std::vector<Answer>{answers.y, answers.y_scale, answers.y_zero_point};
      },
      [&](size_t, size_t) {
        std::vector<Source> all;
        for (size_t i = 0; i < operands[0]->elements.size(); ++i) all.push_back({0, i});
        return all;
      });
}

std::vector<GraphTensor> MultiplyIntegers(const GraphNode& node,
                                          const GraphOperands& operands) {
  return Call(
      operands,
      [&](const auto& codes) {
        return std::vector<Answer>{
            MatMulInteger({*codes[0], *codes[1], At(codes, 2), At(codes, 3)})};
      },
      ProductSources(operands, "MatMul", node));
}

std::vector<GraphTensor> ConvolveIntegers(const GraphNode& node,
                                          const GraphOperands& operands) {
  return Call(
      operands,
      [&](const auto& codes) {
        return std::vector<Answer>{ConvInteger({ConvolutionAttributesOf(node), *codes[0],
                                                *codes[1], At(codes, 2), At(codes, 3)})};
      },
      ProductSources(operands, "Conv", node));
}

}  // namespace

std::vector<GraphTensor> ComputeQuantizing(const GraphNode& node,
                                           const GraphOperands& operands,
                                           const NodeReadings& readings) {
  if (node.op_type == "QuantizeLinear") return Quantize(node, operands, readings);
  if (node.op_type == "DequantizeLinear") return Dequantize(node, operands, readings);
  if (node.op_type == "DynamicQuantizeLinear") {
    return QuantizeDynamically(operands, readings);
  }
  if (node.op_type == "MatMulInteger") return MultiplyIntegers(node, operands);
  assert(node.op_type == "ConvInteger");
  return ConvolveIntegers(node, operands);
}

}  // namespace qconform::exact
