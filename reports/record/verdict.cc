#include "reports/record/verdict.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <string>

namespace qconform {
namespace {

constexpr std::array<Verdict, kVerdictCount> kVerdicts = {
    Verdict::kCrashed,       Verdict::kTimedOut,      Verdict::kFailed,
    Verdict::kInvalidOutput, Verdict::kNonconformant, Verdict::kRefusedLegal,
    Verdict::kMistrusted,    Verdict::kError,         Verdict::kPartial,
    Verdict::kUnsupported,   Verdict::kUntested,      Verdict::kAdmissible,
    Verdict::kConformant};
constexpr std::array<std::string_view, kVerdictCount> kVerdictNames = {
    "crashed",       "timed_out",  "failed",    "invalid_output", "nonconformant",
    "refused_legal", "mistrusted", "error",     "partial",        "unsupported",
    "untested",      "admissible", "conformant"};

// The names of verdicts of later versions, by their numbers. They are never forgotten: a
// verdict is a number, and whoever has one may ask for its name.
class LaterVerdicts {
 public:
  static constexpr size_t kFirst = 64;
  static constexpr size_t kMost = 64;
  static constexpr size_t kLongestName = 40;

  std::optional<Verdict> Find(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find(names_.begin(), names_.end(), name);
    const auto index = static_cast<size_t>(found - names_.begin());
    if (found == names_.end()) {
      if (names_.size() == kMost) return std::nullopt;
      names_.emplace_back(name);
    }
    return static_cast<Verdict>(kFirst + index);
  }
  std::string_view Name(Verdict verdict) {
    const std::scoped_lock lock(mutex_);
    return names_.at(static_cast<size_t>(verdict) - kFirst);
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> names_;  // a deque leaves each where it is
};

LaterVerdicts& Later() {
  static LaterVerdicts later;
  return later;
}

bool IsWord(std::string_view name) {
  return !name.empty() && name.size() <= LaterVerdicts::kLongestName &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

constexpr std::array<NodeVerdict, kNodeVerdictCount> kNodeVerdicts = {
    NodeVerdict::kError,       NodeVerdict::kDeviates, NodeVerdict::kRefusedLegal,
    NodeVerdict::kUnsupported, NodeVerdict::kDisputed, NodeVerdict::kPass};
constexpr std::array<std::string_view, kNodeVerdictCount> kNodeVerdictNames = {
    "error", "deviates", "refused_legal", "unsupported", "disputed", "pass"};

template <typename Enum, size_t N>
std::optional<Enum> Parse(const std::array<Enum, N>& all,
                          const std::array<std::string_view, N>& names,
                          std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return all[static_cast<size_t>(found - names.begin())];
}

}  // namespace

std::span<const Verdict> AllVerdicts() { return kVerdicts; }

std::string_view VerdictName(Verdict verdict) {
  const auto found = std::find(kVerdicts.begin(), kVerdicts.end(), verdict);
  if (found == kVerdicts.end()) return Later().Name(verdict);
  return kVerdictNames[static_cast<size_t>(found - kVerdicts.begin())];
}

std::optional<Verdict> ParseVerdict(std::string_view name) {
  return Parse(kVerdicts, kVerdictNames, name);
}

std::optional<Verdict> VerdictOfLaterVersion(std::string_view name) {
  if (const std::optional<Verdict> known = ParseVerdict(name)) return known;
  return IsWord(name) ? Later().Find(name) : std::nullopt;
}

bool IsKnown(Verdict verdict) {
  return verdict <= Verdict::kError || verdict >= Verdict::kPartial;
}

bool IsPass(Verdict verdict) {
  return verdict == Verdict::kAdmissible || verdict == Verdict::kConformant;
}

bool IsDeviation(Verdict verdict) { return verdict <= Verdict::kNonconformant; }

bool IsOfBackend(Verdict verdict) {
  return verdict != Verdict::kError && verdict != Verdict::kUntested;
}

Verdict Worst(Verdict a, Verdict b) { return std::min(a, b); }

bool IsDeviation(NodeVerdict verdict) { return verdict == NodeVerdict::kDeviates; }

std::span<const NodeVerdict> AllNodeVerdicts() { return kNodeVerdicts; }

std::string_view NodeVerdictName(NodeVerdict verdict) {
  return kNodeVerdictNames[static_cast<size_t>(verdict)];
}

std::optional<NodeVerdict> ParseNodeVerdict(std::string_view name) {
  return Parse(kNodeVerdicts, kNodeVerdictNames, name);
}

void VerdictCounts::Add(Verdict verdict, int64_t count) {
  if (count != 0) counts_[verdict] += count;
}

void VerdictCounts::Add(const VerdictCounts& counts) {
  for (const auto& [verdict, count] : counts.counts_) Add(verdict, count);
}

int64_t VerdictCounts::operator[](Verdict verdict) const {
  const auto found = counts_.find(verdict);
  return found == counts_.end() ? 0 : found->second;
}

int64_t VerdictCounts::total() const {
  int64_t sum = 0;
  for (const auto& [verdict, count] : counts_) sum += count;
  return sum;
}

int64_t VerdictCounts::passes() const {
  return (*this)[Verdict::kAdmissible] + (*this)[Verdict::kConformant];
}

int64_t VerdictCounts::deviations() const {
  int64_t sum = 0;
  for (const auto& [verdict, count] : counts_) sum += IsDeviation(verdict) ? count : 0;
  return sum;
}

int64_t VerdictCounts::unknown() const {
  int64_t sum = 0;
  for (const auto& [verdict, count] : counts_) sum += IsKnown(verdict) ? 0 : count;
  return sum;
}

std::vector<Verdict> VerdictCounts::occurring() const {
  std::vector<Verdict> verdicts;
  for (const auto& [verdict, count] : counts_) verdicts.push_back(verdict);
  return verdicts;
}

std::optional<Verdict> VerdictCounts::worst() const {
  if (counts_.empty()) return std::nullopt;
  return counts_.begin()->first;
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
  // Never relaxed: nothing is known of these, or a legal model was refused.
  if (!options.complete || options.refused_legal || cells[Verdict::kRefusedLegal] > 0 ||
      node_tests[NodeVerdict::kRefusedLegal] > 0 || cells[Verdict::kMistrusted] > 0 ||
      cells[Verdict::kError] > 0 || cells[Verdict::kUntested] > 0 ||
      cells.unknown() > 0 || node_tests[NodeVerdict::kError] > 0) {
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
