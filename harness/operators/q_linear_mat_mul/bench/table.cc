// `qconform bench --operators QLinearMatMul`.
#include <string>
#include <vector>

#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/text.h"
#include "harness/operators/q_linear_mat_mul/bench/measure.h"

namespace qconform::q_linear_mat_mul {
namespace {

std::string HeaderText(const BenchRun& run, int threads) {
  return TextOf(
      "QLinearMatMul on simd:%s, %d thread%s, b constant; medians of turns, in 10^9\n"
      "operations (2 M N K) a second\n\n%-6s %-6s %-29s %8s %20s %6s %8s %8s %8s\n",
      run.target_name.c_str(), threads, threads == 1 ? "" : "s", "a", "b", "M,N,K",
      "ours", run.peer == nullptr ? "-" : run.peer->name().c_str(), "ratio", "peak",
      "of peak", "differ");
}

std::string RowText(const MatMulBenchResult& result) {
  const MatMulBenchRow& row = result.row;
  std::string text = TextOf(
      "%-6s %-6s %-29s %8.0f", std::string(DataTypeName(row.a)).c_str(),
      std::string(DataTypeName(row.b)).c_str(), row.Size().c_str(), result.ours * 1e-9);
  text += result.peer > 0 ? TextOf(" %20.0f %6.2f", result.peer * 1e-9, result.ratio)
                          : TextOf(" %20s %6s", "-", "-");
  // A CPU without the instruction has no peak.
  text += result.peak > 0
              ? TextOf(" %8.0f %7.1f%%", result.peak * 1e-9, 100 * result.of_peak)
              : TextOf(" %8s %8s", "-", "-");
  return text + TextOf(" %8lld%s%s\n", static_cast<long long>(result.differing),
                       result.note.empty() ? "" : "  no ratio: ", result.note.c_str());
}

class QLinearMatMulTable : public BenchTable {
 public:
  std::string_view op_type() const override { return "QLinearMatMul"; }

  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues&,
                                           const PrintText& print) const override {
    for (const int threads : run.threads) {
      print(HeaderText(run, threads));
      for (const MatMulBenchRow& row : StandardMatMulRows()) {
        const auto result = BenchQLinearMatMul(
            row, run.peer,
            {.threads = threads, .target = run.target, .seconds = run.seconds});
        if (!result) return result.error();
        print(RowText(*result));
      }
    }
    return std::vector<std::string>();
  }
};

}  // namespace

const BenchTable& GetBenchTable() {
  static const QLinearMatMulTable table;
  return table;
}

}  // namespace qconform::q_linear_mat_mul
