// Readings that are not one throughout a tier of a cell and yet are legal, and bounds
// that hide what is mixed element by element. Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_

#include <vector>

#include "harness/compare/inference.h"
#include "harness/runner/judge/cell_evidence.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Returns tiers that differ, that no one combination of readings explains, and where one
// explains each operand form by itself, or each class of M (1, 2 to 15, 16 and more): by
// other code for constants, or for one row. `explanations` gets the text of each.
Result<std::vector<MixedTier>> ExplainByParts(const std::vector<AskedCase>& asked,
                                              Explanations& explanations);

// Returns tiers that a bound explains, and where two combinations that are functions
// explain each element between them.
Result<std::vector<BoundOnlyTier>> HiddenByBounds(const std::vector<AskedCase>& asked,
                                                  const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_
