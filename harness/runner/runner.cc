#include "harness/runner/runner.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/operands.h"
#include "harness/runner/dynamic_shapes.h"
#include "harness/runner/further_cases.h"
#include "harness/runner/parallel.h"
#include "harness/runner/prepared_state.h"
#include "harness/runner/repeats.h"

namespace qconform {
namespace {

// When a cell is left: its verdict stands, a hang costs the time limit and a crash the
// start of another process, both twice. Crashes among cases that are answered cost no
// more than themselves: the other cases are to be heard.
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

// A few cases once more: elsewhere in memory, at other indices, with another number of
// threads.
void AskAgain(Backend& backend, const RunRequest& request,
              const std::vector<std::shared_ptr<const OpCase>>& cases, CellJudge& judge) {
  const auto start = std::chrono::steady_clock::now();
  for (const auto& op_case : cases) {
    judge.AddRepeat(*op_case, RunModelShifted(backend, *op_case), "alignment");
    if (const auto moved = MoveByOne(*op_case)) {
      judge.AddMoved(*op_case, *moved, RunModel(backend, moved->model, moved->inputs));
    }
    if (request.other_threads != nullptr) {
      judge.AddRepeat(*op_case,
                      RunModel(*request.other_threads, op_case->model, op_case->inputs),
                      "threads");
    }
  }
  judge.AddExplainTime(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
          .count());
}

// A few cases by one prepared model that runs other inputs in between, and by one whose
// dimensions have names.
void AskPreparedOnce(Backend& backend, CellJudge& judge) {
  for (const AskedCase* asked : judge.ToRunOnce()) {
    const OpCase& op_case = *asked->op_case;
    auto failure = FindKeptState(backend, op_case.model, op_case.inputs, asked->expected);
    if (!failure) {
      DynamicShapes dynamic = AskWithNamedDimensions(
          backend, op_case.model, op_case.inputs, asked->expected, asked->output);
      failure = std::move(dynamic.failure);
      judge.AddDynamicShapes(dynamic);
    }
    if (!failure) continue;
    const bool stuck =
        failure->verdict == Verdict::kTimedOut || failure->verdict == Verdict::kCrashed;
    judge.AddFurtherFailure(*asked, *std::move(failure));
    if (stuck) return;
  }
}

// Nothing where `stop` became true on the way: half a cell has no verdict.
Result<std::optional<CellRecord>> RunCell(Backend& backend, const RunRequest& request,
                                          const SelectedCell& selected,
                                          const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  CellJudge judge(selected.cell, request.replay);
  std::string content;
  std::shared_ptr<const Answer> expected;
  Patience patience;
  const auto keys = CasesOf(selected.cell, selected.versions, request.level);
  int64_t asked = 0;
  for (const CaseKey& key : keys) {
    auto made = MakeCase(key, request.seed);
    if (!made) return made.error();
    auto op_case = std::make_shared<const OpCase>(*std::move(made));
    // Cases of equal content stand next to each other and share one answer.
    std::string id = ContentId(key);
    if (!expected || id != content) {
      auto answer = AnswerCase(*op_case);
      if (!answer) return answer.error();
      expected = *std::move(answer);
      content = std::move(id);
    }
    RunResult result = RunModel(backend, op_case->model, op_case->inputs);
    if (stop) return std::optional<CellRecord>();
    patience.Add(result);
    judge.Add(std::move(op_case), expected, std::move(result));
    ++asked;
    if (patience.ended()) break;
  }
  const int64_t left = static_cast<int64_t>(keys.size()) - asked;
  if (left > 0) judge.AddUnasked(left);
  std::optional<CasesOfOtherSeeds> further;
  if (const auto answered = judge.ToRepeat(); !answered.empty() && !patience.any()) {
    AskAgain(backend, request, answered, judge);
    AskPreparedOnce(backend, judge);
    if (stop) return std::optional<CellRecord>();
    further.emplace(backend, keys, answered.front()->key, request.seed);
  }
  CellRecord record = judge.Finish(further ? &*further : nullptr);
  // A diagnosis is tried on further cases: one that was stopped on the way is another.
  if (stop) return std::optional<CellRecord>();
  record.time_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
          .count();
  return std::optional<CellRecord>(std::move(record));
}

// Whether no case that was asked came to an answer of any kind.
bool OnlyHung(const CellRecord& record) {
  return record.verdict == Verdict::kTimedOut && record.declined == 0 &&
         record.elements() == 0;
}

Result<std::optional<CellRecord>> NotAsked(const Cell& cell) {
  return std::optional(UntestedRecord(
      cell, "not asked: in " + std::to_string(kMostHungCells) +
                " cells in a row before it, whatever was asked gave no answer in time"));
}

}  // namespace

RunResult RunModel(Backend& backend, const Model& model,
                   const std::vector<Tensor>& inputs) {
  return RunModel(backend, model, ViewsOf(inputs));
}

RunResult RunModel(Backend& backend, const Model& model,
                   const std::vector<TensorView>& inputs) {
  PrepareResult prepared = backend.Prepare(model);
  if (auto* unsupported = std::get_if<Unsupported>(&prepared)) return *unsupported;
  if (auto* refused = std::get_if<Refused>(&prepared)) return *refused;
  if (auto* error = std::get_if<BackendError>(&prepared)) return *error;
  return std::get<std::unique_ptr<PreparedModel>>(prepared)->Run(inputs);
}

Result<bool> RunCells(Backend& backend, const RunRequest& request,
                      const std::function<void(CellRecord)>& done,
                      const std::atomic<bool>& stop) {
  std::mutex mutex;  // guards done and hung
  int hung = 0;      // cells in a row
  const auto is_over = [&] {
    const std::lock_guard lock(mutex);
    return hung >= kMostHungCells;
  };
  return ForEachInParallel(request.cells.size(), backend.concurrent() ? request.jobs : 1,
                           stop, [&](size_t index) -> Result<bool> {
                             const SelectedCell& cell = request.cells[index];
                             const bool over = is_over();
                             auto record = over ? NotAsked(cell.cell)
                                                : RunCell(backend, request, cell, stop);
                             if (!record) return record.error();
                             if (!record->has_value()) return false;
                             const std::lock_guard lock(mutex);
                             if (!over) hung = OnlyHung(**record) ? hung + 1 : 0;
                             done(**std::move(record));
                             return true;
                           });
}

CellRecord UntestedRecord(const Cell& cell, const std::string& reason) {
  CellRecord record;
  record.cell = CellId(cell);
  record.op_type = cell.op_type;
  record.since_version = cell.since_version;
  record.types = cell.types;
  record.granularity = GranularityName(cell.granularity);
  record.verdict = Verdict::kUntested;
  record.reason = reason;
  return record;
}

}  // namespace qconform
