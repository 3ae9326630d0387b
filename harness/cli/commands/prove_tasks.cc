#include "harness/cli/commands/prove_tasks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/cli/interrupt.h"
#include "harness/sweep/readings.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// simd's TARGET where the inner function is to be run: in this process, and by no option
// that may change what it answers.
std::optional<std::string> InnerTarget(const ProveFlags& flags) {
  const std::string& spec = flags.backend.spec;
  if (flags.as_tensors || flags.backend.isolate) return std::nullopt;
  for (const std::string& option : flags.backend.options) {
    if (!option.starts_with("threads=")) return std::nullopt;
  }
  if (spec == "simd") return "";
  if (spec.starts_with("simd:")) return spec.substr(5);
  return std::nullopt;
}

Result<SubjectSource> SourceFor(const ProveFlags& flags, const QuantizeLinearLine& line,
                                AskedBackend& asked) {
  const auto target = InnerTarget(flags);
  if (target) {
    auto inner = InnerSubjects(line, *target);
    if (inner) return inner;
  }
  return BackendSubjects(line, asked.backend, &asked.unanswered);
}

// What ProveTask::by_readings does: `prove` makes the proof of a LineReading or a
// SumsReading.
template <typename Question, typename ProveReading>
auto ByReadings(const Question& question, ProveReading prove) {
  return [question, prove](const std::vector<SweepMismatch>& mismatches) {
    std::vector<ProofOfReading> proofs;
    if (!ReadingOf(question).empty()) return proofs;
    for (const auto& other : OtherReadings(question)) {
      const bool explains =
          std::all_of(mismatches.begin(), mismatches.end(), [&](const SweepMismatch& m) {
            if constexpr (std::is_same_v<Question, QuantizeLinearLine>) {
              return Explains(other.line, m);
            } else {
              return Explains(other.sums, m);
            }
          });
      if (explains) proofs.push_back({other.name, prove(other)});
    }
    return proofs;
  };
}

ProveTask Wrong(Error error) { return {std::move(error), {}, {}, {}}; }

}  // namespace

ProveTask LineTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return Wrong(line.error());
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return Wrong(source.error());
  return {ProveLine(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          ByReadings(*line,
                     [source = *source](const LineReading& other) {
                       return ProveLine(other.line, source);
                     }),
          [line = *line, source = *source] {
            return TimeKernelAlone(line, source, g_interrupted);
          },
          line->x,
          line->y};
}

ProveTask PlaneTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return Wrong(line.error());
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return Wrong(source.error());
  return {ProvePlane(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          ByReadings(*line,
                     [source = *source](const LineReading& other) {
                       return ProvePlane(other.line, source);
                     }),
          {},
          line->x,
          line->y};
}

ProveTask AllScalesTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return Wrong(line.error());
  if (line->zero_point && IsInteger(line->y)) {
    return Wrong(
        {"--zero-point: all-scales takes those at both ends of the range of an integer y "
         "by itself"});
  }
  std::vector<int> binades = flags.binades;
  for (size_t i = 1; i < binades.size(); ++i) {
    if (std::find(binades.begin(), binades.begin() + i, binades[i]) ==
        binades.begin() + i) {
      continue;
    }
    return Wrong({"--binade " + std::to_string(binades[i]) + " is given twice"});
  }
  if (binades.empty() && !flags.all) {
    // All scales are too many questions: all significands, at a few exponents.
    if (!InnerTarget(flags)) {
      binades = {-12, 0, 12};
    } else if (BitWidth(line->y) == 16) {
      binades = {0};
    }
  }
  // Made by readings later, when flags and backend are still there.
  const auto source = [&flags, &asked](const QuantizeLinearLine& one) {
    return SourceFor(flags, one, asked);
  };
  return {ProveAllScales(*line, binades, source),
          [line = *line](const SweepMismatch& m) {
            QuantizeLinearLine one = line;
            if (IsInteger(line.y)) one.zero_point = m.zero_point;
            return MismatchCase(one, m);
          },
          ByReadings(*line,
                     [binades, source](const LineReading& other) {
                       return ProveAllScales(other.line, binades, source);
                     }),
          {},
          line->x,
          line->y};
}

ProveTask AccumulatorsTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto sums = SumsOf(flags);
  if (!sums) return Wrong(sums.error());
  const auto prove = [target = InnerTarget(flags), &asked](const QLinearMatMulSums& one) {
    return target ? ProveAccumulators(one, *target)
                  : ProveAccumulatorBoundaries(one, asked.backend, &asked.unanswered);
  };
  return {
      prove(*sums),
      [sums = *sums](const SweepMismatch& m) { return MismatchCase(sums, m); },
      ByReadings(*sums, [prove](const SumsReading& other) { return prove(other.sums); }),
      {},
      DataType::kInt32,
      sums->y};
}

}  // namespace qconform
