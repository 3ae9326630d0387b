#include "oracle/exact/graphs/compose.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <set>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/windows.h"
#include "oracle/exact/graphs/wires.h"
#include "oracle/exact/operators/conv_integer/conv_integer.h"
#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"
#include "oracle/exact/scale_layout.h"

namespace qconform::exact {
namespace {

using Tensors = std::vector<std::optional<GraphTensor>>;

// More combinations of possible operands than these are not followed.
constexpr size_t kMostCombinations = 1024;

bool IsFloat(int type) { return GetFormat(type).set == Format::Set::kFloats; }

uint64_t MinusZero(int type) { return uint64_t{1} << (GetFormat(type).bits - 1); }

bool IsZeroCode(int type, uint64_t code) { return ValueOfElement(type, code).IsZero(); }

// Gathers what an element may be. The first code that is added is the canonical one.
class Gathering {
 public:
  void Add(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    codes_.insert(code);
  }
  void AddAnyNan(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    result_.any_nan = true;
  }
  void AddAnyCode(uint64_t code) {
    if (is_empty_) result_.code = code;
    is_empty_ = false;
    result_.any_code = true;
  }
  void AddTier(Tier tier) { result_.tier = std::max(result_.tier, tier); }
  GraphElement Result(int type) && {
    const Format& format = GetFormat(type);
    // All codes, or all of them but NaN beside any NaN, are any code.
    if (format.bits <= 8 && !result_.any_code) {
      uint64_t known = codes_.size();
      if (result_.any_nan) {
        for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code) {
          if (IsNanCode(format, code) && !codes_.contains(code)) ++known;
        }
      }
      result_.any_code = known == uint64_t{1} << format.bits;
    }
    codes_.erase(result_.code);
    result_.others.assign(codes_.begin(), codes_.end());
    return std::move(result_);
  }

 private:
  GraphElement result_;
  std::set<uint64_t> codes_;
  bool is_empty_ = true;
};

// Any code of a narrow type is one of a finite set (GR-02).
bool IsFinite(int type, const GraphElement& element) {
  return !element.any_code || GetFormat(type).bits <= 8;
}

// All codes that stand for what an element may be; one stands for all NaN. Precondition:
// they are finite.
std::vector<uint64_t> Representatives(int type, const GraphElement& element) {
  std::vector<uint64_t> codes = {element.code};
  if (element.any_code) {
    for (uint64_t code = 0; code < uint64_t{1} << GetFormat(type).bits; ++code) {
      if (code != element.code) codes.push_back(code);
    }
    return codes;
  }
  codes.insert(codes.end(), element.others.begin(), element.others.end());
  if (element.any_nan && !IsNanCode(GetFormat(type), element.code)) {
    codes.push_back(CodeOf(GetFormat(type), Value::Nan()));
  }
  return codes;
}

// Adds a rounded result, with the freedom that float nodes leave.
void AddRounded(const Format& format, const Value& exact, bool zero_is_free,
                Gathering& to) {
  const uint64_t code = Round(format, exact, Overflow::kSpecial);
  const Value rounded = ValueOf(format, code);
  if (rounded.IsNan()) {
    to.AddAnyNan(code);
  } else {
    to.Add(code);
    if (rounded.IsZero() && zero_is_free && format.has_negative_zero) {
      to.Add(code ^ MinusZero(format.type));
    }
  }
  if (exact.IsNumber() && rounded.IsInfinity()) to.AddTier(Tier::kDegenerateScale);
  if (IsSubnormal(format, exact)) to.AddTier(Tier::kSubnormal);
}

// --- operators that quantize
// ------------------------------------------------------------

// An element of an operand that an element of a result depends on.
struct Source {
  size_t operand = 0;
  size_t index = 0;
};

using Sources = std::function<std::vector<Source>(size_t output, size_t index)>;
using Function =
    std::function<std::vector<Answer>(const std::vector<std::optional<Codes>>&)>;

// Calls the operator with each combination of possible operands.
std::vector<GraphTensor> Call(const Tensors& operands, const Function& function,
                              const Sources& sources) {
  std::vector<size_t> most(operands.size(), 1);
  size_t combinations = 1;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]) continue;
    for (const GraphElement& element : operands[k]->elements) {
      if (!IsFinite(operands[k]->type, element)) continue;
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
        if (IsFinite(operands[k]->type, element)) {
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
        const bool is_finite = IsFinite(operands[source.operand]->type, from);
        if (!is_finite || !follows) gathered[o][i].AddAnyCode(0);
      }
      outputs[o].elements.push_back(std::move(gathered[o][i]).Result(outputs[o].type));
    }
  }
  return outputs;
}

