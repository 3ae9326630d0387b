// The report as one HTML page that needs nothing else: no network, no server.
// Findings with examples, a heat map in which every cell is a square, filters, the
// evidence of each cell, and a second report next to it if there is one. Its sources are
// in reports/html/.
#ifndef QCONFORM_REPORTS_SHOW_HTML_H_
#define QCONFORM_REPORTS_SHOW_HTML_H_

#include <map>
#include <string>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

struct HtmlOptions {
  const KnownOutcome* known = nullptr;  // of the report
  const Report* beside = nullptr;       // a second report; the page calls them A and B
  // Name of a reading, diagnosis or clause -> its formula or sentence.
  std::map<std::string, std::string> explanations{};
  // Case id -> its model.onnx in base64, for download.
  std::map<std::string, std::string> models{};
};

std::string HtmlText(const Report& report, const HtmlOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_HTML_H_
