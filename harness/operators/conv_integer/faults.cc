#include "harness/operators/conv_integer/faults.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "harness/convolution/convolution_faults.h"

namespace qconform::conv_integer {
namespace {

using Switches = ConvIntegerSwitches;

constexpr uint32_t kUnwrittenCode = 0x5A5A5A5A;  // what backends fill y with before a run

// Rounded to 24 digits, ties to even.
int64_t ThroughFloat(int64_t value) {
  const auto magnitude = static_cast<uint64_t>(value < 0 ? -value : value);
  const int drop = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  if (drop == 0) return value;
  const uint64_t half = uint64_t{1} << (drop - 1);
  uint64_t kept = magnitude >> drop;
  const uint64_t rest = magnitude - (kept << drop);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  const auto rounded = static_cast<int64_t>(kept << drop);
  return value < 0 ? -rounded : rounded;
}

int64_t InRange(Switches::Range range, int64_t sum) {
  switch (range) {
    case Switches::Range::kInt32:
      break;
    case Switches::Range::kInt24:
      return std::clamp<int64_t>(sum, -(1 << 23), (1 << 23) - 1);
    case Switches::Range::kInt16:
      return std::clamp<int64_t>(sum, INT16_MIN, INT16_MAX);
    case Switches::Range::kFloat:
      // 2^31 does not fit, and becomes what conversions of x86 make of it.
      if (ThroughFloat(sum) > INT32_MAX) return INT32_MIN;
      return ThroughFloat(sum);
  }
  return sum;
}

bool IsInt32(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

}  // namespace

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(const Node& node, int,
                                                          const Operands& operands,
                                                          Codes canonical,
                                                          const ReadingSet&) const {
  const auto x = OperandAt(operands, 0), w = OperandAt(operands, 1);
  if (!x || !w) return Error{"ConvInteger: expected x and w"};
  auto decoded = DecodeConvolution(node.attributes, *x, *w, OperandAt(operands, 2),
                                   OperandAt(operands, 3));
  if (decoded && decoded->sums.size() != canonical.size()) {
    return Error{"ConvInteger: expected " + std::to_string(decoded->sums.size()) +
                 " elements, got " + std::to_string(canonical.size())};
  }
  return CaseOf<Case>(std::move(decoded), std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  both.sum = Merged(both.sum, other.sum);
  Overlay<&Switches::range, &Switches::last_unwritten>(both, other);
  return both;
}

std::string_view Faults::BrokenClause(const Cell&, const Node&,
                                      const FaultSet& set) const {
  const auto& s = set.As<Switches>();
  switch (FirstChanged(s.sum)) {
    case ConvolutionStep::kNone:
      return s.range == Switches::Range::kInt32 ? "" : "CI-01";
    case ConvolutionStep::kGeometry:
      return "CI-04";
    case ConvolutionStep::kAutoPad:
      return "CI-05";
    case ConvolutionStep::kPadding:
      return "CI-02";
    case ConvolutionStep::kGroups:
      return "CI-08";
    case ConvolutionStep::kZeroPoints:
      return "CI-03";
    case ConvolutionStep::kSum:
      break;
  }
  return "CI-01";
}

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns = ResultPatterns();
  Append(patterns, ConvolutionPatterns(
                       cases, [](const EvidenceCase& one) -> const auto& {
                         return Case::Of(*one.decoded);
                       }));
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

Codes Case::CodesOf(const FaultSet& set, FaultState&) const {
  const auto& switches = set.As<Switches>();
  const WrongSums sums(decoded(), switches.sum);
  Codes codes = canonical();
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!IsInt32(decoded().sums[i])) continue;
    codes[i] =
        static_cast<uint32_t>(InRange(switches.range, sums.Of(static_cast<int64_t>(i))));
  }
  if (switches.last_unwritten && !codes.empty()) codes.back() = kUnwrittenCode;
  return codes;
}

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  const int64_t right = decoded().sums[static_cast<size_t>(index)];
  if (!IsInt32(right)) return {};
  std::string other;
  if (by != nullptr && set != nullptr) {
    const auto& switches = set->As<Switches>();
    other = std::to_string(
        InRange(switches.range, WrongSums(Of(*by), switches.sum).Of(index)));
  }
  return {{"y = sum of " + std::to_string(decoded().terms()) + " products",
           std::to_string(right), other}};
}

}  // namespace qconform::conv_integer