// Where scale and zero point of each element lie.
Sources ScaledSources(const Tensors& operands, int64_t axis, int64_t block_size) {
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
Sources ProductSources(const Tensors& operands, const std::string& op_type,
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

std::vector<GraphTensor> Quantize(const GraphNode& node, const Tensors& operands,
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

std::vector<GraphTensor> Dequantize(const GraphNode& node, const Tensors& operands,
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

std::vector<GraphTensor> QuantizeDynamically(const Tensors& operands,
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
                                          const Tensors& operands) {
  return Call(
      operands,
      [&](const auto& codes) {
        return std::vector<Answer>{
            MatMulInteger({*codes[0], *codes[1], At(codes, 2), At(codes, 3)})};
      },
      ProductSources(operands, "MatMul", node));
}

std::vector<GraphTensor> ConvolveIntegers(const GraphNode& node,
                                          const Tensors& operands) {
  return Call(
      operands,
      [&](const auto& codes) {
        return std::vector<Answer>{ConvInteger({ConvolutionAttributesOf(node), *codes[0],
                                                *codes[1], At(codes, 2), At(codes, 3)})};
      },
      ProductSources(operands, "Conv", node));
}

// --- float nodes
// ------------------------------------------------------------------------

// An operand of an element with its type.
struct Operand {
  int type = 0;
  const GraphElement* element = nullptr;
};

// Calls `work` with the codes of each combination of possible operands; the first is the
// canonical one. Returns false where there are too many.
bool ForEachCombination(const std::vector<Operand>& operands,
                        const std::function<void(const std::vector<uint64_t>&)>& work) {
  std::vector<std::vector<uint64_t>> all;
  size_t combinations = 1;
  for (const Operand& operand : operands) {
    all.push_back(Representatives(operand.type, *operand.element));
    combinations *= all.back().size();
    if (combinations > kMostCombinations) return false;
  }
  std::vector<uint64_t> codes(operands.size());
  for (size_t round = 0; round < combinations; ++round) {
    size_t rest = round;
    for (size_t k = 0; k < operands.size(); ++k) {
      codes[k] = all[k][rest % all[k].size()];
      rest /= all[k].size();
    }
    work(codes);
  }
  return true;
}

// The order of numbers and infinities.
bool IsLess(const Value& a, const Value& b) {
  const auto rank = [](const Value& v) {
    return v.IsInfinity() ? (v.negative ? -1 : 1) : 0;
  };
  if (a.IsInfinity() || b.IsInfinity()) return rank(a) < rank(b);
  return a.number < b.number;
}

// The operands among `codes` that are equal to the largest, or least.
std::vector<size_t> Extremes(int type, const std::vector<uint64_t>& codes, bool largest) {
  std::vector<Value> values;
  for (uint64_t code : codes) values.push_back(ValueOfElement(type, code));
  const Value* best = &values[0];
  for (const Value& value : values) {
    if (largest ? IsLess(*best, value) : IsLess(value, *best)) best = &value;
  }
  std::vector<size_t> all;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!IsLess(*best, values[i]) && !IsLess(values[i], *best)) all.push_back(i);
  }
  return all;
}

bool HasNan(const std::vector<Operand>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.element->any_nan ||
           (IsFloat(operand.type) &&
            IsNanCode(GetFormat(operand.type), operand.element->code));
  });
}

// The largest or least of some operands, each of which stands for all of its codes that
// are equal: a zero of either sign.
void Choose(int type, const std::vector<Operand>& operands, bool largest,
            bool zero_is_free, Gathering& to) {
  // Zeros of either sign are one value: the choice does not depend on the sign.
  std::vector<GraphElement> plain;
  bool only_zeros = true;
  for (const Operand& operand : operands) {
    for (uint64_t other : operand.element->others) {
      only_zeros = only_zeros && IsZeroCode(type, other) &&
                   IsZeroCode(type, operand.element->code);
    }
  }
  const auto add = [&](uint64_t code) {
    to.Add(code);
    if (zero_is_free && IsFloat(type) && IsZeroCode(type, code)) {
      to.Add(code ^ MinusZero(type));
    }
  };
  if (only_zeros) {
    std::vector<uint64_t> codes;
    for (const Operand& operand : operands) codes.push_back(operand.element->code);
    for (size_t i : Extremes(type, codes, largest)) {
      for (uint64_t code : Representatives(type, *operands[i].element)) add(code);
    }
    return;
  }
  const bool follows = ForEachCombination(operands, [&](const auto& codes) {
    for (size_t i : Extremes(type, codes, largest)) add(codes[i]);
  });
  if (!follows) to.AddAnyCode(0);
}

