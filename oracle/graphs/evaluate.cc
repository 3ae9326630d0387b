#include "oracle/graphs/evaluate.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/graphs/bounds/real.h"
#include "oracle/graphs/wide_sum.h"

namespace qconform {
namespace {

using enum ValueClass;

void Set(ElementAnswer& answer, int feature) {
  answer.features = static_cast<uint16_t>(answer.features | feature);
}

bool IsFinite(const ExactValue& value) {
  return value.value_class == kFinite || value.value_class == kZero;
}

ExactValue Whole(bool negative, uint64_t significand) {
  return {.value_class = significand == 0 ? kZero : kFinite,
          .negative = negative,
          .significand = significand};
}

}  // namespace

// One element that is evaluated.
class FloatEvaluator::Step {
 public:
  Step(const FloatEvaluator& all, size_t output)
      : all_(all),
        wiring_(*all.wiring_),
        wired_(all.wiring_->outputs[output]),
        format_(&FormatOf(wired_.type)),
        round_(all.rounders_[output]) {}

  uint64_t Evaluate(size_t i) {
    const std::span<const WiredElement> sources(wired_.sources.data() + wired_.first[i],
                                                wired_.first[i + 1] - wired_.first[i]);
    const uint64_t code = EvaluateElement(wired_, i, sources);
    answer_.code = static_cast<uint32_t>(code);
    return code;
  }

  const ElementAnswer& answer() const { return answer_; }

 private:
  uint64_t CodeOf(const WiredElement& element) const { return all_.CodeOf(element); }
  const ExactValue& ValueOf(const WiredElement& element) const {
    return all_.ValueOf(element);
  }

  uint64_t EvaluateElement(const WiredOutput& wired, size_t i,
                           std::span<const WiredElement> sources) {
    switch (wiring_.kind) {
      case WiredKind::kMove:
        return sources.empty() ? 0 : CodeOf(sources.front());
      case WiredKind::kRelu: {
        const WiredElement two[] = {sources.front(), {}};
        return Choose(two, /*greatest=*/true, /*frees_zeros=*/true);
      }
      case WiredKind::kClip:
        return Clip(sources.front());
      case WiredKind::kMaximum:
      case WiredKind::kMinimum:
        return Choose(sources, wiring_.kind == WiredKind::kMaximum,
                      /*frees_zeros=*/false);
      case WiredKind::kArgMax:
      case WiredKind::kArgMin:
        return Position(wired, i, sources);
      case WiredKind::kAdd:
      case WiredKind::kSub: {
        ExactValue second = ValueOf(sources[1]);
        if (wiring_.kind == WiredKind::kSub) second.negative = !second.negative;
        return SumOfTwo(ValueOf(sources[0]), second, sources);
      }
      case WiredKind::kMul:
        return Computed(Multiply(ValueOf(sources[0]), ValueOf(sources[1])), sources);
      case WiredKind::kDiv:
        return Computed(Divide(ValueOf(sources[0]), ValueOf(sources[1])), sources);
      case WiredKind::kPRelu:
      case WiredKind::kLeakyRelu: {
        const ExactValue x = ValueOf(sources[0]);
        const bool is_below = x.negative && x.value_class != kZero;
        if (!is_below || x.value_class == kNan) return Computed(ToUnrounded(x), sources);
        const bool has_operand = wiring_.kind == WiredKind::kPRelu;
        return Computed(Multiply(x, has_operand ? ValueOf(sources[1]) : all_.alpha_),
                        sources);
      }
      case WiredKind::kHardSigmoid:
        return Computed(HardSigmoid(ValueOf(sources[0])), sources);
      case WiredKind::kHardSwish:
        return HardSwishOf(sources[0], sources);
      case WiredKind::kNeg:
      case WiredKind::kAbs: {
        ExactValue x = ValueOf(sources[0]);
        x.negative = wiring_.kind == WiredKind::kNeg && !x.negative;
        return Computed(ToUnrounded(x), sources);
      }
      case WiredKind::kCast:
        return Cast(sources.front());
      case WiredKind::kSum:
        return Sum(wired, i, sources);
      case WiredKind::kMean:
        return Mean(wired.divisors[i], sources);
    }
    return 0;
  }

