#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/cli/commands.h"
#include "harness/cli/describe_run.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/paths.h"
#include "harness/cli/progress.h"
#include "harness/cli/prove_flags.h"
#include "harness/cli/prove_tasks.h"
#include "harness/runner/cell_evidence.h"
#include "harness/runner/shrink.h"
#include "harness/sweep/proofs.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "reports/file.h"
#include "reports/terminal_text.h"
#include "reports/verdict.h"

namespace qconform {
namespace {

std::string Counted(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

// Writes the smallest case that still shows the first mismatch.
Result<std::string> KeepCounterexample(const ProveFlags& flags, Backend& backend,
                                       const StoredCase& single) {
  const StillDeviates deviates = DeviatesOn(backend);
  const StoredCase kept = deviates(single) ? Shrink(single, deviates) : single;
  const Status written = WriteFileAtomically(flags.counterexample, StoredCaseText(kept));
  if (!written) return written.error();
  return flags.counterexample;
}

// The exit code of a sweep that ended with an error.
int FailSweep(const Error& error, const AskedBackend& asked) {
  const int bad_input = Fail(error);
  if (g_interrupted) return static_cast<int>(ExitCode::kInterrupted);
  switch (asked.unanswered) {
    case WhyUnanswered::kDeclined:
      return static_cast<int>(ExitCode::kNothingSupported);
    case WhyUnanswered::kFailed:
      return static_cast<int>(ExitCode::kDeviation);
    case WhyUnanswered::kAnswered:
      break;
  }
  return bad_input;
}

// What the sweep says, told of as a record.
Result<ProofRecord> RecordOf(const Proof& proof, const SweepOutcome& outcome,
                             const BackendInfo& info) {
  ProofRecord record;
  record.kind = proof.kind;
  record.backend = info.name;
  record.device = info.device;
  record.ran = proof.ran;
  record.question = proof.question;
  record.assumed = proof.assumed;
  record.chunks = outcome.selected;
  record.chunks_done = outcome.done;
  record.chunks_from_journal = outcome.from_journal;
  record.totals = outcome.totals;
  record.duration_s = outcome.seconds;
  const bool whole = outcome.complete() && outcome.selected == proof.plan.chunks;
  record.complete = whole;
  if (whole && record.totals.inputs != proof.expected_inputs) {
    return Error{"the sweep visited " + Counted(record.totals.inputs) +
                 " inputs instead of " + Counted(proof.expected_inputs)};
  }
  record.statement = Counted(record.totals.mismatches) + " of " +
                     Counted(record.totals.inputs) + " inputs differ from the oracle (" +
                     (whole ? "" : "a part of ") + proof.inputs + ")";
  if (record.totals.free != 0) {
    record.statement +=
        "; " + Counted(record.totals.free) + " of them are free: any code is right";
  }
  return record;
}

void PrintOutcome(const Proof& proof, const SweepOutcome& outcome,
                  const ProofRecord& record, const ProveTask& task) {
  std::printf("\n%s\n", record.statement.c_str());
  std::printf("evaluations %s, of the oracle %s in the sweep; chunks %lld of %lld",
              Counted(record.totals.evaluations).c_str(),
              Counted(record.totals.oracle_evaluations).c_str(),
              static_cast<long long>(outcome.done),
              static_cast<long long>(proof.plan.chunks));
  if (outcome.from_journal > 0) {
    std::printf(" (%lld found done)", static_cast<long long>(outcome.from_journal));
  }
  std::printf("; %.2f s\n", outcome.seconds);
  for (const std::string& assumed : proof.assumed) {
    std::printf("assumed: %s\n", assumed.c_str());
  }
  for (const SweepMismatch& m : record.totals.first) {
    std::printf(
        "  x=%s scale=0x%llx expected %s actual %s\n", CodeToString(task.x, m.x).c_str(),
        static_cast<unsigned long long>(m.scale),
        CodeToString(task.y, m.expected).c_str(), CodeToString(task.y, m.actual).c_str());
  }
}

int RunProveTask(const ProveFlags& flags, AskedBackend& asked, ProveTask task) {
  Backend& backend = asked.backend;
  if (!task.proof) return Fail(task.proof.error());
  Proof& proof = *task.proof;
  proof.plan.identity += " by " + backend.info().name + " " + backend.info().version +
                         " on " + backend.info().device +
                         (flags.as_tensors ? " as tensors" : "");
  // Its library and its options may give other codes.
  for (const auto& [key, value] : backend.info().details) {
    proof.plan.identity += ", " + OneLine(key + "=" + value);
  }
  SweepOptions options{.journal = flags.journal,
                       .resume = flags.resume,
                       .jobs = backend.concurrent() ? flags.jobs : 1,
                       .progress = {}};
  if (options.journal.empty() && !flags.report.empty()) {
    options.journal = JournalBeside(flags.report);
  }
  const Status paths = CheckPaths(
      {{"--report", flags.report},
       {flags.journal.empty() ? "the journal of --report" : "--journal", options.journal},
       {"--counterexample", flags.counterexample}});
  if (!paths) return Fail(paths.error());
  if (flags.resume && options.journal.empty()) {
    return Fail(
        {"--resume needs --journal FILE or --report FILE, to know where to go on"});
  }
  const Status chunks = ReadChunks(flags.chunks, options);
  if (!chunks) return Fail(chunks.error());
  std::printf("prove %s by %s\nruns    %s\ninputs  %s\n", proof.kind.c_str(),
              NameAndDevice(backend.info().name, backend.info().device).c_str(),
              proof.ran.c_str(), proof.inputs.c_str());
  std::fflush(stdout);
  CatchInterrupts();

  std::optional<Progress> progress;
  options.progress = [&](int64_t done, int64_t selected, uint64_t mismatches) {
    if (!progress) progress.emplace("chunks", selected, !flags.no_progress);
    progress->Update(done, static_cast<int64_t>(mismatches));
  };
  const auto outcome = RunSweep(proof.plan, options, g_interrupted);
  progress.reset();
  if (!outcome) return FailSweep(outcome.error(), asked);
  PrintKept(outcome->journal_kept);

  auto made = RecordOf(proof, *outcome, backend.info());
  if (!made) return Fail(made.error());
  ProofRecord record = *std::move(made);
  PrintOutcome(proof, *outcome, record, task);
  if (record.totals.mismatches > 0) {
    const auto kept =
        KeepCounterexample(flags, backend, task.case_of(record.totals.first[0]));
    if (!kept) return Fail(kept.error());
    record.counterexample = *kept;
    std::printf("kept in %s; this shows it:\n  %s\n", kept->c_str(),
                ReplayLine(*kept, ReplayContextOf(flags.backend, 1)).c_str());
  }
  bool untimed = false;
  if (flags.time_kernel && task.time_kernel && outcome->complete()) {
    const auto seconds = task.time_kernel();
    if (!seconds && !g_interrupted) return Fail(seconds.error());
    untimed = !seconds.ok();
    if (seconds) {
      record.kernel_alone_s = *seconds;
      std::printf("the kernel alone, 2^%d elements, one thread: %.3f s\n",
                  BitWidth(task.x), *seconds);
    }
  }
  if (!flags.report.empty()) {
    const Status written = WriteFileAtomically(flags.report, ProofText(record));
    if (!written) return Fail(written.error());
  }
  if (!outcome->complete()) {
    std::printf("Interrupted: --resume goes on from the journal.\n");
    return static_cast<int>(ExitCode::kInterrupted);
  }
  if (untimed) {
    std::printf("Interrupted: the kernel was not timed.\n");
    return static_cast<int>(ExitCode::kInterrupted);
  }
  return static_cast<int>(record.totals.mismatches == 0 ? ExitCode::kPass
                                                        : ExitCode::kDeviation);
}

int Prove(const ProveFlags& flags, ProveTaskOf task_of) {
  auto backend = MakeBackend(flags.backend, &g_interrupted);
  if (!backend) return Fail(backend.error());
  AskedBackend asked{**backend};
  return RunProveTask(flags, asked, task_of(flags, asked));
}

}  // namespace

void AddProveCommand(Command& program) {
  Command prove = program.AddCommand(
      "prove",
      "Go through every input of a kind and count the answers that differ.\n"
      "The built-in kernels are run by their inner function, any other backend gets\n"
      "the same inputs as tensors. docs/proofs.md says what each proves.");
  prove.RequireCommand();
  prove.Footer(
      "Exit codes: 0 no answer differs; 1 one differs, or the backend crashed, failed "
      "or\n"
      "refused; 2 bad usage or input; 4 the backend declines the question; 130 "
      "interrupted.");
  const auto flags = std::make_shared<ProveFlags>();
  const auto add = [&](const char* name, const char* sentence, ProveTaskOf task_of) {
    Command command = prove.AddCommand(name, sentence);
    command.Does([flags, task_of] { return Prove(*flags, task_of); });
    return command;
  };
  Command line = add("line", "All x of a type against one scale", LineTask);
  AddTypeFlags(line, *flags);
  line.Add("--scale", flags->scale, "A value, or 0x and its code").Required();
  line.AddSwitch("--time-kernel", flags->time_kernel,
                 "Also time the kernel alone on as many elements");
  AddSweepFlags(line, *flags);
  Command plane = add("plane", "All x by all scales of 16-bit float types", PlaneTask);
  // No types that another sweep would begin with have 16-bit operands.
  AddTypeFlags(plane, *flags, /*required=*/true);
  AddSweepFlags(plane, *flags);
  Command all = add("all-scales",
                    "Both sides of every boundary of y, for every positive FLOAT scale",
                    AllScalesTask);
  AddTypeFlags(all, *flags);
  Flag binade = all.Add("--binade", flags->binades,
                        "Only the scales of [2^E, 2^(E+1)) (repeatable)");
  binade.Between(-126, 127).Type("E");
  all.AddSwitch("--all", flags->all,
                "All binades, where y has 16 bits or the backend is not simd, too")
      .Excludes(binade);
  AddSweepFlags(all, *flags);
  Command sums =
      add("accumulators", "All 2^32 sums through QLinearMatMul's requantization",
          AccumulatorsTask);
  sums.Add("--a-scale", flags->a_scale, "FLOAT values, or 0x and their codes")
      .ShowDefault();
  sums.Add("--b-scale", flags->b_scale).ShowDefault();
  sums.Add("--y-scale", flags->y_scale).ShowDefault();
  sums.Add("--y", flags->y, "Type of y").ShowDefault();
  sums.Add("--zero-point", flags->zero_point, "Of y; 0 where it is not given");
  AddSweepFlags(sums, *flags);
}

}  // namespace qconform