// Clip is min(max(x, low), high), so that `high` wins where low > high.
std::vector<std::pair<GraphElement, bool>> ClipBounds(const GraphNode& node, int type,
                                                      const Tensors& operands) {
  std::vector<std::pair<GraphElement, bool>> bounds;
  for (const bool is_low : {true, false}) {
    const std::string name = is_low ? "min" : "max";
    const size_t k = is_low ? 1 : 2;
    GraphElement bound;
    if (k < operands.size() && operands[k]) {
      bound = operands[k]->elements[0];
    } else if (node.Has(name)) {
      bound.code =
          Round(GetFormat(type), Value::Number(node.Number(name, 0)), Overflow::kSpecial);
    } else {
      continue;
    }
    bounds.emplace_back(bound, is_low);
  }
  return bounds;
}

void ChooseAll(const GraphNode& node, int type, const std::vector<Operand>& operands,
               const std::vector<std::pair<GraphElement, bool>>& bounds, Gathering& to) {
  const std::string& name = node.op_type;
  if (name == "Relu") {
    GraphElement zero;
    std::vector<Operand> both = operands;
    both.push_back({type, &zero});
    return Choose(type, both, true, true, to);
  }
  if (name == "Clip") {
    GraphElement now = *operands[0].element;
    for (const auto& [bound, is_low] : bounds) {
      Gathering next;
      Choose(type, {{type, &now}, {type, &bound}}, is_low, true, next);
      now = std::move(next).Result(type);
    }
    for (uint64_t code : Representatives(type, now)) {
      to.Add(code);
      if (IsFloat(type) && IsZeroCode(type, code)) to.Add(code ^ MinusZero(type));
    }
    return;
  }
  const bool largest = name == "MaxPool" || name == "ReduceMax" || name == "Max";
  Choose(type, operands, largest, name == "Max" || name == "Min", to);
}

// GR-06: the exact sum over the operands as they stand. Signs of zeros change nothing but
// the sign of a zero, which is free.
Value ExactSum(const GraphNode& node, const Wire& wire,
               const std::function<Value(const Place&)>& value) {
  const FormulaConstants constants = ConstantsOf(node);
  Value sum = Value::Number(0);
  for (size_t i = 0; i < wire.places.size(); ++i) {
    const Value one = value(wire.places[i]);
    sum = Add(sum, wire.factors.empty() ? one : Multiply(one, value(wire.factors[i])));
  }
  if (!IsSumOfProducts(node)) {
    return Divide(sum,
                  Value::Number(mpq_class(mpz_class(static_cast<long>(wire.divisor)))));
  }
  if (node.op_type == "Gemm") sum = Multiply(sum, Value::Number(constants.alpha));
  if (wire.bias) {
    Value bias = value(*wire.bias);
    if (node.op_type == "Gemm") bias = Multiply(bias, Value::Number(constants.beta));
    sum = Add(sum, bias);
  }
  return sum;
}

