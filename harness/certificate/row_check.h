// Checks whether a row of a report can be true: whether it is consistent by itself, and
// whether answers of the backend confirm it.
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

// A fault of a package.
struct Finding {
  std::string kind;  // "manifest", "row", "sample", ...
  std::string sentence;
};
using Findings = std::vector<Finding>;

// Checks the row of `cell` by itself: for contradictions (reports/report/row_rules.h),
// and whether opset_versions, operand forms and the number of cases agree with the
// lattice. Precondition: the row has the id of the cell.
Findings CheckRow(const CellRecord& row, const SelectedCell& cell, Level level);

// An answer of the backend to a case of the row's cell.
struct JudgedSample {
  std::shared_ptr<const OpCase> op_case;
  std::shared_ptr<const CaseAnswer> expected;
  const Sample* sample = nullptr;
};

// Compares the row with answers: every deviation must show in the row, and the
// row's counterexamples in the answers to their cases. An Error is one of the harness and
// says nothing about the row.
Result<Findings> CheckAnswers(const CellRecord& row,
                              const std::vector<JudgedSample>& answers);

// Compares the row's verdict at another setting than the one that it describes with
// answers at that setting: whoever is right there must not deviate, and the setting's
// counterexample must show.
Result<Findings> CheckAnswersAt(const CellRecord& row, const VariedRecord& at,
                                const std::vector<JudgedSample>& answers);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_ROW_CHECK_H_
