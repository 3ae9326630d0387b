// Shrinking: from a case that deviates to a small one that still does.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_

#include <functional>
#include <optional>

#include "cases/corpus/stored_case.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns whether a model with its inputs still shows what is to be kept. A model that is
// not legal does not. An Error is one of the harness.
using StillDeviates = std::function<Result<bool>(const FedModel&)>;

// Returns the predicate "the backend's answer is one that no combination of
// readings explains, or has a wrong form". `backend` must outlive it.
StillDeviates DeviatesOn(Backend& backend);

struct Shrunk {
  // The smallest case found.
  StoredCase stored;
  // Of the harness: what ended the search. The case deviates all the same.
  std::optional<Error> error{};
};

// Looks for a small case: one element of an output with its operands per tensor if that
// shows it, else slices with their scales; then with few of the products that are summed;
// then with simpler values. Precondition: deviates(start). Asks `deviates` at most `most`
// times.
Shrunk Shrink(const StoredCase& start, const StillDeviates& deviates, int most = 2000);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_
