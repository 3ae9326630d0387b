#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/commands/describe_run.h"
#include "harness/cli/commands/prove_flags.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/operator_flags.h"
#include "harness/cli/paths.h"
#include "harness/cli/print/print.h"
#include "harness/cli/progress/progress.h"
#include "harness/cli/version.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/core/proofs/rewrite.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"
#include "reports/record/evidence.h"
#include "reports/record/proof_record.h"
#include "reports/record/verdict.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// Writes the smallest case that still shows the first mismatch.
Result<std::string> KeepCounterexample(const ProveFlags& flags, Backend& backend,
                                       const StoredCase& single) {
  // What a child does not answer because it was stopped does not deviate.
  const StillDeviates deviates =
      [asked = DeviatesOn(backend)](const FedModel& stored) -> Result<bool> {
    const auto deviating = asked(stored);
    if (!deviating) return deviating;
    return *deviating && !g_interrupted;
  };
  const auto still = deviates(single);
  Shrunk kept{single};
  if (!still) {
    kept.error = still.error();
  } else if (*still) {
    kept = Shrink(single, deviates);
  }
  const Status written =
      WriteFileAtomically(flags.counterexample, StoredCaseText(kept.stored));
  if (!written) return written.error();
  if (kept.error) return *kept.error;
  return flags.counterexample;
}

// The backend, and why it gave no answer if it gave none.
struct AskedBackend {
  Backend& backend;
  UnansweredNote unanswered = WhyUnanswered::kAnswered;
};

// The exit code of a sweep that ended with an error.
ExitCode FailSweep(const Error& error, const AskedBackend& asked) {
  const ExitCode bad_input = Fail(error);
  if (g_interrupted) return ExitCode::kInterrupted;
  switch (asked.unanswered) {
    case WhyUnanswered::kDeclined:
      return ExitCode::kNothingSupported;
    case WhyUnanswered::kFailed:
      return ExitCode::kDeviation;
    case WhyUnanswered::kAnswered:
      break;
  }
  return bad_input;
}

// The outcome of the sweep as a record.
Result<ProofRecord> RecordOf(const Proof& proof, const SweepOutcome& outcome,
                             const BackendInfo& info) {
  ProofRecord record;
  record.tool_version = Version();
  record.kind = proof.kind;
  record.identity = proof.plan.identity;
  record.backend = info.name;
  record.device = info.device;
  record.ran = proof.ran;
  record.question = proof.question;
  record.assumed = proof.assumed;
  record.asked = proof.inputs;
  record.expected_inputs = proof.expected_inputs;
  record.chunks = proof.plan.chunks;
  record.chunks_selected = outcome.selected;
  record.chunks_from_journal = outcome.from_journal;
  record.done = outcome.done_chunks;
  record.totals = outcome.totals;
  record.duration_s = outcome.seconds;
  if (record.complete() && record.totals.inputs != proof.expected_inputs) {
    return Error{"the sweep visited " + GroupedDigits(record.totals.inputs) +
                 " inputs instead of " + GroupedDigits(proof.expected_inputs)};
  }
  return record;
}

// The readings that have what was answered at each of the mismatches; none if the
// question is of one reading already.
std::vector<std::unique_ptr<ProofTask>> ReadingsThatExplain(
    const ProofTask& task, const std::vector<SweepMismatch>& mismatches) {
  std::vector<std::unique_ptr<ProofTask>> explain;
  if (!task.reading().empty()) return explain;
  for (std::unique_ptr<ProofTask>& other : task.OtherReadings()) {
    if (std::ranges::all_of(mismatches, [&](const SweepMismatch& mismatch) {
          return other->Explains(mismatch);
        })) {
      explain.push_back(std::move(other));
    }
  }
  return explain;
}

