// Repeats a case with one circumstance changed: its inputs elsewhere in memory, or its
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

// Runs the model with its inputs elsewhere in memory, shifted by one element.
Result<RunResult> RunModelShifted(Backend& backend, const FedModel& fed);

// Returns the last dimension of the outputs that has two elements or more and is not cut
// into blocks; nothing if there is none.
Result<std::optional<Dimension>> FindTurning(const Model& model);

// The same, if the caller has the dimensions of the model; null if there is none.
const Dimension* FindTurning(const Dimensions& dimensions);

// Returns the same questions at other indices: the dimension is rotated by one place in
// all operands that have it.
FedModel TurnedByOne(const FedModel& fed, const Dimension& turning);

// Returns the place of each element before it was moved: element i of the outputs of
// TurnedByOne is element [i] of the returned list in the outputs of `model`, counted
// through all outputs.
std::vector<int64_t> SourcesOf(const Model& model, const Dimension& turning);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_REPEATS_H_
