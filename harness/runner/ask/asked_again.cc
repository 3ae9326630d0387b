#include "harness/runner/ask/asked_again.h"

#include <utility>
#include <variant>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
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

std::optional<FurtherFailure> FormFailure(const RunResult& result, const Answer& expected,
                                          const std::string& what) {
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return FurtherFailure{VerdictOf(error->kind), what + error->text};
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return std::nullopt;
  const Comparison comparison = Compare(expected, *outputs, 1);
  if (comparison.invalid_output.empty()) return std::nullopt;
  return FurtherFailure{Verdict::kInvalidOutput, what + comparison.invalid_output};
}

int64_t FirstInadmissible(const AnsweredCase& answered,
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
  for (size_t i = 0; i < differing.size(); ++i) {
    if (!admissible || !(*admissible)[i]) return differing[i];
  }
  return -1;
}

std::optional<FurtherFailure> JudgeAgain(RunResult result, const AskedModel& asked,
                                         const Tensor& right, const std::string& how) {
  const Answer& expected = *asked.answer;
  const std::string what = std::string(kAskedAgain) + ", " + how;
  result = Settled(expected, std::move(result));
  const auto* outputs = std::get_if<Outputs>(&result);
  if (auto failed = FormFailure(result, expected, what + ": ")) return failed;
  if (outputs == nullptr) return FurtherFailure{Verdict::kFailed, what + ": declined"};
  const Tensor& now = outputs->front();
  const int64_t index =
      FirstInadmissible({&asked.model, ViewsOf(asked.inputs), asked.answer, &now},
                        [&](int64_t at) { return ReadCode(right.view(), at); });
  if (index < 0) return std::nullopt;
  const auto bits = [&](const Tensor& y) {
    return BitsToString(expected.type, ReadCode(y.view(), index));
  };
  return FurtherFailure{Verdict::kNonconformant,
                        what + ": element " + std::to_string(index) + " is " + bits(now) +
                            " in place of " + bits(right)};
}

}  // namespace qconform
