#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/operand_text.h"
#include "harness/cli/progress.h"
#include "harness/runner/shrink.h"
#include "harness/sweep/proofs.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "reports/file.h"
#include "reports/verdict.h"

namespace qconform {
namespace {

struct ProveFlags {
  BackendFlags backend;
  std::string types = "FLOAT-FLOAT-UINT8";
  std::string scale;
  std::string zero_point;
  std::string precision;
  int saturate = 1;
  int since_version = 0;  // 0: the newest
  std::vector<int> binades;
  bool all = false;
  bool as_tensors = false;
  bool time_kernel = false;
  // accumulators
  std::string a_scale = "1", b_scale = "1", y_scale = "1", y = "UINT8";
  // the sweep
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::string chunks;
  std::string report;
  std::string journal;
  std::string counterexample = "qconform-counterexample.json";
  bool resume = false;
  bool no_progress = false;
};

// Types, attributes and zero point; the scale where there is one.
Result<QuantizeLinearLine> LineOf(const ProveFlags& flags) {
  QuantizeLinearLine line;
  const auto versions = SinceVersions("QuantizeLinear");
  line.since_version =
      flags.since_version == 0 ? versions.back().since_version : flags.since_version;
  std::vector<DataType> types;
  std::string rest = flags.types + "-";
  for (size_t at; (at = rest.find('-')) != std::string::npos; rest.erase(0, at + 1)) {
    const auto type = ParseDataType(rest.substr(0, at));
    if (type) types.push_back(*type);
  }
  const std::vector<Cell> cells = CellsOf("QuantizeLinear");
  const bool known = std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    return cell.types == types && cell.since_version == line.since_version;
  });
  if (!known) {
    return Error{"types '" + flags.types + "': QuantizeLinear of since_version " +
                 std::to_string(line.since_version) +
                 " has none such; X-SCALE-Y as in FLOAT-FLOAT-UINT8 is right, "
                 "'qconform list cells' prints them"};
  }
  line.x = types[0];
  line.y_scale = types[1];
  line.y = types[2];
  line.saturate = flags.saturate;
  if (!flags.precision.empty()) {
    const auto precision = ParseDataType(flags.precision);
    if (!precision) {
      return Error{"--precision '" + flags.precision + "' is no type, such as FLOAT16"};
    }
    if (line.since_version < 23) {
      return Error{"--precision: QuantizeLinear has it since version 23"};
    }
    line.precision = static_cast<int64_t>(*precision);
  }
  if (!flags.zero_point.empty()) {
    const auto code = ParseOperand(line.y, flags.zero_point, "--zero-point");
    if (!code) return code.error();
    line.zero_point = *code;
  }
  if (!flags.scale.empty()) {
    const auto code = ParseOperand(line.y_scale, flags.scale, "--scale");
    if (!code) return code.error();
    line.scale = *code;
  }
  return line;
}

Result<QLinearMatMulSums> SumsOf(const ProveFlags& flags) {
  QLinearMatMulSums sums;
  const auto y = ParseDataType(flags.y);
  if (!y || (*y != DataType::kUint8 && *y != DataType::kInt8 && !IsFloat8(*y))) {
    return Error{"--y '" + flags.y + "': UINT8, INT8 or a float8 type is right"};
  }
  sums.y = *y;
  for (const auto& [text, code, name] :
       {std::tuple(&flags.a_scale, &sums.a_scale, "--a-scale"),
        std::tuple(&flags.b_scale, &sums.b_scale, "--b-scale"),
        std::tuple(&flags.y_scale, &sums.y_scale, "--y-scale")}) {
    const auto parsed = ParseOperand(sums.scale, *text, name);
    if (!parsed) return parsed.error();
    *code = *parsed;
  }
  if (!flags.zero_point.empty()) {
    const auto parsed = ParseOperand(sums.y, flags.zero_point, "--zero-point");
    if (!parsed) return parsed.error();
    sums.y_zero_point = *parsed;
  }
  return sums;
}

// "3" or "3-17", both included; empty: all.
Status ReadChunks(const std::string& text, SweepOptions& options) {
  if (text.empty()) return Ok();
  int64_t first = 0;
  const char* end = text.data() + text.size();
  auto [stopped, error] = std::from_chars(text.data(), end, first);
  int64_t last = first;
  if (error == std::errc() && stopped != end && *stopped == '-') {
    const auto second = std::from_chars(stopped + 1, end, last);
    stopped = second.ptr;
    error = second.ec;
  }
  if (error != std::errc() || stopped != end || first < 0 || last < first) {
    return Error{"--chunks '" + text + "' is not of the form N or FIRST-LAST"};
  }
  options.first = first;
  options.last = last + 1;
  return Ok();
}

// simd's TARGET where the inner function is to be run.
std::optional<std::string> InnerTarget(const ProveFlags& flags) {
  const std::string& spec = flags.backend.spec;
  if (flags.as_tensors) return std::nullopt;
  if (spec == "simd") return "";
  if (spec.starts_with("simd:")) return spec.substr(5);
  return std::nullopt;
}

