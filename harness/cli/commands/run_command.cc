#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "cases/core/case.h"
#include "harness/cli/commands/cell_flags.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/judge_cells.h"
#include "harness/cli/commands/screen.h"
#include "harness/cli/commands/summary_screen.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/machine.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/budget.h"
#include "harness/cli/progress/progress.h"
#include "harness/cli/shard/shard.h"
#include "harness/cli/vary/vary.h"
#include "harness/cli/version.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/suites/negative_runner.h"
#include "harness/runner/suites/node_test_runner.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/shortage.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"
#include "reports/diff/known_differences.h"
#include "reports/record/evidence.h"
#include "reports/report/journal.h"
#include "reports/report/report.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

struct RunFlags {
  BackendFlags backend;
  std::vector<std::string> vary;  // KEY=VALUE,VALUE,...
  std::string name;  // of the backend in the report; empty: as --backend names it
  CellFlags cells;
  std::vector<std::string> node_tests;
  Level level = Level::kStandard;
  uint64_t seed = 1;
  int jobs = 1;
  std::string report = "qconform-report.json";
  bool allow_unsupported = false;
  bool no_cells = false;
  // Unset: where all cells are selected.
  std::optional<bool> negative;
  bool no_progress = false;
  bool json = false;
  bool resume = false;
  std::string shard;
  std::string known;
  bool update_known = false;
  bool exit_zero = false;
  SummaryFlags summary;
  bool fail_fast = false;
  ExplainBudgetFlags explain;
  double budget_minutes = 0;  // 0: not limited
};

// Checks the output files before the run, so that no work is lost.
Status CheckOutputs(const RunFlags& flags, const std::string& journal, bool shard) {
  if (flags.update_known && flags.known.empty()) {
    return Expected("--update-known", "--known FILE too, the file to rewrite",
                    "no --known");
  }
  if (flags.update_known && (flags.cells.Given() || flags.no_cells || shard)) {
    return Expected("--update-known",
                    "a run of all cells, from which it rewrites the file",
                    "--profile, --operator, --cells, --no-cells or a shard");
  }
  return CheckPaths({{"--known", flags.known, flags.update_known},
                     {"--report", flags.report},
                     {"the journal of --report", journal}});
}

// Judges the report under its known differences, or rewrites their file.
ExitCode FinishKnown(const RunFlags& flags, const KnownDifferences& known,
                     const Report& report) {
  if (flags.update_known) {
    const auto updated = UpdateKnownDifferences(known, report, TimeNow().substr(0, 10));
    if (!updated) return Fail(updated.error());
    const Status written =
        WriteFileAtomically(flags.known, KnownDifferencesText(*updated));
    if (!written) return Fail(written.error());
    Print("known differences rewritten: %s\n", flags.known.c_str());
    return ExitCode::kPass;
  }
  return JudgeUnderKnown(known, flags.known, report, LatticeIds(),
                         flags.allow_unsupported);
}

// What a run does, checked before it begins.
struct RunPlan {
  ChosenCells selection;            // of all shards
  std::vector<SelectedCell> cells;  // of the shard
  std::optional<Shard> shard;
  std::vector<FoundNodeTest> node_tests;
  int64_t skipped_node_tests = 0;           // folders of other operators
  std::vector<std::string> skipped_graphs;  // of these, those with a judged operator
  KnownDifferences known;
  std::string journal_path;

  // The first shard runs all node tests and negative models.
  bool is_first_shard() const { return !shard || shard->index == 0; }
};

// Returns the negative models of a run that have no record in `found`: those of the
// operators whose cells are selected, or of all operators if there is no selection.
std::vector<NegativeModel> ChooseNegative(const RunFlags& flags, const RunPlan& plan,
                                          const std::vector<NegativeRecord>& found) {
  if (!plan.is_first_shard() ||
      !flags.negative.value_or(!flags.no_cells && !flags.cells.Narrowed())) {
    return {};
  }
  std::set<std::string> done;
  for (const NegativeRecord& record : found) done.insert(record.id);
  std::set<std::string> operators;
  for (const SelectedCell& selected : plan.selection.cells) {
    operators.insert(selected.cell.op_type);
  }
  std::vector<NegativeModel> models = JudgedNegativeModels();
  std::erase_if(models, [&](const NegativeModel& model) {
    const std::string& op_type = model.question.model.node.op_type;
    return done.contains(model.id) || (!flags.no_cells && !operators.contains(op_type));
  });
  return models;
}

