// Checks beyond the answer of a fresh model: whether the bits depend on the place of an
// element, or on the earlier runs of a prepared model, which may have kept an answer, a
// scale or a packed operand.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_PREPARED_STATE_H_
#define QCONFORM_HARNESS_RUNNER_ASK_PREPARED_STATE_H_

#include <memory>
#include <span>
#include <vector>

#include "cases/core/case.h"
#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/runner/ask/case_failure.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns inputs of the same types and shapes, one for each of model.inputs. Elements
// have the reverse order and the other sign (integers a and b keep their sign); scales
// and zero points that are fed are changed. Zero points of floats keep their values
// (QL-24). An Error if the model cannot be bound.
Result<std::vector<Tensor>> OtherInputs(const Model& model,
                                        const std::vector<Tensor>& inputs);

// Returns the plainest inputs of the same types and shapes: scales of 1, zero points of
// 0, and elements in the reverse order with their sign bits cleared, 0 where they are not
// finite. An Error as above.
Result<std::vector<Tensor>> PlainInputs(const Model& model,
                                        const std::vector<Tensor>& inputs);

// Runs three prepared models:
//   the first on the inputs, on OtherInputs, and on the inputs again;
//   a fresh one on OtherInputs;
//   another on PlainInputs, which need the fewest features of a kernel and so expose
//   decisions that a model makes by its first run, and then on the inputs.
// Returns a failure if an answer is missing, or if bits differ from those of the fresh
// model or from an earlier answer although no clause, no single reading and no bound
// allows both. It is not a failure if the backend declines. `expected` is the oracle's
// answer to the inputs, and `codes` the backend's.
FailureResult FindKeptState(Backend& backend, const Model& model,
                            const std::vector<Tensor>& inputs,
                            const std::shared_ptr<const CaseAnswer>& expected,
                            std::span<const uint32_t> codes);

// Returns the failure of an answer to a case without sums whose elements were moved to
// other places (TurnedByOne, SourcesOf): it failed, or its codes differ from `codes`, the
// case's answer, although no clause and no single reading allows both.
FailureResult JudgeMoved(const FedModel& moved, const std::vector<int64_t>& sources,
                         std::span<const uint32_t> codes, RunResult result);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_PREPARED_STATE_H_
