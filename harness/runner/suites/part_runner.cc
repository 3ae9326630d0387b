#include "harness/runner/suites/part_runner.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/runner/judge/cell_judge.h"
#include "harness/runner/row_run.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/runner/suites/part_cases.h"
#include "oracle/base/stopwatch.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// The search for the smallest case of a part may take this many seconds.
constexpr double kMostForSmallest = 20;

// Returns the case that a counterexample is about.
std::shared_ptr<const OpCase> CaseOf(
    const std::vector<std::shared_ptr<const OpCase>>& cases, const CellRecord& record) {
  for (const Counterexample& example : record.counterexamples) {
    for (const auto& op_case : cases) {
      if (CaseId(op_case->key) == example.case_id) return op_case;
    }
  }
  return nullptr;
}

// Judges one part. Returns nothing if `stop` became true on the way.
class PartRun {
 public:
  PartRun(Backend& backend, const PartRequest& request, FreshTime& fresh_time,
          std::mutex& mutex, const std::atomic<bool>& stop)
      : backend_(backend),
        request_(request),
        fresh_time_(fresh_time),
        mutex_(mutex),
        stop_(stop) {}

  Result<std::optional<CellRecord>> Run(const PartQuestion& question) {
    if (!question.load) return RunLoaded(question);
    auto models = question.load();
    if (!models) return models.error();
    PartQuestion loaded = question;
    loaded.models = *std::move(models);
    return RunLoaded(loaded);
  }

 private:
  Result<std::optional<CellRecord>> RunLoaded(const PartQuestion& question) {
    const Stopwatch watch;
    auto made = PartCases::Create(question, request_.seed);
    if (!made) return made.error();
    const auto amounts = AmountsOf(question, request_);
    if (!amounts) return amounts.error();
    ReplayContext context = request_.replay;
    context.part_line = PartLine(
        request_, question.asked_with.empty() ? question.part.name : question.asked_with);
    CellJudge judge(question.cell, context);
    judge.LeaveMistrust();
    judge.LeaveNotToldApart();
    judge.BoundEvidence();
    if (question.models.front().node.is_graph()) judge.LeaveObservations();
    Patience patience;
    int64_t unasked = 0;
    for (const auto& [generator, count] :
         {std::pair(kPartActivations, amounts->activations),
          std::pair(kPartDirected, amounts->directed),
          std::pair(kPartTelling, request_.directed == 0 ? 0 : made->telling()),
          std::pair(kPartRandom, amounts->random)}) {
      for (int i = 0; i < count; ++i) {
        if (patience.ended()) {
          ++unasked;
          continue;
        }
        auto op_case = made->Make(generator, i);
        if (!op_case) return op_case.error();
        if (!*op_case) continue;
        cases_.push_back(std::make_shared<const OpCase>(**std::move(op_case)));
        std::shared_ptr<const CaseAnswer> expected;
        const auto seen = [&](const RunResult& result) {
          if (!request_.answered) return;
          const std::lock_guard lock(mutex_);
          request_.answered(question, *cases_.back(), result);
        };
        const auto asked = AskCase(backend_, cases_.back(), stop_, expected, judge,
                                   patience, made->is_open(), seen);
        if (!asked) return asked.error();
        if (!*asked) return std::optional<CellRecord>();
      }
    }
    if (unasked > 0) judge.AddUnasked(unasked);
    if (cases_.empty()) {
      return Error{"the specification defines no answer to any of its inputs: " +
                   made->why_not()};
    }
    std::optional<FurtherInputs> further;
    const auto prepare = [&](const CaseKey&, AskFurther& ask) {
      further.emplace(backend_, *made);
      ask.cases = &*further;
      ask.rerun = context.part_line + " --jobs 1";
    };
    auto record = FinishRow(
        backend_,
        {request_.other_threads, request_.explain, &fresh_time_, &stop_, &watch}, judge,
        patience, prepare);
    if (!record || !*record) return record;
    (*record)->cell = PartId(question);
    (*record)->part = question.part;
    const Status kept = KeepSmallest(question, **record);
    if (!kept) return kept.error();
    // A part without its smallest case is asked again by a run that continues this one.
    if (stop_) return std::optional<CellRecord>();
    return record;
  }

  Status KeepSmallest(const PartQuestion& question, const CellRecord& record) {
    if (!request_.keep_smallest || !IsDeviation(record.verdict)) return Ok();
    const auto op_case = CaseOf(cases_, record);
    if (op_case == nullptr) return Ok();
    const StoredCase whole{*op_case, "part " + question.part.name + " of " +
                                         request_.file + ", " + op_case->key.generator +
                                         " inputs"};
    const auto validity = ValidityOf(whole);
    if (!validity) return validity.error();
    const StillDeviates deviates =
        DeviatesOn(backend_, validity->kind == ModelValidity::Kind::kOpen);
    const auto still = deviates(whole);
    if (!still) return still.error();
    // What deviates only when it is asked again is kept as it is.
    StoredCase small = whole;
    if (*still) {
      const ExplainLimit limit(kMostForSmallest, &stop_);
      small = Shrink(whole, deviates).stored;
    }
    if (stop_) return Ok();
    const std::lock_guard lock(mutex_);
    request_.keep_smallest(question, small);
    return Ok();
  }

  Backend& backend_;
  const PartRequest& request_;
  FreshTime& fresh_time_;
  std::mutex& mutex_;  // of the functions of the request
  const std::atomic<bool>& stop_;
  std::vector<std::shared_ptr<const OpCase>> cases_;
};

}  // namespace

std::string PartId(const PartQuestion& question) {
  return CellId(question.cell) + "#" + question.part.name;
}

CellRecord PartWithoutAnswers(const PartQuestion& question, Verdict verdict,
                              const std::string& reason) {
  CellRecord record = RecordWithoutAnswers(question.cell, verdict, reason);
  record.cell = PartId(question);
  record.part = question.part;
  return record;
}

std::string PartLine(const PartRequest& request, const std::string& part) {
  const PartRequest defaults;
  std::string line = "qconform model " + ShellWord(request.file) + " --part " +
                     ShellWord(part) + request.more_flags + " " + FlagsOf(request.replay);
  if (request.directed != defaults.directed) {
    line += " --cases " + std::to_string(request.directed);
  }
  return line;
}

bool RunParts(Backend& backend, const PartRequest& request,
              const std::function<void(CellRecord)>& done,
              const std::atomic<bool>& stop) {
  FreshTime fresh_time;
  std::mutex mutex;
  const RowsToRun rows{.count = request.parts.size(),
                       .noun = "parts",
                       .run =
                           [&](size_t index) {
                             return PartRun(backend, request, fresh_time, mutex, stop)
                                 .Run(*request.parts[index]);
                           },
                       .without_answers =
                           [&](size_t index, Verdict verdict, const std::string& reason) {
                             return PartWithoutAnswers(*request.parts[index], verdict,
                                                       reason);
                           },
                       .fewer = request.fewer};
  return RunRows(rows, backend.concurrent() ? request.jobs : 1, done, stop);
}

}  // namespace qconform