Result<RunPlan> PlanRun(const RunFlags& flags) {
  RunPlan plan;
  if (flags.fail_fast && !flags.known.empty()) {
    return Expected("--fail-fast", "either --known or --fail-fast", "both");
  }
  if (IsStandardStream(flags.report) && flags.resume) {
    return Expected("--resume", "--report FILE, beside which the journal lies",
                    "a report to stdout");
  }
  if (flags.no_cells && flags.cells.Given()) {
    return Expected("--no-cells",
                    !flags.cells.cells.empty()       ? "either --cells or --no-cells"
                    : !flags.cells.operators.empty() ? "either --operator or --no-cells"
                                                     : "either --profile or --no-cells",
                    "both");
  }
  if (!flags.no_cells) {
    auto chosen = ChooseCells(flags.cells);
    if (!chosen) return chosen.error();
    plan.selection = *std::move(chosen);
    plan.cells = plan.selection.cells;
  }
  if (plan.cells.empty() && flags.node_tests.empty() && !flags.negative.value_or(false)) {
    return Expected("--no-cells", "--node-tests DIR or --negative too",
                    "neither, which leaves nothing to run");
  }
  auto shard = ChooseShard(flags.shard, [](const char* name) { return getenv(name); });
  if (!shard) return shard.error();
  plan.shard = *shard;
  if (plan.shard) {
    plan.cells =
        CellsOfShard(std::move(plan.cells), plan.shard->index, plan.shard->count);
  }
  auto node_tests = FindNodeTests(plan.is_first_shard() ? flags.node_tests
                                                        : std::vector<std::string>());
  if (!node_tests) return node_tests.error();
  plan.node_tests = std::move(node_tests->tests);
  plan.skipped_node_tests = node_tests->skipped;
  plan.skipped_graphs = std::move(node_tests->skipped_graphs);
  if (!flags.known.empty()) {
    auto known = ReadKnownDifferences(flags.known);
    if (!known) return known.error();
    plan.known = *std::move(known);
  }
  plan.journal_path = JournalBeside(flags.report);
  const Status writable = CheckOutputs(flags, plan.journal_path, plan.shard.has_value());
  if (!writable) return writable.error();
  if (plan.shard) {
    if (const Status told = TouchStatusFile(*plan.shard); !told) return told.error();
  }
  return plan;
}

RunInfo InfoOf(const RunFlags& flags, const RunPlan& plan, const BackendInfo& backend,
               const std::vector<std::string>& command_line) {
  RunInfo info = DescribeRun(backend, plan.selection.patterns, flags.level, flags.seed,
                             flags.jobs, command_line);
  if (!flags.name.empty()) info.backend.name = flags.name;
  plan.selection.Describe(info.selection);
  DescribeVaried(flags.vary, info.backend);
  if (plan.shard) {
    info.selection.shard = ShardRecord{plan.shard->index, plan.shard->count,
                                       static_cast<int64_t>(plan.cells.size())};
  }
  return info;
}

// What was judged so far.
struct Work {
  std::vector<CellRecord> cells;
  std::vector<NodeTestRecord> node_tests;
  std::vector<NegativeRecord> negative;
  bool finished = true;        // false: interrupted or stopped
  bool stopped = false;        // at the first deviating cell
  std::optional<Error> fault;  // of the journal or of the harness, not of the backend
  bool is_shortage = false;    // JudgedCells::is_shortage
};

// Appends the judgement of each question to `records`, until the run is interrupted.
template <typename Question, typename Record, typename Judge>
void JudgeEach(const std::vector<Question>& questions, const Judge& judge,
               std::vector<Record>& records, JournalWriter& journal, Work& work) {
  for (const Question& question : questions) {
    if (g_interrupted || work.fault) {
      work.finished = false;
      return;
    }
    Record record;
    try {
      record = judge(question);
    } catch (...) {
      const auto shortage = CaughtShortage();
      if (!shortage) throw;
      work.fault = Error{*shortage};
      work.is_shortage = true;
      work.finished = false;
      return;
    }
    // An interrupt stops the child too: this record is not the backend's answer.
    if (g_interrupted) {
      work.finished = false;
      return;
    }
    records.push_back(std::move(record));
    const Status written = journal.Append(records.back());
    if (!written && !work.fault) work.fault = written.error();
  }
}

