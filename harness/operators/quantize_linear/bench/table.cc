// `qconform bench --operators QuantizeLinear`.
#include "harness/operators/quantize_linear/bench/table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/rows.h"
#include "harness/core/bench/text.h"
#include "harness/operators/quantize_linear/bench/bounds.h"
#include "oracle/base/file.h"

namespace qconform::quantize_linear {
namespace {

std::string GainText(double gain) {
  return gain > 0 ? TextOf(" %8.2f", gain) : TextOf(" %8s", "-");
}

// has_gains: in a table with the columns of several threads.
std::string RowText(const QuantizeBenchResult& result, bool has_gains) {
  std::string text =
      TextOf("%-46s %9lld %2d %8.4f %7.1f %7.0f%% %8.0f%%", result.row.Name().c_str(),
             static_cast<long long>(result.elements), result.threads,
             result.ns_per_element, result.gigabytes_per_second, 100 * result.of_limit,
             100 * result.of_instruction_limit);
  if (has_gains) {
    text += GainText(result.speedup) + GainText(result.most_speedup) +
            GainText(result.limit_speedup) + GainText(result.register_speedup);
  }
  return text + PeerText(result);
}

std::string GroupsText(const std::vector<QuantizeBenchGroup>& groups) {
  if (groups.empty()) return "";
  std::string text =
      TextOf("\n%-24s %9s %2s %5s %10s %10s %6s  %s\n", "y, scales", "elements", "th",
             "rows", "fastest ns", "slowest ns", "times", "the slowest");
  for (const QuantizeBenchGroup& group : groups) {
    std::string name = std::to_string(group.y_bits) + " bits " +
                       std::string(BenchLayoutName(group.layout));
    if (group.block != 0) name += " " + std::to_string(group.block);
    text += TextOf("%-24s %9lld %2d %5zu %10.4f %10.4f %6.2f  %s\n", name.c_str(),
                   static_cast<long long>(group.elements), group.threads, group.rows,
                   group.fastest_ns, group.slowest_ns,
                   group.slowest_ns / group.fastest_ns, group.slowest.c_str());
  }
  return text;
}

std::string HeaderText(const BenchRun& run, bool several) {
  std::string text = TextOf(
      "QuantizeLinear on simd:%s%s%s; medians of turns in one process; the limit moves "
      "the\n"
      "same bytes and computes nothing; that of instructions (of instr.) loads, "
      "converts,\n"
      "multiplies, rounds, packs and stores in the first cache, no more\n"
      "(docs/measurements/quantize_linear.md)\n",
      run.target_name.c_str(), run.peer == nullptr ? "" : " beside ",
      run.peer == nullptr ? "" : run.peer->name().c_str());
  if (several) {
    text +=
        "speed-up over one thread, in the same turns: of ours; at most, of threads that "
        "do\n"
        "their parts apart and meet by one round trip of a cache line; of the limit, "
        "whose\n"
        "threads need not meet; and of arithmetic in registers, which is less than the\n"
        "threads where they share cores\n";
  }
  text += TextOf("\n%-46s %9s %2s %8s %7s %8s %9s", "types and scales", "elements", "th",
                 "ns", "GB/s", "of limit", "of instr.");
  if (several) {
    text += TextOf(" %8s %8s %8s %8s", "speed-up", "at most", "limit's", "register");
  }
  return text + TextOf(" %9s %8s %8s\n", "peer ns", "ratio", "differ");
}

class QuantizeLinearTable : public BenchTable {
 public:
  std::string_view op_type() const override { return "QuantizeLinear"; }

  std::vector<FlagInfo> flags() const override {
    using enum FlagInfo::Form;
    return {
        {.name = "--elements",
         .help = "Sizes of x for QuantizeLinear, multiples of 4096 (repeatable)",
         .form = kIntegers,
         .initial = {.integers = {1 << 16, 1 << 20, 1 << 26}},
         .shows_initial = true,
         .bounds = std::pair(int64_t{4096}, int64_t{1} << 32)},
        {.name = "--all",
         .help = "Every legal choice of types of QuantizeLinear, against the bounds that "
                 "docs/measurements/quantize_linear.md states",
         .form = kSwitch},
        {.name = "--zero-points",
         .help = "QuantizeLinear's rows have a y_zero_point for each scale, none of them "
                 "0",
         .form = kSwitch},
        {.name = "--rows",
         .help = "Only rows of QuantizeLinear whose name matches GLOB (repeatable), such "
                 "as '*-UINT8 blocked*'",
         .form = kTexts,
         .type = "GLOB"},
        {.name = "--report",
         .help = "Write QuantizeLinear's results as JSON",
         .type = "FILE"}};
  }

  Status Check(const FlagValues& values) const override {
    const Status elements =
        CheckBenchElements("--elements", values.at("--elements").integers);
    if (!elements) return elements;
    const auto rows = RowsOf(values);
    if (!rows) return rows.error();
    const std::string& report = values.at("--report").text;
    return report.empty() ? Ok() : CheckWritable(report);
  }

  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues& values,
                                           const PrintText& print) const override {
    const auto rows = RowsOf(values);
    if (!rows) return rows.error();
    const bool several = std::ranges::any_of(run.threads, [](int n) { return n > 1; });
    print(HeaderText(run, several));
    std::vector<QuantizeBenchResult> results;
    for (const int64_t elements : values.at("--elements").integers) {
      for (const int threads : run.threads) {
        for (const QuantizeBenchRow& row : *rows) {
          const auto result = BenchQuantizeLinear(row, run.peer,
                                                  {.elements = elements,
                                                   .threads = threads,
                                                   .target = run.target,
                                                   .seconds = run.seconds});
          if (!result) return result.error();
          print(RowText(*result, several));
          results.push_back(*result);
        }
      }
    }
    std::vector<std::string> broken;
    if (values.at("--all").is_set) {
      // The fastest of a group is known only if all of its rows are measured. The others
      // are held to the bound at 64 Mi.
      const bool whole_groups = values.at("--rows").texts.empty();
      broken = BrokenBounds(results, whole_groups);
      if (whole_groups) print(GroupsText(GroupsInCache(results)));
      print(TextOf("\n%zu of %zu measurements are outside of their bounds\n",
                   broken.size(), results.size()));
      for (const std::string& sentence : broken) print("  " + sentence + "\n");
    }
    if (const std::string& report = values.at("--report").text; !report.empty()) {
      const Status written = WriteFileAtomically(
          report, QuantizeBenchText(results, broken, run.target_name,
                                    run.peer == nullptr ? "" : run.peer->name()));
      if (!written) return written.error();
    }
    return broken;
  }

 private:
  static Result<std::vector<QuantizeBenchRow>> RowsOf(const FlagValues& values) {
    auto rows = values.at("--all").is_set ? AllQuantizeRows() : StandardQuantizeRows();
    for (QuantizeBenchRow& row : rows) {
      row.zero_point = values.at("--zero-points").is_set;
    }
    return MatchingRows(std::move(rows), "--rows", values.at("--rows").texts,
                        "*-UINT8 blocked*", "--all has more rows");
  }
};

}  // namespace

std::string QuantizeBenchText(const std::vector<QuantizeBenchResult>& results,
                              std::vector<std::string> broken, std::string_view target,
                              std::string_view peer) {
  BenchRecord record;
  record.op_type = "QuantizeLinear";
  record.target = target;
  record.peer = peer;
  record.rows.assign(results.begin(), results.end());
  record.broken_bounds = std::move(broken);
  return BenchText(record);
}

const BenchTable& GetBenchTable() {
  static const QuantizeLinearTable table;
  return table;
}

}  // namespace qconform::quantize_linear
