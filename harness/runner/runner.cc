#include "harness/runner/runner.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/compare/cell_answers.h"
#include "harness/compare/compare.h"
#include "harness/compare/explain_limit.h"
#include "harness/compare/standing.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/ask/parallel.h"
#include "harness/runner/ask/prepared_state.h"
#include "harness/runner/ask/repeats.h"
#include "oracle/base/stopwatch.h"

namespace qconform {
namespace {

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

bool IsDeclined(const RunResult& result) {
  return std::holds_alternative<Unsupported>(result) ||
         std::holds_alternative<Refused>(result);
}

// Asks a few cases again: elsewhere in memory, at other indices, with another number of
// threads.
Status AskAgain(Backend& backend, const RunRequest& request,
                const std::vector<std::shared_ptr<const OpCase>>& cases,
                CellJudge& judge) {
  const Stopwatch watch;
  for (const auto& op_case : cases) {
    auto shifted = RunModelShifted(backend, *op_case);
    if (!shifted) return shifted.error();
    judge.AddRepeat(*op_case, *std::move(shifted), kChangedAlignment);
    const auto turning = FindTurning(op_case->model);
    if (!turning) return turning.error();
    if (*turning) {
      const FedModel moved = TurnedByOne(*op_case, **turning);
      auto there = RunModel(backend, moved);
      if (!there) return there.error();
      judge.AddMoved(*op_case, moved, SourcesOf(moved.model, **turning),
                     *std::move(there));
    }
    if (request.other_threads != nullptr) {
      auto other = RunModel(*request.other_threads, *op_case);
      if (!other) return other.error();
      judge.AddRepeat(*op_case, *std::move(other), kChangedThreads);
    }
  }
  judge.AddExplainTime(watch.milliseconds());
  return Ok();
}

// Asks a few cases with a prepared model that runs other inputs in between, and with a
// model whose dimensions have names.
Status AskPreparedOnce(Backend& backend, CellJudge& judge) {
  for (const AskedCase* asked : judge.ToRunOnce()) {
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

// The cases of a cell, with the whole list at one opset_version, and their judge.
struct AskedList {
  std::vector<CaseKey> keys;
  CellJudge judge;
  Patience patience;
};

// Asks the list, the whole of it at `judged_at` (0: the newest opset_version). Returns
// nothing if `stop` became true on the way.
Result<std::optional<AskedList>> AskList(Backend& backend, const RunRequest& request,
                                         const SelectedCell& selected, int judged_at,
                                         const std::atomic<bool>& stop) {
  AskedList list{CasesOf(selected.cell, selected.versions, request.level, judged_at),
                 CellJudge(selected.cell, request.replay, judged_at),
                 {}};
  CaseMaker cases(request.seed);
  std::shared_ptr<const CaseAnswer> expected;
  int64_t asked = 0;
  for (const CaseKey& key : list.keys) {
    auto made = cases.Make(key);
    if (!made) return made.error();
    auto op_case = std::make_shared<const OpCase>(*std::move(made));
    auto asked_once = RunModel(backend, *op_case);
    if (stop) return std::optional<AskedList>();
    if (!asked_once) return asked_once.error();
    RunResult result = *std::move(asked_once);
    // Cases of equal content share one answer; declined cases need none.
    if (cases.content_is_new()) expected = nullptr;
    if (!expected && !IsDeclined(result)) {
      auto answer = AnswerCase(*op_case);
      if (!answer) return answer.error();
      expected = *std::move(answer);
    }
    list.patience.Add(result);
    list.judge.Add(std::move(op_case), expected, std::move(result));
    ++asked;
    if (list.patience.ended()) break;
  }
  const int64_t left = static_cast<int64_t>(list.keys.size()) - asked;
  if (left > 0) list.judge.AddUnasked(left);
  return std::optional<AskedList>(std::move(list));
}

// Returns the newest opset_version at which the backend answers a case, if it declined
// the whole list at the newest of all; otherwise 0. If the probe of an opset_version was
// not answered, the first content is asked in each operand form.
Result<int> NewestAnswered(Backend& backend, const RunRequest& request,
                           const SelectedCell& selected, const AskedList& list) {
  const std::vector<int>& versions = selected.versions.opset_versions;
  if (!list.judge.DeclinesAll(versions.back()) || list.patience.ended()) return 0;
  Patience patience;
  for (size_t i = versions.size() - 1; i-- > 0;) {
    if (list.judge.Answers(versions[i])) return versions[i];
    if (patience.any()) continue;
    for (const OperandForm form : OperandFormsOf(selected.cell.op_type)) {
      CaseKey key = list.keys.front();
      key.opset_version = versions[i];
      key.form = form;
      const auto made = MakeCase(key, request.seed);
      if (!made) return made.error();
      const auto result = RunModel(backend, *made);
      if (!result) return result.error();
      if (std::holds_alternative<Outputs>(*result)) return versions[i];
      patience.Add(*result);
      if (patience.any()) break;
    }
  }
  return 0;
}

Result<AnswerToKey> AskOne(Backend& backend, const CaseKey& key, uint64_t seed) {
  const auto made = MakeCase(key, seed);
  if (!made) return made.error();
  auto expected = AnswerCase(*made);
  if (!expected) return expected.error();
  auto result = RunModel(backend, *made);
  if (!result) return result.error();
  AnswerToKey answer{*std::move(expected), *std::move(result)};
  if (std::holds_alternative<Refused>(answer.result)) {
    auto open = CellJudge::RefusalOf(*made);
    if (!open) return open.error();
    answer.refusal_is_open = open->has_value();
  }
  return answer;
}

// Returns the list of a cell, and what else level standard asks: what a model explains of
// a short list may be a part of what the backend does.
std::vector<CaseKey> KeysToDiagnose(const RunRequest& request,
                                    const SelectedCell& selected, int judged_at,
                                    std::vector<CaseKey> keys) {
  if (request.level != Level::kSmoke) return keys;
  for (CaseKey& key :
       CasesOf(selected.cell, selected.versions, Level::kStandard, judged_at)) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

// Returns nothing if `stop` became true on the way: half a cell has no verdict.
Result<std::optional<CellRecord>> RunCell(Backend& backend, const RunRequest& request,
                                          const SelectedCell& selected,
                                          FreshTime& fresh_time,
                                          const std::atomic<bool>& stop) {
  const Stopwatch watch;
  auto asked = AskList(backend, request, selected, 0, stop);
  if (!asked) return asked.error();
  if (!asked->has_value()) return std::optional<CellRecord>();
  const auto judged_at = NewestAnswered(backend, request, selected, **asked);
  if (!judged_at) return judged_at.error();
  if (*judged_at != 0) {
    asked = AskList(backend, request, selected, *judged_at, stop);
    if (!asked) return asked.error();
  }
  if (stop || !asked->has_value()) return std::optional<CellRecord>();
  AskedList& list = **asked;
  CellJudge& judge = list.judge;
  std::optional<CasesOfOtherSeeds> further;
  AskFurther ask;
  if (const auto answered = judge.ToRepeat(); !answered.empty() && !list.patience.any()) {
    const Status again = AskAgain(backend, request, answered, judge);
    if (!again) return again.error();
    const Status prepared = AskPreparedOnce(backend, judge);
    if (!prepared) return prepared.error();
    if (stop) return std::optional<CellRecord>();
    // A graph may be another program where its parameters are constants: a model is
    // tested in a form that shows it.
    const auto deviating = IsGraphFamily(selected.cell.op_type)
                               ? judge.FirstDeviating()
                               : std::shared_ptr<const OpCase>();
    const CaseKey& like = deviating ? deviating->key : answered.front()->key;
    further.emplace(backend, KeysToDiagnose(request, selected, *judged_at, list.keys),
                    like, request.seed);
    ask.cases = &*further;
    ask.key = [&](const CaseKey& key) { return AskOne(backend, key, request.seed); };
    ask.rerun = RerunLine(selected.cell, request.level, request.replay);
    ask.alone = [&](const OpCase& op_case) -> Result<std::optional<RunResult>> {
      if (!fresh_time.any()) return std::optional<RunResult>();
      const Stopwatch of_case;
      auto result = RunModelAlone(backend, op_case);
      fresh_time.Add(of_case.milliseconds());
      return result;
    };
  }
  if (request.explain != nullptr) {
    request.explain->AddAsked(watch.seconds());
    judge.SetExplainBudget(request.explain);
  }
  const ExplainLimit until_stop(std::numeric_limits<double>::infinity(), &stop);
  auto record = judge.Finish(ask);
  // A diagnosis is tested on further cases, so it may be wrong if it was stopped on the
  // way.
  if (stop) return std::optional<CellRecord>();
  if (!record) return record.error();
  record->time_ms = watch.milliseconds();
  return std::optional<CellRecord>(*std::move(record));
}

// Cases that are asked several times, with their answers.
class CasesById {
 public:
  explicit CasesById(uint64_t seed) : seed_(seed) {}

  // Returns whether the backend answers each case, and by some reading right.
  Result<bool> AreRight(Backend& backend, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      const auto known = Find(id);
      if (!known) return known.error();
      auto asked = RunModel(backend, *(*known)->op_case);
      if (!asked) return asked.error();
      const RunResult result =
          Settled(*(*known)->content->canonical(), *std::move(asked));
      const auto* outputs = std::get_if<Outputs>(&result);
      if (outputs == nullptr) return false;
      const auto standing = StandingOf((*known)->content, *outputs);
      if (!standing) return standing.error();
      if (!standing->allowed()) return false;
    }
    return true;
  }

 private:
  struct Known {
    std::unique_ptr<OpCase> op_case;  // the answers point to it
    std::shared_ptr<ContentAnswers> content;
  };

  Result<const Known*> Find(const std::string& id) {
    const auto found = known_.find(id);
    if (found != known_.end()) return &found->second;
    const auto key = ParseCaseId(id);
    if (!key) return key.error();
    auto made = MakeCase(*key, seed_);
    if (!made) return made.error();
    auto op_case = std::make_unique<OpCase>(*std::move(made));
    auto content = ContentAnswers::Create(op_case->model, ViewsOf(op_case->inputs));
    if (!content) return content.error();
    return &known_.emplace(id, Known{std::move(op_case), *std::move(content)})
                .first->second;
  }

  const uint64_t seed_;
  std::map<std::string, Known> known_;
};

// Asks a cell at each setting. Returns nothing if `stop` became true on the way.
Result<std::optional<CellRecord>> RunVaried(const RunRequest& request,
                                            const std::vector<RunRequest>& at_settings,
                                            const SelectedCell& selected,
                                            FreshTime& fresh_time,
                                            const std::atomic<bool>& stop) {
  std::vector<CellRecord> records;
  std::vector<VariedRecord> varied;
  for (size_t i = 0; i < request.variations.size(); ++i) {
    auto record = RunCell(*request.variations[i].backend, at_settings[i], selected,
                          fresh_time, stop);
    if (!record) return record.error();
    if (!*record) return std::optional<CellRecord>();
    VariedRecord& at = varied.emplace_back();
    at.setting = request.variations[i].setting;
    at.verdict = (*record)->verdict;
    at.reading = (*record)->reading;
    at.diagnosis = (*record)->diagnosis;
    if (!(*record)->counterexamples.empty()) {
      at.example = (*record)->counterexamples.front();
    }
    records.push_back(**std::move(record));
  }
  CasesById cases(request.seed);
  for (size_t i = 0; i < request.variations.size(); ++i) {
    if (request.variations[i].optimizers == nullptr) continue;
    // The backend with another number of threads still has its optimizers.
    RunRequest alone = at_settings[i];
    alone.other_threads = nullptr;
    const CellQuestions ask{[&](Backend& backend) {
                              return RunCell(backend, alone, selected, fresh_time, stop);
                            },
                            [&](Backend& backend, const std::vector<std::string>& ids) {
                              return cases.AreRight(backend, ids);
                            }};
    const Status searched =
        FindOptimizers(varied, request.variations[i], ask, records[i], varied[i]);
    if (!searched) return searched.error();
    if (stop) return std::optional<CellRecord>();
  }
  return std::optional(Combine(std::move(records), std::move(varied)));
}

// What is asked at each setting, without cells.
std::vector<RunRequest> AtSettings(const RunRequest& request) {
  std::vector<RunRequest> requests;
  for (const Variation& variation : request.variations) {
    RunRequest& at = requests.emplace_back();
    at.level = request.level;
    at.seed = request.seed;
    at.replay = variation.replay;
    at.other_threads = variation.other_threads;
    at.explain = request.explain;
  }
  return requests;
}

// Whether cases hung and none was answered or declined.
bool OnlyHung(const CellRecord& record) {
  return record.verdict == Verdict::kTimedOut && record.declined == 0 &&
         record.elements() == 0;
}

CellRecord NotAsked(const Cell& cell) {
  return RecordWithoutAnswers(
      cell, Verdict::kUntested,
      "not asked: in " + std::to_string(kMostHungCells) +
          " cells in a row before it, whatever was asked gave no answer in time");
}

}  // namespace

bool RunCells(Backend& backend, const RunRequest& request,
              const std::function<void(CellRecord)>& done,
              const std::atomic<bool>& stop) {
  FreshTime fresh_time;
  std::mutex mutex;  // guards done and hung
  int hung = 0;      // cells in a row
  const auto is_over = [&] {
    const std::lock_guard lock(mutex);
    return hung >= kMostHungCells;
  };
  const std::vector<RunRequest> at_settings = AtSettings(request);
  const auto run_one = [&](size_t index) -> Result<bool> {
    const SelectedCell& cell = request.cells[index];
    const bool over = is_over();
    std::optional<CellRecord> record;
    if (over) {
      record = NotAsked(cell.cell);
    } else if (auto run = request.variations.empty()
                              ? RunCell(backend, request, cell, fresh_time, stop)
                              : RunVaried(request, at_settings, cell, fresh_time, stop)) {
      record = *std::move(run);
    } else {
      record = RecordWithoutAnswers(cell.cell, Verdict::kError, run.error().message);
    }
    if (!record) return false;
    const std::lock_guard lock(mutex);
    if (!over) hung = OnlyHung(*record) ? hung + 1 : 0;
    done(*std::move(record));
    return true;
  };
  // No cell returns an Error, because errors of the harness become verdicts.
  return *ForEachInParallel(request.cells.size(), backend.concurrent() ? request.jobs : 1,
                            stop, run_one);
}

CellRecord RecordWithoutAnswers(const Cell& cell, Verdict verdict,
                                const std::string& reason) {
  CellRecord record;
  record.cell = CellId(cell);
  record.op_type = cell.op_type;
  record.since_version = cell.since_version;
  record.types = cell.types;
  record.granularity = cell.granularity;
  record.verdict = verdict;
  record.reason = reason;
  return record;
}

}  // namespace qconform
