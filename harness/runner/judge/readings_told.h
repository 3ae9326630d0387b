// Which readings a cell's answers do not tell from the one that explains them. Private to
// this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_

#include <span>
#include <string>
#include <vector>

#include "harness/compare/inference.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the readings of single clauses, "QL-04:f32_quotient", sorted, that stand as
// well in the place of what `explanations` name of that clause (nothing: the canonical
// one): with the cell's other readings as they are, they have the bits that were
// answered. A third as many elements are looked at as the cell has, for all readings
// together: a reading that was not refuted by then is among them, and so is one that is
// the same function, for the types of the cell, as one that stands. Derived bounds
// (MM-02, MM-10) are not tried. A verifier finds the same again (RecountCell): another
// rule of what is looked at is another version of reports.
Result<std::vector<std::string>> ReadingsNotToldApart(
    std::span<const AnsweredCase> answered, const Explanations& explanations);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_READINGS_TOLD_H_
