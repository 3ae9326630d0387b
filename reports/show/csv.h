// The cells of a report as CSV (RFC 4180, with line feeds), one row per cell
// and a head line; for spreadsheets and data frames.
#ifndef QCONFORM_REPORTS_SHOW_CSV_H_
#define QCONFORM_REPORTS_SHOW_CSV_H_

#include <string>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

// `known` may be null. Texts that a spreadsheet would take for a formula get an
// apostrophe in front.
std::string CsvText(const Report& report, const KnownOutcome* known);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_CSV_H_
