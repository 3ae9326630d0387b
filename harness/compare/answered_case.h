// What a backend gave for one case of a cell.
#ifndef QCONFORM_HARNESS_COMPARE_ANSWERED_CASE_H_
#define QCONFORM_HARNESS_COMPARE_ANSWERED_CASE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cases/core/level.h"
#include "harness/compare/cell_answers.h"
#include "harness/compare/element_bits.h"
#include "harness/core/case_answer.h"

namespace qconform {

struct AnsweredCase {
  std::shared_ptr<ContentAnswers> content;
  // The canonical answer, or that by a reading that is followed.
  std::shared_ptr<const CaseAnswer> answer;
  // What the backend gave, in the order of the answer's elements; none if it was not
  // asked.
  std::span<const uint32_t> codes{};
  OperandForm form = OperandForm::kInputs;
  int opset_version = 0;  // at which it was asked; 0: not known
};

// Codes that a backend gave for a content, in one case or more.
struct GivenCodes {
  std::span<const uint32_t> codes;
  size_t first = 0;     // the first of these cases
  int64_t times = 0;    // how many they are
  ElementBits allowed;  // by the canonical answer
};

struct GivenContent {
  ContentAnswers* content = nullptr;
  std::vector<GivenCodes> given;  // all different
};

// Returns the contents of the cases with what was given for them, in the order in which
// they come first.
std::vector<GivenContent> GroupCases(std::span<const AnsweredCase> cases);

// Sorts contents that differ most from the canonical answer, in these tiers, to the
// front: few reading sets are left after them.
void SortByMismatches(std::vector<GivenContent>& contents, const TierFlags& tiers);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_ANSWERED_CASE_H_
