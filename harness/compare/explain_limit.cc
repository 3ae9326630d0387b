#include "harness/compare/explain_limit.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace qconform {
namespace {

thread_local ExplainLimit* g_limit = nullptr;

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

ExplainLimit::ExplainLimit(double seconds, const std::atomic<bool>* stop)
    : seconds_(seconds), stop_(stop), start_(ThreadSeconds()), outer_(g_limit) {
  g_limit = this;
}

ExplainLimit::~ExplainLimit() { g_limit = outer_; }

double ExplainLimit::used() const { return ThreadSeconds() - start_ + waited_; }

bool ExplainLimit::HasPassed() {
  for (const ExplainLimit* limit = g_limit; limit != nullptr; limit = limit->outer_) {
    if (limit->stop_ != nullptr && *limit->stop_) return true;
    if (!std::isinf(limit->seconds_) && limit->used() >= limit->seconds_) return true;
  }
  return false;
}

double ExplainLimit::Left() {
  double left = INFINITY;
  for (const ExplainLimit* limit = g_limit; limit != nullptr; limit = limit->outer_) {
    if (limit->stop_ != nullptr && *limit->stop_) return 0;
    left = std::min(left, limit->seconds_ - limit->used());
  }
  return std::max(left, 0.0);
}

Status ExplainLimit::StatusOfLimit() {
  if (HasPassed()) return Error{"the limit of the explanation has passed"};
  return Ok();
}

void ExplainLimit::AddWaited(double seconds) {
  for (ExplainLimit* limit = g_limit; limit != nullptr; limit = limit->outer_) {
    limit->waited_ += seconds;
  }
}

}  // namespace qconform
