#include <algorithm>
#include <cstdint>
#include <utility>

#include "harness/diagnosis/evidence_case.h"

namespace qconform {
namespace {

// Returns whether several of the elements that are not like that would deviate, too, if
// the pattern were chance.
bool OthersWould(const Pattern& pattern, int64_t deviating,
                 std::span<const EvidenceCase> cases) {
  constexpr int64_t kSeveral = 8;
  int64_t like = 0;
  int64_t all = 0;
  for (const EvidenceCase& one : cases) {
    all += SizeOf(one);
    for (int64_t i = 0; i < SizeOf(one); ++i) like += pattern.holds(one, i) ? 1 : 0;
  }
  return deviating * (all - like) >= kSeveral * like;
}

// Returns whether `b` says nothing of these cases that `a` does not say.
bool Implies(const Pattern& a, const Pattern& b, std::span<const EvidenceCase> cases) {
  for (const EvidenceCase& one : cases) {
    for (int64_t i = 0; i < SizeOf(one); ++i) {
      if (a.holds(one, i) && !b.holds(one, i)) return false;
    }
  }
  return true;
}

// Returns whether all deviating elements are like that, and some other element is not.
bool Fits(const Pattern& pattern, std::span<const EvidenceCase> cases) {
  bool others = false;
  bool shown = pattern.shown_by == nullptr;
  for (const EvidenceCase& one : cases) {
    for (const int64_t i : one.deviating) {
      if (!pattern.holds(one, i)) return false;
      shown = shown || pattern.shown_by(one, i);
    }
    for (int64_t i = 0; i < SizeOf(one) && !others; ++i) others = !pattern.holds(one, i);
  }
  return others && shown;
}

}  // namespace

std::vector<std::string> PatternOf(const OperatorFaults& faults,
                                   std::span<const EvidenceCase> cases) {
  constexpr size_t kMost = 2;
  int64_t deviating = 0;
  for (const EvidenceCase& one : cases) {
    deviating += static_cast<int64_t>(one.deviating.size());
  }
  // One or two elements always have something in common.
  if (deviating < 3) return {};
  std::vector<std::string> words;
  Patterns found;
  for (Pattern& pattern : faults.PatternsOf(cases)) {
    if (!Fits(pattern, cases)) continue;
    if (pattern.only_if_others_would && !OthersWould(pattern, deviating, cases)) continue;
    const auto implies = [&](const Pattern& one) { return Implies(one, pattern, cases); };
    if (!pattern.even_if_implied && std::ranges::any_of(found, implies)) continue;
    words.push_back(pattern.words);
    if (words.size() == kMost) break;
    found.push_back(std::move(pattern));
  }
  return words;
}

}  // namespace qconform
