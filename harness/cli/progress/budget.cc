#include "harness/cli/progress/budget.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "harness/cli/print/print.h"
#include "harness/runner/judge/explain_budget.h"
#include "oracle/base/expected.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// What an estimate is made from: more would not make it much better.
constexpr size_t kEnoughCells = 96;
constexpr double kShareOfBudget = 0.05;

}  // namespace

std::string Minutes(double seconds) {
  const double minutes = std::max(seconds / 60, 0.01);
  char text[64];
  std::snprintf(text, sizeof text, minutes < 10 ? "%.2g min" : "%.0f min", minutes);
  return text;
}

double EstimatedSeconds(const std::vector<CellRecord>& asked, int64_t cells, int jobs) {
  if (asked.empty()) return 0;
  double seconds = 0;
  for (const CellRecord& record : asked) {
    seconds += (record.time_ms - record.explain_ms) / 1000;
  }
  const double each = seconds / static_cast<double>(asked.size());
  return each * static_cast<double>(cells) / std::max(jobs, 1) /
         (1 - ExplainBudget::kDefaultShare);
}

std::vector<SelectedCell> Spread(const std::vector<SelectedCell>& cells, size_t most) {
  const size_t count = std::min(most, cells.size());
  std::vector<SelectedCell> spread;
  for (size_t i = 0; i < count; ++i) {
    // The middle of each of `count` equal parts.
    spread.push_back(cells[(2 * i + 1) * cells.size() / (2 * count)]);
  }
  return spread;
}

JudgedCells JudgeWithinBudget(const JudgedBackend& backend, const RunRequest& request,
                              std::vector<CellRecord> found, JournalWriter& journal,
                              double budget_seconds, bool fail_fast) {
  const Stopwatch watch;
  const auto all = static_cast<int64_t>(request.cells.size());
  JudgedCells judged{.records = std::move(found), .fault = {}};
  for (size_t most = 4; most <= kEnoughCells; most *= 2) {
    RunRequest few = request;
    few.cells = Spread(request.cells, most);
    judged = JudgeCells(backend, std::move(few), std::move(judged.records), journal,
                        /*no_progress=*/true, fail_fast);
    if (!judged.finished || judged.fault) return judged;
    if (watch.seconds() > kShareOfBudget * budget_seconds) break;
  }
  const auto asked = static_cast<int64_t>(judged.records.size());
  const double seconds = EstimatedSeconds(judged.records, all, request.jobs);
  const std::string from =
      " (from " + std::to_string(asked) + " of " + std::to_string(all) + " cells)";
  if (seconds > budget_seconds) {
    judged.fault =
        Expected("--budget", "at most " + Minutes(budget_seconds),
                 "about " + Minutes(seconds) + from,
                 "ask less (--level smoke, --cells), or raise the budget and --resume");
    judged.finished = false;
    return judged;
  }
  Print("about %s%s\n", Minutes(seconds).c_str(), from.c_str());
  return judged;
}

}  // namespace qconform
