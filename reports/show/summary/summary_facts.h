// The facts of a report that a summary has a line for. Private to reports/show.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_FACTS_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_FACTS_H_

#include <string>
#include <vector>

#include "reports/report/report.h"
#include "reports/show/summary/summary_writer.h"

namespace qconform {

// Returns "INCOMPLETE: 3 of 12 selected cells were tested; ..." of a run that did not
// come to its end.
std::string IncompleteText(const Report& report);

// Returns what the declined cells have in common, those with most cells first:
// "OP_TYPE-28", "OP_TYPE with FLOAT8E5M2", ... The last is "35 others" if some have
// nothing in common.
std::vector<std::string> DeclinedGroups(const Report& report);

// Returns how variants differ and in how many cells, such as "wrong only with saturate=0
// (86 cells)", those of most cells first; empty if they differ in none.
std::vector<std::string> VariantGroups(const Report& report);

// Returns "15 behaviours, all stable; -v shows them", or "15 behaviours, 2 vary with
// threads; -v shows them"; empty if there are none.
std::string UnspecifiedText(const Totals& totals);

// Adds why a row deviates, as far as that is known.
void AddWhy(const CellRecord& row, Writer& writer);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_FACTS_H_
