#include "harness/operators/q_linear_conv/faults.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/convolution/convolution_faults.h"
#include "harness/core/patterns/pattern_quantities.h"
#include "harness/core/patterns/wrong_scale.h"
#include "harness/core/value_text.h"

namespace qconform::q_linear_conv {
namespace {

using Switches = QLinearConvSwitches;

// The normal form of Faults::WhyIndistinguishable.
Switches Normal(const Cell& cell, const Switches& set) {
  Switches s = set;
  const bool clamps_the_quotient = s.order == Switches::Order::kAfterClamp &&
                                   s.overflow == Switches::Overflow::kSaturate &&
                                   s.y_zero_point == Switches::ZeroPoint::kRight;
  if (clamps_the_quotient && cell.types[2] == DataType::kUint8) {
    s.order = Switches::Order::kAfter;
    s.clamps_at_zero_point = true;
  }
  return s;
}

}  // namespace

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node& node, int, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  const std::vector<Reading> functions =
      readings.is_bounded() ? std::vector<Reading>() : readings.readings;
  auto decoded = DecodeQLinearConv(node.attributes, operands, functions);
  if (!decoded) return decoded.error();
  const size_t elements = decoded->convolution.sums.size();
  if (elements != canonical.size()) {
    return Error{"QLinearConv: expected " + std::to_string(elements) + " elements, got " +
                 std::to_string(canonical.size())};
  }
  return CaseOf<Case>(std::move(decoded), std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  using S = Switches;
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  both.sum = Merged(both.sum, other.sum);
  Overlay<&S::bias, &S::w_scale, &S::multiplier, &S::absolute_scales, &S::sign_lost,
          &S::y_zero_point, &S::rounding, &S::order, &S::overflow,
          &S::clamps_at_zero_point, &S::last_unwritten>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const {
  if (readings.is_bounded()) return false;
  const auto& s = set.As<Switches>();
  const auto follows = [&](std::string_view clause) {
    return std::ranges::any_of(readings.readings, [clause](const Reading& reading) {
      return reading.clause == clause;
    });
  };
  const bool rounds =
      s.rounding != Switches::Rounding::kEven || s.order != Switches::Order::kAfter;
  if (rounds && follows("QC-01")) return false;
  return s.multiplier == Switches::Multiplier::kExact || !follows("QC-04");
}

std::string_view Faults::BrokenClause(const Cell&, const Node&,
                                      const FaultSet& set) const {
  const auto& s = set.As<Switches>();
  switch (FirstChanged(s.sum)) {
    case ConvolutionStep::kNone:
      break;
    case ConvolutionStep::kGeometry:
    case ConvolutionStep::kAutoPad:
    case ConvolutionStep::kPadding:
    case ConvolutionStep::kGroups:
      return "QC-05";
    case ConvolutionStep::kZeroPoints:
      return "QC-06";
    case ConvolutionStep::kSum:
      return "QC-02";
  }
  if (s.bias != Switches::Bias::kRight) return "QC-03";
  if (s.w_scale != Switches::Channel::kRight) return "QC-06";
  if (s.absolute_scales) return "QC-08";
  if (s.multiplier != Switches::Multiplier::kExact) return "QC-04";
  Switches rest = s;
  rest.last_unwritten = false;
  return rest == Switches{} ? "" : "QC-01";
}

std::string Faults::WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                         const FaultSet& b) const {
  const Switches &one = a.As<Switches>(), &other = b.As<Switches>();
  if (one == other) return "same_type";
  return Normal(cell, one) == Normal(cell, other) ? "unsigned" : "";
}

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns = SpecialValuePatterns("values before rounding");
  Append(patterns, ResultPatterns());
  Append(patterns, ConvolutionPatterns(
                       cases, [](const EvidenceCase& one) -> const auto& {
                         return Case::Of(*one.decoded).convolution;
                       }));
  patterns.push_back(
      {"only convolutions with a bias", [](const EvidenceCase& one, int64_t) {
         return !Case::Of(*one.decoded).bias.empty();
       }});
  const auto has_sign = [](bool negative) {
    return [negative](const EvidenceCase& one, int64_t i) {
      const auto trace = TraceElement(Case::Of(*one.decoded), {}, i);
      return trace && trace->product.value_class != ValueClass::kZero &&
             trace->product.negative == negative;
    };
  };
  patterns.push_back({"only negative results", has_sign(true)});
  patterns.push_back({"only positive results", has_sign(false)});
  Append(patterns,
         RoundedValuePatterns(
             cases, "the product before it is rounded",
             [](const EvidenceCase& one, int64_t i) -> std::optional<Unrounded> {
               const auto trace = TraceElement(Case::Of(*one.decoded), {}, i);
               if (!trace) return std::nullopt;
               return trace->product;
             }));
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

Codes Case::CodesOf(const FaultSet& set, FaultState&) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>());
}

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  std::vector<WorkedStep> steps;
  const auto right = TraceElement(decoded(), {}, index);
  if (!right) return steps;
  std::optional<QLinearConvTrace> other;
  if (by != nullptr && set != nullptr) {
    other = TraceElement(Of(*by), set->As<Switches>(), index);
  }
  steps.push_back(
      {"sum of " + std::to_string(decoded().convolution.terms()) + " products",
       std::to_string(right->sum), other ? std::to_string(other->sum) : ""});
  if (!decoded().bias.empty()) {
    steps.push_back({"C = sum + B", std::to_string(right->total),
                     other ? std::to_string(other->total) : ""});
  }
  steps.push_back({"v = C * x_scale * w_scale / y_scale", ValueText(right->product),
                   other ? ValueText(other->product) : ""});
  const IntegerSteps& mine = right->of_integer;
  const auto row = [&](const char* step, std::optional<int64_t> IntegerSteps::*of) {
    steps.push_back({step, RoundedText(mine.*of, right->product),
                     other ? RoundedText(other->of_integer.*of, other->product) : ""});
  };
  row("rounded, ties to even", &IntegerSteps::rounded);
  const bool has_zero_point =
      mine.with_zero_point != mine.rounded ||
      (other && other->of_integer.with_zero_point != other->of_integer.rounded);
  if (has_zero_point) row("plus y_zero_point", &IntegerSteps::with_zero_point);
  return steps;
}

std::string Faults::WrongScalesOf(std::span<const EvidenceCase> cases) const {
  WrongScale scales("multiplier x_scale * w_scale / y_scale", 0x1p-22);
  for (const EvidenceCase& one : cases) {
    const DecodedQLinearConv& decoded = Case::Of(*one.decoded);
    const auto zero_point = NumberOf(decoded.y_zero_point);
    ForElements(one, [&](int64_t i, bool deviates) {
      if (one.answer->elements[static_cast<size_t>(i)].tier != Tier::kRegular) return;
      const auto trace = TraceElement(decoded, {}, i);
      const auto v = trace ? NumberOf(trace->product) : std::nullopt;
      if (!v || !zero_point || trace->total == 0) return;
      // The multiplier, without the last digits, which are not the same of each sum.
      const double multiplier = *v / static_cast<double>(trace->total);
      scales.Add(static_cast<float>(multiplier), *v, *decoded.y,
                 one.observed[static_cast<size_t>(i)], *zero_point, deviates);
    });
  }
  return scales.Words();
}

}  // namespace qconform::q_linear_conv
