// What is wrong with a case as a whole: it gave no usable answer, or other answers when
// it was asked once more.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_CASE_FAILURE_H_
#define QCONFORM_HARNESS_RUNNER_ASK_CASE_FAILURE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/compare/inference.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/record.h"
#include "reports/record/verdict.h"

namespace qconform {

// The verdict of a case for which the backend reported an error.
Verdict VerdictOf(BackendError::Kind kind);

struct CaseFailure {
  Verdict verdict = Verdict::kNonconformant;
  std::string text;                             // what was seen
  std::optional<SecondAnswer> second_answer{};  // only if the first answer is usable
};

// A failure of a case, or kNoFailure; an Error is one of the harness.
using FailureResult = Result<std::optional<CaseFailure>>;
inline constexpr std::optional<CaseFailure> kNoFailure{};

// Returns the failure if a result is neither an answer of the right form nor declined.
std::optional<CaseFailure> FormFailure(const RunResult& result,
                                       const CaseAnswer& expected);

// Returns the failure as one of a case that was asked once more: `changed` is one of
// kChanged..., `how` says it in words and may be empty.
CaseFailure WhenAskedAgain(CaseFailure failure, const char* changed,
                           const std::string& how);

// Returns the first element whose code is another than `right` says for its index, where
// no clause, no one combination of readings and no bound allows both; or -1.
Result<int64_t> FirstInadmissible(const AnsweredCase& answered,
                                  const std::function<uint32_t(size_t index)>& right);

// Returns that one element had the code `first`, and then `second`.
SecondAnswer OtherBits(const char* changed, const CaseAnswer& expected, size_t index,
                       uint64_t first, uint64_t second);

// Returns what is wrong with one more result, if it has to repeat the codes `right`.
FailureResult JudgeAgain(RunResult result, const std::shared_ptr<ContentAnswers>& asked,
                         std::span<const uint32_t> right, const char* changed,
                         const std::string& how);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_CASE_FAILURE_H_
