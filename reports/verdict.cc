#include "reports/verdict.h"

#include <algorithm>
#include <numeric>

namespace qconform {
namespace {

constexpr std::array<Verdict, kVerdictCount> kVerdicts = {
    Verdict::kCrashed,       Verdict::kTimedOut,   Verdict::kInvalidOutput,
    Verdict::kNonconformant, Verdict::kMistrusted, Verdict::kPartial,
    Verdict::kUnsupported,   Verdict::kUntested,   Verdict::kAdmissible,
    Verdict::kConformant};
constexpr std::array<std::string_view, kVerdictCount> kVerdictNames = {
    "crashed", "timed_out",   "invalid_output", "nonconformant", "mistrusted",
    "partial", "unsupported", "untested",       "admissible",    "conformant"};

constexpr std::array<NodeVerdict, kNodeVerdictCount> kNodeVerdicts = {
    NodeVerdict::kError, NodeVerdict::kDeviates, NodeVerdict::kUnsupported,
    NodeVerdict::kDisputed, NodeVerdict::kPass};
constexpr std::array<std::string_view, kNodeVerdictCount> kNodeVerdictNames = {
    "error", "deviates", "unsupported", "disputed", "pass"};

template <typename Enum, size_t N>
std::optional<Enum> Parse(const std::array<std::string_view, N>& names,
                          std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::span<const Verdict> AllVerdicts() { return kVerdicts; }

std::string_view VerdictName(Verdict verdict) {
  return kVerdictNames[static_cast<size_t>(verdict)];
}

std::optional<Verdict> ParseVerdict(std::string_view name) {
  return Parse<Verdict>(kVerdictNames, name);
}

bool IsPass(Verdict verdict) {
  return verdict == Verdict::kAdmissible || verdict == Verdict::kConformant;
}

bool IsDeviation(Verdict verdict) { return verdict <= Verdict::kNonconformant; }

Verdict Worst(Verdict a, Verdict b) { return std::min(a, b); }

bool IsDeviation(NodeVerdict verdict) { return verdict == NodeVerdict::kDeviates; }

std::span<const NodeVerdict> AllNodeVerdicts() { return kNodeVerdicts; }

std::string_view NodeVerdictName(NodeVerdict verdict) {
  return kNodeVerdictNames[static_cast<size_t>(verdict)];
}

std::optional<NodeVerdict> ParseNodeVerdict(std::string_view name) {
  return Parse<NodeVerdict>(kNodeVerdictNames, name);
}

int64_t VerdictCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
}

int64_t VerdictCounts::passes() const {
  return (*this)[Verdict::kAdmissible] + (*this)[Verdict::kConformant];
}

int64_t VerdictCounts::deviations() const {
  int64_t sum = 0;
  for (const Verdict verdict : kVerdicts) {
    if (IsDeviation(verdict)) sum += (*this)[verdict];
  }
  return sum;
}

std::optional<Verdict> VerdictCounts::worst() const {
  for (const Verdict verdict : kVerdicts) {
    if ((*this)[verdict] > 0) return verdict;
  }
  return std::nullopt;
}

int64_t NodeVerdictCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
}

int64_t NodeVerdictCounts::deviations() const {
  int64_t sum = 0;
  for (const NodeVerdict verdict : kNodeVerdicts) {
    if (IsDeviation(verdict)) sum += (*this)[verdict];
  }
  return sum;
}

ExitCode ExitCodeFor(const VerdictCounts& cells, const NodeVerdictCounts& node_tests,
                     const ExitOptions& options) {
  if (cells.deviations() > 0 || node_tests.deviations() > 0) {
    return ExitCode::kDeviation;
  }
  // Never relaxed: nothing is known of these.
  if (!options.complete || cells[Verdict::kMistrusted] > 0 ||
      cells[Verdict::kUntested] > 0 || node_tests[NodeVerdict::kError] > 0) {
    return ExitCode::kIncomplete;
  }
  // Its share is done: a failure would make one of the whole run.
  if (options.shard && cells.total() == 0 && node_tests.total() == 0) {
    return ExitCode::kPass;
  }
  const bool anything_answered = cells.passes() > 0 || cells[Verdict::kPartial] > 0 ||
                                 node_tests[NodeVerdict::kPass] > 0 ||
                                 node_tests[NodeVerdict::kDisputed] > 0;
  if (!anything_answered) return ExitCode::kNothingSupported;
  const bool anything_declined = cells[Verdict::kPartial] > 0 ||
                                 cells[Verdict::kUnsupported] > 0 ||
                                 node_tests[NodeVerdict::kUnsupported] > 0;
  if (anything_declined && !options.allow_unsupported) return ExitCode::kIncomplete;
  return ExitCode::kPass;
}

}  // namespace qconform
