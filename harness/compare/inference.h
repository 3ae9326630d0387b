// Which combination of readings explains what a backend answered (G-01): the
// combination must be constant over a cell within one tier.
#ifndef QCONFORM_HARNESS_COMPARE_INFERENCE_H_
#define QCONFORM_HARNESS_COMPARE_INFERENCE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/compare/oracle_model.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"

namespace qconform {

// A model, its inputs, the oracle's answer and the codes that the backend gave, in the
// order of the answer's elements; no codes where it was not asked.
struct AnsweredCase {
  const Model* model = nullptr;
  std::vector<TensorView> inputs;
  std::shared_ptr<const CaseAnswer> answer;
  std::span<const uint32_t> codes{};
};

// Models of a cell with equal keys have the same readings.
int64_t ReadingsKeyOf(const Model& model);

// Returns whether a choice allows what was given for an element. `answer` is by it.
bool AllowsBy(const ReadingSet& choice, const CaseAnswer& answer, size_t index,
              uint64_t actual);

// Returns whether a choice allows an element other codes than the canonical answer has.
// `answer` is by it.
bool HasOtherCodes(const ReadingSet& choice, const CaseAnswer& answer,
                   const CaseAnswer& canonical, size_t index);

// For each tier: the name of the first combination that explains every bit of
// all cases there, canonical readings tried first; nothing where none does.
using Explanations = std::array<std::optional<std::string>, kTierCount>;

Result<Explanations> ExplainByReadings(std::span<const AnsweredCase> cases);

// For each element of `indices`, whether some combination of readings allows what the
// backend gave there: such an element accuses nobody by itself, whatever the others are.
Result<std::vector<bool>> AdmissibleAlone(const AnsweredCase& answered,
                                          std::span<const int64_t> indices);

// Returns the name of a combination whose parts, by `precision`, have these names: each
// once, "canonical" only where there is no other.
std::string CombinedName(const std::vector<std::string>& names);

// For each element of `indices`, whether one combination of readings allows both what the
// backend gave there and `other`, its answer to the same question at another time: by
// freedom or by a bound, for a reading that is a function has one answer.
Result<std::vector<bool>> AdmissibleBeside(const AnsweredCase& answered,
                                           std::span<const int64_t> indices,
                                           std::span<const uint32_t> other);

// For each element the codes that it may have by some combination of readings or
// derived bound, the canonical one first; none where any will do. That one combination
// must be followed throughout is not said by it.
Result<std::vector<std::vector<uint32_t>>> AdmissibleCodes(
    const Model& model, std::span<const TensorView> inputs);

// An element that only some combinations of readings explain.
struct ConflictSide {
  size_t case_index = 0;  // into the cases
  int64_t element = 0;
  ReadingSet choice;        // that explains it
  std::string other;        // the other side's, which does not
  uint64_t other_code = 0;  // that the other gives
};

// Two elements of a tier each of which some combination explains, and none both.
struct ReadingConflict {
  std::vector<ConflictSide> sides;  // 2
};

// Nothing where some element is explained by no combination (that is a fault, no
// conflict), or where no two elements suffice to show the conflict.
Result<std::optional<ReadingConflict>> FindConflict(std::span<const AnsweredCase> cases,
                                                    Tier tier);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_INFERENCE_H_
