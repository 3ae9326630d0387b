// A case once more with one circumstance changed: elsewhere in memory, or with its
// elements in other places.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
#define QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"

namespace qconform {

// Runs the model with its inputs elsewhere in memory, off by one element.
Result<RunResult> RunModelShifted(Backend& backend, const FedModel& fed);

// Returns the last dimension of the outputs that has two elements and is not cut into
// blocks; nothing if there is none.
Result<std::optional<Dimension>> FindTurning(const Model& model);

// The same with the dimensions of the model; null if there is none.
const Dimension* FindTurning(const Dimensions& dimensions);

// Returns the same questions at other indices: with the dimension turned by one place, in
// all operands that have it.
FedModel TurnedByOne(const FedModel& fed, const Dimension& turning);

// Element i of the outputs of TurnedByOne is element [i] of what this returns in the
// outputs of `model`; counted through all outputs.
std::vector<int64_t> SourcesOf(const Model& model, const Dimension& turning);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
