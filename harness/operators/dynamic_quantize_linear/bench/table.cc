// `qconform bench --operators DynamicQuantizeLinear`.
#include <string>
#include <vector>

#include "harness/core/bench/bench_table.h"
#include "harness/core/bench/text.h"
#include "harness/operators/dynamic_quantize_linear/bench/measure.h"

namespace qconform::dynamic_quantize_linear {
namespace {

class DynamicQuantizeLinearTable : public BenchTable {
 public:
  std::string_view op_type() const override { return "DynamicQuantizeLinear"; }

  Result<std::vector<std::string>> Measure(const BenchRun& run, const FlagValues&,
                                           const PrintText& print) const override {
    for (const int threads : run.threads) {
      print(TextOf(
          "DynamicQuantizeLinear on simd:%s, %d thread%s; medians of turns, in "
          "nanoseconds\n"
          "for each element\n\n%10s %8s %20s %6s %8s\n",
          run.target_name.c_str(), threads, threads == 1 ? "" : "s", "elements", "ours",
          run.peer == nullptr ? "-" : run.peer->name().c_str(), "ratio", "differ"));
      for (const int64_t elements : StandardSizes()) {
        const auto result = BenchDynamicQuantizeLinear(
            elements, run.peer,
            {.threads = threads, .target = run.target, .seconds = run.seconds});
        if (!result) return result.error();
        const TurnsResult& turns = result->turns;
        const double each = 1e9 / static_cast<double>(elements);
        std::string text =
            TextOf("%10lld %8.4f", static_cast<long long>(elements), turns.ours * each);
        text += turns.peer > 0 ? TextOf(" %20.4f %6.2f", turns.peer * each, turns.ratio)
                               : TextOf(" %20s %6s", "-", "-");
        print(text +
              TextOf(" %8lld%s%s\n", static_cast<long long>(result->differing),
                     turns.note.empty() ? "" : "  no ratio: ", turns.note.c_str()));
      }
    }
    return std::vector<std::string>();
  }
};

}  // namespace

const BenchTable& GetBenchTable() {
  static const DynamicQuantizeLinearTable table;
  return table;
}

}  // namespace qconform::dynamic_quantize_linear
