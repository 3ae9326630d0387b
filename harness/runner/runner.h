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
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "reports/record/record.h"

namespace qconform {

// In a row: of so many the time limit is spent often enough.
inline constexpr int kMostHungCells = 12;

struct RunRequest {
  std::vector<SelectedCell> cells;
  Level level = Level::kStandard;
  uint64_t seed = 1;
  int jobs = 1;  // threads; a backend that is not concurrent gets one
  ReplayContext replay;
  // The same backend with another number of threads, which a case of each cell is asked
  // again of; may be null. As concurrent as the backend.
  Backend* other_threads = nullptr;
};

// Runs every cell and hands its record to `done`, one at a time, in the order
// in which they end. A cell is asked its whole list at the newest opset_version of its
// since_version; if each of these cases is declined and an older opset_version is
// answered, at the newest that is. Stops when `stop` becomes true: cells in flight are
// given up after their case. Returns whether all cells ran. A cell in which three cases
// hung, four in a row or 24 in all crashed, is left. After kMostHungCells cells in a row
// in which whatever was asked hung, the others are `untested`. A cell in which the
// harness itself fails (a case cannot be made, the oracle refuses a legal model) gets the
// verdict `error`, with the words of the Error.
bool RunCells(Backend& backend, const RunRequest& request,
              const std::function<void(CellRecord)>& done, const std::atomic<bool>& stop);

// The row of a cell without answers, and why: kUntested or kError.
CellRecord RecordWithoutAnswers(const Cell& cell, Verdict verdict,
                                const std::string& reason);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_RUNNER_H_
