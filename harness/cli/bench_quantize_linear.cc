#include "harness/cli/bench_quantize_linear.h"

#include <cstdio>

#include "harness/bench/quantize_linear_bench.h"
#include "harness/cli/commands.h"
#include "reports/file.h"
#include "reports/verdict.h"

namespace qconform {
namespace {

void PrintRow(const QuantizeBenchResult& result) {
  std::printf("%-46s %9lld %2d %8.4f %7.1f %7.0f%%", result.row.Name().c_str(),
              static_cast<long long>(result.elements), result.threads, result.ours_ns,
              result.gigabytes_per_second(), 100 * result.of_limit);
  if (result.ratio > 0) {
    std::printf(" %9.4f %8.2f %8lld", result.peer_ns, result.ratio,
                static_cast<long long>(result.differing));
  } else if (!result.note.empty()) {
    std::printf("  no ratio: %.60s", result.note.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int BenchQuantizeLinearCommand(const QuantizeLinearBenchFlags& flags, Peer* peer,
                               const simd::Target& target) {
  if (!flags.report.empty()) {
    const Status writable = CheckWritable(flags.report);
    if (!writable) return Fail(writable.error());
  }
  std::printf(
      "QuantizeLinear on simd:%s%s%s; medians of turns in one process; the limit moves "
      "the\n"
      "same bytes and computes nothing\n\n%-46s %9s %2s %8s %7s %8s %9s %8s %8s\n",
      std::string(target.name).c_str(), peer == nullptr ? "" : " beside ",
      peer == nullptr ? "" : peer->name().c_str(), "types and scales", "elements", "th",
      "ns", "GB/s", "of limit", "peer ns", "ratio", "differ");
  std::vector<QuantizeBenchResult> results;
  const auto rows = flags.all ? AllQuantizeRows() : StandardQuantizeRows();
  for (const int64_t elements : flags.elements) {
    for (const int threads : flags.threads) {
      for (const QuantizeBenchRow& row : rows) {
        const auto result = BenchQuantizeLinear(row, peer,
                                                {.elements = elements,
                                                 .threads = threads,
                                                 .target = target.bit,
                                                 .seconds = flags.seconds});
        if (!result) return Fail(result.error());
        PrintRow(*result);
        results.push_back(*result);
      }
    }
  }
  const std::vector<std::string> broken =
      flags.all ? BrokenBounds(results) : std::vector<std::string>();
  if (flags.all) {
    std::printf("\n%zu of %zu measurements are outside of their bounds\n", broken.size(),
                results.size());
    for (const std::string& sentence : broken) std::printf("  %s\n", sentence.c_str());
  }
  if (!flags.report.empty()) {
    const Status written = WriteFileAtomically(
        flags.report,
        QuantizeBenchText(results, target.name, peer == nullptr ? "" : peer->name()));
    if (!written) return Fail(written.error());
  }
  return static_cast<int>(broken.empty() ? ExitCode::kPass : ExitCode::kDeviation);
}

}  // namespace qconform
