// The report on a terminal: per operator a matrix of opset x output type, the
// verdict counts per tier, and where the report lies. Every mark is a symbol
// as well as a colour.
#ifndef QCONFORM_REPORTS_SUMMARY_H_
#define QCONFORM_REPORTS_SUMMARY_H_

#include <string>

#include "reports/report.h"

namespace qconform {

struct SummaryOptions {
  int width = 80;           // columns; no line is longer
  bool color = false;       // ANSI colours
  bool unicode = false;     // block symbols instead of ASCII
  std::string report_path;  // named in the last line where it is set
};

std::string SummaryText(const Report& report, const SummaryOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SUMMARY_H_
