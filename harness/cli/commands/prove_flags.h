// What the flags of prove hold, and the questions that they name.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_

#include <string>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/sweep/proofs.h"
#include "oracle/base/result.h"

namespace qconform {

struct ProveFlags {
  BackendFlags backend;
  std::string types = "FLOAT-FLOAT-UINT8";
  std::string scale;
  std::string zero_point;
  std::string precision;
  std::string reading;
  int saturate = 1;
  int since_version = 0;  // 0: the newest
  std::vector<int> binades;
  bool all = false;
  bool as_tensors = false;
  bool time_kernel = false;
  // accumulators
  std::string a_scale = "1", b_scale = "1", y_scale = "1", y = "UINT8";
  // the sweep
  int jobs = 1;
  std::string chunks;
  std::string shard;
  std::string report;
  std::string journal;
  std::string counterexample = "qconform-counterexample.json";
  bool resume = false;
  bool no_progress = false;
};

// The flags of QuantizeLinear's types and attributes.
void AddTypeFlags(Command& command, ProveFlags& flags, bool required = false);
// Those of the sweep itself, --backend among them.
void AddSweepFlags(Command& command, ProveFlags& flags);

// Types, attributes and zero point; the scale where there is one. An Error names the
// flag that is wrong.
Result<QuantizeLinearLine> LineOf(const ProveFlags& flags);
// The same of `prove accumulators`.
Result<QLinearMatMulSums> SumsOf(const ProveFlags& flags);
// Sets the chunks of `options`, of so many, to those of --chunks ("3", or "3-17", both
// included), else of --shard or what stands for it in the environment (shard.h); neither:
// all. Parts of a proof are of consecutive chunks, and differ by one chunk at most.
Status ChooseChunks(const ProveFlags& flags, int64_t chunks, SweepOptions& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_PROVE_FLAGS_H_
