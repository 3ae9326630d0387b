// One element of QuantizeLinear, step by step.
#include <optional>
#include <string>
#include <utility>

#include "harness/core/value_text.h"
#include "harness/operators/quantize_linear/faults.h"

namespace qconform::quantize_linear {
namespace {

// "in FLOAT", or "exactly".
std::string PrecisionText(const DecodedQuantizeLinear& decoded) {
  return decoded.precision == nullptr
             ? "exactly"
             : "in " + std::string(DataTypeName(decoded.precision->type));
}

}  // namespace

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  std::vector<WorkedStep> steps;
  const QuantizeLinearTrace right = TraceElement(decoded(), {}, index);
  WorkedStep quotient{"q = x / y_scale, " + PrecisionText(decoded()),
                      TypedText(decoded().precision, right.quotient), ""};
  std::optional<QuantizeLinearTrace> other;
  if (by != nullptr) {
    const DecodedQuantizeLinear& followed = Of(*by);
    if (set == nullptr) {
      const Unrounded& q = followed.quotients[static_cast<size_t>(index)];
      quotient.actual = TypedText(followed.precision, q) + " " + PrecisionText(followed);
    } else {
      other = TraceElement(followed, set->As<QuantizeLinearSwitches>(), index);
      quotient.actual = TypedText(followed.precision, other->quotient);
    }
  }
  if (other && ValueText(other->scale) != ValueText(right.scale)) {
    steps.push_back(
        {"y_scale that is taken", ValueText(right.scale), ValueText(other->scale)});
  }
  steps.push_back(std::move(quotient));
  const bool has_zero_point =
      right.zero_point.value_class != ValueClass::kZero ||
      (other && other->zero_point.value_class != ValueClass::kZero);
  std::string plus = "plus y_zero_point " + ValueText(right.zero_point);
  if (other && ValueText(other->zero_point) != ValueText(right.zero_point)) {
    plus = "plus y_zero_point, " + ValueText(right.zero_point) + " and " +
           ValueText(other->zero_point);
  }
  if (decoded().y->kind == NumberKind::kInteger) {
    const IntegerSteps& mine = right.of_integer;
    const auto row = [&](std::string step, std::optional<int64_t> IntegerSteps::*of) {
      steps.push_back({std::move(step), RoundedText(mine.*of, right.quotient),
                       other ? RoundedText(other->of_integer.*of, other->quotient) : ""});
    };
    if (mine.rounded) {
      row("rounded, ties to even", &IntegerSteps::rounded);
      if (has_zero_point) {
        row(plus, &IntegerSteps::with_zero_point);
      } else if (other && other->of_integer.with_zero_point != mine.with_zero_point &&
                 other->of_integer.rounded == mine.rounded) {
        // The steps above are the same in both.
        row("before the range of " + std::string(DataTypeName(decoded().y->type)),
            &IntegerSteps::with_zero_point);
      }
    }
  } else if (has_zero_point) {
    steps.push_back({plus, ValueText(Add(right.quotient, right.zero_point)), ""});
  }
  return steps;
}

}  // namespace qconform::quantize_linear
