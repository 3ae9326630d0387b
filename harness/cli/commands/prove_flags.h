// The flags of `qconform prove` that all kinds of proofs have.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_

#include <optional>
#include <string>
#include <string_view>

#include "harness/cli/commands/commands.h"
#include "harness/core/proofs/proof_kind.h"
#include "harness/sweep/sweep.h"
#include "oracle/base/result.h"

namespace qconform {

struct ProveFlags {
  FlagValues of_kind;
  BackendFlags backend;
  std::string reading;
  bool as_tensors = false;
  int jobs = 1;
  std::string chunks;
  std::string shard;
  std::string report;
  std::string journal;
  std::string counterexample = "qconform-counterexample.json";
  bool resume = false;
  bool no_progress = false;
};

// Adds those of the sweep itself, --backend among them; `example` is a reading.
void AddSweepFlags(Command& command, ProveFlags& flags, std::string_view example);

// Returns simd's TARGET whose inner functions answer: if simd runs in this process, with
// no option that may change its answers.
std::optional<std::string> KernelTarget(const ProveFlags& flags);

// Returns the task by --reading, or `task` itself.
Result<std::unique_ptr<ProofTask>> ChooseReading(const ProveFlags& flags,
                                                 std::unique_ptr<ProofTask> task);

// Sets the chunks of `options` to those of --chunks ("3", or "3-17", both included), else
// of --shard or what stands for it in the environment (shard.h); neither: all. Parts of a
// proof are consecutive chunks, whose numbers differ by one at most.
Status ChooseChunks(const ProveFlags& flags, int64_t chunks, SweepOptions& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_
