// A part of a report's cells, to be shown separately.
#ifndef QCONFORM_REPORTS_DIFF_PART_H_
#define QCONFORM_REPORTS_DIFF_PART_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

struct ReportPart {
  // Totals count only its cells, and part_of has the number of cells of the whole
  // report. Node tests and negative models are not cells, and left out. The digest is
  // that of the whole report.
  Report report;
  std::optional<KnownOutcome> known;  // known differences of these cells
};

// Returns the cells whose id matches one of `patterns`. `known` may be null. An Error
// names a pattern that matches none.
Result<ReportPart> PartOf(const Report& report, const KnownOutcome* known,
                    const std::vector<std::string>& patterns);

// Returns "3 of the 4 772 cells of the report"; empty for a whole report.
std::string PartText(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_DIFF_PART_H_
