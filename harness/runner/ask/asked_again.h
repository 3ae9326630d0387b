// A case that was asked more than once: what is wrong then does not show in one answer.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_ASKED_AGAIN_H_
#define QCONFORM_HARNESS_RUNNER_ASK_ASKED_AGAIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/compare/inference.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/verdict.h"

namespace qconform {

// Words by which the evidence of a case says that it was asked more than once.
inline constexpr std::string_view kAskedAgain = "asked again";
inline constexpr std::string_view kOtherBits = "not the same bits";

// Whether a counterexample's message is of such a case.
inline bool IsOfCaseAskedAgain(std::string_view message) {
  return message.find(kAskedAgain) != std::string_view::npos ||
         message.find(kOtherBits) != std::string_view::npos;
}

// What a case without an answer comes to.
Verdict VerdictOf(BackendError::Kind kind);

// What is wrong with a case beyond one answer.
struct FurtherFailure {
  Verdict verdict = Verdict::kNonconformant;
  std::string text;  // what was seen
};

// A model with all of its sizes, inputs and the oracle's answer.
struct AskedModel {
  const Model& model;
  const std::vector<Tensor>& inputs;
  std::shared_ptr<const Answer> answer;
};

// Returns what is wrong with a result that is no answer of the right form; `what` stands
// in front of the text. Nothing where it is one, or was declined.
std::optional<FurtherFailure> FormFailure(const RunResult& result, const Answer& expected,
                                          const std::string& what);

// Returns the first element whose code is another than `right` says for its index, where
// no clause, no one combination of readings and no bound allows both; or -1.
int64_t FirstInadmissible(const AnsweredCase& answered,
                          const std::function<uint64_t(int64_t index)>& right);

// Returns what is wrong with one more result, `right` being the answer that it has to
// repeat, and `how` saying what was other this time.
std::optional<FurtherFailure> JudgeAgain(RunResult result, const AskedModel& asked,
                                         const Tensor& right, const std::string& how);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_ASKED_AGAIN_H_
