// The report on a terminal. The summary fits a screen of 24 lines: findings first, then
// the matrix of pass rates, a line for each other fact, and the verdict last. The details
// are everything else. Every mark is a symbol as well as a colour.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_H_

#include <map>
#include <string>

#include "reports/record/verdict.h"
#include "reports/report/report.h"

namespace qconform {

struct SummaryOptions {
  int width = 80;        // columns; only command lines to copy may be longer
  int lines = 21;        // of SummaryText and ClosingText together
  bool color = false;    // ANSI colours
  bool unicode = false;  // tick and cross instead of ASCII marks
  int failures = 3;      // cells that deviate whose evidence the details show
  // The file of the report, which the next command to type names; empty: there is none.
  std::string report_path{};
  // Name of a reading -> its formula.
  std::map<std::string, std::string> explanations{};
};

// Returns the summary without its end, which is ClosingText. Both together have at most
// options.lines lines if the report has at most one operator for each line that is left.
std::string SummaryText(const Report& report, const SummaryOptions& options);

// Returns all that can be said in text: the tiers, the readings, the backend's reasons,
// and the evidence of the first cells that deviate, worked through.
std::string DetailedSummaryText(const Report& report, const SummaryOptions& options);

// Returns the next commands to type and, as the last line, the verdict.
std::string ClosingText(const Report& report, const SummaryOptions& options,
                        ExitCode code);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_H_
