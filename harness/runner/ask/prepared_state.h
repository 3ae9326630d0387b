// What a case asks beyond one answer of a fresh model: whether the bits depend on where
// an element lies, or on what a prepared model ran before: an answer, a scale, a packed
// operand that it kept.
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

// Returns inputs of the same types and shapes, one for each of model.inputs: elements in
// the reverse order and, but for integers a and b, of the other sign, other scales and
// other zero points, as far as they are fed. Zero points of floats keep their values
// (QL-24).
std::vector<Tensor> OtherInputs(const Model& model, const std::vector<Tensor>& inputs);

// Returns the plainest inputs of the same types and shapes: scales of 1, zero points of
// 0, and elements in the reverse order with their sign bits cleared, 0 where they are not
// finite.
std::vector<Tensor> PlainInputs(const Model& model, const std::vector<Tensor>& inputs);

// Runs one prepared model on the inputs, on OtherInputs, and on the inputs again; a fresh
// one on OtherInputs; and another on PlainInputs, which leave out the most that a model
// can decide by its first run, and then on the inputs. Returns what is not as it has to
// be: other bits than those of the fresh one, or than before, where no clause, no one
// reading and no bound allows both; or no answer. No failure where the backend declines.
// `expected` is the oracle's answer to the inputs, and `codes` the backend's.
FailureResult FindKeptState(Backend& backend, const Model& model,
                            const std::vector<Tensor>& inputs,
                            const std::shared_ptr<const CaseAnswer>& expected,
                            std::span<const uint32_t> codes);

// Returns what is wrong with the answer to a case without sums whose elements are in
// other places (TurnedByOne, SourcesOf): other codes than `codes`, the case's answer,
// where no clause and no one reading allows both; or that it failed.
FailureResult JudgeMoved(const FedModel& moved, const std::vector<int64_t>& sources,
                         std::span<const uint32_t> codes, RunResult result);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_PREPARED_STATE_H_
