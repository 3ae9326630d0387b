// The operators of the build, made to fail at one call: what becomes of an Error of the
// oracle, or of a generator of cases. A test program that links this has them in place of
// the registries (oracle/operators, cases/operators): nothing in the harness knows of it.
#ifndef QCONFORM_HARNESS_RUNNER_TESTING_FAILING_OPERATORS_H_
#define QCONFORM_HARNESS_RUNNER_TESTING_FAILING_OPERATORS_H_

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cases/core/operator_cases.h"
#include "harness/backends/backend.h"
#include "oracle/core/operator.h"

namespace qconform {

// The operators as they are, from the generated registry.
std::span<const Operator* const> RealOperators();
std::span<const OperatorCases* const> RealOperatorCases();

inline constexpr const char* kPlantedError = "planted error of the oracle";

// The place of a call: the return addresses of the functions that lead to it.
using CallChain = std::vector<void*>;

// Names the functions, the innermost first: to be shown where a test fails.
std::string PlaceText(const CallChain& place);

// Runs `work` and returns the places from which an operator was asked something, or a
// content was made. Calls of a backend below WithoutFailures do not count.
std::set<CallChain> CallsOf(const std::function<void()>& work);

// Runs `work` while the first call from that place fails. Returns whether one came.
bool RunFailingAt(const CallChain& place, const std::function<void()>& work);

// Runs `work` while there are no operators at all.
void RunWithoutOperators(const std::function<void()>& work);

// Sets what decides which reading refuses a model in place of the operators; null: they
// decide themselves.
using RefusedBy = std::function<std::optional<Reading>(const Operands& operands)>;
void SetRefusedBy(RefusedBy refused_by);

// Answers as `backend`, whose own questions to operators never fail.
class WithoutFailures : public Backend {
 public:
  explicit WithoutFailures(Backend& backend) : backend_(backend) {}
  const BackendInfo& info() const override { return backend_.info(); }
  PrepareResult Prepare(const Model& model) override;

 private:
  Backend& backend_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_TESTING_FAILING_OPERATORS_H_
