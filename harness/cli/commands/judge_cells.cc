#include "harness/cli/commands/judge_cells.h"

#include <limits>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "harness/cli/interrupt.h"
#include "harness/cli/machine.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "oracle/base/shortage.h"

namespace qconform {
namespace {

// Says soon that a backend crashes everywhere, because such a run takes long and its
// report has nothing else.
class CrashesEverywhere {
 public:
  explicit CrashesEverywhere(std::string noun) : noun_(std::move(noun)) {}

  void Add(const CellRecord& record) {
    if (is_over_) return;
    is_over_ = record.verdict != Verdict::kCrashed;
    if (is_over_ || ++crashed_ < kCrashedBeforeTold) return;
    is_over_ = true;
    const std::string shown = record.counterexamples.empty()
                                  ? ""
                                  : "; to see one: " + record.counterexamples[0].replay;
    PrintNote(
        "\nthe backend crashed in each of the first %d %s: %s%s\n"
        "the run goes on; --fail-fast stops at the first that deviates\n",
        crashed_, noun_.c_str(), record.reason.c_str(), shown.c_str());
  }

 private:
  std::string noun_;
  int crashed_ = 0;
  bool is_over_ = false;
};

}  // namespace

void AddExplainBudgetFlags(Command& command, ExplainBudgetFlags& flags,
                           const std::string& noun, const std::string& more) {
  const Flag explain =
      command
          .Add("--explain", flags.seconds,
               "How many seconds the explanations of deviating " + noun +
                   " may take together; default: 20 % of the run, and at least 20 s; "
                   "with --known as long as they take. No verdict depends on it" +
                   more)
          .Between(0.0, 1e9)
          .Type("SECONDS");
  command
      .AddSwitch("--no-explain", flags.none,
                 "Explain none of the deviating " + noun + ", only judge")
      .Excludes(explain);
}

std::optional<double> ExplainSeconds(const ExplainBudgetFlags& flags, bool has_known) {
  if (flags.none) return 0;
  if (flags.seconds >= 0) return flags.seconds;
  if (has_known) return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

ExitCode JudgeUnderKnown(const KnownDifferences& known, const std::string& file,
                         const Report& report, std::span<const std::string> ids,
                         bool allow_unsupported) {
  const KnownOutcome outcome =
      ApplyKnownDifferences(known, report, TimeNow().substr(0, 10), ids);
  PrintLines(KnownText(outcome, report, file));
  return ExitCodeFor(report, outcome, allow_unsupported);
}

// What the rows of an earlier part of the run cost counts for the budget of the whole.
void AddCosts(const std::vector<CellRecord>& records, ExplainBudget& budget) {
  for (const CellRecord& record : records) {
    budget.AddAsked((record.time_ms - record.explain_ms) / 1000);
    if (record.deviation) budget.AddExplained(record.explain_ms / 1000);
  }
}

int JobsWithinLimitsOf(const Backend& backend, int jobs, const std::string& noun) {
  if (!backend.concurrent()) return jobs;
  const int within = JobsWithinLimits(jobs);
  if (within < jobs) {
    PrintNote(
        "note: judges %d %s at a time, not --jobs %d: more need more open "
        "files than 'ulimit -n' allows\n",
        within, noun.c_str(), jobs);
  }
  return within;
}

std::function<void(const std::string& why)> NoteOfFewer(const std::string& noun) {
  return [noun](const std::string& why) {
    PrintNote("\nnote: judges fewer %s at a time from here: %s\n", noun.c_str(),
              why.c_str());
  };
}

JudgedCells JudgeRows(const RowsToJudge& rows, std::vector<CellRecord> found,
                      JournalWriter& journal) {
  JudgedCells judged;
  Progress progress(rows.noun, rows.total, !rows.no_progress);
  judged.records = std::move(found);
  judged.records.reserve(static_cast<size_t>(rows.total));
  CrashesEverywhere crashes(rows.noun);
  for (const CellRecord& record : judged.records) crashes.Add(record);
  int64_t deviating = 0;
  const auto keep = [&](CellRecord record) {
    if (!rows.fail_fast) crashes.Add(record);
    const Status written = journal.Append(record);
    // From here on nothing throws: the record is kept.
    if (!written && !judged.fault) {
      // Stops and reports what was found: a full disk must not cost that.
      judged.fault = written.error();
      g_interrupted = true;
    }
    deviating += IsDeviation(record.verdict) ? 1 : 0;
    if (rows.fail_fast && IsDeviation(record.verdict) && !g_interrupted.exchange(true)) {
      judged.stopped = true;
    }
    judged.records.push_back(std::move(record));
    try {
      progress.Update(static_cast<int64_t>(judged.records.size()), deviating);
    } catch (const std::bad_alloc&) {
    }
  };
  bool all = false;
  try {
    all = rows.run(keep);
  } catch (...) {
    const auto shortage = CaughtShortage();
    if (!shortage) throw;
    judged.is_shortage = !judged.fault;
    if (!judged.fault) judged.fault = Error{*shortage};
  }
  judged.finished = all && !judged.stopped;
  return judged;
}

JudgedCells JudgeCells(const JudgedBackend& backend, RunRequest request,
                       std::vector<CellRecord> found, JournalWriter& journal,
                       bool no_progress, bool fail_fast) {
  RowsToJudge rows{.noun = "cells",
                   .total = static_cast<int64_t>(request.cells.size()),
                   .no_progress = no_progress,
                   .fail_fast = fail_fast,
                   .run = {}};
  request.cells = NotIn(found, request.cells);
  request.other_threads = backend.other_threads.get();
  request.jobs = JobsWithinLimitsOf(*backend.backend, request.jobs, rows.noun);
  request.fewer = NoteOfFewer(rows.noun);
  rows.run = [&](const std::function<void(CellRecord)>& keep) {
    return RunCells(*backend.backend, request, keep, g_interrupted);
  };
  return JudgeRows(rows, std::move(found), journal);
}

std::vector<SelectedCell> NotIn(const std::vector<CellRecord>& records,
                                const std::vector<SelectedCell>& cells) {
  std::set<std::string> done;
  for (const CellRecord& record : records) done.insert(record.cell);
  std::vector<SelectedCell> left;
  for (const SelectedCell& selected : cells) {
    if (!done.contains(CellId(selected.cell))) left.push_back(selected);
  }
  return left;
}

}  // namespace qconform
