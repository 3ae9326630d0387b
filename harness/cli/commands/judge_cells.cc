#include "harness/cli/commands/judge_cells.h"

#include <set>
#include <string>
#include <utility>

#include "harness/cli/interrupt.h"
#include "harness/cli/machine.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress.h"

namespace qconform {
namespace {

// Says soon that a backend crashes everywhere, because such a run takes long and its
// report has nothing else.
class CrashesEverywhere {
 public:
  void Add(const CellRecord& record) {
    if (is_over_) return;
    is_over_ = record.verdict != Verdict::kCrashed;
    if (is_over_ || ++crashed_ < kCrashedBeforeTold) return;
    is_over_ = true;
    const std::string shown = record.counterexamples.empty()
                                  ? ""
                                  : "; to see one: " + record.counterexamples[0].replay;
    PrintNote(
        "\nthe backend crashed in each of the first %d cells: %s%s\n"
        "the run goes on; --fail-fast stops at the first such cell\n",
        crashed_, record.reason.c_str(), shown.c_str());
  }

 private:
  int crashed_ = 0;
  bool is_over_ = false;
};

// What the cells of an earlier part of the run cost counts for the budget of the whole.
void AddCosts(const std::vector<CellRecord>& records, ExplainBudget& budget) {
  for (const CellRecord& record : records) {
    budget.AddAsked((record.time_ms - record.explain_ms) / 1000);
    if (record.deviation) budget.AddExplained(record.explain_ms / 1000);
  }
}

}  // namespace

JudgedCells JudgeCells(const JudgedBackend& backend, RunRequest request,
                       std::vector<CellRecord> found, JournalWriter& journal,
                       bool no_progress, bool fail_fast) {
  JudgedCells judged;
  Progress progress("cells", static_cast<int64_t>(request.cells.size()), !no_progress);
  request.cells = NotIn(found, request.cells);
  request.other_threads = backend.other_threads.get();
  if (backend.backend->concurrent()) {
    const int wanted = std::exchange(request.jobs, JobsWithinLimits(request.jobs));
    if (request.jobs < wanted) {
      PrintNote(
          "note: judges %d cells at a time, not --jobs %d: more need more open "
          "files than 'ulimit -n' allows\n",
          request.jobs, wanted);
    }
  }
  judged.records = std::move(found);
  if (request.explain != nullptr) AddCosts(judged.records, *request.explain);
  CrashesEverywhere crashes;
  for (const CellRecord& record : judged.records) crashes.Add(record);
  int64_t deviating = 0;
  const auto keep = [&](CellRecord record) {
    const Status written = journal.Append(record);
    if (!written && !judged.fault) {
      // Stops and reports what was found: a full disk must not cost that.
      judged.fault = written.error();
      g_interrupted = true;
    }
    deviating += IsDeviation(record.verdict) ? 1 : 0;
    if (fail_fast && IsDeviation(record.verdict) && !g_interrupted.exchange(true)) {
      judged.stopped = true;
    }
    if (!fail_fast) crashes.Add(record);
    judged.records.push_back(std::move(record));
    progress.Update(static_cast<int64_t>(judged.records.size()), deviating);
  };
  const bool all = RunCells(*backend.backend, request, keep, g_interrupted);
  judged.finished = all && !judged.stopped;
  return judged;
}

std::vector<SelectedCell> NotIn(const std::vector<CellRecord>& records,
                                const std::vector<SelectedCell>& cells) {
  std::set<std::string> done;
  for (const CellRecord& record : records) done.insert(record.cell);
  std::vector<SelectedCell> left;
  for (const SelectedCell& selected : cells) {
    if (!done.contains(CellId(selected.cell))) left.push_back(selected);
  }
  return left;
}

}  // namespace qconform
