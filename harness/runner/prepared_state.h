// Whether a prepared model answers from its inputs alone, or keeps something of those
// that it ran before: an answer, a scale, a packed operand.
#ifndef QCONFORM_HARNESS_RUNNER_PREPARED_STATE_H_
#define QCONFORM_HARNESS_RUNNER_PREPARED_STATE_H_

#include <optional>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "oracle/scalar/answer.h"
#include "oracle/tensor/tensor.h"
#include "reports/verdict.h"

namespace qconform {

// Returns inputs of the same types and shapes, one for each of model.inputs: elements in
// the reverse order and, but for integers a and b, of the other sign, other scales and
// other zero points, as far as they are fed. Zero points of floats stay what they are
// (QL-24).
std::vector<Tensor> OtherInputs(const Model& model, const std::vector<Tensor>& inputs);

struct KeptState {
  Verdict verdict = Verdict::kNonconformant;
  std::string text;  // what was seen
};

// Runs one prepared model on the inputs, on OtherInputs, and on the inputs again; and a
// fresh one on OtherInputs. Returns what is not as it has to be: other bits than those of
// the fresh one, or than before, where no clause leaves them free; or no answer. Nothing
// where the inputs, or the others in a fresh model, have no answer of the right form:
// that is not what is asked here. `expected` is the oracle's answer to the inputs.
std::optional<KeptState> FindKeptState(Backend& backend, const Model& model,
                                       const std::vector<Tensor>& inputs,
                                       const Answer& expected);

// Runs a case of QuantizeLinear with its elements turned by one place, scales and zero
// points with them, in a model of its own. Returns what is not as in `y`, the case's
// answer, where no clause leaves it free.
std::optional<KeptState> FindOtherBitsElsewhere(Backend& backend, const OpCase& op_case,
                                                const Answer& expected, const Tensor& y);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_PREPARED_STATE_H_
