// Judges the cells of a run, shows a progress bar and keeps each record in a journal.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_

#include <optional>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"
#include "reports/report/journal.h"

namespace qconform {

// After this many cells, the first of a run, that all crashed, a line on stderr says so.
inline constexpr int kCrashedBeforeTold = 8;

struct JudgedCells {
  std::vector<CellRecord> records;  // those found, then those of this run as they ended
  bool finished = true;             // false: interrupted, stopped, or the journal failed
  bool stopped = false;             // at the first deviating cell
  std::optional<Error> fault;       // of the journal
};

// Judges those of request.cells that have no record in `found`; request.other_threads is
// set to that of `backend`, and what the records found cost counts for request.explain.
// An interrupt, or a journal that cannot be written, stops the run after the cells in
// progress; so does a deviating cell if `fail_fast`.
JudgedCells JudgeCells(const JudgedBackend& backend, RunRequest request,
                       std::vector<CellRecord> found, JournalWriter& journal,
                       bool no_progress, bool fail_fast = false);

// Returns the cells that have no record.
std::vector<SelectedCell> NotIn(const std::vector<CellRecord>& records,
                                const std::vector<SelectedCell>& cells);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_
