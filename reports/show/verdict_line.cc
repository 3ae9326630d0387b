#include "reports/show/verdict_line.h"

#include <algorithm>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/show/deviating_rows.h"

namespace qconform {
namespace {

std::string WordOf(ExitCode code) {
  switch (code) {
    case ExitCode::kPass:
      return "PASS";
    case ExitCode::kDeviation:
      return "FAIL";
    case ExitCode::kNothingSupported:
      return "UNSUPPORTED";
    case ExitCode::kInterrupted:
      return "INTERRUPTED";
    case ExitCode::kBadInput:
    case ExitCode::kIncomplete:
      break;
  }
  return "INCOMPLETE";
}

}  // namespace

std::string VerdictLine(const Report& report, ExitCode code, size_t width) {
  const VerdictCounts& cells = report.totals.cells;
  const int64_t unsupported = cells[Verdict::kUnsupported];
  // The journal of a run that was cut off has no rows of the cells that did not run.
  const int64_t missing = std::max<int64_t>(0, report.totals.selected - cells.total());
  const int64_t untested = cells[Verdict::kUntested] + missing;
  const int64_t supported = cells.total() - unsupported - cells[Verdict::kUntested];
  const int64_t deviating = cells.deviations();
  const int64_t counted = deviating > 0 ? deviating : cells.passes();
  const std::string verb = deviating > 0 ? "deviate" : "pass";
  const std::string ending = counted != 1 ? "" : deviating > 0 ? "s" : "es";
  const std::string head = WordOf(code) + "  " + std::to_string(counted) + " of " +
                           std::to_string(supported) + " supported " + RowNoun(report) +
                           "s " + verb + ending;
  std::string others;
  for (const auto& [count, word] :
       {std::pair(cells[Verdict::kRefusedLegal], " refused_legal"),
        {unsupported, " unsupported"},
        {untested, " untested"}}) {
    if (count == 0) continue;
    others += (others.empty() ? "" : ", ") + std::to_string(count) + word;
  }
  if (!others.empty()) others = " (" + others + ")";
  std::string findings;
  if (!report.findings.empty()) {
    findings = ", " + Plural(static_cast<int64_t>(report.findings.size()), "finding");
  }
  std::string rows;  // besides the cells
  if (const int64_t tests = report.totals.node_tests.deviations(); tests > 0) {
    rows += ", " + Plural(tests, "deviating node test");
  }
  if (const size_t models = DeviatingNegativeModels(report).size(); models > 0) {
    rows += ", " + Plural(static_cast<int64_t>(models), "deviating negative model");
  }
  // What deviates is never left out.
  if ((head + others + findings + rows).size() > width) findings.clear();
  if ((head + others + findings + rows).size() > width) others.clear();
  return head + others + findings + rows + "\n";
}

}  // namespace qconform
