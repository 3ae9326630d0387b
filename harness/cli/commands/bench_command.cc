#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/operator_flags.h"
#include "harness/cli/print/print.h"
#include "harness/core/bench/bench_table.h"
#include "oracle/base/expected.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

struct BenchFlags {
  std::vector<std::string> operators;  // none: all
  std::string peer;
  std::vector<std::string> peer_options;
  std::string target;
  std::vector<int> threads = {1};
  double seconds = 1;
  FlagValues of_operators;
};

Result<std::unique_ptr<Peer>> MakePeer(const BenchFlags& flags) {
  if (flags.peer.empty()) return std::unique_ptr<Peer>();
  const auto options = ParseBackendOptions(flags.peer_options, "--vs-option");
  if (!options) return options.error();
  return MakeOnnxRuntimePeer(*options);
}

bool Measures(const BenchFlags& flags, const BenchTable& table) {
  return flags.operators.empty() ||
         std::ranges::find(flags.operators, table.op_type()) != flags.operators.end();
}

// Finds flags that would do nothing, and values that cannot be measured.
Status CheckFlags(const BenchFlags& flags, const Command& bench) {
  if (flags.peer.empty() && !flags.peer_options.empty()) {
    return Error{"--vs-option '" + flags.peer_options[0] +
                 "' needs --vs, the peer that it is an option of"};
  }
  for (const BenchTable* table : AllBenchTables()) {
    if (Measures(flags, *table)) {
      const Status right = table->Check(flags.of_operators);
      if (!right) return right;
      continue;
    }
    for (const FlagInfo& flag : table->flags()) {
      if (!bench.Given(flag.name)) continue;
      return Error{flag.name + " is only of " + std::string(table->op_type()) +
                   ", which --operators leaves out"};
    }
  }
  return Ok();
}

ExitCode Bench(const BenchFlags& flags, const Command& bench) {
  if (const Status right = CheckFlags(flags, bench); !right) return Fail(right.error());
  const auto target = flags.target.empty() ? simd::FindTarget(int64_t{0})
                                           : simd::FindTarget(flags.target);
  if (!target) return Fail(target.error());
  const auto peer = MakePeer(flags);
  if (!peer) return Fail(peer.error());
  const BenchRun run{.peer = peer->get(),
                     .target = target->bit,
                     .target_name = std::string(target->name),
                     .threads = flags.threads,
                     .seconds = flags.seconds};
  const auto print = [](const std::string& text) {
    PrintLines(text);
    std::fflush(stdout);
  };
  for (const BenchTable* table : AllBenchTables()) {
    if (!Measures(flags, *table)) continue;
    const auto broken = table->Measure(run, flags.of_operators, print);
    if (!broken) return Fail(broken.error());
    if (!broken->empty()) return ExitCode::kDeviation;
  }
  return ExitCode::kPass;
}

}  // namespace

void AddBenchCommand(Command& program) {
  Command bench = program.AddCommand(
      "bench",
      "Measure the built-in kernels, in turns with another implementation in the same\n"
      "process and with the peak of the CPU. Correct rounding is part of the time.");
  bench.Footer(
      "Exit codes: 0 measured; 1 a bound of --all is broken; 2 bad usage or input.");
  bench.Example("qconform bench --vs onnxruntime", "Next to ONNX Runtime");
  const auto flags = std::make_shared<BenchFlags>();
  std::vector<std::string> operators;
  for (const BenchTable* table : AllBenchTables()) {
    operators.emplace_back(table->op_type());
  }
  bench
      .Add("--operators", flags->operators,
           "What to measure, by default all (repeatable)")
      .OneOf(operators);
  bench.Add("--vs", flags->peer, "Who to measure next to ours").OneOf({"onnxruntime"});
  bench
      .Add("--vs-option", flags->peer_options,
           "An option of the other (repeatable), as --backend-option has it")
      .Type("KEY=VALUE");
  bench.Add("--target", flags->target, "A target of simd; the best by itself")
      .Type("NAME");
  bench.Add("--threads", flags->threads, "Threads, of both (repeatable)")
      .Between(1, 1024)
      .ShowDefault();
  bench.Add("--seconds", flags->seconds, "Time for a row, about")
      .Between(0.01, 3600.0)
      .ShowDefault();
  for (const BenchTable* table : AllBenchTables()) {
    AddOperatorFlags(bench, table->flags(), flags->of_operators);
  }
  bench.Does([flags, bench] { return Bench(*flags, bench); });
}

}  // namespace qconform
