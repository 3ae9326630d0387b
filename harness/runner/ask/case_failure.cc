#include "harness/runner/ask/case_failure.h"

#include <utility>
#include <variant>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/runner/judge/cell_evidence.h"
#include "oracle/formats/codes.h"

namespace qconform {

Verdict VerdictOf(BackendError::Kind kind) {
  switch (kind) {
    case BackendError::Kind::kCrashed:
      return Verdict::kCrashed;
    case BackendError::Kind::kTimedOut:
      return Verdict::kTimedOut;
    case BackendError::Kind::kNondeterministic:
      return Verdict::kNonconformant;
    case BackendError::Kind::kInvalidOutput:
      return Verdict::kInvalidOutput;
    case BackendError::Kind::kFailed:
    case BackendError::Kind::kUnreadable:
      break;
  }
  return Verdict::kFailed;
}

std::optional<CaseFailure> FormFailure(const RunResult& result, const Answer& expected) {
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return CaseFailure{VerdictOf(error->kind), error->text};
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return std::nullopt;
  const Comparison comparison = Compare(expected, *outputs, 1);
  if (comparison.invalid_output.empty()) return std::nullopt;
  return CaseFailure{Verdict::kInvalidOutput, comparison.invalid_output};
}

CaseFailure WhenAskedAgain(CaseFailure failure, const char* changed,
                           const std::string& how) {
  failure.text = "asked again" + how + ": " + failure.text;
  if (!failure.second_answer) failure.second_answer = SecondAnswer{.changed = changed};
  return failure;
}

Result<int64_t> FirstInadmissible(const AnsweredCase& answered,
                                  const std::function<uint64_t(int64_t index)>& right) {
  const Answer& expected = *answered.answer;
  std::vector<int64_t> differing;
  std::vector<uint64_t> others;
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const uint64_t before = right(at);
    const uint64_t now = ReadCode(answered.output->view(), at);
    if (before != now && !MayVary(expected.type, expected.elements[i], before, now)) {
      differing.push_back(at);
      others.push_back(before);
    }
  }
  if (differing.empty()) return -1;
  const auto admissible = AdmissibleBeside(answered, differing, others);
  if (!admissible) return admissible.error();
  for (size_t i = 0; i < differing.size(); ++i) {
    if (!(*admissible)[i]) return differing[i];
  }
  return -1;
}

SecondAnswer OtherBits(const char* changed, const Answer& expected, int64_t index,
                       uint64_t first, uint64_t second) {
  return {.changed = changed,
          .index = Unravel(expected.shape, index),
          .first = ShownValue(expected.type, first),
          .second = ShownValue(expected.type, second)};
}

FailureResult JudgeAgain(RunResult result, const AskedModel& asked, const Tensor& right,
                         const char* changed, const std::string& how) {
  const Answer& expected = *asked.answer;
  const auto failed = [&](CaseFailure failure) {
    return std::optional(WhenAskedAgain(std::move(failure), changed, ", " + how));
  };
  result = Settled(expected, std::move(result));
  if (auto failure = FormFailure(result, expected)) return failed(*std::move(failure));
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return failed({Verdict::kFailed, "declined"});
  const Tensor& now = outputs->front();
  const auto index =
      FirstInadmissible({&asked.model, ViewsOf(asked.inputs), asked.answer, &now},
                        [&](int64_t at) { return ReadCode(right.view(), at); });
  if (!index) return index.error();
  if (*index < 0) return kNoFailure;
  const uint64_t first = ReadCode(right.view(), *index);
  const uint64_t second = ReadCode(now.view(), *index);
  return failed({Verdict::kNonconformant,
                 "element " + std::to_string(*index) + " is " +
                     BitsToString(expected.type, second) + " in place of " +
                     BitsToString(expected.type, first),
                 OtherBits(changed, expected, *index, first, second)});
}

}  // namespace qconform
