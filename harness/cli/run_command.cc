#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "cases/generators/case.h"
#include "cases/model/serialize.h"
#include "harness/cli/commands.h"
#include "harness/cli/describe_run.h"
#include "harness/cli/explanations.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_cells.h"
#include "harness/cli/machine.h"
#include "harness/cli/paths.h"
#include "harness/cli/progress.h"
#include "harness/cli/shard.h"
#include "harness/cli/version.h"
#include "harness/runner/cell_evidence.h"
#include "harness/runner/negative_runner.h"
#include "harness/runner/node_test_runner.h"
#include "harness/runner/suite.h"
#include "reports/file.h"
#include "reports/journal.h"
#include "reports/known_differences.h"
#include "reports/report.h"
#include "reports/summary.h"

namespace qconform {
namespace {

struct RunFlags {
  BackendFlags backend;
  std::vector<std::string> cells;
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
  bool resume = false;
  std::string shard;
  std::string known;
  bool update_known = false;
  bool exit_zero = false;
};

// Everything that can be found wrong before the work, found before the work.
Status CheckOutputs(const RunFlags& flags, const std::string& journal, bool shard) {
  if (flags.update_known && flags.known.empty()) {
    return Error{"--update-known needs --known FILE, the file to rewrite"};
  }
  if (flags.update_known && (!flags.cells.empty() || flags.no_cells || shard)) {
    return Error{
        "--update-known rewrites the file from what all cells do; a run without --cells, "
        "--no-cells and shards is right"};
  }
  return CheckPaths({{"--known", flags.known, flags.update_known},
                     {"--report", flags.report},
                     {"the journal of --report", journal}});
}

// The negative models of a run that `found` has no record of yet. They are no
// cells: the first shard runs them for all.
std::vector<NegativeModel> ChooseNegative(const RunFlags& flags, bool first_shard,
                                          const std::vector<NegativeRecord>& found) {
  if (!first_shard || !flags.negative.value_or(!flags.no_cells && flags.cells.empty())) {
    return {};
  }
  std::set<std::string> done;
  for (const NegativeRecord& record : found) done.insert(record.id);
  std::vector<NegativeModel> models = JudgedNegativeModels();
  std::erase_if(models,
                [&](const NegativeModel& model) { return done.contains(model.id); });
  return models;
}

// Judges the report under its known differences, or rewrites their file.
int FinishKnown(const RunFlags& flags, const KnownDifferences& known,
                const Report& report) {
  const std::string today = TimeNow().substr(0, 10);
  if (flags.update_known) {
    const auto updated = UpdateKnownDifferences(known, report, today);
    if (!updated) return Fail(updated.error());
    const Status written =
        WriteFileAtomically(flags.known, KnownDifferencesText(*updated));
    if (!written) return Fail(written.error());
    std::printf("known differences rewritten: %s\n", flags.known.c_str());
    return static_cast<int>(ExitCode::kPass);
  }
  const KnownOutcome outcome = ApplyKnownDifferences(known, report, today);
  std::fputs(KnownText(outcome, report, flags.known).c_str(), stdout);
  return static_cast<int>(ExitCodeFor(report, outcome, flags.allow_unsupported));
}

int Run(const RunFlags& flags, const std::vector<std::string>& command_line) {
  const auto judged_backend = MakeJudgedBackend(flags.backend, &g_interrupted);
  if (!judged_backend) return Fail(judged_backend.error());
  Backend& backend = *judged_backend->backend;
  auto cells = flags.no_cells
                   ? Result<std::vector<SelectedCell>>(std::vector<SelectedCell>())
                   : SelectCells(flags.cells);
  if (!cells) return Fail(cells.error());
  if (flags.no_cells && !flags.cells.empty()) {
    return Fail(
        {"--no-cells leaves out the cells that --cells asks for; one of both is "
         "right"});
  }
  if (cells->empty() && flags.node_tests.empty() && !flags.negative.value_or(false)) {
    return Fail(
        {"--no-cells leaves nothing to run; --node-tests DIR or --negative beside "
         "it is right"});
  }
  const int64_t selected_cells = static_cast<int64_t>(cells->size());
  const auto shard =
      ChooseShard(flags.shard, [](const char* name) { return getenv(name); });
  if (!shard) return Fail(shard.error());
  if (*shard) cells = CellsOfShard(*std::move(cells), (*shard)->index, (*shard)->count);
  // Node tests are no cells: the first shard runs them for all.
  const bool first_shard = !*shard || (*shard)->index == 0;
  auto node_tests =
      FindNodeTests(first_shard ? flags.node_tests : std::vector<std::string>());
  if (!node_tests) return Fail(node_tests.error());
  KnownDifferences known;
  if (!flags.known.empty()) {
    auto read = ReadKnownDifferences(flags.known);
    if (!read) return Fail(read.error());
    known = *std::move(read);
  }
  const std::string journal_path = JournalBeside(flags.report);
  const Status writable = CheckOutputs(flags, journal_path, shard->has_value());
  if (!writable) return Fail(writable.error());

  const auto start = std::chrono::steady_clock::now();
  RunInfo info =
      DescribeRun(backend.info(), flags.level, flags.seed, flags.jobs, command_line);
  info.selection.cell_patterns = flags.cells;
  info.selection.cells = selected_cells;
  if (*shard) {
    info.selection.shard = ShardRecord{(*shard)->index, (*shard)->count,
                                       static_cast<int64_t>(cells->size())};
  }
  Journal found;
  auto journal = flags.resume ? JournalWriter::Resume(journal_path, info, &found)
                              : JournalWriter::Create(journal_path, info);
  if (!journal) return Fail(journal.error());

  std::printf("%s\nbackend %s, %zu cells, level %s, seed %llu\n", VersionText().c_str(),
              NameAndDevice(info.backend.name, info.backend.device).c_str(),
              cells->size(), info.suite.level.c_str(),
              static_cast<unsigned long long>(flags.seed));
  PrintKept(journal->kept());
  std::fflush(stdout);

  CatchInterrupts();

  auto judged = JudgeCells(*judged_backend,
                           {*cells, flags.level, flags.seed, flags.jobs,
                            ReplayContextOf(flags.backend, flags.seed)},
                           std::move(found.cells), *journal, flags.no_progress);
  if (!judged) return Fail(judged.error());
  std::vector<CellRecord> records = std::move(judged->records);
  std::optional<Error> fault = std::move(judged->fault);
  bool finished = judged->finished;
  std::vector<NodeTestRecord> node_records;
  std::set<std::string> run_before;
  for (NodeTestRecord& record : found.node_tests) {
    run_before.insert(record.release + "/" + record.name);
    node_records.push_back(std::move(record));
  }
  for (const FoundNodeTest& test : *node_tests) {
    if (run_before.contains(test.release + "/" + test.name)) continue;
    if (g_interrupted) {
      finished = false;
      break;
    }
    NodeTestRecord record = RunNodeTest(backend, test);
    // Its child was stopped with it: that is no answer of the backend.
    if (g_interrupted) {
      finished = false;
      break;
    }
    node_records.push_back(std::move(record));
    const Status written = journal->Append(node_records.back());
    if (!written && !fault) fault = written.error();
  }
  std::vector<NegativeRecord> negative = std::move(found.negative);
  for (const NegativeModel& model : ChooseNegative(flags, first_shard, negative)) {
    if (g_interrupted) {
      finished = false;
      break;
    }
    NegativeRecord record = RunNegativeModel(backend, model);
    if (g_interrupted) {
      finished = false;
      break;
    }
    negative.push_back(std::move(record));
    const Status written = journal->Append(negative.back());
    if (!written && !fault) fault = written.error();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!finished) {
    for (const SelectedCell& selected : NotIn(records, *cells)) {
      records.push_back(UntestedRecord(selected.cell));
    }
  } else if (!fault) {
    const Status ended = journal->Finish(seconds);
    if (!ended) fault = ended.error();
  }
  RunInfo told = info;
  told.duration_s = seconds;
  auto report = BuildReport(std::move(told), std::move(records), std::move(node_records),
                            finished && !fault, std::move(negative));
  if (!report) return Fail(report.error());
  const Status written = WriteReport(flags.report, *report);
  const SummaryOptions options{.width = TerminalColumns(),
                               .color = ShowsColors(),
                               .report_path = written ? flags.report : std::string(),
                               .explanations = NamedExplanations()};
  std::printf("\n%s", SummaryText(*report, options).c_str());
  if (!written) {
    std::fflush(stdout);
    if (journal_path == "/dev/null") return Fail(written.error());
    return Fail({(fault ? fault->message + "; " : "") + written.error().message +
                 "; what was done is kept in " + journal_path +
                 ": where there is room, " +
                 (finished && !fault ? "'qconform report " + journal_path + " --json " +
                                           flags.report + "' makes the report of it"
                                     : "--resume goes on from it")});
  }
  if (fault) return Fail(*fault);
  if (g_interrupted) {
    std::printf("Interrupted: the report holds what was done until then.\n");
    return static_cast<int>(ExitCode::kInterrupted);
  }
  const int code = flags.known.empty()
                       ? static_cast<int>(ExitCodeFor(*report, flags.allow_unsupported))
                       : FinishKnown(flags, known, *report);
  // Verdicts are forgiven, a file of known differences that was not written is not.
  const bool forgiven = flags.exit_zero && code != static_cast<int>(ExitCode::kBadInput);
  return forgiven ? static_cast<int>(ExitCode::kPass) : code;
}

}  // namespace

void AddRunCommand(Command& program, const std::vector<std::string>& command_line) {
  Command run = program.AddCommand(
      "run",
      "Judge a backend in every selected cell and write a report.\n"
      "Each cell is one operator, since_version, choice of data types and granularity;\n"
      "its cases are the same on every machine for the same seed.");
  const auto flags = std::make_shared<RunFlags>();
  AddBackendFlags(run, flags->backend);
  run.Add("--cells", flags->cells,
          "Only cells whose id matches GLOB (repeatable), such as "
          "'QuantizeLinear/21/*-INT4/blocked'")
      .Type("GLOB");
  run.AddSwitch("--no-cells", flags->no_cells,
                "Run node tests, or what --negative asks for, alone");
  run.AddSwitch("--negative,!--no-negative", flags->negative,
                "Also run models that are invalid, or odd and legal; without either "
                "flag: where all cells are selected");
  run.Add("--node-tests", flags->node_tests,
          "Also run ONNX's node tests in DIR/test_*/ (repeatable)")
      .Type("DIR");
  AddLevelFlag(run, flags->level);
  run.Add("--seed", flags->seed, "Seed of the random cases").ShowDefault();
  AddJobsFlag(run, flags->jobs, "Cells judged at the same time");
  run.Add("--report", flags->report, "Where the report goes; its journal is FILE.journal")
      .Type("FILE")
      .ShowDefault();
  run.AddSwitch("--allow-unsupported", flags->allow_unsupported,
                "Exit with 0 although something is unsupported or partial");
  run.AddSwitch("--resume", flags->resume,
                "Go on where the journal of a run that was cut off ends");
  run.Add("--shard", flags->shard,
          "Run part I (from 0) of N equal parts of the cells; also from the "
          "environment of Bazel, GoogleTest and Slurm arrays")
      .Type("I/N");
  run.Add("--known", flags->known,
          "Known differences: deviations that somebody answers for")
      .Type("FILE");
  run.AddSwitch("--update-known", flags->update_known,
                "Rewrite the file of --known as this run asks for");
  run.AddSwitch("--exit-zero", flags->exit_zero,
                "Exit with 0 whatever the verdicts are: somebody reads the report");
  run.AddSwitch("--no-progress", flags->no_progress, "No progress bar");
  run.Does([flags, command_line] { return Run(*flags, command_line); });
}

}  // namespace qconform
