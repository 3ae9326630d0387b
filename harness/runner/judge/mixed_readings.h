// Readings that differ within a tier of a cell and yet are legal, and bounds that hide
// readings that are mixed element by element. Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_

#include <span>
#include <vector>

#include "harness/compare/inference.h"
#include "harness/runner/judge/cell_evidence.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Returns tiers that differ and that no single combination of readings explains, although
// one explains each operand form by itself, or each class of rows, M (1, 2 to 15, 16 and
// more). Backends may have other code for constants, or for one row. Adds the
// explanations to `explanations`.
Result<std::vector<MixedTier>> ExplainByParts(const std::vector<AskedCase>& asked,
                                              Explanations& explanations);

// Returns tiers that a bound explains, but in which each element also follows one of two
// combinations that are functions.
Result<std::vector<BoundOnlyTier>> HiddenByBounds(std::span<const AnsweredCase> answered,
                                                  const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_MIXED_READINGS_H_
