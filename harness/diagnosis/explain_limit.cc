#include "harness/diagnosis/explain_limit.h"

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

ExplainLimit::ExplainLimit(double seconds)
    : seconds_(seconds), start_(ThreadSeconds()), outer_(g_limit) {
  g_limit = this;
}

ExplainLimit::~ExplainLimit() { g_limit = outer_; }

double ExplainLimit::used() const { return ThreadSeconds() - start_ + waited_; }

bool ExplainLimit::HasPassed() {
  return g_limit != nullptr && g_limit->used() >= g_limit->seconds_;
}

void ExplainLimit::AddWaited(double seconds) {
  if (g_limit != nullptr) g_limit->waited_ += seconds;
}

}  // namespace qconform
