#include "harness/runner/row_run.h"

#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/backends/run_model.h"
#include "harness/compare/explain_limit.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/ask/parallel.h"
#include "harness/runner/ask/prepared_state.h"
#include "harness/runner/ask/repeats.h"

namespace qconform {
namespace {

bool IsDeclined(const RunResult& result) {
  return std::holds_alternative<Unsupported>(result) ||
         std::holds_alternative<Refused>(result);
}

// Asks a few cases again: elsewhere in memory, at other indices, with another number of
// threads. Stops early if `stop` becomes true: then the row has no verdict.
Status AskAgain(Backend& backend, Backend* other_threads,
                const std::vector<std::shared_ptr<const OpCase>>& cases, CellJudge& judge,
                const std::atomic<bool>& stop) {
  const Stopwatch watch;
  for (const auto& op_case : cases) {
    if (stop) return Ok();
    auto shifted = RunModelShifted(backend, *op_case);
    if (!shifted) return shifted.error();
    const auto as_it_was = [&] { return RunModel(backend, *op_case); };
    judge.AddRepeat(*op_case, *std::move(shifted), kChangedAlignment, as_it_was);
    if (stop) return Ok();
    const auto turning = FindTurning(op_case->model);
    if (!turning) return turning.error();
    if (*turning) {
      const FedModel moved = TurnedByOne(*op_case, **turning);
      auto there = RunModel(backend, moved);
      if (!there) return there.error();
      judge.AddMoved(*op_case, moved, SourcesOf(moved.model, **turning),
                     *std::move(there));
    }
    if (other_threads != nullptr && !stop) {
      auto other = RunModel(*other_threads, *op_case);
      if (!other) return other.error();
      judge.AddRepeat(*op_case, *std::move(other), kChangedThreads, as_it_was);
    }
  }
  judge.AddExplainTime(watch.milliseconds());
  return Ok();
}

// Asks a few cases with a prepared model that runs other inputs in between, and with a
// model whose dimensions have names.
Status AskPreparedOnce(Backend& backend, CellJudge& judge,
                       const std::atomic<bool>& stop) {
  for (const AskedCase* asked : judge.ToRunOnce()) {
    if (stop) return Ok();
    const OpCase& op_case = *asked->op_case;
    auto kept = FindKeptState(backend, op_case.model, op_case.inputs, asked->expected,
                              asked->codes);
    if (!kept) return kept.error();
    std::optional<CaseFailure> failure = *std::move(kept);
    if (!failure) {
      auto dynamic = AskWithNamedDimensions(backend, op_case.model, op_case.inputs,
                                            asked->expected, asked->codes);
      if (!dynamic) return dynamic.error();
      failure = std::move(dynamic->failure);
      judge.AddDynamicShapes(*dynamic);
    }
    if (!failure) continue;
    const bool stuck =
        failure->verdict == Verdict::kTimedOut || failure->verdict == Verdict::kCrashed;
    judge.AddFurtherFailure(*asked, *std::move(failure));
    if (stuck) break;
  }
  return Ok();
}

// Whether cases hung and none was answered or declined.
bool OnlyHung(const CellRecord& record) {
  return record.verdict == Verdict::kTimedOut && record.declined == 0 &&
         record.elements() == 0;
}

}  // namespace

Result<bool> AskCase(Backend& backend, std::shared_ptr<const OpCase> op_case,
                     const std::atomic<bool>& stop,
                     std::shared_ptr<const CaseAnswer>& expected, CellJudge& judge,
                     Patience& patience, bool is_open,
                     const std::function<void(const RunResult&)>& seen) {
  auto asked = RunModel(backend, *op_case);
  if (stop) return false;
  if (!asked) return asked.error();
  RunResult result = *std::move(asked);
  if (const auto* refused = std::get_if<Refused>(&result); refused && is_open) {
    result = Unsupported{RefusedWords(*refused), ""};
  }
  if (!expected && !IsDeclined(result)) {
    auto answer = AnswerCase(*op_case);
    if (!answer) return answer.error();
    expected = *std::move(answer);
  }
  patience.Add(result);
  if (seen) seen(result);
  judge.Add(std::move(op_case), expected, std::move(result));
  return true;
}

Result<std::optional<CellRecord>> FinishRow(
    Backend& backend, const RowEnd& end, CellJudge& judge, const Patience& patience,
    const std::function<void(const CaseKey& answered, AskFurther& ask)>& prepare) {
  const std::atomic<bool>& stop = *end.stop;
  AskFurther ask;
  if (const auto answered = judge.ToRepeat(); !answered.empty() && !patience.any()) {
    const Status again = AskAgain(backend, end.other_threads, answered, judge, stop);
    if (!again) return again.error();
    const Status prepared = AskPreparedOnce(backend, judge, stop);
    if (!prepared) return prepared.error();
    if (stop) return std::optional<CellRecord>();
    prepare(answered.front()->key, ask);
    ask.alone = [&](const OpCase& op_case) -> Result<std::optional<RunResult>> {
      if (!end.fresh_time->any()) return std::optional<RunResult>();
      const Stopwatch of_case;
      auto result = RunModelAlone(backend, op_case);
      end.fresh_time->Add(of_case.milliseconds());
      return result;
    };
  }
  if (end.explain != nullptr) {
    end.explain->AddAsked(end.watch->seconds());
    judge.SetExplainBudget(end.explain);
  }
  const ExplainLimit until_stop(std::numeric_limits<double>::infinity(), &stop);
  auto record = judge.Finish(ask);
  // A diagnosis is tested on further cases, so it may be wrong if it was stopped on the
  // way.
  if (stop) return std::optional<CellRecord>();
  if (!record) return record.error();
  record->time_ms = end.watch->milliseconds();
  return std::optional<CellRecord>(*std::move(record));
}

bool RunRows(const RowsToRun& rows, int jobs, const std::function<void(CellRecord)>& done,
             const std::atomic<bool>& stop) {
  std::mutex mutex;  // guards done and hung
  int hung = 0;      // rows in a row
  const auto is_over = [&] {
    const std::lock_guard lock(mutex);
    return hung >= kMostHungCells;
  };
  const auto run_one = [&](size_t index) -> Result<bool> {
    const bool over = is_over();
    std::optional<CellRecord> record;
    if (over) {
      record = rows.without_answers(
          index, Verdict::kUntested,
          "not asked: in " + std::to_string(kMostHungCells) + " " + rows.noun +
              " in a row before it, whatever was asked gave no answer in time");
    } else if (auto run = rows.run(index)) {
      record = *std::move(run);
    } else {
      record = rows.without_answers(index, Verdict::kError, run.error().message);
    }
    if (!record) return false;
    const std::lock_guard lock(mutex);
    if (!over) hung = OnlyHung(*record) ? hung + 1 : 0;
    done(*std::move(record));
    return true;
  };
  // No row returns an Error, because errors of the harness become verdicts.
  return *ForEachInParallel(rows.count, jobs, stop, run_one, rows.fewer);
}

}  // namespace qconform
