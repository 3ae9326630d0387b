// Runs the cases of cells on a backend.
#ifndef QCONFORM_HARNESS_RUNNER_RUNNER_H_
#define QCONFORM_HARNESS_RUNNER_RUNNER_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/runner/judge/cell_judge.h"
#include "harness/runner/judge/explain_budget.h"
#include "harness/runner/row_run.h"
#include "harness/runner/selection.h"
#include "harness/runner/vary/variation.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "reports/record/record.h"

namespace qconform {

struct RunRequest {
  std::vector<SelectedCell> cells;
  Level level = Level::kStandard;
  uint64_t seed = 1;
  int jobs = 1;  // threads; a backend that is not concurrent gets one
  ReplayContext replay;
  // The same backend with another number of threads, which is asked a case of each cell
  // again; may be null. It is concurrent if the backend is.
  Backend* other_threads = nullptr;
  // If there are any, each cell is asked at each of these settings, in place of
  // RunCells' own backend; `replay` and `other_threads` are then those of the settings.
  std::vector<Variation> variations{};
  // What explanations may cost together; null: whatever they do.
  ExplainBudget* explain = nullptr;
  // Called once, from any thread, if fewer cells than `jobs` are judged at a time from
  // then on, with the sentence that says why; may be empty.
  std::function<void(const std::string& why)> fewer{};
};

// Runs every cell and hands its record to `done`, one at a time, in the order
// in which they end. Returns whether all cells ran.
//
// A cell is asked its whole list at the newest opset_version of its since_version. If
// each of these cases is declined, the list is asked at the newest older opset_version
// that is answered. Stops when `stop` becomes true: running cells are given up after
// their case. A cell is abandoned after three cases that hung, or after crashes or hangs
// of four cases in a row, or after 24 crashes. After kMostHungCells cells in a row in
// which every case hung, the others are `untested`. A cell in which the harness itself
// fails (a case cannot be made, the oracle refuses a legal model) gets the verdict
// `error`, with the words of the Error. The record of a cell that is asked at several
// settings is that of the worst one (Combine).
//
// What the system does not give (oracle/base/shortage.h) is no verdict: the cell is
// judged again by one thread fewer. Throws Shortage or std::bad_alloc if not even one
// thread can go on; the records that `done` has are then those of whole cells. `done`
// must not throw after it has kept a record.
bool RunCells(Backend& backend, const RunRequest& request,
              const std::function<void(CellRecord)>& done, const std::atomic<bool>& stop);

// The row of a cell without answers, and why: kUntested or kError.
CellRecord RecordWithoutAnswers(const Cell& cell, Verdict verdict,
                                const std::string& reason);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_RUNNER_H_
