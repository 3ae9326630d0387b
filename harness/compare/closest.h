// Which combination of readings a backend follows that something else is wrong with: what
// it follows accuses nobody, and the rest shows the fault.
#ifndef QCONFORM_HARNESS_COMPARE_CLOSEST_H_
#define QCONFORM_HARNESS_COMPARE_CLOSEST_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/compare/inference.h"
#include "oracle/base/result.h"

namespace qconform {

struct FollowedReading : CellReading {
  int64_t left = 0;  // elements that it does not allow
  // Whether the answers bear it out by themselves. Where it gives other codes than the
  // canonical readings, the backend must have its code twice as often as another one, and
  // by 8 elements more, and more often than a backend whose wrong elements have nothing
  // to do with the reading has by chance: among ties, among values next to ties, and
  // among all others. Where the reading differs, it must not be wrong by it much more
  // often than elsewhere; a bound has to be borne out ten times as often. A backend that
  // is wrong anyway may have it by chance: so either the reading leaves no more than half
  // of what the canonical readings leave, or the backend has its codes at least three
  // times as often as elements are wrong where both readings agree.
  bool is_clear = false;
  // Tiers that other readings explain: nothing there is looked at.
  TierFlags other_tiers{};
};

// Returns the combinations, at most 16, that allow elements that the canonical readings
// do not, in the tiers without an explanation. Clear ones come first, of these those that
// leave fewest. Derived bounds, which hold more than a function does, come before a
// function only if they leave fewer than half of what it leaves.
Result<std::vector<FollowedReading>> ClosestReadings(std::span<const AnsweredCase> cases,
                                                     const Explanations& explanations);

// Returns every combination but the canonical one that is one function of the operands.
// If models of the cases differ in their ReadingsKey: for each of the first ones, with
// the plainest of the others that belongs to it.
Result<std::vector<FollowedReading>> FunctionReadings(
    std::span<const AnsweredCase> cases);

// Returns the answer to a case by a reading, with the tiers of the canonical one.
// Elements of other tiers are free. If the reading is bounded, an element has the code
// that the backend gave if the bounds hold it. An Error also if the reading has no set
// for the case's model.
Result<std::shared_ptr<const CaseAnswer>> AnswerBy(const FollowedReading& reading,
                                                   const AnsweredCase& answered);

// Returns one for each case, and sets other_tiers: tiers with an explanation that the
// reading does not explain as well.
Result<std::vector<std::shared_ptr<const CaseAnswer>>> AnswersBy(
    FollowedReading& reading, std::span<const AnsweredCase> cases,
    const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_CLOSEST_H_
