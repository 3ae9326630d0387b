#include "cases/graphs/question.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "cases/core/rounding_boundaries.h"
#include "cases/quantization/values.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

bool IsQuantizing(std::string_view op_type) {
  return op_type == "QuantizeLinear" || op_type == "DequantizeLinear" ||
         op_type == "DynamicQuantizeLinear";
}

bool IsUsual(const NumberFormat& format, uint64_t code) {
  const ValueClass value_class = Decode(format, code).value_class;
  return value_class == ValueClass::kZero || value_class == ValueClass::kFinite;
}

// The steps of a FLOAT bias are a quarter of those of the sums, and so is the scale of
// the result, all powers of two: that it was rounded to INT32 shows in every code.
Plan PlanFor(const GraphInfo& graph, Plan plan) {
  if (graph.name.find("FLOAT") == std::string_view::npos) return plan;
  if (!plan.exact) plan.special = kHalfSteps;
  plan.scales = Scales::kPowers;
  plan.values = Values::kSmall;
  plan.exact = true;
  return plan;
}

uint64_t CodeMask(const NumberFormat& format) {
  return ~uint64_t{0} >> (64 - format.bits);
}

}  // namespace

int64_t Elements(const Shape& shape) { return *ElementCount(shape); }

GraphQuestion::GraphQuestion(const Cell& cell_in, const GraphInfo& graph_in,
                             const Plan& plan_in, int index_in, CounterRng rng_in)
    : cell(cell_in),
      graph(graph_in),
      plan(PlanFor(graph_in, plan_in)),
      index(index_in),
      rng(rng_in),
      granularity_(ScaleGranularity(cell_in)) {
  for (const std::string_view op_type : OpTypesOf(graph)) {
    if (op_type_.empty() && !IsQuantizing(op_type)) op_type_ = op_type;
  }
}

bool GraphQuestion::has(std::string_view op_type) const {
  const std::vector<std::string_view> all = OpTypesOf(graph);
  return std::ranges::find(all, op_type) != all.end();
}

// --- operands -----------------------------------------------------------------------

int64_t GraphQuestion::SmallCodes(const Parameters& parameters) const {
  const NumberFormat& format = FormatOf(parameters.type);
  const bool is_product = has("MatMul") || has("Gemm") || has("Conv");
  if (!IsInteger(parameters.type)) {
    if (!is_product) return 15;  // of a mean: few are added
    return format.mantissa_bits < 3 ? 3 : 7;
  }
  // FLOAT16 and BFLOAT16 hold fewer sums.
  return format.bits <= 4 || BitWidth(parameters.scale_type) == 16 ? 2 : 7;
}

Tensor GraphQuestion::Codes(DataType type, Shape shape, const Parameters& parameters,
                            bool unusual) {
  const NumberFormat& format = FormatOf(type);
  const int64_t count = Elements(shape);
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  const uint64_t zero =
      parameters.zero_points.empty() ? 0 : parameters.zero_points.front();
  const bool is_integer = format.kind == NumberKind::kInteger;
  const uint64_t low = is_integer ? IntegerCode(format, IntegerMin(format))
                                  : Negated(format, LargestFinite(format));
  const uint64_t high =
      is_integer ? IntegerCode(format, IntegerMax(format)) : LargestFinite(format);
  const uint64_t firsts[] = {low, high, zero, Step(format, zero, 1),
                             Step(format, zero, -1)};
  Stride order(uint32_t{1} << std::min(format.bits, 16), rng);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t code = order.Next() & CodeMask(format);
    switch (plan.values) {
      case Values::kEnds:
        code = rng.OneIn(8) ? low : high;
        break;
      case Values::kSmall: {
        const int64_t most = SmallCodes(parameters);
        int64_t small = rng.Between(-most, most);
        if (i % 2 == 0) small |= 1;  // not all sums are even
        code = is_integer ? Step(format, zero, static_cast<int>(small))
                          : RoundNearest(format, ToUnrounded(Dyadic(small, 0)));
        break;
      }
      default:
        // Short tensors do not go through all codes: the ends come first.
        if (count < (int64_t{1} << std::min(format.bits, 16)) && rng.OneIn(4)) {
          code = rng.Pick(firsts);
        }
        // With scales that are powers of two floats have ties among the least values
        // only, and codes of 16 bits few that do not saturate.
        if (plan.scales != Scales::kPowers || !rng.OneIn(2)) break;
        if (!is_integer && cell.op_type != "graphs.requantization") {
          const uint64_t sign = uint64_t{1} << (format.bits - 1);
          code = (code & sign) | (code & ((uint64_t{4} << format.mantissa_bits) - 1));
        } else if (is_integer && format.bits == 16) {
          const int most = rng.OneIn(2) ? 16 : 256;
          code = Step(format, zero, static_cast<int>(rng.Between(-most, most - 1)));
        }
    }
    if (!unusual && !IsUsual(format, code)) code = rng.OneIn(2) ? low : high;
    WriteCode(tensor.mutable_view(), i, code);
  }
  return tensor;
}

