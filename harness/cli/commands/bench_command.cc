#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/cli/commands/bench_quantize_linear.h"
#include "harness/cli/commands/commands.h"
#include "harness/operators/q_linear_mat_mul/bench.h"
#include "harness/operators/quantize_linear/bench.h"

namespace qconform {
namespace {

struct BenchFlags {
  std::vector<std::string> operators;
  std::string peer;
  std::vector<std::string> peer_options;
  std::string target;
  std::vector<int> threads = {1};
  double seconds = 1;
  std::vector<int64_t> elements = {1 << 16, 1 << 20, 1 << 26};
  bool all = false;
  bool zero_points = false;
  std::vector<std::string> rows;
  std::string report;
};

Result<std::unique_ptr<Peer>> MakePeer(const BenchFlags& flags) {
  if (flags.peer.empty()) return std::unique_ptr<Peer>();
  const auto options = ParseBackendOptions(flags.peer_options, "--vs-option");
  if (!options) return options.error();
  return MakeOnnxRuntimePeer(*options);
}

int BenchMatMul(const BenchFlags& flags, int threads, Peer* peer,
                const simd::Target& target) {
  std::printf(
      "QLinearMatMul on simd:%s, %d thread%s, b constant; medians of turns, in 10^9\n"
      "operations (2 M N K) a second\n\n%-6s %-6s %-15s %8s %20s %6s %8s %8s %8s\n",
      std::string(target.name).c_str(), threads, threads == 1 ? "" : "s", "a", "b",
      "M,N,K", "ours", peer == nullptr ? "-" : peer->name().c_str(), "ratio", "peak",
      "of peak", "differ");
  for (const MatMulBenchRow& row : StandardMatMulRows()) {
    const auto result = BenchQLinearMatMul(
        row, peer, {.threads = threads, .target = target.bit, .seconds = flags.seconds});
    if (!result) return Fail(result.error());
    const std::string size =
        std::to_string(row.m) + "," + std::to_string(row.n) + "," + std::to_string(row.k);
    std::printf("%-6s %-6s %-15s %8.0f", std::string(DataTypeName(row.a)).c_str(),
                std::string(DataTypeName(row.b)).c_str(), size.c_str(),
                result->ours * 1e-9);
    if (result->peer > 0) {
      std::printf(" %20.0f %6.2f", result->peer * 1e-9, result->ratio);
    } else {
      std::printf(" %20s %6s", "-", "-");
    }
    // Of a CPU without the instruction there is none.
    if (result->peak > 0) {
      std::printf(" %8.0f %7.1f%%", result->peak * 1e-9, 100 * result->of_peak);
    } else {
      std::printf(" %8s %8s", "-", "-");
    }
    std::printf(" %8lld%s%s\n", static_cast<long long>(result->differing),
                result->note.empty() ? "" : "  no ratio: ", result->note.c_str());
    std::fflush(stdout);
  }
  return 0;
}

bool Measures(const BenchFlags& flags, const char* op_type) {
  return std::ranges::find(flags.operators, op_type) != flags.operators.end();
}

// Finds flags that would do nothing, and sizes that cannot be measured.
Status CheckFlags(const BenchFlags& flags, const Command& bench) {
  if (!Measures(flags, "QuantizeLinear")) {
    for (const char* name :
         {"--elements", "--all", "--zero-points", "--rows", "--report"}) {
      if (!bench.Given(name)) continue;
      return Error{std::string(name) +
                   " is of QuantizeLinear alone, which --operators leaves out"};
    }
  }
  if (flags.peer.empty() && !flags.peer_options.empty()) {
    return Error{"--vs-option '" + flags.peer_options[0] +
                 "' needs --vs, the other that it is an option of"};
  }
  for (const int64_t elements : flags.elements) {
    if (elements % kBenchColumns == 0) continue;
    return Error{"--elements " + std::to_string(elements) + ": a multiple of " +
                 std::to_string(kBenchColumns) + " is right"};
  }
  return Ok();
}

int Bench(const BenchFlags& flags, const Command& bench) {
  if (const Status right = CheckFlags(flags, bench); !right) return Fail(right.error());
  const auto target = flags.target.empty() ? simd::FindTarget(int64_t{0})
                                           : simd::FindTarget(flags.target);
  if (!target) return Fail(target.error());
  const auto peer = MakePeer(flags);
  if (!peer) return Fail(peer.error());
  // QuantizeLinear comes first: its flags are checked before anything is measured.
  if (Measures(flags, "QuantizeLinear")) {
    const int code = BenchQuantizeLinearCommand({.elements = flags.elements,
                                                 .threads = flags.threads,
                                                 .all = flags.all,
                                                 .zero_points = flags.zero_points,
                                                 .rows = flags.rows,
                                                 .seconds = flags.seconds,
                                                 .report = flags.report},
                                                peer->get(), *target);
    if (code != 0) return code;
  }
  if (!Measures(flags, "QLinearMatMul")) return 0;
  for (const int threads : flags.threads) {
    if (const int code = BenchMatMul(flags, threads, peer->get(), *target); code != 0)
      return code;
  }
  return 0;
}

}  // namespace

void AddBenchCommand(Command& program) {
  Command bench = program.AddCommand(
      "bench",
      "Measure the built-in kernels, in turns with another implementation in the same\n"
      "process and with the peak of the CPU. Correct rounding is part of the time.");
  bench.Footer(
      "Exit codes: 0 measured; 1 a bound of --all is broken; 2 bad usage or input.");
  const auto flags = std::make_shared<BenchFlags>();
  flags->operators = {"QuantizeLinear", "QLinearMatMul"};
  bench.Add("--operators", flags->operators, "What to measure (repeatable)")
      .OneOf({"QuantizeLinear", "QLinearMatMul"})
      .ShowDefault();
  bench.Add("--vs", flags->peer, "Who to measure beside ours").OneOf({"onnxruntime"});
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
  bench
      .Add("--elements", flags->elements,
           "Sizes of x for QuantizeLinear, multiples of 4096 (repeatable)")
      .Between(int64_t{4096}, int64_t{1} << 32)
      .ShowDefault();
  bench.AddSwitch(
      "--all", flags->all,
      "Every legal choice of types of QuantizeLinear, against the bounds that "
      "docs/kernels.md states");
  bench.AddSwitch(
      "--zero-points", flags->zero_points,
      "QuantizeLinear's rows have a y_zero_point for each scale, none of them 0");
  bench
      .Add("--rows", flags->rows,
           "Only rows of QuantizeLinear whose name matches GLOB (repeatable), "
           "such as '*-UINT8 blocked*'")
      .Type("GLOB");
  bench.Add("--report", flags->report, "Write QuantizeLinear's results as JSON")
      .Type("FILE");
  bench.Does([flags, bench] { return Bench(*flags, bench); });
}

}  // namespace qconform