  // --- choosers (GR-04) ---------------------------------------------------------------

  bool IsNanCode(uint64_t code) const { return IsNan(*format_, code); }

  uint64_t FreeBecauseOfNan(uint64_t code) {
    answer_.freedom = Freedom::kAnyCode;
    Set(answer_, kFeatureNan);
    return code;
  }

  // A zero of which the clauses do not say the sign.
  uint64_t Chosen(uint64_t code, bool frees_zeros) {
    if (format_->kind == NumberKind::kFloat && IsZero(*format_, code)) {
      answer_.zero_sign_is_free = frees_zeros && format_->has_negative_zero;
      Set(answer_, kFeatureZeroResult);
    }
    if (IsSubnormal(*format_, code)) answer_.tier = Tier::kSubnormal;
    return code;
  }

  // Zeros of both signs among the operands are equal: either may be given.
  uint64_t Choose(std::span<const WiredElement> sources, bool greatest,
                  bool frees_zeros) {
    if (sources.empty()) {
      answer_.freedom = Freedom::kAnyCode;
      return 0;
    }
    uint64_t chosen = CodeOf(sources.front());
    bool other_zero = false;
    bool several_operands = false;  // Max and Min; a pool or reduction has one
    for (const WiredElement& source : sources) {
      several_operands = several_operands || source.operand != sources.front().operand;
      const uint64_t code = CodeOf(source);
      if (IsNanCode(code)) return FreeBecauseOfNan(code);
      const int64_t order = ValueOrder(*format_, code);
      const int64_t best = ValueOrder(*format_, chosen);
      if (greatest ? order > best : order < best) chosen = code;
      other_zero = other_zero || (order == 0 && order == best && code != chosen);
    }
    return Chosen(chosen, frees_zeros || other_zero || several_operands);
  }

  uint64_t Clip(const WiredElement& source) {
    uint64_t code = CodeOf(source);
    if (IsNanCode(code)) return FreeBecauseOfNan(code);
    for (const bool is_low : {true, false}) {
      const auto& bound = is_low ? wiring_.low : wiring_.high;
      if (!bound) continue;
      const uint64_t limit = CodeOf(*bound);
      if (IsNanCode(limit)) return FreeBecauseOfNan(code);
      const int64_t order = ValueOrder(*format_, code);
      const int64_t other = ValueOrder(*format_, limit);
      if (is_low ? order < other : order > other) code = limit;
    }
    return Chosen(code, /*frees_zeros=*/true);
  }

  uint64_t Position(const WiredOutput& wired, size_t i,
                    std::span<const WiredElement> sources) {
    if (sources.empty()) {
      answer_.freedom = Freedom::kAnyCode;
      return 0;
    }
    const NumberFormat& format = FormatOf(all_.TypeOf(sources.front()));
    const bool greatest = wiring_.kind == WiredKind::kArgMax;
    size_t best = 0;
    for (size_t k = 0; k < sources.size(); ++k) {
      const uint64_t code = CodeOf(sources[k]);
      if (IsNan(format, code)) return FreeBecauseOfNan(0);
      const int64_t order = ValueOrder(format, code);
      const int64_t known = ValueOrder(format, CodeOf(sources[best]));
      const bool is_better = greatest ? order > known : order < known;
      if (is_better || (order == known && wiring_.select_last_index)) best = k;
    }
    return static_cast<uint64_t>(wired.positions[wired.first[i] + best]);
  }

  // --- arithmetic (GR-05, GR-06) ------------------------------------------------------

  bool AllFinite(std::span<const WiredElement> sources) const {
    return std::ranges::all_of(
        sources, [&](const WiredElement& source) { return IsFinite(ValueOf(source)); });
  }