std::vector<GraphTensor> ComputeFloats(const GraphNode& node, FloatNodeKind kind,
                                       const Tensors& operands) {
  std::vector<std::optional<Codes>> codes;
  for (const auto& operand : operands) codes.push_back(CanonicalCodes(operand));
  const std::vector<WiredOutput> wired = WiresOf(node, codes);
  const int type = operands[0]->type;
  std::vector<std::pair<GraphElement, bool>> bounds;
  if (node.op_type == "Clip") bounds = ClipBounds(node, type, operands);
  std::vector<GraphTensor> outputs;
  for (const WiredOutput& output : wired) {
    GraphTensor tensor{type, output.shape, {}};
    if (kind == FloatNodeKind::kIndexChooser) tensor.type = kInt64;
    if (kind == FloatNodeKind::kCast)
      tensor.type = static_cast<int>(node.Integer("to", 0));
    for (const Wire& wire : output.elements) {
      const GraphElement nothing;  // the constant 0
      const auto element = [&](const Place& place) -> const GraphElement& {
        return place.operand ? operands[*place.operand]->elements[place.index] : nothing;
      };
      std::vector<Operand> all;
      for (const auto* places : {&wire.places, &wire.factors}) {
        for (const Place& place : *places) all.push_back({type, &element(place)});
      }
      if (wire.bias) all.push_back({type, &element(*wire.bias)});
      Gathering to;
      if (kind == FloatNodeKind::kMover) {
        tensor.elements.push_back(element(wire.places[0]));
        continue;
      }
      std::vector<Operand> with_bounds = all;
      for (const auto& [bound, is_low] : bounds) with_bounds.push_back({type, &bound});
      const bool is_free = std::any_of(
          with_bounds.begin(), with_bounds.end(),
          [](const Operand& one) { return !IsFinite(one.type, *one.element); });
      for (const Operand& one : with_bounds) to.AddTier(one.element->tier);
      for (const Place& place : wire.padded) to.AddTier(element(place).tier);
      if (is_free) {
        to.AddAnyCode(0);
      } else {
        const Format* format = &GetFormat(tensor.type);
        switch (kind) {
          case FloatNodeKind::kMover:
            break;
          case FloatNodeKind::kChooser:
            if (all.empty()) {  // a window without elements
              to.AddAnyCode(0);
            } else if (HasNan(with_bounds)) {
              to.AddAnyCode(CodeOf(GetFormat(type), Value::Nan()));
            } else {
              ChooseAll(node, type, all, bounds, to);
              if (IsFloat(type)) {
                const GraphElement result = Gathering(to).Result(type);
                if (IsSubnormal(GetFormat(type), ValueOf(GetFormat(type), result.code))) {
                  to.AddTier(Tier::kSubnormal);
                }
              }
            }
            break;
          case FloatNodeKind::kIndexChooser: {
            if (HasNan(all)) {
              to.AddAnyCode(0);
              break;
            }
            const bool follows = ForEachCombination(all, [&](const auto& one) {
              const std::vector<size_t> best =
                  Extremes(type, one, node.op_type == "ArgMax");
              const bool last = node.Integer("select_last_index", 0) != 0;
              to.Add(last ? best.back() : best.front());
            });
            if (!follows) to.AddAnyCode(0);
            break;
          }
          case FloatNodeKind::kArithmetic: {
            const bool follows = ForEachCombination(all, [&](const auto& one) {
              std::vector<Value> x;
              for (uint64_t code : one) x.push_back(ValueOf(*format, code));
              const Value exact = Formula(node, x);
              AddRounded(*format, exact, true, to);
              // A quotient by 0 leaves the range as an overflow does.
              const bool are_numbers = std::all_of(
                  x.begin(), x.end(), [](const Value& v) { return v.IsNumber(); });
              if (are_numbers && exact.IsInfinity()) to.AddTier(Tier::kDegenerateScale);
            });
            if (!follows) to.AddAnyCode(0);
            break;
          }
          case FloatNodeKind::kCast:
            for (uint64_t code : Representatives(type, *all[0].element)) {
              const Value exact = ValueOfElement(type, code);
              if (IsFloat(tensor.type)) {
                AddRounded(*format, exact, false, to);
              } else {
                to.Add(Round(*format, exact, Overflow::kSaturate));
              }
            }
            break;
          case FloatNodeKind::kSum: {
            const auto is_other = [&](const Operand& one) {
              return std::any_of(one.element->others.begin(), one.element->others.end(),
                                 [&](uint64_t code) { return !IsZeroCode(type, code); });
            };
            if (std::any_of(all.begin(), all.end(), is_other)) {
              to.AddAnyCode(0);
              break;
            }
            const bool is_open = std::any_of(
                wire.padded.begin(), wire.padded.end(), [&](const Place& place) {
                  const GraphElement& weight = element(place);
                  return weight.any_code || weight.any_nan ||
                         !ValueOf(*format, weight.code).IsNumber();
                });
            if (is_open) {
              to.AddAnyCode(0);
              break;
            }
            const Value exact = ExactSum(node, wire, [&](const Place& place) {
              return ValueOf(*format, element(place).code);
            });
            AddRounded(*format, exact, true, to);
            break;
          }
        }
      }
      tensor.elements.push_back(std::move(to).Result(tensor.type));
    }
    outputs.push_back(std::move(tensor));
  }
  return outputs;
}

mpq_class InFloat(const mpq_class& v) {
  return RoundToPrecision(GetFormat(kFloat), Value::Number(v)).number;
}

}  // namespace

std::vector<GraphTensor> ComputeNode(const GraphNode& node, const Tensors& operands,
                                     const NodeReadings& readings) {
  if (const auto kind = KindOf(node)) return ComputeFloats(node, *kind, operands);
  if (node.op_type == "QuantizeLinear") return Quantize(node, operands, readings);
  if (node.op_type == "DequantizeLinear") return Dequantize(node, operands, readings);
  if (node.op_type == "DynamicQuantizeLinear") {
    return QuantizeDynamically(operands, readings);
  }
  if (node.op_type == "MatMulInteger") return MultiplyIntegers(node, operands);
  assert(node.op_type == "ConvInteger");
  return ConvolveIntegers(node, operands);
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
  Tensors operands;
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
    if (IsLess(one, inner)) inner = one;
    if (IsLess(inner, zero)) inner = zero;
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