// Drops all invalid and unusual models if cells were left out because the backend hung:
// each model would cost the time limit.
std::vector<NegativeModel> UnlessHung(const std::vector<CellRecord>& cells,
                                      std::vector<NegativeModel> models) {
  const bool left = std::any_of(cells.begin(), cells.end(), [](const CellRecord& cell) {
    return cell.verdict == Verdict::kUntested;
  });
  if (left && !models.empty()) {
    Print("%zu invalid and unusual models are skipped: the backend hung in cells\n",
          models.size());
    models.clear();
  }
  return models;
}

// Judges everything that `found` does not have yet. Node tests and negative models ask
// the backend at the last setting.
Result<Work> DoWork(const RunFlags& flags, const RunPlan& plan,
                    const VariedBackend& varied, Journal found, JournalWriter& journal) {
  const JudgedBackend& backend = varied.backends.back();
  RunRequest request{plan.cells, flags.level, flags.seed, flags.jobs,
                     varied.variations.back().replay};
  if (!flags.vary.empty()) request.variations = varied.variations;
  ExplainBudget budget(ExplainSeconds(flags.explain, !flags.known.empty()));
  AddCosts(found.cells, budget);
  request.explain = &budget;
  JudgedCells judged{.records = std::move(found.cells), .fault = {}};
  if (flags.budget_minutes > 0) {
    judged = JudgeWithinBudget(backend, request, std::move(judged.records), journal,
                               60 * flags.budget_minutes, flags.fail_fast);
  }
  if (judged.finished && !judged.fault) {
    judged = JudgeCells(backend, std::move(request), std::move(judged.records), journal,
                        flags.no_progress || flags.summary.quiet, flags.fail_fast);
  }
  Work work{std::move(judged.records),
            std::move(found.node_tests),
            std::move(found.negative),
            judged.finished,
            judged.stopped,
            std::move(judged.fault),
            judged.is_shortage};
  std::set<std::string> run_before;
  for (const NodeTestRecord& record : work.node_tests) {
    run_before.insert(record.release + "/" + record.name);
  }
  std::vector<FoundNodeTest> node_tests = plan.node_tests;
  std::erase_if(node_tests, [&](const FoundNodeTest& test) {
    return run_before.contains(test.release + "/" + test.name);
  });
  JudgeEach(
      node_tests,
      [&](const FoundNodeTest& test) { return RunNodeTest(*backend.backend, test); },
      work.node_tests, journal, work);
  JudgeEach(
      UnlessHung(work.cells, ChooseNegative(flags, plan, work.negative)),
      [&](const NegativeModel& model) {
        return RunNegativeModel(*backend.backend, model);
      },
      work.negative, journal, work);
  return work;
}

// Returns the error of a report that could not be written, perhaps after another `fault`.
Error NotWritten(const Error& why, const RunFlags& flags, const RunPlan& plan,
                 bool finished, const std::optional<Error>& fault) {
  if (plan.journal_path == "/dev/null") return why;
  return {(fault ? fault->message + "; " : "") + why.message +
          "; the finished work is kept in " + plan.journal_path + ": make room and " +
          (finished && !fault ? "run 'qconform report " + plan.journal_path + " --json " +
                                    flags.report + "' to make the report from it"
                              : "run again with the same arguments and --resume")};
}

// Returns the line that resumes a run, to be copied: its words, and --resume.
std::string ResumeLine(const std::vector<std::string>& command_line) {
  std::string line = Joined(command_line, " ", ShellWord);
  if (std::ranges::find(command_line, "--resume") == command_line.end()) {
    line += " --resume";
  }
  return line;
}

// Says why graphs are not read although one of their operators is judged.
void PrintSkippedGraphs(const std::vector<std::string>& graphs) {
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < std::min(graphs.size(), kMost); ++i) {
    Print("skipped: %s\n", graphs[i].c_str());
  }
  if (graphs.size() > kMost) {
    Print("skipped: %zu graphs more\n", graphs.size() - kMost);
  }
}

