#include "harness/diagnosis/over_readings.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <utility>

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
    Codes codes;
  };
  int64_t count = 0;
  FaultState state;
  std::map<const ContentAnswers*, Given> by_content;
  for (const AnsweredCase& answered : cases) {
    if (count >= most) break;
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
      given = {by_reading.answer, (*decoded)->CodesOf(fault, state)};
    }
    for (size_t i = 0; i < given.codes.size(); ++i) {
      count += Reproduces(*given.answer, i, given.codes[i], answered.codes[i]) ? 0 : 1;
    }
  }
  return count;
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
