// Failures of a case as a whole: it gave no usable answer, or another answer when it was
// asked again.
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

// Returns a failure if a result is neither an answer of the right form nor declined.
std::optional<CaseFailure> FormFailure(const RunResult& result,
                                       const CaseAnswer& expected);

// Turns the failure into that of a case that was asked again. `changed` is one of
// kChanged...; `how` describes the change in words and may be empty.
CaseFailure WhenAskedAgain(CaseFailure failure, const char* changed,
                           const std::string& how);

// Returns the first element whose code differs from right(index) although no clause, no
// single combination of readings and no bound allows both; or -1.
Result<int64_t> FirstInadmissible(const AnsweredCase& answered,
                                  const std::function<uint32_t(size_t index)>& right);

// Returns the record of an element that first had the code `first`, and then `second`.
SecondAnswer OtherBits(const char* changed, const CaseAnswer& expected, size_t index,
                       uint64_t first, uint64_t second);

// Returns the failure of a further result that has to repeat the codes `right`.
FailureResult JudgeAgain(RunResult result, const std::shared_ptr<ContentAnswers>& asked,
                         std::span<const uint32_t> right, const char* changed,
                         const std::string& how);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_CASE_FAILURE_H_
