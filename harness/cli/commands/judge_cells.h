// Judges the cells of a run, shows a progress bar and keeps each record in a journal.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/cli/commands/commands.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/diff/known_differences.h"
#include "reports/record/record.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"

namespace qconform {

// After this many cells, the first of a run, that all crashed, a line on stderr says so.
inline constexpr int kCrashedBeforeTold = 8;

struct JudgedCells {
  std::vector<CellRecord> records;  // those found, then those of this run as they ended
  bool finished = true;             // false: interrupted, stopped, or a fault
  bool stopped = false;             // at the first deviating cell
  std::optional<Error> fault;       // of the journal, or what the system does not give
  bool is_shortage = false;         // the latter, and the journal has all records
};

// Judges those of request.cells that have no record in `found`; request.other_threads is
// set to that of `backend`. What records of an earlier run cost, the caller enters by
// AddCosts.
// An interrupt, or a journal that cannot be written, stops the run after the cells in
// progress; so does a deviating cell if `fail_fast`.
JudgedCells JudgeCells(const JudgedBackend& backend, RunRequest request,
                       std::vector<CellRecord> found, JournalWriter& journal,
                       bool no_progress, bool fail_fast = false);

// Rows of a run that are no cells of a selection, such as parts of a model.
struct RowsToJudge {
  std::string noun;   // "parts"
  int64_t total = 0;  // with those found
  bool no_progress = false;
  bool fail_fast = false;
  // Runs those that are not found, and hands each record to `keep`. Returns whether all
  // ran.
  std::function<bool(const std::function<void(CellRecord)>& keep)> run;
};

// The same for these rows.
JudgedCells JudgeRows(const RowsToJudge& rows, std::vector<CellRecord> found,
                      JournalWriter& journal);

// Returns how many rows `backend` judges at a time; prints a note if that is fewer than
// `jobs`.
int JobsWithinLimitsOf(const Backend& backend, int jobs, const std::string& noun);

// Returns what prints a note when fewer rows than that are judged at a time later on, for
// RunRequest::fewer and its like.
std::function<void(const std::string& why)> NoteOfFewer(const std::string& noun);

// What the explanations of a run may cost, as typed.
struct ExplainBudgetFlags {
  double seconds = -1;  // below 0: a share of the run
  bool none = false;
};

// Adds --explain and --no-explain. `noun`: "cells"; `more`: what the help says besides.
void AddExplainBudgetFlags(Command& command, ExplainBudgetFlags& flags,
                           const std::string& noun, const std::string& more = "");

// Returns the seconds for ExplainBudget. With known differences all explanations are made
// unless the flags say otherwise: entries may name diagnoses, and whether they hold must
// not depend on the speed of the machine.
std::optional<double> ExplainSeconds(const ExplainBudgetFlags& flags, bool has_known);

// Prints what becomes of a report under its known differences, and returns the exit code.
// `ids`: of all rows that an entry of `file` may name.
ExitCode JudgeUnderKnown(const KnownDifferences& known, const std::string& file,
                         const Report& report, std::span<const std::string> ids,
                         bool allow_unsupported);

// Enters what the records found cost.
void AddCosts(const std::vector<CellRecord>& records, ExplainBudget& budget);

// Returns the cells that have no record.
std::vector<SelectedCell> NotIn(const std::vector<CellRecord>& records,
                                const std::vector<SelectedCell>& cells);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_JUDGE_CELLS_H_
