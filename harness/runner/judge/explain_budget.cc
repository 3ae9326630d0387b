#include "harness/runner/judge/explain_budget.h"

#include <algorithm>
#include <cstdio>

namespace qconform {

void ExplainBudget::AddAsked(double seconds) {
  const std::lock_guard lock(mutex_);
  asked_ += seconds;
}

void ExplainBudget::AddExplained(double seconds) {
  const std::lock_guard lock(mutex_);
  explained_ += seconds;
}

double ExplainBudget::Left() const {
  const std::lock_guard lock(mutex_);
  if (seconds_) return std::max(0.0, *seconds_ - explained_);
  // explained <= share * (asked + explained)
  const double share = kDefaultShare / (1 - kDefaultShare) * asked_;
  return std::clamp(std::max(share, kLeastSeconds) - explained_, 0.0, kMostForOne);
}

std::string ExplainBudget::WhyNot(bool was_begun) const {
  char text[96];
  if (!seconds_) {
    std::snprintf(text, sizeof text, "the budget of %.0f %% of the run was used",
                  100 * kDefaultShare);
    if (was_begun) {
      std::snprintf(
          text, sizeof text,
          "its explanation was cut at %.0f s, or by the budget of %.0f %% of the run",
          kMostForOne, 100 * kDefaultShare);
    }
  } else if (*seconds_ == 0) {
    return "explanations were turned off";
  } else {
    std::snprintf(text, sizeof text, "the budget of %g s was used", *seconds_);
  }
  return text;
}

}  // namespace qconform
