// Shrinking: finds a small case that still deviates.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_

#include <functional>
#include <optional>

#include "cases/corpus/stored_case.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns whether a model with its inputs still shows the deviation. A model that is
// not legal does not. An Error is one of the harness.
using StillDeviates = std::function<Result<bool>(const FedModel&)>;

// Returns the predicate "no combination of readings explains the backend's answer, or
// the answer has a wrong form". `backend` must outlive it. `may_be_open`: also of models
// of which the specification leaves open whether they are valid.
StillDeviates DeviatesOn(Backend& backend, bool may_be_open = false);

struct Shrunk {
  // The smallest case found.
  StoredCase stored;
  // The error of the harness that ended the search. The case deviates even so.
  std::optional<Error> error{};
};

// Looks for a small case. First it tries one element of an output with its operands per
// tensor; if that does not deviate, slices with their scales. Then it tries fewer of the
// products that are summed, then simpler values. Precondition: deviates(start). Asks
// `deviates` at most `most` times, and no more after an ExplainLimit of this thread.
Shrunk Shrink(const StoredCase& start, const StillDeviates& deviates, int most = 2000);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_H_
