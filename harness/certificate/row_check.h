// Whether a row of a report can be true: what it must be by itself, and whether
// answers of the backend bear it out.
#ifndef QCONFORM_HARNESS_CERTIFICATE_ROW_CHECK_H_
#define QCONFORM_HARNESS_CERTIFICATE_ROW_CHECK_H_

#include <memory>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/certificate/samples.h"
#include "harness/core/case_answer.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Something that is wrong with a package.
struct Finding {
  std::string kind;  // "manifest", "row", "sample", ...
  std::string sentence;
};
using Findings = std::vector<Finding>;

// Checks the row of `cell` by itself: what contradicts itself
// (reports/report/row_rules.h), and opset_versions, operand forms and the number of cases
// by the lattice. The row has the id of the cell.
Findings CheckRow(const CellRecord& row, const SelectedCell& cell, Level level);

// An answer of the backend to a case of the row's cell.
struct JudgedSample {
  std::shared_ptr<const OpCase> op_case;
  std::shared_ptr<const CaseAnswer> expected;
  const Sample* sample = nullptr;
};

// Checks the row against answers: every deviation must show in the row, and the
// row's counterexamples in the answers to their cases. An Error is one of the harness and
// says nothing of the row.
Result<Findings> CheckAnswers(const CellRecord& row,
                              const std::vector<JudgedSample>& answers);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_ROW_CHECK_H_
