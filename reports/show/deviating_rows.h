// Node tests and negative models that deviate, legal models that were refused, and
// whatever could not be judged. They
// decide the exit code, so every output has to name them.
#ifndef QCONFORM_REPORTS_SHOW_DEVIATING_ROWS_H_
#define QCONFORM_REPORTS_SHOW_DEVIATING_ROWS_H_

#include <string>
#include <vector>

#include "reports/report/report.h"

namespace qconform {

struct DeviatingRow {
  std::string name;     // "node test test_quantizelinear (1.20.0)", "negative model ..."
  std::string verdict;  // "deviates", "crashed", ...
  std::string words;    // what was wrong; may be empty
  std::string replay;   // the line that reruns it; empty: there is none
};

std::vector<DeviatingRow> DeviatingNodeTests(const Report& report);
// Cells, node tests and negative models that the harness could not judge: not counted
// against the backend, and no passes.
std::vector<DeviatingRow> UnjudgedRows(const Report& report);
// Cells, node tests and negative models of which legal models were refused as invalid.
std::vector<DeviatingRow> RefusingRows(const Report& report);
std::vector<DeviatingRow> DeviatingNegativeModels(const Report& report);

// Returns "2 node tests deviate, 1 negative model deviates"; empty where none does.
std::string DeviatingRowsText(const Report& report);
// Returns "1 cell, 2 node tests refused as invalid, though legal"; empty if there are
// none.
std::string RefusedLegalText(const Report& report);
// Returns "1 cell, 2 node tests could not be judged"; empty if there are none.
std::string UnjudgedText(const Report& report);

// What the rows of a report's cells are: "part" of a model, or "cell".
std::string RowNoun(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_DEVIATING_ROWS_H_
