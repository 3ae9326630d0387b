// How long a run would take, told before it is begun.
#ifndef QCONFORM_HARNESS_CLI_PROGRESS_BUDGET_H_
#define QCONFORM_HARNESS_CLI_PROGRESS_BUDGET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/commands/judge_cells.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"
#include "reports/report/journal.h"

namespace qconform {

// "0.25 min", "2.5 min", "140 min"
std::string Minutes(double seconds);

// Returns how many seconds `cells` take if each costs what one of `asked` did on average
// without its explanation, `jobs` at a time, and with the share of explanations.
double EstimatedSeconds(const std::vector<CellRecord>& asked, int64_t cells, int jobs);

// Returns at most `most` of the cells, spread evenly over all.
std::vector<SelectedCell> Spread(const std::vector<SelectedCell>& cells, size_t most);

// Judges a few of request.cells that have no record in `found`, spread over all of them,
// until they are enough for an estimate or a twentieth of `budget_seconds` is over;
// prints the estimate for all of request.cells. Returns the records with those found,
// which are in the journal too; fault: "--budget: expected at most 120 min, got about
// ...".
JudgedCells JudgeWithinBudget(const JudgedBackend& backend, const RunRequest& request,
                              std::vector<CellRecord> found, JournalWriter& journal,
                              double budget_seconds, bool fail_fast);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PROGRESS_BUDGET_H_
