// Judges the cells of a run under a progress bar; a journal keeps each as it ends.
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

struct JudgedCells {
  std::vector<CellRecord> records;  // those found, then those of this run as they ended
  bool finished = true;             // false: interrupted, or the journal failed
  std::optional<Error> fault;       // of the journal
};

// Judges request.cells but for those that `found` has a record of. request.other_threads
// becomes that of `backend`. An interrupt, or a journal that cannot be written, stops
// after the cells in flight.
Result<JudgedCells> JudgeCells(const JudgedBackend& backend, RunRequest request,
                               std::vector<CellRecord> found, JournalWriter& journal,
                               bool no_progress);

// The cells that have no record.
std::vector<SelectedCell> NotIn(const std::vector<CellRecord>& records,
                                const std::vector<SelectedCell>& cells);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_
