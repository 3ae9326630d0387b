// `qconform bench --operators MatMulInteger`.
#include <string>
#include <vector>

#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/text.h"
#include "harness/operators/mat_mul_integer/bench/measure.h"

namespace qconform::mat_mul_integer {
namespace {

std::string HeaderText(const BenchRun& run, int threads) {
  return TextOf(
      "MatMulInteger on simd:%s, %d thread%s, b constant; medians of turns, in 10^9\n"
      "operations (2 M N K) a second\n\n%-6s %-6s %-20s %8s %20s %6s %8s %8s %8s\n",
      run.target_name.c_str(), threads, threads == 1 ? "" : "s", "a", "b", "M,N,K",
      "ours", run.peer == nullptr ? "-" : run.peer->name().c_str(), "ratio", "peak",
      "of peak", "differ");
}

std::string RowText(const MatMulIntegerBenchRow& row,
                    const MatMulIntegerBenchResult& result, int threads) {
  const double giga = row.Operations() * 1e-9;
  const TurnsResult& turns = result.turns;
  std::string text =
      TextOf("%-6s %-6s %-20s %8.0f", DataTypeName(row.a).data(),
             DataTypeName(row.b).data(), row.Size().c_str(), giga / turns.ours);
  text += turns.peer > 0 ? TextOf(" %20.0f %6.2f", giga / turns.peer, turns.ratio)
                         : TextOf(" %20s %6s", "-", "-");
  // A CPU without the instruction has no peak.
  text += result.peak > 0
              ? TextOf(" %8.0f %7.1f%%", result.peak * 1e-9,
                       100 * row.Operations() / turns.ours / (result.peak * threads))
              : TextOf(" %8s %8s", "-", "-");
  return text + TextOf(" %8lld%s%s\n", static_cast<long long>(result.differing),
                       turns.note.empty() ? "" : "  no ratio: ", turns.note.c_str());
}

class MatMulIntegerTable : public BenchTable {
 public:
  std::string_view op_type() const override { return "MatMulInteger"; }

  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues&,
                                           const PrintText& print) const override {
    for (const int threads : run.threads) {
      print(HeaderText(run, threads));
      for (const MatMulIntegerBenchRow& row : StandardMatMulIntegerRows()) {
        const auto result = BenchMatMulInteger(
            row, run.peer,
            {.threads = threads, .target = run.target, .seconds = run.seconds});
        if (!result) return result.error();
        print(RowText(row, *result, threads));
      }
    }
    return std::vector<std::string>();
  }
};

}  // namespace

const BenchTable& GetBenchTable() {
  static const MatMulIntegerTable table;
  return table;
}

}  // namespace qconform::mat_mul_integer
