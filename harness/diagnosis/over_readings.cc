#include "harness/diagnosis/over_readings.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/allows.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/diagnosis/evidence_case.h"

namespace qconform {
namespace {

// How many elements the model over a reading, or where it is null over the canonical
// ones, does not give; no more than `most` are counted.
Result<int64_t> Missed(const Fault& fault, const Cell& cell,
                       std::span<const AnsweredCase> cases,
                       const FollowedReading* reading, int64_t most) {
  struct Given {
    std::shared_ptr<const CaseAnswer> answer;
    std::shared_ptr<const DecodedCase> decoded;
    Codes codes;
  };
  const FaultSet& set = *fault.SetFor(cell.op_type);
  int64_t count = 0;
  FaultState state;
  std::map<const ContentAnswers*, Given> by_content;
  for (const AnsweredCase& answered : cases) {
    if (count >= most) break;
    const Status within = ExplainLimit::StatusOfLimit();
    if (!within) return within.error();
    Given& given = by_content[answered.content.get()];
    if (given.answer == nullptr) {
      AnsweredCase by_reading = answered;
      if (reading != nullptr) {
        auto made = AnswerBy(*reading, answered);
        if (!made) return made.error();
        by_reading.answer = *std::move(made);
      }
      const auto decoded = DecodeCase(by_reading, cell.since_version, reading);
      if (!decoded) return decoded.error();
      given = {by_reading.answer, *decoded, (*decoded)->CodesOf(fault, state)};
    }
    for (size_t i = 0; i < given.codes.size(); ++i) {
      const bool is_given = Reproduces(*given.answer, *given.decoded, set, i,
                                       given.codes[i], answered.codes[i]);
      count += is_given ? 0 : 1;
    }
  }
  return count;
}

// Returns the case in which most elements deviate, of small ones, each of which is looked
// at quickly; null if none of these deviates.
const AnsweredCase* MostDeviating(std::span<const AnsweredCase> cases) {
  constexpr size_t kManyElements = 512;
  const AnsweredCase* most = nullptr;
  size_t of_most = 0;
  for (const AnsweredCase& answered : cases) {
    if (answered.codes.size() > kManyElements) continue;
    size_t deviating = 0;
    for (size_t i = 0; i < answered.codes.size(); ++i) {
      deviating += Allows(*answered.answer, i, answered.codes) ? 0 : 1;
    }
    if (deviating <= of_most) continue;
    of_most = deviating;
    most = &answered;
  }
  return most;
}

}  // namespace

bool ChangesAnotherStep(const Fault& fault, const Cell& cell,
                        const FollowedReading& follows) {
  const OperatorFaults* faults = FindOperatorFaults(cell.op_type);
  const FaultSet* set = fault.SetFor(cell.op_type);
  if (faults == nullptr || set == nullptr) return false;
  return std::ranges::all_of(follows.sets, [&](const auto& followed) {
    return faults->ChangesAnotherStep(*set, followed.second);
  });
}

Result<std::vector<FollowedReading>> ReadingsWithModels(
    const Cell& cell, std::span<const AnsweredCase> cases,
    const Explanations& explanations, std::span<const FollowedReading> others) {
  std::vector<FollowedReading> fit;
  const AnsweredCase* most = MostDeviating(cases);
  if (most == nullptr) return fit;
  auto readings = FunctionReadings(cases);
  if (!readings) return readings.error();
  for (FollowedReading& reading : *readings) {
    if (ExplainLimit::HasPassed()) break;
    if (std::ranges::find(others, reading.sets, &FollowedReading::sets) != others.end()) {
      continue;
    }
    // One case refutes most models; the others are looked at for those that it leaves.
    AnsweredCase answered = *most;
    auto answer = AnswerBy(reading, answered);
    if (!answer) return answer.error();
    answered.answer = *std::move(answer);
    const auto decoded = DecodeCase(answered, cell.since_version, &reading);
    if (!decoded) return decoded.error();
    std::vector<const Fault*> models;
    for (const Fault& fault : Faults()) {
      if (fault.has_state || !ChangesAnotherStep(fault, cell, reading)) continue;
      if (!MayDeviate(fault, cell)) continue;
      FaultState state;
      const Codes codes = (*decoded)->CodesOf(fault, state);
      bool gives_all = true;
      for (size_t i = 0; i < codes.size() && gives_all; ++i) {
        gives_all = Reproduces(*answered.answer, **decoded, *fault.SetFor(cell.op_type),
                               i, codes[i], answered.codes[i]);
      }
      if (gives_all) models.push_back(&fault);
    }
    if (models.empty()) continue;
    const auto answers = AnswersBy(reading, cases, explanations);
    if (!answers) return answers.error();
    for (const Fault* fault : models) {
      const auto missed = Missed(*fault, cell, cases, &reading, 1);
      if (!missed) return missed.error();
      if (*missed != 0) continue;
      fit.push_back(std::move(reading));
      break;
    }
  }
  return fit;
}

Result<std::vector<FollowedReading>> ReadingsUnder(const Fault& fault, const Cell& cell,
                                                   std::span<const AnsweredCase> cases) {
  std::vector<FollowedReading> better;
  if (fault.has_state) return better;
  auto readings = FunctionReadings(cases);
  if (!readings) return readings.error();
  std::erase_if(*readings, [&](const FollowedReading& reading) {
    return !ChangesAnotherStep(fault, cell, reading);
  });
  if (readings->empty()) return better;
  const auto canonical =
      Missed(fault, cell, cases, nullptr, std::numeric_limits<int64_t>::max());
  if (!canonical) return canonical.error();
  for (FollowedReading& reading : *readings) {
    const auto left = Missed(fault, cell, cases, &reading, *canonical);
    if (!left) return left.error();
    reading.left = *left;
    if (*left < *canonical) better.push_back(std::move(reading));
  }
  std::ranges::stable_sort(better, {}, &FollowedReading::left);
  return better;
}

}  // namespace qconform
