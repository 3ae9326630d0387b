#include "harness/cli/commands/judge_cells.h"

#include <set>
#include <string>
#include <utility>

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"

namespace qconform {

JudgedCells JudgeCells(const JudgedBackend& backend, RunRequest request,
                       std::vector<CellRecord> found, JournalWriter& journal,
                       bool no_progress, bool fail_fast) {
  JudgedCells judged;
  Progress progress("cells", static_cast<int64_t>(request.cells.size()), !no_progress);
  request.cells = NotIn(found, request.cells);
  request.other_threads = backend.other_threads.get();
  judged.records = std::move(found);
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
