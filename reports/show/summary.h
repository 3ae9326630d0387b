// The report on a terminal: per operator a matrix of output type x
// since_version, the verdicts per tier, the first failures, and where the
// report lies. Every mark is a symbol as well as a colour.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_H_

#include <map>
#include <string>

#include "reports/report/report.h"

namespace qconform {

struct SummaryOptions {
  int width = 80;             // columns; only command lines to copy may be longer
  bool color = false;         // ANSI colours
  bool unicode = false;       // tick and cross instead of ASCII marks
  int failures = 3;           // cells that deviate whose evidence is shown
  std::string report_path{};  // named in the last line where it is set
  // Name of a reading -> its formula.
  std::map<std::string, std::string> explanations{};
};

std::string SummaryText(const Report& report, const SummaryOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_H_