  uint64_t Computed(const Unrounded& exact, std::span<const WiredElement> sources) {
    return RoundTo(exact, AllFinite(sources));
  }

  // Rounds to the output's type. The sign of a zero is free, and so is a NaN.
  uint64_t RoundTo(const Unrounded& exact, bool operands_are_finite) {
    const Rounded rounded = round_(exact);
    if (exact.value_class == kNan) {
      Set(answer_, kFeatureNan);
      answer_.freedom = Freedom::kAnyNan;
      if (format_->nan == NanEncoding::kNone) answer_.freedom = Freedom::kAnyCode;
      return rounded.code;
    }
    if (exact.value_class == kInfinity) {
      Set(answer_, kFeatureInfinity);
      // A division by zero.
      if (operands_are_finite) answer_.tier = Tier::kDegenerateScale;
    }
    if (exact.value_class == kFinite) {
      if (rounded.inexact()) Set(answer_, kFeatureInexact);
      if (rounded.tie()) Set(answer_, kFeatureTie);
      if (rounded.near_tie()) Set(answer_, kFeatureNearTie);
      if (rounded.overflow) {
        Set(answer_, exact.negative ? kFeatureSaturatedLow : kFeatureSaturatedHigh);
        answer_.tier = Tier::kDegenerateScale;
      } else if (format_->kind == NumberKind::kFloat && exact.significand != 0 &&
                 TopBit(exact.significand) + exact.exponent <
                     SmallestNormalExponent(*format_)) {
        answer_.tier = Tier::kSubnormal;
      }
      if (IsSubnormal(*format_, rounded.code)) Set(answer_, kFeatureSubnormalResult);
    }
    if (IsZero(*format_, rounded.code)) {
      Set(answer_, kFeatureZeroResult);
      answer_.zero_sign_is_free = format_->has_negative_zero;
    }
    return rounded.code;
  }

  uint64_t SumOfTwo(const ExactValue& first, const ExactValue& second,
                    std::span<const WiredElement> sources) {
    const uint64_t code = Computed(Add(ToUnrounded(first), second), sources);
    if (!IsFinite(first) || !IsFinite(second)) return code;
    ExactValue magnitude = second;
    magnitude.negative = false;
    Unrounded size = ToUnrounded(first);
    size.negative = false;
    FreeIfOutOfRange(Add(size, magnitude), 2);
    return code;
  }

  // x * 6 may be formed before it is divided by 6.
  uint64_t HardSwishOf(const WiredElement& source,
                       std::span<const WiredElement> sources) {
    const ExactValue x = ValueOf(source);
    const uint64_t code = Computed(HardSwish(x), sources);
    if (x.value_class == kFinite) {
      Unrounded size = Multiply(x, Whole(/*negative=*/false, 6));
      size.negative = false;
      FreeIfOutOfRange(size, 2);
    }
    return code;
  }

  Unrounded HardSigmoid(const ExactValue& x) const {
    const Unrounded line = Add(Multiply(all_.alpha_, x), all_.beta_);
    if (line.value_class == kNan) return line;
    if (line.value_class == kZero || line.negative) return {};
    const Unrounded below_one = Add(line, Whole(/*negative=*/true, 1));
    if (below_one.value_class == kZero || !below_one.negative) {
      return ToUnrounded(Whole(false, 1));
    }
    return line;
  }

  // x * max(0, min(1, x / 6 + 1/2)), which is x (x + 3) / 6 between -3 and 3.
  Unrounded HardSwish(const ExactValue& x) const {
    if (x.value_class == kNan) return ToUnrounded(x);
    if (x.value_class == kZero) return {};
    const Unrounded above = Add(ToUnrounded(x), Whole(/*negative=*/true, 3));
    if (above.value_class == kZero || !above.negative) return ToUnrounded(x);
    const Unrounded below = Add(ToUnrounded(x), Whole(/*negative=*/false, 3));
    if (below.value_class == kZero || below.negative) {
      if (x.value_class == kInfinity) return {.value_class = kNan};  // -Inf * 0
      return {};
    }
    const ExactValue three{.value_class = kFinite,
                           .negative = x.negative,
                           .significand = x.significand * 3,
                           .exponent = x.exponent};
    const Unrounded product = Add(Multiply(x, x), three);
    if (product.value_class != kFinite) return product;
    return DivideWide(product, Whole(/*negative=*/false, 6));
  }

