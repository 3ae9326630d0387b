#include "harness/runner/runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/compare/cell_answers.h"
#include "harness/compare/compare.h"
#include "harness/compare/standing.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/row_run.h"
#include "oracle/base/stopwatch.h"

namespace qconform {
namespace {

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
    // Cases of equal content share one answer.
    if (cases.content_is_new()) expected = nullptr;
    const auto added = AskCase(backend, std::make_shared<const OpCase>(*std::move(made)),
                               stop, expected, list.judge, list.patience);
    if (!added) return added.error();
    if (!*added) return std::optional<AskedList>();
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
  const auto prepare = [&](const CaseKey& answered, AskFurther& ask) {
    // A graph may be another program where its parameters are constants: a model is
    // tested in a form that shows it.
    const auto deviating = IsGraphFamily(selected.cell.op_type)
                               ? judge.FirstDeviating()
                               : std::shared_ptr<const OpCase>();
    const CaseKey& like = deviating ? deviating->key : answered;
    further.emplace(backend, KeysToDiagnose(request, selected, *judged_at, list.keys),
                    like, request.seed);
    ask.cases = &*further;
    ask.key = [&](const CaseKey& key) { return AskOne(backend, key, request.seed); };
    ask.rerun = RerunLine(selected.cell, request.level, request.replay);
  };
  return FinishRow(backend,
                   {request.other_threads, request.explain, &fresh_time, &stop, &watch},
                   judge, list.patience, prepare);
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

}  // namespace

bool RunCells(Backend& backend, const RunRequest& request,
              const std::function<void(CellRecord)>& done,
              const std::atomic<bool>& stop) {
  FreshTime fresh_time;
  const std::vector<RunRequest> at_settings = AtSettings(request);
  const RowsToRun rows{
      .count = request.cells.size(),
      .noun = "cells",
      .run =
          [&](size_t index) {
            const SelectedCell& cell = request.cells[index];
            return request.variations.empty()
                       ? RunCell(backend, request, cell, fresh_time, stop)
                       : RunVaried(request, at_settings, cell, fresh_time, stop);
          },
      .without_answers =
          [&](size_t index, Verdict verdict, const std::string& reason) {
            return RecordWithoutAnswers(request.cells[index].cell, verdict, reason);
          },
      .fewer = request.fewer};
  return RunRows(rows, backend.concurrent() ? request.jobs : 1, done, stop);
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