// The backend, and why it gave no answer where it gave none.
struct Asked {
  Backend& backend;
  UnansweredNote unanswered = WhyUnanswered::kAnswered;
};

Result<SubjectSource> SourceFor(const ProveFlags& flags, const QuantizeLinearLine& line,
                                Asked& asked) {
  const auto target = InnerTarget(flags);
  if (target) {
    auto inner = InnerSubjects(line, *target);
    if (inner) return inner;
  }
  return BackendSubjects(line, asked.backend, &asked.unanswered);
}

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

// What is run, once flags are read.
struct Task {
  Result<Proof> proof;
  std::function<StoredCase(const SweepMismatch&)> case_of;
  std::function<Result<double>()> time_kernel;  // may be empty
  DataType x = DataType::kFloat;
  DataType y = DataType::kUint8;
};

// The exit code of a sweep that ended with an error.
int FailSweep(const Error& error, const Asked& asked) {
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

int RunTask(const ProveFlags& flags, Asked& asked, Task task) {
  Backend& backend = asked.backend;
  if (!task.proof) return Fail(task.proof.error());
  Proof& proof = *task.proof;
  for (const std::string& path : {flags.report, flags.counterexample}) {
    if (path.empty()) continue;
    const Status writable = CheckWritable(path);
    if (!writable) return Fail(writable.error());
  }
  proof.plan.identity += " by " + backend.info().name + " " + backend.info().version +
                         " on " + backend.info().device +
                         (flags.as_tensors ? " as tensors" : "");
  SweepOptions options{.journal = flags.journal,
                       .resume = flags.resume,
                       .jobs = backend.concurrent() ? flags.jobs : 1,
                       .progress = {}};
  if (options.journal.empty() && !flags.report.empty()) {
    options.journal = flags.report + ".journal";
  }
  if (flags.resume && options.journal.empty()) {
    return Fail(
        {"--resume needs --journal FILE or --report FILE, to know where to go on"});
  }
  const Status chunks = ReadChunks(flags.chunks, options);
  if (!chunks) return Fail(chunks.error());
  std::printf("prove %s by %s (%s)\nruns    %s\ninputs  %s\n", proof.kind.c_str(),
              backend.info().name.c_str(), backend.info().device.c_str(),
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

  ProofRecord record;
  record.kind = proof.kind;
  record.backend = backend.info().name;
  record.device = backend.info().device;
  record.ran = proof.ran;
  record.question = proof.question;
  record.assumed = proof.assumed;
  record.chunks = outcome->selected;
  record.chunks_done = outcome->done;
  record.chunks_from_journal = outcome->from_journal;
  record.totals = outcome->totals;
  record.duration_s = outcome->seconds;
  const bool whole = outcome->complete() && outcome->selected == proof.plan.chunks;
  record.complete = whole;
  if (whole && record.totals.inputs != proof.expected_inputs) {
    return Fail({"the sweep visited " + Counted(record.totals.inputs) +
                 " inputs instead of " + Counted(proof.expected_inputs)});
  }
  record.statement = Counted(record.totals.mismatches) + " of " +
                     Counted(record.totals.inputs) + " inputs differ from the oracle (" +
                     (whole ? "" : "a part of ") + proof.inputs + ")";
  if (record.totals.free != 0) {
    record.statement +=
        "; " + Counted(record.totals.free) + " of them are free: any code is right";
  }
  std::printf("\n%s\n", record.statement.c_str());
  std::printf("evaluations %s, of the oracle %s in the sweep; chunks %lld of %lld",
              Counted(record.totals.evaluations).c_str(),
              Counted(record.totals.oracle_evaluations).c_str(),
              static_cast<long long>(outcome->done),
              static_cast<long long>(proof.plan.chunks));
  if (outcome->from_journal > 0) {
    std::printf(" (%lld found done)", static_cast<long long>(outcome->from_journal));
  }
  std::printf("; %.2f s\n", outcome->seconds);
  for (const std::string& assumed : proof.assumed) {
    std::printf("assumed: %s\n", assumed.c_str());
  }
  for (const SweepMismatch& m : record.totals.first) {
    std::printf(
        "  x=%s scale=0x%llx expected %s actual %s\n", CodeToString(task.x, m.x).c_str(),
        static_cast<unsigned long long>(m.scale),
        CodeToString(task.y, m.expected).c_str(), CodeToString(task.y, m.actual).c_str());
  }
  if (record.totals.mismatches > 0) {
    const auto kept =
        KeepCounterexample(flags, backend, task.case_of(record.totals.first[0]));
    if (!kept) return Fail(kept.error());
    record.counterexample = *kept;
    std::printf("kept in %s; 'qconform replay %s' shows it\n", kept->c_str(),
                kept->c_str());
  }
  if (flags.time_kernel && task.time_kernel) {
    const auto seconds = task.time_kernel();
    if (!seconds) return Fail(seconds.error());
    record.kernel_alone_s = *seconds;
    std::printf("the kernel alone, 2^%d elements, one thread: %.3f s\n", BitWidth(task.x),
                *seconds);
  }
  if (!flags.report.empty()) {
    const Status written = WriteFileAtomically(flags.report, ProofText(record));
    if (!written) return Fail(written.error());
  }
  if (!outcome->complete()) {
    std::printf("Interrupted: --resume goes on from the journal.\n");
    return static_cast<int>(ExitCode::kInterrupted);
  }
  return static_cast<int>(record.totals.mismatches == 0 ? ExitCode::kPass
                                                        : ExitCode::kDeviation);
}

using TaskOf = Task (*)(const ProveFlags&, Asked&);

Task LineTask(const ProveFlags& flags, Asked& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return {source.error(), {}, {}};
  return {ProveLine(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          [line = *line, source = *source] { return TimeKernelAlone(line, source); },
          line->x, line->y};
}

Task PlaneTask(const ProveFlags& flags, Asked& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return {source.error(), {}, {}};
  return {ProvePlane(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          {},
          line->x,
          line->y};
}

Task AllScalesTask(const ProveFlags& flags, Asked& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  std::vector<int> binades = flags.binades;
  if (binades.empty() && !flags.all) {
    // All scales are too many questions: all significands, at a few exponents.
    if (!InnerTarget(flags)) {
      binades = {-12, 0, 12};
    } else if (BitWidth(line->y) == 16) {
      binades = {0};
    }
  }
  const auto source = [&](const QuantizeLinearLine& one) {
    return SourceFor(flags, one, asked);
  };
  return {ProveAllScales(*line, binades, source),
          [line = *line](const SweepMismatch& m) {
            QuantizeLinearLine one = line;
            if (IsInteger(line.y)) one.zero_point = m.zero_point;
            return MismatchCase(one, m);
          },
          {},
          line->x,
          line->y};
}

Task AccumulatorsTask(const ProveFlags& flags, Asked& asked) {
  const auto sums = SumsOf(flags);
  if (!sums) return {sums.error(), {}, {}};
  const auto target = InnerTarget(flags);
  return {target ? ProveAccumulators(*sums, *target)
                 : ProveAccumulatorBoundaries(*sums, asked.backend, &asked.unanswered),
          [sums = *sums](const SweepMismatch& m) { return MismatchCase(sums, m); },
          {},
          DataType::kInt32,
          sums->y};
}

int Prove(const ProveFlags& flags, TaskOf task_of) {
  auto backend = MakeBackend(flags.backend, &g_interrupted);
  if (!backend) return Fail(backend.error());
  Asked asked{**backend};
  return RunTask(flags, asked, task_of(flags, asked));
}

void AddTypeFlags(Command& command, ProveFlags& flags) {
  command.Add("types", flags.types, "Types of x, y_scale and y")
      .Type("X-SCALE-Y")
      .ShowDefault();
  command.Add("--zero-point", flags.zero_point,
              "A value of y's type, or 0x and its code; absent: no y_zero_point");
  command.Add("--saturate", flags.saturate, "The attribute, of float8 types")
      .Between(0, 1)
      .ShowDefault();
  command.Add("--precision", flags.precision, "The attribute, as a type's name");
  command.Add("--since-version", flags.since_version,
              "Of QuantizeLinear; the newest where it is not given");
}

void AddSweepFlags(Command& command, ProveFlags& flags) {
  AddBackendFlags(command, flags.backend);
  command.AddSwitch("--as-tensors", flags.as_tensors,
                    "Run whole models on simd too, not its inner function");
  command.Add("--jobs", flags.jobs, "Chunks done at the same time")
      .Between(1, 1024)
      .ShowDefault();
  command.Add("--chunks", flags.chunks, "Only these numbered chunks")
      .Type("N|FIRST-LAST");
  command.Add("--report", flags.report, "Write the proof as JSON").Type("FILE");
  command
      .Add("--journal", flags.journal,
           "Where finished chunks are kept; with --report: FILE.journal")
      .Type("FILE");
  command.AddSwitch("--resume", flags.resume,
                    "Do only the chunks that the journal does not have");
  command
      .Add("--counterexample", flags.counterexample,
           "Where the first mismatch goes, as a case to replay")
      .Type("FILE")
      .ShowDefault();
  command.AddSwitch("--no-progress", flags.no_progress, "No progress bar");
}

}  // namespace

void AddProveCommand(Command& program) {
  Command prove = program.AddCommand(
      "prove",
      "Go through every input of a kind and count the answers that differ.\n"
      "The built-in kernels are run by their inner function, any other backend gets\n"
      "the same inputs as tensors. docs/proofs.md says what each proves.");
  prove.RequireCommand();
  const auto flags = std::make_shared<ProveFlags>();
  const auto add = [&](const char* name, const char* sentence, TaskOf task_of) {
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
  AddTypeFlags(plane, *flags);
  AddSweepFlags(plane, *flags);
  Command all = add("all-scales",
                    "Both sides of every boundary of y, for every positive FLOAT scale",
                    AllScalesTask);
  AddTypeFlags(all, *flags);
  Flag binade = all.Add("--binade", flags->binades,
                        "Only the scales of [2^E, 2^(E+1)) (repeatable)");
  binade.Between(-126, 127).Type("E").OneValueEach();
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
