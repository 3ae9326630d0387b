#include "harness/convolution/bench.h"

#include <string>
#include <vector>

#include "harness/core/bench/text.h"

namespace qconform {
namespace {

// All convolutions of a network, as often as it has them.
struct Sum {
  double ours = 0;
  double peer = 0;
  bool has_all = true;  // the peer computes each of them
};

}  // namespace

Status ConvolutionTable::MeasureCorpus(const ConvolutionCorpus& corpus,
                                       const BenchRun& run, int threads,
                                       const PrintText& print) const {
  print(
      TextOf("%s on simd:%s, %d thread%s, shapes of %s, UINT8 by %s %s;\n"
             "medians of turns, in 10^9 operations a second\n\n"
             "%-30s %5s %8s %20s %6s %8s\n",
             op_type_.data(), run.target_name.c_str(), threads, threads == 1 ? "" : "s",
             corpus.name.data(), DataTypeName(w_).data(), weights_.data(),
             "x, channels, kernel", "times", "ours",
             run.peer == nullptr ? "-" : run.peer->name().c_str(), "ratio", "differ"));
  Sum sum;
  for (const ConvolutionShape& shape : corpus.shapes) {
    const auto result = bench_(
        shape, run.peer,
        {.threads = threads, .target = run.target, .seconds = run.seconds, .w = w_});
    if (!result) return result.error();
    const TurnsResult& turns = result->turns;
    const double giga = static_cast<double>(shape.operations()) * 1e-9;
    std::string text =
        TextOf("%-30s %5d %8.1f", NameOf(shape).c_str(), shape.times, giga / turns.ours);
    text += turns.peer > 0 ? TextOf(" %20.1f %6.2f", giga / turns.peer, turns.ratio)
                           : TextOf(" %20s %6s", "-", "-");
    print(text + TextOf(" %8lld%s%s\n", static_cast<long long>(result->differing),
                        turns.note.empty() ? "" : "  no ratio: ", turns.note.c_str()));
    sum.ours += turns.ours * shape.times;
    sum.peer += turns.peer * shape.times;
    sum.has_all &= turns.peer > 0;
  }
  print(TextOf("all of %s, in milliseconds: %.3f", corpus.name.data(), sum.ours * 1e3));
  print(sum.has_all ? TextOf(", the peer %.3f, ratio %.2f\n\n", sum.peer * 1e3,
                             sum.peer / sum.ours)
                    : std::string("\n\n"));
  return Ok();
}

Result<std::vector<std::string>> ConvolutionTable::Measure(const BenchRun& run,
                                                           const FlagValues&,
                                                           const PrintText& print) const {
  for (const int threads : run.threads) {
    for (const ConvolutionCorpus& corpus : ConvolutionCorpora()) {
      const Status measured = MeasureCorpus(corpus, run, threads, print);
      if (!measured) return measured.error();
    }
  }
  return std::vector<std::string>();
}

}  // namespace qconform