Tensor GraphQuestion::Floats(DataType type, Shape shape, const Parameters& parameters) {
  const NumberFormat& format = FormatOf(type);
  const RoundingBoundaries& boundaries = RoundingBoundaries::Of(parameters.type);
  const NumberFormat& codes = FormatOf(parameters.type);
  const NumberFormat& scale_format = FormatOf(parameters.scale_type);
  const int64_t count = Elements(shape);
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  Stride order(static_cast<uint32_t>(boundaries.count()), rng);
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  std::vector<uint64_t> specials = {0,
                                    sign,
                                    SmallestPositive(format),
                                    SmallestPositive(format) | sign,
                                    LargestFinite(format),
                                    LargestFinite(format) | sign};
  if (plan.values == Values::kSpecials) {
    for (const uint64_t code : {CanonicalNan(format), CanonicalNan(format) | sign,
                                Infinity(format, false), Infinity(format, true)}) {
      specials.push_back(code);
    }
  }
  // Of few terms any may be chosen: each is a tie in the range of the codes.
  const bool only_ties =
      plan.few_terms && plan.scales == Scales::kPowers && IsInteger(parameters.type);
  for (int64_t i = 0; i < count; ++i) {
    const size_t channel = rng.Below(static_cast<uint32_t>(parameters.scales.size()));
    const ExactValue zero = parameters.zero_points.empty()
                                ? ExactValue{}
                                : Decode(codes, parameters.zero_points[channel]);
    const ExactValue scale = Decode(scale_format, parameters.scales[channel]);
    if (only_ties) {
      const int64_t zero_point = ToInteger(codes, parameters.zero_points[channel]);
      const int64_t below = rng.Between(IntegerMin(codes), IntegerMax(codes) - 1);
      const ExactValue tie = Dyadic(2 * (below - zero_point) + 1, -1);
      WriteCode(tensor.mutable_view(), i, RoundNearest(format, Multiply(tie, scale)));
      continue;
    }
    const ExactValue quotient = boundaries.At(order.Next(), zero);
    uint64_t code = RoundNearest(format, Multiply(quotient, scale));
    const int steps[] = {0, 0, 0, 1, -1, 2, -2};
    code = Step(format, code, rng.Pick(steps));
    if (plan.values == Values::kSpecials && rng.OneIn(3)) {
      code = rng.Pick(specials);
    } else if (rng.OneIn(16)) {
      code = specials[rng.Below(6)];
    } else if (folds() && rng.OneIn(2)) {
      // Of both signs, wherever the range of the codes lies.
      code = Negated(format, code);
    }
    WriteCode(tensor.mutable_view(), i, code);
  }
  return tensor;
}

ExactValue GraphQuestion::ValueOf(const Parameters& parameters, uint64_t code) const {
  const NumberFormat& format = FormatOf(parameters.type);
  ExactValue minus = parameters.zero_points.empty()
                         ? ExactValue{}
                         : Decode(format, parameters.zero_points.front());
  minus.negative = !minus.negative;
  const ExactValue difference =
      ToExact(qconform::Add(ToUnrounded(Decode(format, code)), minus));
  return ToExact(Multiply(
      difference, Decode(FormatOf(parameters.scale_type), parameters.scales.front())));
}

// --- nodes ----------------------------------------------------------------------------

std::string GraphQuestion::Feed(std::string name, Tensor tensor, Constant constant) {
  fed_[name] = {std::move(tensor), constant};
  return name;
}

std::string GraphQuestion::Feed(std::string name, const std::vector<int64_t>& numbers,
                                Shape shape) {
  Tensor tensor = Tensor::Zeros(DataType::kInt64, std::move(shape));
  for (size_t i = 0; i < numbers.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i),
              static_cast<uint64_t>(numbers[i]));
  }
  return Feed(std::move(name), std::move(tensor), Constant::kAlways);
}