  // GR-20: where the sum of the magnitudes, with the error of so many additions, may be
  // beyond the type's range, so may a partial sum, although the result is not.
  void FreeIfOutOfRange(const Unrounded& size, size_t terms) {
    if (size.value_class != kFinite) return;
    const Real most = ToReal(Decode(*format_, LargestFinite(*format_)));
    const Real magnitude = ToReal(size, Direction::kUp);
    const int64_t units = int64_t{1} << (format_->mantissa_bits + 1);
    // Each term has less than eight operations besides its additions.
    const int64_t operations = std::min(static_cast<int64_t>(terms) + 8, units / 2);
    const Real error = Divide(Multiply(magnitude, RealOf(operations), Direction::kUp),
                              RealOf(units - operations), Direction::kUp);
    if (Compare(qconform::Add(magnitude, error, Direction::kUp), most) <= 0) return;
    answer_.tier = Tier::kDegenerateScale;
    answer_.freedom = Freedom::kAnyCode;
  }

  // What the terms of a sum are other than finite numbers.
  struct Specials {
    bool nan = false;
    bool plus = false;
    bool minus = false;

    void Add(const Unrounded& term) {
      if (term.value_class == kNan) nan = true;
      if (term.value_class == kInfinity) (term.negative ? minus : plus) = true;
    }
    // Returns nothing if all terms are finite.
    std::optional<Unrounded> Sum() const {
      if (nan || (plus && minus)) return Unrounded{.value_class = kNan};
      if (plus || minus) {
        return Unrounded{.value_class = kInfinity, .negative = minus};
      }
      return std::nullopt;
    }
  };

  uint64_t Sum(const WiredOutput& wired, size_t i,
               std::span<const WiredElement> sources) {
    WideSum sum;
    WideSum size;  // of the magnitudes
    Specials specials;
    const bool has_alpha = wiring_.alpha != kOne;
    const bool shrinks = (wiring_.alpha & 0x7fffffff) < kOne;  // |alpha| < 1
    const auto add = [&](const ExactValue& a, const ExactValue& b,
                         const ExactValue* factor) {
      const Unrounded product = Multiply(a, b);
      const Unrounded term = factor != nullptr ? MultiplyWide(product, *factor) : product;
      if (term.value_class == kFinite) {
        sum.Add(term);
        // The factor may come before the sum or after it.
        const Unrounded& larger = shrinks ? product : term;
        size.Add(false, larger.significand, larger.exponent);
      } else {
        specials.Add(term);
      }
    };
    for (size_t k = 0; k + 1 < sources.size(); k += 2) {
      if (sources[k].operand == WiredElement::kZero) {
        // Padding. Who leaves it out has no NaN from an infinite weight.
        if (!IsFinite(ValueOf(sources[k + 1]))) return FreeBecauseOfNan(0);
        continue;
      }
      add(ValueOf(sources[k]), ValueOf(sources[k + 1]),
          has_alpha ? &all_.alpha_ : nullptr);
    }
    bool finite = AllFinite(sources);
    if (!wired.bias.empty()) {
      const ExactValue bias = ValueOf(wired.bias[i]);
      finite = finite && IsFinite(bias);
      add(bias, wiring_.beta != kOne ? all_.beta_ : Whole(false, 1), nullptr);
    }
    if (const auto special = specials.Sum()) return RoundTo(*special, finite);
    const uint64_t code = RoundTo(sum.Value(), finite);
    FreeIfOutOfRange(size.Value(), sources.size() / 2);
    return code;
  }

