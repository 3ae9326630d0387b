// How the harness asks a backend. What went wrong in the harness itself on the way
// (BackendError::Kind::kHarness) comes back as an Error, so that nobody takes it for an
// answer of the backend.
#ifndef QCONFORM_HARNESS_BACKENDS_RUN_MODEL_H_
#define QCONFORM_HARNESS_BACKENDS_RUN_MODEL_H_

#include <optional>
#include <span>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

Result<PrepareResult> PrepareModel(Backend& backend, const Model& model);

// Runs a model that is prepared already.
Result<RunResult> RunPrepared(PreparedModel& prepared,
                              std::span<const TensorView> inputs);

// Prepares and runs one model.
Result<RunResult> RunModel(Backend& backend, const Model& model,
                           std::span<const TensorView> inputs);
Result<RunResult> RunModel(Backend& backend, const FedModel& fed);

// Backend::RunAlone.
Result<std::optional<RunResult>> RunModelAlone(Backend& backend, const FedModel& fed);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_RUN_MODEL_H_
