// `qconform bench --operators DequantizeLinear`.
#include <string>
#include <utility>
#include <vector>

#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/rows.h"
#include "harness/core/bench/text.h"
#include "harness/operators/dequantize_linear/bench/measure.h"
#include "oracle/base/file.h"

namespace qconform::dequantize_linear {
namespace {

std::string HeaderText(const BenchRun& run) {
  return TextOf(
             "DequantizeLinear on simd:%s%s%s; medians of turns in one process; the "
             "limit "
             "moves\nthe same bytes and computes nothing (docs/kernels.md)\n",
             run.target_name.c_str(), run.peer == nullptr ? "" : " beside ",
             run.peer == nullptr ? "" : run.peer->name().c_str()) +
         TextOf("\n%-50s %9s %2s %8s %7s %8s %9s %8s %8s\n", "types and scales",
                "elements", "th", "ns", "GB/s", "of limit", "peer ns", "ratio", "differ");
}

std::string RowText(const BenchRowRecord& result) {
  const std::string text =
      TextOf("%-50s %9lld %2d %8.4f %7.1f %7.0f%%", result.name.c_str(),
             static_cast<long long>(result.elements), result.threads,
             result.ns_per_element, result.gigabytes_per_second, 100 * result.of_limit);
  return text + PeerText(result);
}

class DequantizeLinearTable : public BenchTable {
 public:
  std::string_view op_type() const override { return "DequantizeLinear"; }

  std::vector<FlagInfo> flags() const override {
    using enum FlagInfo::Form;
    return {
        {.name = "--dequantize-elements",
         .help = "Sizes of x for DequantizeLinear, multiples of 4096 (repeatable)",
         .form = kIntegers,
         .initial = {.integers = {1 << 16, 1 << 20, 1 << 26}},
         .shows_initial = true,
         .bounds = std::pair(int64_t{4096}, int64_t{1} << 32)},
        {.name = "--dequantize-zero-points",
         .help = "DequantizeLinear's rows have an x_zero_point for each scale, none "
                 "of them 0",
         .form = kSwitch},
        {.name = "--dequantize-rows",
         .help = "Only rows of DequantizeLinear whose name matches GLOB (repeatable), "
                 "such as 'UINT8-* blocked*'",
         .form = kTexts,
         .type = "GLOB"},
        {.name = "--dequantize-report",
         .help = "Write DequantizeLinear's results as JSON",
         .type = "FILE"}};
  }

  Status Check(const FlagValues& values) const override {
    const Status elements = CheckBenchElements(
        "--dequantize-elements", values.at("--dequantize-elements").integers);
    if (!elements) return elements;
    const auto rows = RowsOf(values);
    if (!rows) return rows.error();
    const std::string& report = values.at("--dequantize-report").text;
    return report.empty() ? Ok() : CheckWritable(report);
  }

  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues& values,
                                           const PrintText& print) const override {
    const auto rows = RowsOf(values);
    if (!rows) return rows.error();
    print(HeaderText(run));
    BenchRecord record;
    record.op_type = op_type();
    record.target = run.target_name;
    if (run.peer != nullptr) record.peer = run.peer->name();
    for (const int64_t elements : values.at("--dequantize-elements").integers) {
      for (const int threads : run.threads) {
        for (const DequantizeBenchRow& row : *rows) {
          const auto result = BenchDequantizeLinear(row, run.peer,
                                                    {.elements = elements,
                                                     .threads = threads,
                                                     .target = run.target,
                                                     .seconds = run.seconds});
          if (!result) return result.error();
          print(RowText(*result));
          record.rows.push_back(*result);
        }
      }
    }
    const std::string& report = values.at("--dequantize-report").text;
    if (!report.empty()) {
      const Status written = WriteFileAtomically(report, BenchText(record));
      if (!written) return written.error();
    }
    return std::vector<std::string>();
  }

 private:
  static Result<std::vector<DequantizeBenchRow>> RowsOf(const FlagValues& values) {
    auto rows = StandardDequantizeRows();
    for (DequantizeBenchRow& row : rows) {
      row.zero_point = values.at("--dequantize-zero-points").is_set;
    }
    return MatchingRows(std::move(rows), "--dequantize-rows",
                        values.at("--dequantize-rows").texts, "UINT8-* blocked*");
  }
};

}  // namespace

const BenchTable& GetBenchTable() {
  static const DequantizeLinearTable table;
  return table;
}

}  // namespace qconform::dequantize_linear
