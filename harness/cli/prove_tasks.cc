#include "harness/cli/prove_tasks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/interrupt.h"
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

}  // namespace

ProveTask LineTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return {source.error(), {}, {}};
  return {ProveLine(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          [line = *line, source = *source] {
            return TimeKernelAlone(line, source, g_interrupted);
          },
          line->x, line->y};
}

ProveTask PlaneTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  const auto source = SourceFor(flags, *line, asked);
  if (!source) return {source.error(), {}, {}};
  return {ProvePlane(*line, *source),
          [line = *line](const SweepMismatch& m) { return MismatchCase(line, m); },
          {},
          line->x,
          line->y};
}

ProveTask AllScalesTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto line = LineOf(flags);
  if (!line) return {line.error(), {}, {}};
  if (line->zero_point && IsInteger(line->y)) {
    return {Error{"--zero-point: all-scales takes those at both ends of the range of "
                  "an integer y by itself"},
            {},
            {}};
  }
  std::vector<int> binades = flags.binades;
  for (size_t i = 1; i < binades.size(); ++i) {
    if (std::find(binades.begin(), binades.begin() + i, binades[i]) ==
        binades.begin() + i) {
      continue;
    }
    return {Error{"--binade " + std::to_string(binades[i]) + " is given twice"}, {}, {}};
  }
  if (binades.empty() && !flags.all) {
    // All scales are too many questions: all significands, at a few exponents.
    if (!InnerTarget(flags)) {
      binades = {-12, 0, 12};
    } else if (BitWidth(line->y) == 16) {
      binades = {0};
    }
  }
  const auto source = [&](const QuantizeLinearLine& one) {
    return SourceFor(flags, one, asked);
  };
  return {ProveAllScales(*line, binades, source),
          [line = *line](const SweepMismatch& m) {
            QuantizeLinearLine one = line;
            if (IsInteger(line.y)) one.zero_point = m.zero_point;
            return MismatchCase(one, m);
          },
          {},
          line->x,
          line->y};
}

ProveTask AccumulatorsTask(const ProveFlags& flags, AskedBackend& asked) {
  const auto sums = SumsOf(flags);
  if (!sums) return {sums.error(), {}, {}};
  const auto target = InnerTarget(flags);
  return {target ? ProveAccumulators(*sums, *target)
                 : ProveAccumulatorBoundaries(*sums, asked.backend, &asked.unanswered),
          [sums = *sums](const SweepMismatch& m) { return MismatchCase(sums, m); },
          {},
          DataType::kInt32,
          sums->y};
}

}  // namespace qconform
