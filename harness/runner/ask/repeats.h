// A case once more with one circumstance changed: elsewhere in memory, or with its
// elements in other places.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
#define QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"

namespace qconform {

// Runs the model with its inputs elsewhere in memory, off by one element.
RunResult RunModelShifted(Backend& backend, const OpCase& op_case);

// The same questions at other indices.
struct MovedCase : FedModel {
  std::vector<int64_t> source;  // element i of y is element source[i] of the case's
};

// Returns the case with x, or the rows of `a` or columns of `b`, turned by one place,
// and scales and zero points with them. Nothing where no dimension can be turned: it
// has one element, it is cut into blocks, or operands have batch dimensions.
std::optional<MovedCase> MoveByOne(const OpCase& op_case);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