  uint64_t Mean(int64_t divisor, std::span<const WiredElement> sources) {
    WideSum sum;
    WideSum size;  // of the magnitudes
    Specials specials;
    for (const WiredElement& source : sources) {
      const Unrounded term = ToUnrounded(ValueOf(source));
      if (term.value_class == kFinite) {
        sum.Add(term);
        size.Add(false, term.significand, term.exponent);
      } else {
        specials.Add(term);
      }
    }
    const bool finite = AllFinite(sources);
    if (const auto special = specials.Sum()) return RoundTo(*special, finite);
    const Unrounded total = sum.Value();
    if (total.value_class != kFinite) return RoundTo(total, finite);
    const uint64_t code =
        RoundTo(DivideWide(total, Whole(false, static_cast<uint64_t>(divisor))), finite);
    FreeIfOutOfRange(size.Value(), sources.size());
    return code;
  }

  // --- conversion ---------------------------------------------------------------------

  uint64_t Cast(const WiredElement& source) {
    const DataType from = all_.TypeOf(source);
    const ExactValue value = ValueOf(source);
    if (format_->kind == NumberKind::kFloat) {
      const uint64_t code = RoundTo(ToUnrounded(value), IsFinite(value));
      // A conversion keeps the sign of a zero.
      answer_.zero_sign_is_free = false;
      return code;
    }
    if (IsInteger(from)) {
      // Two's complement: the lowest bits.
      const uint64_t mask =
          format_->bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << format_->bits) - 1;
      const auto integer =
          static_cast<uint64_t>(ToInteger(FormatOf(from), CodeOf(source)));
      return integer & mask;
    }
    // From a float: towards zero; free where the type does not hold it.
    if (value.value_class == kNan || value.value_class == kInfinity) {
      return FreeBecauseOfNan(0);
    }
    const Rounder towards_zero(*format_, RoundingMode::kTowardZero,
                               OverflowPolicy::kSaturate);
    const Rounded rounded = towards_zero(ToUnrounded(value));
    if (rounded.overflow) answer_.freedom = Freedom::kAnyCode;
    if (rounded.inexact()) Set(answer_, kFeatureInexact);
    return rounded.code;
  }

  static constexpr uint32_t kOne = 0x3f800000;  // of FLOAT

  const FloatEvaluator& all_;
  const Wiring& wiring_;
  const WiredOutput& wired_;
  const NumberFormat* format_;
  const Rounder& round_;
  ElementAnswer answer_;
};

ElementAnswer FloatEvaluator::Element(size_t output, size_t index, uint64_t& code) const {
  Step step(*this, output);
  code = step.Evaluate(index);
  return step.answer();
}

std::vector<NodeOutput> EvaluateAll(const Wiring& wiring,
                                    const FloatEvaluator& evaluator) {
  std::vector<NodeOutput> outputs;
  for (size_t k = 0; k < wiring.outputs.size(); ++k) {
    const WiredOutput& wired = wiring.outputs[k];
    NodeOutput& output =
        outputs.emplace_back(NodeOutput{Tensor::Zeros(wired.type, wired.shape), {}});
    const size_t count = wired.first.empty() ? 0 : wired.first.size() - 1;
    output.elements.resize(count);
    const MutableTensorView view = output.tensor.mutable_view();
    for (size_t i = 0; i < count; ++i) {
      uint64_t code = 0;
      output.elements[i] = evaluator.Element(k, i, code);
      WriteCode(view, static_cast<int64_t>(i), code);
    }
  }
  return outputs;
}

Result<std::vector<Tensor>> EvaluateFloatNode(const Node& node, int since_version,
                                              const Operands& operands) {
  const auto wiring = WireNode(node, since_version, operands);
  if (!wiring) return wiring.error();
  const auto evaluator = FloatEvaluator::Create(*wiring, operands);
  if (!evaluator) return evaluator.error();
  std::vector<Tensor> tensors;
  for (NodeOutput& output : EvaluateAll(*wiring, *evaluator)) {
    tensors.push_back(std::move(output.tensor));
  }
  return tensors;
}

}  // namespace qconform
