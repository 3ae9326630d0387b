// What the rows of every report have in common while a backend is asked, whoever makes
// their cases: a row is a cell, or a part of a model.
#ifndef QCONFORM_HARNESS_RUNNER_ROW_RUN_H_
#define QCONFORM_HARNESS_RUNNER_ROW_RUN_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/core/case_answer.h"
#include "harness/runner/judge/cell_judge.h"
#include "harness/runner/judge/explain_budget.h"
#include "oracle/base/result.h"
#include "oracle/base/stopwatch.h"
#include "reports/record/record.h"

namespace qconform {

// After this many hung rows in a row the remaining ones are not asked, because each would
// cost the time limit again.
inline constexpr int kMostHungCells = 12;

// Decides when a cell is abandoned, because its verdict is certain and more cases cost
// time: a hang costs the time limit and a crash the start of another process, both twice.
// Crashes between answered cases do not end the cell so soon, so that the other cases are
// judged.
class Patience {
 public:
  void Add(const RunResult& result) {
    const auto* error = std::get_if<BackendError>(&result);
    const bool hung = error != nullptr && error->kind == BackendError::Kind::kTimedOut;
    const bool died = error != nullptr && error->kind == BackendError::Kind::kCrashed;
    hangs_ += hung ? 1 : 0;
    crashes_ += died ? 1 : 0;
    in_a_row_ = hung || died ? in_a_row_ + 1 : 0;
  }
  bool any() const { return hangs_ + crashes_ > 0; }
  bool ended() const {
    return hangs_ >= kMostHangs || crashes_ >= kMostCrashes || in_a_row_ >= kMostInARow;
  }

 private:
  static constexpr int kMostHangs = 3;
  static constexpr int kMostCrashes = 24;
  static constexpr int kMostInARow = 4;
  int hangs_ = 0;
  int crashes_ = 0;
  int in_a_row_ = 0;
};

// How long fresh processes may take: a share of the time of the run so far. Where a
// process takes long to start, only the first deviations are asked again in one.
class FreshTime {
 public:
  // Returns whether there is time for one more.
  bool any() {
    const std::lock_guard lock(mutex_);
    return spent_ms_ <= kAlways + kShare * run_.milliseconds();
  }
  void Add(double ms) {
    const std::lock_guard lock(mutex_);
    spent_ms_ += ms;
  }

 private:
  static constexpr double kAlways = 5000;
  static constexpr double kShare = 0.05;
  std::mutex mutex_;
  Stopwatch run_;
  double spent_ms_ = 0;
};

// Asks a case and hands the answer to the judge. `expected` is the oracle's answer if it
// is known; otherwise it is evaluated, unless the backend declines. Returns false if
// `stop` became true on the way. `is_open`: the specification leaves open whether the
// case is valid, so that a backend that refuses it as invalid declines. `seen`: called
// with the answer; may be null.
Result<bool> AskCase(Backend& backend, std::shared_ptr<const OpCase> op_case,
                     const std::atomic<bool>& stop,
                     std::shared_ptr<const CaseAnswer>& expected, CellJudge& judge,
                     Patience& patience, bool is_open = false,
                     const std::function<void(const RunResult&)>& seen = {});

// How the rows of a run end.
struct RowEnd {
  Backend* other_threads = nullptr;  // RunRequest::other_threads
  ExplainBudget* explain = nullptr;  // RunRequest::explain
  FreshTime* fresh_time = nullptr;
  const std::atomic<bool>* stop = nullptr;
  const Stopwatch* watch = nullptr;  // since the row was begun
};

// Asks a few cases of a row again in other ways, if the backend answered one and none
// crashed or hung, and returns its record. Before a deviation is explained,
// `prepare(answered, ask)` fills in all of `ask` but `alone`; `answered` is a case that
// was answered. Returns nothing if `stop` became true on the way: half a row has no
// verdict.
Result<std::optional<CellRecord>> FinishRow(
    Backend& backend, const RowEnd& end, CellJudge& judge, const Patience& patience,
    const std::function<void(const CaseKey& answered, AskFurther& ask)>& prepare);

struct RowsToRun {
  size_t count = 0;
  std::string noun;  // "cells"
  // Returns nothing if the run was stopped on the way.
  std::function<Result<std::optional<CellRecord>>(size_t index)> run;
  std::function<CellRecord(size_t index, Verdict, const std::string& reason)>
      without_answers;
  std::function<void(const std::string& why)> fewer{};  // RunRequest::fewer
};

// Runs rows on `jobs` threads and hands each record to `done`, one at a time, in the
// order in which they end. After kMostHungCells rows in a row in which every case hung,
// the others are `untested`; an Error of the harness makes the row an `error`. Returns
// whether all rows ran. What the system does not give is thrown, as RunCells says.
bool RunRows(const RowsToRun& rows, int jobs, const std::function<void(CellRecord)>& done,
             const std::atomic<bool>& stop);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ROW_RUN_H_
