// One element of DequantizeLinear, step by step.
#include <optional>
#include <string>

#include "harness/core/value_text.h"
#include "harness/operators/dequantize_linear/faults.h"

namespace qconform::dequantize_linear {

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  const DequantizeLinearTrace right = TraceElement(decoded(), {}, index);
  std::optional<DequantizeLinearTrace> other;
  if (by != nullptr) {
    const DequantizeLinearSwitches none;
    other = TraceElement(
        Of(*by), set == nullptr ? none : set->As<DequantizeLinearSwitches>(), index);
  }
  std::vector<WorkedStep> steps;
  // Operands are shown anyway: only those that were read otherwise are steps.
  const auto operand = [&](std::string step, ExactValue DequantizeLinearTrace::*of) {
    if (!other || ValueText(right.*of) == ValueText((*other).*of)) return;
    steps.push_back({std::move(step), ValueText(right.*of), ValueText((*other).*of)});
  };
  operand("x as it is read", &DequantizeLinearTrace::x);
  operand("x_zero_point that is taken", &DequantizeLinearTrace::zero_point);
  operand("x_scale that is taken", &DequantizeLinearTrace::scale);
  steps.push_back({"d = x - x_zero_point", ValueText(right.difference),
                   other ? ValueText(other->difference) : ""});
  const auto is_converted = [](const DequantizeLinearTrace& trace) {
    return ValueText(trace.multiplier) != ValueText(trace.scale);
  };
  if (is_converted(right) || (other && is_converted(*other))) {
    steps.push_back({"x_scale as it is multiplied", ValueText(right.multiplier),
                     other ? ValueText(other->multiplier) : ""});
  }
  steps.push_back(
      {"d * x_scale", ValueText(right.product), other ? ValueText(other->product) : ""});
  return steps;
}

}  // namespace qconform::dequantize_linear
