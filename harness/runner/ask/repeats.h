// A case once more with one circumstance changed: elsewhere in memory, or with its
// elements in other places.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
#define QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

// Runs the model with its inputs elsewhere in memory, off by one element.
Result<RunResult> RunModelShifted(Backend& backend, const OpCase& op_case);

// The same questions at other indices.
struct MovedCase : FedModel {
  // Element i of the outputs is element source[i] of the case's; counted through all
  // outputs.
  std::vector<int64_t> source;
};

// Returns the case with the last dimension of its outputs that has two elements and is
// not cut into blocks turned by one place, in all operands that have it. Nothing if there
// is none.
Result<std::optional<MovedCase>> MoveByOne(const OpCase& op_case);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
