#include "harness/cli/commands/prove_flags.h"

#include <cstdlib>
#include <utility>

#include "harness/cli/shard/shard.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {

void AddSweepFlags(Command& command, ProveFlags& flags, std::string_view example) {
  AddBackendFlags(command, flags.backend);
  command.AddSwitch("--as-tensors", flags.as_tensors,
                    "Run whole models on simd too, not its inner function");
  AddJobsFlag(command, flags.jobs, "Chunks done at the same time");
  Flag chunks = command.Add("--chunks", flags.chunks, "Only these numbered chunks");
  chunks.Type("N|FIRST-LAST");
  command
      .Add("--shard", flags.shard,
           "Only part I, from 0, of N parts of the chunks; also by TEST_SHARD_INDEX, "
           "GTEST_SHARD_INDEX and SLURM_ARRAY_TASK_ID")
      .Type("I/N")
      .Excludes(chunks);
  if (!example.empty()) {
    command
        .Add("--reading", flags.reading,
             "Judge by a reading of the open clauses, such as " + std::string(example))
        .Type("NAME");
  }
  command.Add("-o,--report", flags.report, "Write the proof as JSON; -: to stdout")
      .Writes();
  command
      .Add("--journal", flags.journal,
           "Where finished chunks are kept; with --report: FILE.journal")
      .Writes();
  command.AddSwitch("--resume", flags.resume,
                    "Do only the chunks that the journal does not have");
  command
      .Add("--counterexample", flags.counterexample,
           "Where the first mismatch goes, as a case to replay")
      .Writes()
      .ShowDefault();
  command.AddSwitch("--no-progress", flags.no_progress, "Show no progress on stderr");
}

namespace {

Status ReadChunks(const std::string& text, SweepOptions& options) {
  const std::vector<std::string> ends = Split(text, "-");
  const auto first = ParseNumber<int64_t>(ends.front());
  const auto last = ParseNumber<int64_t>(ends.back());
  if (ends.size() > 2 || !first || !last || *last < *first) {
    return Expected("--chunks", "N or FIRST-LAST", "'" + text + "'");
  }
  options.first = *first;
  options.last = *last + 1;
  return Ok();
}

}  // namespace

std::optional<std::string> KernelTarget(const ProveFlags& flags) {
  const std::string& spec = flags.backend.spec;
  if (flags.as_tensors || flags.backend.isolate) return std::nullopt;
  for (const std::string& option : flags.backend.options) {
    if (!option.starts_with("threads=")) return std::nullopt;
  }
  if (spec == "simd") return "";
  if (spec.starts_with("simd:")) return spec.substr(5);
  return std::nullopt;
}

Result<std::unique_ptr<ProofTask>> ChooseReading(const ProveFlags& flags,
                                                 std::unique_ptr<ProofTask> task) {
  if (flags.reading.empty()) return task;
  std::string known;
  for (std::unique_ptr<ProofTask>& other : task->OtherReadings()) {
    if (other->reading() == flags.reading) return std::move(other);
    known += (known.empty() ? "" : ", ") + other->reading();
  }
  return Expected("--reading",
                  known.empty() ? "none, as this question has only the canonical one"
                                : "one of this question's, " + known,
                  "'" + flags.reading + "'");
}

Status ChooseChunks(const ProveFlags& flags, int64_t chunks, SweepOptions& options) {
  if (!flags.chunks.empty()) return ReadChunks(flags.chunks, options);
  const auto shard =
      ChooseShard(flags.shard, [](const char* name) { return getenv(name); });
  if (!shard) return shard.error();
  if (*shard) {
    if (const Status told = TouchStatusFile(**shard); !told) return told.error();
    options.first = chunks * (*shard)->index / (*shard)->count;
    options.last = chunks * ((*shard)->index + 1) / (*shard)->count;
  }
  return Ok();
}

}  // namespace qconform
