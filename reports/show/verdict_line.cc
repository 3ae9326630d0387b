#include "reports/show/verdict_line.h"

#include "oracle/base/text.h"
#include "reports/record/evidence.h"

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

std::string VerdictLine(const Report& report, ExitCode code) {
  const VerdictCounts& cells = report.totals.cells;
  const int64_t unsupported = cells[Verdict::kUnsupported];
  const int64_t untested = cells[Verdict::kUntested];
  const int64_t supported = cells.total() - unsupported - untested;
  const int64_t deviating = cells.deviations();
  std::string line = WordOf(code) + "  " +
                     std::to_string(deviating > 0 ? deviating : cells.passes()) + " of " +
                     std::to_string(supported) + " supported cells " +
                     (deviating > 0 ? "deviate" : "pass");
  std::string others;
  for (const auto& [count, word] :
       {std::pair(unsupported, " unsupported"), {untested, " untested"}}) {
    if (count == 0) continue;
    others += (others.empty() ? "" : ", ") + std::to_string(count) + word;
  }
  if (!others.empty()) line += " (" + others + ")";
  if (!report.findings.empty()) {
    line += ", " + Plural(static_cast<int64_t>(report.findings.size()), "finding");
  }
  if (const int64_t tests = report.totals.node_tests.deviations(); tests > 0) {
    line += ", " + Plural(tests, "deviating node test");
  }
  if (AnyDeviates(report.negative)) line += ", deviating negative models";
  return line + "\n";
}

}  // namespace qconform