// A difference may be a reading of an open clause, which is no deviation if it has all
// answers: the sweep is repeated by each reading that has those that were kept. `chunks`
// is how many the proof has.
Result<std::vector<ProofByReading>> TryReadings(const ProofTask& task, int64_t chunks,
                                                const std::vector<SweepMismatch>& kept,
                                                SweepOptions options) {
  std::vector<ProofByReading> tried;
  options.journal.clear();
  options.resume = false;
  options.until_mismatch = true;
  const bool is_part = options.first > 0 || (options.last >= 0 && options.last < chunks);
  for (const std::unique_ptr<ProofTask>& other : ReadingsThatExplain(task, kept)) {
    const std::string name = other->reading();
    Print("by the reading %s ...\n", name.c_str());
    std::fflush(stdout);
    const Result<Proof> proof = other->Prove();
    if (!proof) {
      Print("  cannot be gone through: %s\n", proof.error().message.c_str());
      continue;
    }
    // Boundaries between sums may be cut into others: a part would not be the same part.
    if (is_part && proof->plan.chunks != chunks) {
      Print("  has other chunks: take --reading in every part\n");
      continue;
    }
    const auto outcome = RunSweep(proof->plan, options, g_interrupted);
    if (!outcome) return outcome.error();
    tried.push_back({name, outcome->totals.inputs, outcome->totals.mismatches});
    if (g_interrupted && !outcome->complete()) {
      tried.pop_back();
      break;
    }
    if (outcome->totals.mismatches == 0) break;
  }
  return tried;
}

void PrintMismatches(const ProofRecord& record, DataType x, DataType y) {
  for (const SweepMismatch& m : record.totals.first) {
    Print("  x=%s scale=0x%llx expected %s actual %s\n", CodeToString(x, m.x).c_str(),
          static_cast<unsigned long long>(m.scale), CodeToString(y, m.expected).c_str(),
          CodeToString(y, m.actual).c_str());
  }
}

void PrintReadings(const ProofRecord& record, const ProveFlags& flags,
                   const std::string& advice) {
  if (record.passes() || !flags.reading.empty() || g_interrupted) return;
  Print("no reading of the open clauses has every answer%s\n",
        record.readings.empty() ? "" : "; these have those kept below:");
  for (const ProofByReading& one : record.readings) {
    Print("  %s: differs within %s inputs\n", one.name.c_str(),
          GroupedDigits(one.inputs).c_str());
  }
  if (!advice.empty()) Print("%s\n", advice.c_str());
}

void PrintOutcome(const ProofRecord& record, const ProveFlags& flags,
                  const ProofTask& task) {
  Print("\n%s\n", ProofStatement(record).c_str());
  PrintReadings(record, flags, task.advice());
  Print("evaluations %s, of the oracle %s in the sweep; chunks %lld of %lld",
        GroupedDigits(record.totals.evaluations).c_str(),
        GroupedDigits(record.totals.oracle_evaluations).c_str(),
        static_cast<long long>(record.chunks_done()),
        static_cast<long long>(record.chunks));
  if (record.chunks_from_journal > 0) {
    Print(" (%lld found done)", static_cast<long long>(record.chunks_from_journal));
  }
  Print("; %.2f s\n", record.duration_s);
  if (!record.complete() && record.chunks_done() == record.chunks_selected) {
    Print(
        "a part of the proof, of the chunks %s: qconform merge joins the reports "
        "of all parts\n",
        record.done.empty() ? "that are none" : SpansText(record.done).c_str());
  }
  for (const std::string& assumed : record.assumed) {
    Print("assumed: %s\n", assumed.c_str());
  }
  PrintMismatches(record, task.x(), task.y());
}

// How the sweep is run; an Error names the flag that is wrong.
Result<SweepOptions> OptionsOf(const ProveFlags& flags, const Proof& proof,
                               const Backend& backend) {
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
  if (!paths) return paths.error();
  if (flags.resume && options.journal.empty()) {
    return Error{
        "--resume needs --journal FILE or --report FILE, to know where to go on"};
  }
  const Status chunks = ChooseChunks(flags, proof.plan.chunks, options);
  if (!chunks) return chunks.error();
  return options;
}

