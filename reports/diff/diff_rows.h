// The parts of a diff other than cells: node tests and negative models. Private to
// reports.
#ifndef QCONFORM_REPORTS_DIFF_DIFF_ROWS_H_
#define QCONFORM_REPORTS_DIFF_DIFF_ROWS_H_

#include <algorithm>
#include <vector>

#include "reports/diff/diff.h"
#include "reports/report/report.h"

namespace qconform {

// Keeps the order of changes of one kind.
template <typename Change>
void WorstKindsFirst(std::vector<Change>* changes) {
  std::stable_sort(changes->begin(), changes->end(),
                   [](const Change& a, const Change& b) { return a.kind < b.kind; });
}

// Fills diff->node_tests, and whether tests are missing that were asked.
void DiffNodeTests(const Report& before, const Report& after, ReportDiff* diff);

// Fills diff->negative_models, and whether models are missing that were asked. Needs
// suite_changes and tool_changes.
void DiffNegativeModels(const Report& before, const Report& after, ReportDiff* diff);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_DIFF_ROWS_H_
