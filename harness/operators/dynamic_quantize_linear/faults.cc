#include "harness/operators/dynamic_quantize_linear/faults.h"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "harness/core/value_text.h"

namespace qconform::dynamic_quantize_linear {
namespace {

using Switches = DynamicQuantizeLinearSwitches;
using Trace = DynamicQuantizeLinearTrace;

std::string FloatText(float value) {
  return CodeText(DataType::kFloat, std::bit_cast<uint32_t>(value));
}

bool ChangesScale(const Switches& s) {
  return s.range != Switches::Range::kRight || s.range_tail != 0 ||
         s.range_without_last || s.divisor != Switches::Divisor::k255 ||
         s.scale != Switches::Scale::kRight || s.flush_x || s.flush_scale;
}

}  // namespace

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node&, int, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  return CaseOf<Case>(DecodeDynamicQuantizeLinear(operands, readings),
                      std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  using S = Switches;
  S both = a.As<S>();
  const auto& other = b.As<S>();
  if (both.tail_lanes != 0 || other.tail_lanes != 0) return std::nullopt;
  Overlay<&S::range, &S::range_tail, &S::range_without_last, &S::divisor, &S::scale,
          &S::zero_scale, &S::zero_point, &S::quotient, &S::sign_lost, &S::rounding,
          &S::order, &S::overflow, &S::outputs, &S::flush_x, &S::flush_scale,
          &S::previous_call, &S::last_unwritten>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& follows) const {
  const auto& s = set.As<Switches>();
  for (const Reading& reading : follows.readings) {
    const bool is_of_zeros = reading.clause == "DYN-04";
    if (is_of_zeros && s.zero_scale != Switches::ZeroScale::kRight) return false;
    if (!is_of_zeros && ChangesScale(s)) return false;
  }
  return true;
}

std::string_view Faults::BrokenClause(const Cell&, const Node&,
                                      const FaultSet& set) const {
  using Outputs = Switches::Outputs;
  const auto& s = set.As<Switches>();
  if (s.flush_x || s.flush_scale || s.scale == Switches::Scale::kFiniteRange) {
    return "DYN-06";
  }
  if (ChangesScale(s) || s.outputs == Outputs::kInverseScale) return "DYN-01";
  if (s.zero_scale != Switches::ZeroScale::kRight) return "DYN-04";
  if (s.zero_point != Switches::ZeroPoint::kRight || s.outputs != Outputs::kRight) {
    return "DYN-02";
  }
  Switches rest = s;
  rest.last_unwritten = false;
  return rest == Switches{} ? "" : "DYN-03";
}

Codes Case::CodesOf(const FaultSet& set, FaultState& state) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>(), state);
}

bool Case::IsUndefined(const FaultSet& set, int64_t index) const {
  if (!decoded().is_extreme) return false;
  const auto trace = TraceElement(decoded(), set.As<Switches>(), index);
  if (!trace) return false;
  const auto place = static_cast<size_t>(index);
  if (place == decoded().x.size()) return false;  // a NaN of y_scale is one
  if (std::isnan(trace->unrounded_zero_point)) return true;
  return trace->quotient && trace->quotient->value_class == ValueClass::kNan;
}

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  std::vector<WorkedStep> steps;
  const auto right = TraceElement(decoded(), {}, index);
  if (!right) return steps;
  std::optional<Trace> other;
  if (by != nullptr && set != nullptr) {
    other = TraceElement(Of(*by), set->As<Switches>(), index);
  }
  const auto add = [&](std::string step, const auto& text_of) {
    steps.push_back({std::move(step), text_of(*right), other ? text_of(*other) : ""});
  };
  add("max(0, max x) - min(0, min x), rounded to FLOAT",
      [](const Trace& trace) { return FloatText(trace.range); });
  add("y_scale = this / 255, rounded to FLOAT",
      [](const Trace& trace) { return FloatText(trace.scale); });
  add("y_zero_point = 0 - min(0, min x) / y_scale, rounded to FLOAT, clipped and rounded",
      [](const Trace& trace) { return std::to_string(trace.zero_point); });
  if (!right->quotient) return steps;
  const NumberFormat& f32 = FormatOf(DataType::kFloat);
  add("q = x / y_scale, rounded to FLOAT",
      [&](const Trace& trace) { return TypedText(&f32, *trace.quotient); });
  const auto row = [&](std::string step, std::optional<int64_t> IntegerSteps::*of) {
    add(std::move(step), [&](const Trace& trace) {
      return RoundedText(trace.steps.*of, *trace.quotient);
    });
  };
  row("rounded, ties to even", &IntegerSteps::rounded);
  row("plus y_zero_point", &IntegerSteps::with_zero_point);
  return steps;
}

}  // namespace qconform::dynamic_quantize_linear