void CompleteIdentity(const ProveFlags& flags, const BackendInfo& info, Proof& proof) {
  proof.plan.identity += " by " + info.name + " " + info.version + " on " + info.device +
                         (flags.as_tensors ? " as tensors" : "");
  // Its library and its options may give other codes.
  for (const auto& [key, value] : info.details) {
    proof.plan.identity += ", " + OneLine(key + "=" + value);
  }
}

// Times the kernel if that is asked for; returns false if it was interrupted.
Result<bool> TimeKernel(const ProofTask& task, ProofRecord& record) {
  if (!task.times_kernel()) return true;
  const auto seconds = task.TimeKernel(g_interrupted);
  if (!seconds && !g_interrupted) return seconds.error();
  if (!seconds) return false;
  record.kernel_alone_s = *seconds;
  Print("only the kernel, 2^%d elements, one thread: %.3f s\n", BitWidth(task.x()),
        *seconds);
  return true;
}

void PrintAsked(const Proof& proof, const BackendInfo& info) {
  // Also the since_version, which may not have been given.
  const std::string asked_of = Joined(proof.question, ", ", [](const auto& item) {
    return item.first + " " + item.second;
  });
  Print("prove %s by %s\nasks    %s\nruns    %s\ninputs  %s\n", proof.kind.c_str(),
        NameAndDevice(info.name, info.device).c_str(), asked_of.c_str(),
        proof.ran.c_str(), proof.inputs.c_str());
  std::fflush(stdout);
}

ExitCode RunProofTask(const ProveFlags& flags, AskedBackend& asked,
                      const ProofTask& task) {
  Backend& backend = asked.backend;
  auto made_proof = task.Prove();
  if (!made_proof) return Fail(made_proof.error());
  Proof& proof = *made_proof;
  CompleteIdentity(flags, backend.info(), proof);
  auto chosen = OptionsOf(flags, proof, backend);
  if (!chosen) return Fail(chosen.error());
  SweepOptions& options = *chosen;
  PrintAsked(proof, backend.info());
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
  if (record.totals.mismatches > 0 && outcome->complete()) {
    auto tried = TryReadings(task, proof.plan.chunks, record.totals.first, options);
    progress.reset();
    if (!tried) return FailSweep(tried.error(), asked);
    record.readings = *std::move(tried);
  }
  PrintOutcome(record, flags, task);
  if (record.totals.mismatches > 0) {
    const auto kept =
        KeepCounterexample(flags, backend, task.CaseOf(record.totals.first[0]));
    if (!kept) return Fail(kept.error());
    record.counterexample = *kept;
    // A replay judges by every reading: it may allow what differs here.
    const bool allowed = record.passes() || !flags.reading.empty();
    Print("kept in %s; this shows %s:\n  %s\n", kept->c_str(),
          allowed ? "what was answered" : "it",
          ReplayLine(*kept, ReplayContextOf(flags.backend, 1)).c_str());
  }
  const auto timed = outcome->complete() ? TimeKernel(task, record) : true;
  if (!timed) return Fail(timed.error());
  if (!flags.report.empty()) {
    const Status written = WriteFileAtomically(flags.report, ProofText(record));
    if (!written) return Fail(written.error());
  }
  if (!outcome->complete()) {
    Print("Interrupted: --resume goes on from the journal.\n");
    return ExitCode::kInterrupted;
  }
  if (!*timed) {
    Print("Interrupted: the kernel was not timed.\n");
    return ExitCode::kInterrupted;
  }
  if (g_interrupted && !record.passes()) {
    Print("Interrupted: not every reading was tried.\n");
    return ExitCode::kInterrupted;
  }
  return record.passes() ? ExitCode::kPass : ExitCode::kDeviation;
}

ExitCode Prove(const ProveFlags& flags, const ProofKind& kind) {
  auto backend = MakeBackend(flags.backend, &g_interrupted);
  if (!backend) return Fail(backend.error());
  AskedBackend asked{**backend};
  auto made = kind.Make(
      flags.of_kind, {KernelTarget(flags), AskersOf(asked.backend, &asked.unanswered)});
  if (!made) return Fail(made.error());
  const auto task = ChooseReading(flags, *std::move(made));
  if (!task) return Fail(task.error());
  return RunProofTask(flags, asked, **task);
}