ExitCode Run(RunFlags flags, const std::vector<std::string>& command_line) {
  if (flags.summary.quiet) {
    if (const Status silent = PrintNowhere(); !silent) return Fail(silent.error());
  }
  const auto plan = PlanRun(flags);
  if (!plan) return Fail(plan.error());
  if (flags.vary.empty()) {
    flags.vary = DefaultAxes(flags.backend, HasGraphs(plan->cells));
  }
  const auto varied =
      MakeVariedBackend(flags.backend, flags.vary, flags.seed, &g_interrupted);
  if (!varied) return Fail(varied.error());
  Backend& backend = *varied->backends.back().backend;

  const Stopwatch watch;
  RunInfo info = InfoOf(flags, *plan, backend.info(), command_line);
  const Status digested = AddCodeDigest(backend, &info);
  Journal found;
  auto journal = flags.resume ? JournalWriter::Resume(plan->journal_path, info, &found)
                              : JournalWriter::Create(plan->journal_path, info);
  if (!journal) return Fail(journal.error());

  Print("%s\n%s\n", VersionText().c_str(),
        RunText(info, static_cast<int64_t>(plan->cells.size())).c_str());
  if (!digested) {  // a run can do without the digest
    Print("note: the report has no digest of the backend's code: %s\n",
          digested.error().message.c_str());
  }
  if (!plan->node_tests.empty()) {
    Print("%s, %s of other operators skipped\n",
          Plural(static_cast<int64_t>(plan->node_tests.size()), "node test").c_str(),
          Plural(plan->skipped_node_tests, "folder").c_str());
    PrintSkippedGraphs(plan->skipped_graphs);
  }
  PrintKept(journal->kept());
  std::fflush(stdout);

  CatchInterrupts();
  auto work = DoWork(flags, *plan, *varied, std::move(found), *journal);
  if (!work) return Fail(work.error());
  const double seconds = watch.seconds();
  if (!work->finished) {
    for (const SelectedCell& selected : NotIn(work->cells, plan->cells)) {
      work->cells.push_back(RecordWithoutAnswers(
          selected.cell, Verdict::kUntested,
          work->stopped ? "the run stopped at the first deviating cell, before this one"
                        : "the run was interrupted before this cell"));
    }
  } else if (!work->fault) {
    const Status ended = journal->Finish(seconds);
    if (!ended) work->fault = ended.error();
  }
  RunInfo told = info;
  told.duration_s = seconds;
  const auto report =
      BuildReport(std::move(told), std::move(work->cells), std::move(work->node_tests),
                  work->finished && !work->fault, std::move(work->negative));
  if (!report) return Fail(report.error());
  const Status written = WriteReport(flags.report, *report);
  const std::string& path = written ? flags.report : "/dev/stdout";
  PrintSummary(*report, flags.summary, path);
  if (!written) {
    std::fflush(stdout);
    return Fail(NotWritten(written.error(), flags, *plan, work->finished, work->fault));
  }
  if (work->fault) {
    if (work->is_shortage && plan->journal_path != "/dev/null") {
      return Fail({work->fault->message + "; the finished work is kept in " +
                   plan->journal_path + ", to continue: " + ResumeLine(command_line)});
    }
    return Fail(*work->fault);
  }
  const bool interrupted = g_interrupted && !work->stopped;
  if (interrupted || work->stopped) {
    Print("%s\n", interrupted ? "Interrupted: the report holds what was done."
                              : "Stopped at the first deviating cell.");
    if (plan->journal_path != "/dev/null") {
      Print("To continue: %s\n", ResumeLine(command_line).c_str());
    }
  }
  const ExitCode code = interrupted ? ExitCode::kInterrupted
                        : flags.known.empty()
                            ? ExitCodeFor(*report, flags.allow_unsupported)
                            : FinishKnown(flags, plan->known, *report);
  if (const Status put = PrintVerdict(*report, flags.summary, path, code); !put) {
    return Fail(put.error());
  }
  if (interrupted) return code;
  // --exit-zero forgives verdicts, but not an unwritten file of known differences.
  const bool forgiven = flags.exit_zero && code != ExitCode::kBadInput;
  return forgiven ? ExitCode::kPass : code;
}

}  // namespace