std::string GraphQuestion::Feed(std::string name, const std::vector<int64_t>& numbers) {
  return Feed(std::move(name), numbers, {static_cast<int64_t>(numbers.size())});
}

void GraphQuestion::Add(std::string_view op_type, std::vector<std::string> inputs,
                        std::vector<std::string> outputs,
                        std::vector<Attribute> attributes) {
  body_.push_back({.op_type = std::string(op_type),
                   .domain = "",
                   .inputs = std::move(inputs),
                   .outputs = std::move(outputs),
                   .attributes = std::move(attributes)});
}

std::string GraphQuestion::Apply(std::string_view op_type,
                                 std::vector<std::string> inputs, std::string output,
                                 std::vector<Attribute> attributes) {
  Add(op_type, std::move(inputs), {output}, std::move(attributes));
  return output;
}

void GraphQuestion::FeedParameters(const std::string& name,
                                   const Parameters& parameters) {
  Tensor scales = Tensor::Zeros(parameters.scale_type, parameters.shape);
  for (size_t i = 0; i < parameters.scales.size(); ++i) {
    WriteCode(scales.mutable_view(), static_cast<int64_t>(i), parameters.scales[i]);
  }
  Feed(name + "_scale", std::move(scales), Constant::kParameter);
  if (parameters.zero_points.empty()) return;
  Tensor zero_points = Tensor::Zeros(parameters.type, parameters.shape);
  for (size_t i = 0; i < parameters.zero_points.size(); ++i) {
    WriteCode(zero_points.mutable_view(), static_cast<int64_t>(i),
              parameters.zero_points[i]);
  }
  Feed(name + "_zero_point", std::move(zero_points), Constant::kParameter);
}

namespace {

std::vector<std::string> QuantizingInputs(const std::string& value,
                                          const std::string& name,
                                          const Parameters& parameters) {
  std::vector<std::string> inputs = {value, name + "_scale"};
  if (!parameters.zero_points.empty()) inputs.push_back(name + "_zero_point");
  return inputs;
}

std::vector<Attribute> LayoutAttributesOf(const Parameters& parameters) {
  std::vector<Attribute> attributes;
  if (parameters.axis) attributes.push_back({"axis", *parameters.axis});
  if (parameters.block_size > 0) {
    attributes.push_back({"block_size", parameters.block_size});
  }
  return attributes;
}

}  // namespace

std::string GraphQuestion::Dequantize(const std::string& name, Tensor codes,
                                      const Parameters& parameters, Constant constant) {
  Feed(name, std::move(codes), constant);
  FeedParameters(name, parameters);
  return DequantizeWith(name, name, parameters, name + "_dequantized");
}

std::string GraphQuestion::DequantizeWith(const std::string& codes,
                                          const std::string& name,
                                          const Parameters& parameters,
                                          std::string output) {
  return Apply("DequantizeLinear", QuantizingInputs(codes, name, parameters),
               std::move(output), LayoutAttributesOf(parameters));
}

std::string GraphQuestion::Quantize(const std::string& value, const std::string& name,
                                    const Parameters& parameters) {
  FeedParameters(name, parameters);
  return Apply("QuantizeLinear", QuantizingInputs(value, name, parameters), name,
               LayoutAttributesOf(parameters));
}

void GraphQuestion::Return(const std::string& name, DataType type, Shape shape) {
  outputs_.push_back({name, type, std::move(shape)});
}

Content GraphQuestion::Take() {
  Content content;
  content.node.op_type = cell.op_type;
  for (const qconform::Node& node : body_) {
    for (const std::string& input : node.inputs) {
      const auto found = fed_.find(input);
      if (found == fed_.end()) continue;  // a node's output, or left out
      if (std::ranges::find(content.node.inputs, input) != content.node.inputs.end()) {
        continue;
      }
      content.node.inputs.push_back(input);
      content.operands.push_back(found->second.tensor);
      content.constant.push_back(found->second.constant);
    }
  }
  assert(content.node.inputs.size() == fed_.size());
  for (const ValueInfo& output : outputs_) content.node.outputs.push_back(output.name);
  content.node.body = std::move(body_);
  content.outputs = std::move(outputs_);
  return content;
}

}  // namespace qconform::generators
