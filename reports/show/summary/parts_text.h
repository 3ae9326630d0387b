// The parts of a model on a terminal: what became of each, the worst first, and several
// backends side by side.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_PARTS_TEXT_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_PARTS_TEXT_H_

#include <map>
#include <span>
#include <string>

#include "reports/report/report.h"
#include "reports/show/summary/summary.h"

namespace qconform {

// Returns what became of the parts: those that deviate with an element each, then those
// that were declined or follow a reading; those that are conformant are counted, or
// listed too if `all`. Precondition: the report is that of a model.
std::string PartsText(const Report& report, const SummaryOptions& options, bool all);

// A report and what its backend is called beside others: "onnxruntime opt_level=all".
struct BackendReport {
  std::string name;
  const Report* report = nullptr;
  // By the id of a part's row: where its bits differ from those of the first backend, in
  // words; empty if they are the same. A part is missing if they were not compared.
  std::map<std::string, std::string> bits{};
};

// Returns the parts about which these reports differ, in the order of the model, with a
// line for each backend. Two backends may differ in their bits, and both be admissible.
// Precondition: all are of one model.
std::string PartsSideBySide(std::span<const BackendReport> reports,
                            const SummaryOptions& options);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_PARTS_TEXT_H_
