#include "harness/cli/commands/bench_quantize_linear.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "harness/cli/commands/commands.h"
#include "harness/operators/quantize_linear/bench.h"
#include "harness/operators/quantize_linear/bounds.h"
#include "oracle/base/glob.h"
#include "reports/record/verdict.h"
#include "reports/report/file.h"

namespace qconform {
namespace {

void PrintGain(double gain) {
  gain > 0 ? std::printf(" %8.2f", gain) : std::printf(" %8s", "-");
}

// has_gains: in a table with the columns of several threads.
void PrintRow(const QuantizeBenchResult& result, bool has_gains) {
  std::printf("%-46s %9lld %2d %8.4f %7.1f %7.0f%% %8.0f%%", result.row.Name().c_str(),
              static_cast<long long>(result.elements), result.threads, result.ours_ns,
              result.gigabytes_per_second(), 100 * result.of_limit,
              100 * result.of_instruction_limit);
  if (has_gains) {
    PrintGain(result.speedup);
    PrintGain(result.most_speedup);
    PrintGain(result.limit_speedup);
    PrintGain(result.register_speedup);
  }
  if (result.ratio > 0) {
    std::printf(" %9.4f %8.2f %8lld", result.peer_ns, result.ratio,
                static_cast<long long>(result.differing));
  } else if (!result.note.empty()) {
    std::printf("  no ratio: %.60s", result.note.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

void PrintGroups(const std::vector<QuantizeBenchGroup>& groups) {
  if (groups.empty()) return;
  std::printf("\n%-24s %9s %2s %5s %10s %10s %6s  %s\n", "y, scales", "elements", "th",
              "rows", "fastest ns", "slowest ns", "times", "the slowest");
  for (const QuantizeBenchGroup& group : groups) {
    std::string name = std::to_string(group.y_bits) + " bits " +
                       std::string(ScaleLayoutName(group.layout));
    if (group.block != 0) name += " " + std::to_string(group.block);
    std::printf("%-24s %9lld %2d %5zu %10.4f %10.4f %6.2f  %s\n", name.c_str(),
                static_cast<long long>(group.elements), group.threads, group.rows,
                group.fastest_ns, group.slowest_ns, group.slowest_ns / group.fastest_ns,
                group.slowest.c_str());
  }
}

// The rows that some pattern matches; each pattern must match one.
Result<std::vector<QuantizeBenchRow>> SelectRows(std::vector<QuantizeBenchRow> rows,
                                                 const std::vector<std::string>& globs) {
  if (globs.empty()) return rows;
  std::vector<bool> chosen(rows.size(), false);
  for (const std::string& glob : globs) {
    bool any = false;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!GlobMatches(glob, rows[i].Name())) continue;
      chosen[i] = any = true;
    }
    if (!any) {
      return Error{"--rows '" + glob + "' matches no row; rows are called as in '" +
                   rows.front().Name() + "' or '*-UINT8 blocked*', and --all has more"};
    }
  }
  std::vector<QuantizeBenchRow> selected;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (chosen[i]) selected.push_back(rows[i]);
  }
  return selected;
}

}  // namespace

int BenchQuantizeLinearCommand(const QuantizeLinearBenchFlags& flags, Peer* peer,
                               const simd::Target& target) {
  if (!flags.report.empty()) {
    const Status writable = CheckWritable(flags.report);
    if (!writable) return Fail(writable.error());
  }
  auto known = flags.all ? AllQuantizeRows() : StandardQuantizeRows();
  for (QuantizeBenchRow& row : known) row.zero_point = flags.zero_points;
  const auto rows = SelectRows(std::move(known), flags.rows);
  if (!rows) return Fail(rows.error());
  std::printf(
      "QuantizeLinear on simd:%s%s%s; medians of turns in one process; the limit moves "
      "the\n"
      "same bytes and computes nothing; that of instructions (of instr.) loads, "
      "converts,\n"
      "multiplies, rounds, packs and stores in the first cache, no more "
      "(docs/kernels.md)\n",
      std::string(target.name).c_str(), peer == nullptr ? "" : " beside ",
      peer == nullptr ? "" : peer->name().c_str());
  const bool several = std::ranges::any_of(flags.threads, [](int n) { return n > 1; });
  if (several) {
    std::printf(
        "speed-up over one thread, in the same turns: of ours; at most, of threads that "
        "do\n"
        "their parts apart and meet by one round trip of a cache line; of the limit, "
        "whose\n"
        "threads need not meet; and of arithmetic in registers, which is less than the\n"
        "threads where they share cores\n");
  }
  std::printf("\n%-46s %9s %2s %8s %7s %8s %9s", "types and scales", "elements", "th",
              "ns", "GB/s", "of limit", "of instr.");
  if (several) {
    std::printf(" %8s %8s %8s %8s", "speed-up", "at most", "limit's", "register");
  }
  std::printf(" %9s %8s %8s\n", "peer ns", "ratio", "differ");
  std::vector<QuantizeBenchResult> results;
  for (const int64_t elements : flags.elements) {
    for (const int threads : flags.threads) {
      for (const QuantizeBenchRow& row : *rows) {
        const auto result = BenchQuantizeLinear(row, peer,
                                                {.elements = elements,
                                                 .threads = threads,
                                                 .target = target.bit,
                                                 .seconds = flags.seconds});
        if (!result) return Fail(result.error());
        PrintRow(*result, several);
        results.push_back(*result);
      }
    }
  }
  std::vector<std::string> broken;
  if (flags.all) {
    const bool whole_groups = flags.rows.empty();
    broken = BrokenBounds(results, whole_groups);
    if (whole_groups) PrintGroups(GroupsInCache(results));
    std::printf("\n%zu of %zu measurements are outside of their bounds\n", broken.size(),
                results.size());
    for (const std::string& sentence : broken) std::printf("  %s\n", sentence.c_str());
  }
  if (!flags.report.empty()) {
    const Status written = WriteFileAtomically(
        flags.report, QuantizeBenchText(results, broken, target.name,
                                        peer == nullptr ? "" : peer->name()));
    if (!written) return Fail(written.error());
  }
  return static_cast<int>(broken.empty() ? ExitCode::kPass : ExitCode::kDeviation);
}

}  // namespace qconform
