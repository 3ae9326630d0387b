// Readings that a cell's answers do not distinguish from the one that explains them.
// Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_

#include <span>
#include <string>
#include <vector>

#include "harness/compare/inference.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns, sorted, the readings of single clauses, such as "QL-04:f32_quotient", that
// stand as well as the reading of that clause in `explanations` (or, if it names none,
// the canonical one): with the cell's other readings unchanged, they give the bits that
// were answered.
//
// For all readings together one third of the cell's elements is looked at. A reading that
// these do not refute is returned, and so is one that, for the types of the cell, is the
// same function as a reading that stands. Derived bounds (MM-02, MM-10) are not tried.
//
// A verifier must find the same readings (RecountCell), so a change of the elements that
// are looked at needs another version of reports.
Result<std::vector<std::string>> ReadingsNotToldApart(
    std::span<const AnsweredCase> answered, const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_
