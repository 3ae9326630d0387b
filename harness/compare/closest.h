// Which combination of readings a backend follows that something else is wrong with: what
// it follows accuses nobody, and what is left shows the fault.
#ifndef QCONFORM_HARNESS_COMPARE_CLOSEST_H_
#define QCONFORM_HARNESS_COMPARE_CLOSEST_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/compare/inference.h"
#include "harness/compare/oracle_model.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"

namespace qconform {

// One combination of readings, canonical nowhere in all of a cell's models.
struct FollowedReading {
  std::string name;  // "QL-04:f32_quotient"; joined by ", " where models differ
  std::map<int64_t, ReadingSet> choices;  // by the attribute `precision`
  int64_t left = 0;                       // elements that it does not allow
  // Whether the answers bear it out by themselves. Where it gives other codes than the
  // canonical readings, what the backend has must be its code, and not another, twice as
  // often, and by 8 elements more. A backend that is wrong anyway may meet it there by
  // chance: so either it leaves no more than half of what the canonical readings leave,
  // or it is met at least three times as often as elements are wrong where both readings
  // agree.
  bool is_clear = false;
  // Tiers that other readings explain: nothing there is looked at.
  std::array<bool, kTierCount> other_tiers{};

  bool bounded() const;
};

// Returns the combinations, at most 16, that allow elements that the canonical readings
// do not, in the tiers without an explanation; clear ones first, of these those that
// leave fewest. Derived bounds, which hold more than a function does, come before a
// function only where they leave fewer than half of what it leaves.
Result<std::vector<FollowedReading>> ClosestReadings(std::span<const AnsweredCase> cases,
                                                     const Explanations& explanations);

// Returns every combination that is one function of the operands, in no order; none where
// the cases differ in `precision`.
Result<std::vector<FollowedReading>> FunctionReadings(
    std::span<const AnsweredCase> cases);

// Returns the answer to a case by a reading, with the tiers of the canonical one.
// Elements of other tiers are free. Where the reading is bounded, an element's code is
// that of the output, which must be there, if the bounds hold it. An Error also where the
// reading does not say what a model of this `precision` has.
Result<std::shared_ptr<const CaseAnswer>> AnswerBy(const FollowedReading& reading,
                                                   const AnsweredCase& answered);

// Returns one for each case, and sets other_tiers: tiers with an explanation that the
// reading does not explain as well.
Result<std::vector<std::shared_ptr<const CaseAnswer>>> AnswersBy(
    FollowedReading& reading, std::span<const AnsweredCase> cases,
    const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_CLOSEST_H_
