#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "oracle/exact/graphs/nodes.h"
#include "oracle/exact/graphs/reach.h"

namespace qconform::exact {
namespace {

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
bool IsBelow(const Value& a, const Value& b) {
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
    if (largest ? IsBelow(*best, value) : IsBelow(value, *best)) best = &value;
  }
  std::vector<size_t> all;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!IsBelow(*best, values[i]) && !IsBelow(values[i], *best)) all.push_back(i);
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
                                                      const GraphOperands& operands) {
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

// The sum of the magnitudes of some terms; infinite where one is no number.
Value Magnitude(const std::vector<Value>& terms) {
  Value sum = Value::Number(0);
  for (const Value& term : terms) {
    if (!term.IsNumber()) return Value::Infinity(false);
    sum.number += abs(term.number);
  }
  return sum;
}

// GR-20: whether terms of this magnitude may leave the range on their way to a result
// within it, with the error of `count` operations.
bool MayOverflow(const Format& format, const Value& magnitude, int64_t count) {
  if (!magnitude.IsNumber()) return false;
  const std::optional<mpq_class> gamma = GammaOf(count, format.precision);
  return magnitude.number * (1 + gamma.value_or(0)) > format.highest;
}

// Whether an arithmetic node's terms may overflow before they are joined. The operations
// are GR-05's m + 2 of operands that were dequantized. Of HardSwish the clause does not
// name the terms: x * min(6, max(0, x + 3)) / 6 is a usual form, whose product is at
// most 6 |x|.
bool MayArithmeticOverflow(const GraphNode& node, const Format& format,
                           const std::vector<Value>& x) {
  if (node.op_type == "Add" || node.op_type == "Sub") {
    return MayOverflow(format, Magnitude(x), 4);
  }
  if (node.op_type == "HardSigmoid") {
    const FormulaConstants constants = ConstantsOf(node);
    const Value product = Multiply(Value::Number(constants.alpha), x[0]);
    return MayOverflow(format, Magnitude({product, Value::Number(constants.beta)}), 6);
  }
  if (node.op_type == "HardSwish") {
    return MayOverflow(format, Magnitude({Multiply(Value::Number(6), x[0])}), 9);
  }
  return false;
}

// Whether a sum's terms T_i of GR-06 may overflow before they are joined. A mean is
// divided after its sum; Gemm's beta is part of its bias.
bool MaySumOverflow(const GraphNode& node, const Format& format, const Wire& wire,
                    const std::function<Value(const Place&)>& value) {
  const FormulaConstants constants = ConstantsOf(node);
  const bool has_factors = node.op_type == "Gemm";
  // Alpha may be multiplied into the terms or into their sum: what is larger counts.
  const mpq_class factor = has_factors ? mpq_class(abs(constants.alpha)) : mpq_class(1);
  const Value alpha = Value::Number(factor < 1 ? mpq_class(1) : factor),
              beta = Value::Number(has_factors ? constants.beta : 1);
  std::vector<Value> terms;
  for (size_t i = 0; i < wire.places.size(); ++i) {
    const Value one = value(wire.places[i]);
    terms.push_back(wire.factors.empty()
                        ? one
                        : Multiply(alpha, Multiply(one, value(wire.factors[i]))));
  }
  if (wire.bias) terms.push_back(Multiply(beta, value(*wire.bias)));
  // GR-06's n where each operand was dequantized.
  return MayOverflow(format, Magnitude(terms), wire.terms + (wire.bias ? 4 : 3));
}

}  // namespace

std::vector<GraphTensor> ComputeFloats(const GraphNode& node, FloatNodeKind kind,
                                       const GraphOperands& operands) {
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
              if (MayArithmeticOverflow(node, *format, x)) {
                to.AddAnyCode(0);
                to.AddTier(Tier::kDegenerateScale);
              }
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
            const auto value = [&](const Place& place) {
              return ValueOf(*format, element(place).code);
            };
            AddRounded(*format, ExactSum(node, wire, value), true, to);
            if (MaySumOverflow(node, *format, wire, value)) {
              to.AddAnyCode(0);
              to.AddTier(Tier::kDegenerateScale);
            }
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

}  // namespace qconform::exact