struct RewriteFlags {
  std::string name;  // empty: all rows
  bool markdown = false;
};

// Evaluates rows of the ledger of rewrites.
ExitCode ProveRewrites(const RewriteFlags& flags) {
  std::vector<ProvedRewrite> rows;
  std::string names;
  for (const Rewrite& rewrite : Rewrites()) {
    names += (names.empty() ? "" : ", ") + std::string(rewrite.name);
    if (!flags.name.empty() && rewrite.name != flags.name) continue;
    auto proof = rewrite.prove(ProofSize::kWhole);
    if (!proof) {
      Fail(Error{std::string(rewrite.name) + ": " + proof.error().message});
      return ExitCode::kDeviation;
    }
    rows.push_back({&rewrite, *std::move(proof)});
    if (flags.markdown) continue;
    Print("%-28s %s%s%s\n  before    %s\n  after     %s\n  compared  %s\n",
          std::string(rewrite.name).c_str(),
          std::string(ExactnessName(rewrite.exactness)).c_str(),
          rewrite.condition.empty() ? "" : ": ", std::string(rewrite.condition).c_str(),
          std::string(rewrite.before).c_str(), std::string(rewrite.after).c_str(),
          GroupedDigits(rows.back().proof.evaluations).c_str());
    if (!rows.back().proof.counterexample.empty()) {
      Print("  differs   %s\n", rows.back().proof.counterexample.c_str());
    }
    std::fflush(stdout);
  }
  if (rows.empty()) {
    return Fail(Expected("NAME", "a rewrite (" + names + ")", "'" + flags.name + "'"));
  }
  if (flags.markdown) PrintDocument(RewritesPage(rows));
  return ExitCode::kPass;
}

void AddRewriteCommand(Command& prove) {
  const auto flags = std::make_shared<RewriteFlags>();
  Command command = prove.AddCommand(
      "rewrite",
      "Evaluate rows of the ledger of rewrites: which rewrites of quantized graphs keep\n"
      "every bit, and under which condition (docs/rewrites.md). No backend is asked.");
  command.Footer(
      "Exit codes: 0 every row holds; 1 an evaluation contradicts a row; 2 bad usage.");
  command.Example("qconform prove rewrite " + std::string(Rewrites().front().name),
                  "Evaluate one row");
  command.Add("name", flags->name, "A rewrite; all of them if it is left out")
      .Type("NAME");
  command.AddSwitch("--markdown", flags->markdown, "Print docs/rewrites.md");
  command.Does([flags] { return ProveRewrites(*flags); });
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
      "Exit codes: 0 no answer differs, or all are those of one reading; 1 one differs,\n"
      "or the backend crashed, failed or refused; 2 bad usage or input;\n"
      "4 the backend declines the question; 130 interrupted. A part, of --chunks or\n"
      "--shard, exits by itself.");
  prove.Example("qconform prove KIND --help", "What a kind asks, and its flags");
  AddRewriteCommand(prove);
  for (const ProofKinds* kinds : AllProofKinds()) {
    for (const ProofKind* kind : *kinds) {
      const auto flags = std::make_shared<ProveFlags>();
      Command command =
          prove.AddCommand(std::string(kind->name()), std::string(kind->help()));
      std::string line = "qconform prove " + std::string(kind->name());
      for (const FlagInfo& flag : kind->flags()) {
        if (flag.is_required)
          line += " " + flag.name + (flag.type.empty() ? " VALUE" : " " + flag.type);
      }
      command.Example(line + " --backend onnxruntime",
                      "Ask ONNX Runtime every input, and count the answers that differ");
      AddOperatorFlags(command, kind->flags(), flags->of_kind);
      AddSweepFlags(command, *flags, kind->example_reading());
      command.Does([flags, kind] { return Prove(*flags, *kind); });
    }
  }
}

}  // namespace qconform
