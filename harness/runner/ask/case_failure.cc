#include "harness/runner/ask/case_failure.h"

#include <utility>
#include <variant>

#include "harness/compare/compare.h"
#include "harness/core/value_text.h"
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
    case BackendError::Kind::kHarness:
      return Verdict::kError;
    case BackendError::Kind::kInvalidOutput:
      return Verdict::kInvalidOutput;
    case BackendError::Kind::kFailed:
    case BackendError::Kind::kUnreadable:
      break;
  }
  return Verdict::kFailed;
}

std::optional<CaseFailure> FormFailure(const RunResult& result,
                                       const CaseAnswer& expected) {
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return CaseFailure{VerdictOf(error->kind), error->text};
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return std::nullopt;
  std::string wrong = WrongForm(expected, *outputs);
  if (wrong.empty()) return std::nullopt;
  return CaseFailure{Verdict::kInvalidOutput, std::move(wrong)};
}

CaseFailure WhenAskedAgain(CaseFailure failure, const char* changed,
                           const std::string& how) {
  failure.text = "asked again" + how + ": " + failure.text;
  if (!failure.second_answer) {
    // Without codes, a backend is known to be unsteady only if it reports that by itself.
    const bool is_reported = failure.verdict == Verdict::kNonconformant;
    failure.second_answer =
        SecondAnswer{.changed = is_reported ? kChangedRepetition : changed};
  }
  return failure;
}

Result<int64_t> FirstInadmissible(const AnsweredCase& answered,
                                  const std::function<uint32_t(size_t index)>& right) {
  const CaseAnswer& expected = *answered.answer;
  std::vector<size_t> differing;
  std::vector<uint32_t> others;
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const uint32_t before = right(i);
    const uint32_t now = answered.codes[i];
    if (before != now &&
        !MayVary(expected.TypeOf(i), expected.elements[i], before, now)) {
      differing.push_back(i);
      others.push_back(before);
    }
  }
  if (differing.empty()) return -1;
  const auto admissible = AdmissibleBeside(answered, differing, others);
  if (!admissible) return admissible.error();
  for (size_t i = 0; i < differing.size(); ++i) {
    if (!(*admissible)[i]) return static_cast<int64_t>(differing[i]);
  }
  return -1;
}

SecondAnswer OtherBits(const char* changed, const CaseAnswer& expected, size_t index,
                       uint64_t first, uint64_t second) {
  const ElementPlace place = expected.PlaceOf(index);
  const OutputForm& output = expected.outputs[place.output];
  return {.changed = changed,
          .output = expected.RecordedName(place.output),
          .index = Unravel(output.shape, place.index),
          .first = ShownValue(output.type, first),
          .second = ShownValue(output.type, second)};
}

FailureResult JudgeAgain(RunResult result, const std::shared_ptr<ContentAnswers>& asked,
                         std::span<const uint32_t> right, const char* changed,
                         const std::string& how) {
  const CaseAnswer& expected = *asked->canonical();
  const auto failed = [&](CaseFailure failure) {
    return std::optional(WhenAskedAgain(std::move(failure), changed, ", " + how));
  };
  result = Settled(expected, std::move(result));
  if (auto failure = FormFailure(result, expected)) return failed(*std::move(failure));
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return failed({Verdict::kFailed, "declined"});
  const std::vector<uint32_t> now = CodesOf(*outputs);
  const auto index = FirstInadmissible({asked, asked->canonical(), now},
                                       [&](size_t i) { return right[i]; });
  if (!index) return index.error();
  if (*index < 0) return kNoFailure;
  const auto at = static_cast<size_t>(*index);
  const DataType type = expected.TypeOf(at);
  return failed({Verdict::kNonconformant,
                 "element " + expected.NumberOf(at) + " is " +
                     BitsToString(type, now[at]) + " in place of " +
                     BitsToString(type, right[at]),
                 OtherBits(changed, expected, at, right[at], now[at])});
}

}  // namespace qconform