void AddRunCommand(Command& program, const std::vector<std::string>& command_line) {
  Command run =
      program.AddCommand("run",
                         "Judge a backend in every selected cell and write a report.\n"
                         "A cell is one combination of operator, since_version, data "
                         "types and granularity.\n"
                         "Its cases are the same on every machine for the same seed.");
  const auto flags = std::make_shared<RunFlags>();
  run.Example("qconform run --backend onnxruntime", "Judge ONNX Runtime in all cells");
  run.Example("qconform run --backend plugin:./mykernel.so --level smoke -v",
              "Judge a shared library in less than 15 s, with all details");
  run.Example("qconform run --cells '*/21/*-INT4/*' -o r.json",
              "Only since_version 21 with INT4 output");
  run.Example("qconform run --json | jq .results.totals.cells",
              "Hand the report to another program");
  AddBackendFlags(run, flags->backend);
  run.Group("Backend");
  AddVaryFlag(run, flags->vary,
              "Judge each cell at each of these values of a backend option; the worst "
              "verdict counts");
  run.Group("What is judged");
  AddProfileFlag(run, flags->cells,
                 "Only the cells of this profile: one of 'qconform list profiles', or a "
                 "FILE");
  AddCellFlags(run, flags->cells);
  run.AddSwitch("--no-cells", flags->no_cells, "Run only node tests and negative models");
  run.AddSwitch(
      "--negative,!--no-negative", flags->negative,
      "Also run models that are invalid, or legal but unusual, of the operators "
      "that are asked; default: only if all cells are selected");
  run.Add("--node-tests", flags->node_tests,
          "Also run ONNX's node tests in DIR/test_*/ (repeatable)")
      .Directory();
  AddLevelFlag(run, flags->level);
  run.Add("--seed", flags->seed, "Seed of the random cases").ShowDefault();
  run.Add("--shard", flags->shard,
          "Run part I of N equal parts of the cells, I from 0; default: from the "
          "environment of Bazel, GoogleTest or a Slurm array")
      .Type("I/N");
  run.Group("How it runs");
  AddJobsFlag(run, flags->jobs, "Cells judged at the same time");
  run.AddSwitch("--resume", flags->resume,
                "Continue an interrupted run from its journal");
  run.AddSwitch("--fail-fast", flags->fail_fast,
                "Stop at the first deviating cell; --resume continues after it");
  run.Add("--budget", flags->budget_minutes,
          "Judge a few cells first, and end with 2 if all would take longer than this; "
          "the few are kept in the journal")
      .Between(0.01, 1e6)
      .Type("MINUTES");
  AddExplainBudgetFlags(run, flags->explain, "cells",
                        "; the report says which cells are not explained, and the "
                        "command that explains one");
  run.Group("Output");
  run.Add("--name", flags->name,
          "A short name of the backend for reports; default: the text of --backend")
      .Type("NAME");
  Flag report = run.Add(
      "-o,--report", flags->report,
      "Write the report to FILE, and the run's journal to FILE.journal; -: to stdout, "
      "and what is printed to stderr");
  report.Writes().ShowDefault();
  run.AddSwitch("--json", flags->json,
                "The same as --report -: the whole report on stdout, as JSON whose "
                "schema 'qconform list schema report' prints")
      .Excludes(report);
  AddSummaryFlags(run, flags->summary);
  run.AddSwitch("--no-progress", flags->no_progress, "Show no progress on stderr");
  run.Group("Verdict");
  run.Add("--known", flags->known,
          "Known differences: deviations that are accepted for a stated reason")
      .Reads();
  run.AddSwitch("--update-known", flags->update_known,
                "Rewrite the --known file to match this run");
  run.AddSwitch(
      "--allow-unsupported", flags->allow_unsupported,
      "Exit with 0 even if something is unsupported or partial; not if a legal model "
      "is refused as invalid");
  run.AddSwitch("--exit-zero", flags->exit_zero, "Exit with 0 whatever the verdicts are");
  run.Does([flags, command_line] {
    if (flags->json) {
      flags->report = "/dev/stdout";
      if (const Status moved = PrintToStderr(); !moved) return Fail(moved.error());
    }
    return Run(*flags, command_line);
  });
}

}  // namespace qconform
