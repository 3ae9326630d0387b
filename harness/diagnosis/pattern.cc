#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "harness/compare/chance.h"
#include "harness/compare/explain_limit.h"
#include "harness/diagnosis/evidence_case.h"

namespace qconform {
namespace {

// That any pattern of a cell is told by chance has at most this probability. Operators
// have fewer than kKinds kinds of patterns, and each kind has its share.
constexpr double kChance = 1e-6;
constexpr double kKinds = 100;
constexpr size_t kMostTold = 2;
constexpr int64_t kFewestDeviating = 3;  // one or two always have something in common

// The most that one case says for a range with an upper end: its deviating elements may
// lie together for another cause. Kernels that are wrong from some index or size on show
// it in few cases.
constexpr double kMostOfACase = 1e-4;

// Elements of a case, by index.
struct Looked {
  const EvidenceCase* one = nullptr;
  std::vector<int64_t> all;
  std::vector<int64_t> deviating;
  size_t set_up = 0;  // the same in cases of equal shapes and attributes
};

int64_t SizeOf(std::span<const Looked> cases) {
  int64_t size = 0;
  for (const Looked& each : cases) size += static_cast<int64_t>(each.all.size());
  return size;
}

// How many of the elements are like a pattern, by case.
struct Like {
  std::vector<int64_t> of_case;
  int64_t size = 0;
};

// Returns nothing unless all deviating elements are like that.
std::optional<Like> LikeOf(const Pattern& pattern, std::span<const Looked> cases) {
  bool shown = pattern.shown_by == nullptr;
  for (const Looked& each : cases) {
    if (ExplainLimit::HasPassed()) return std::nullopt;
    for (const int64_t i : each.deviating) {
      if (!pattern.holds(*each.one, i)) return std::nullopt;
      shown = shown || pattern.shown_by(*each.one, i);
    }
  }
  if (!shown) return std::nullopt;
  Like like;
  for (const Looked& each : cases) {
    if (ExplainLimit::HasPassed()) return std::nullopt;
    const int64_t count = std::ranges::count_if(
        each.all, [&](int64_t i) { return pattern.holds(*each.one, i); });
    like.of_case.push_back(count);
    like.size += count;
  }
  return like;
}

// The numbers of elements of a case, or of all cases of a set-up.
struct Counts {
  int64_t size = 0;
  int64_t wrong = 0;
  int64_t like = 0;
  double within = 0;  // the logarithm of the chance within it
};

bool IsOfSetUps(const Pattern& pattern) {
  return pattern.is_range && !pattern.is_of_asking;
}

std::vector<Counts> CountsOf(const Pattern& pattern, const Like& like,
                             std::span<const Looked> cases) {
  std::map<size_t, Counts> counts;
  for (size_t c = 0; c < cases.size(); ++c) {
    const auto size = static_cast<int64_t>(cases[c].all.size());
    const auto wrong = static_cast<int64_t>(cases[c].deviating.size());
    Counts& of = counts[IsOfSetUps(pattern) ? cases[c].set_up : c];
    of.size += size;
    of.wrong += wrong;
    of.like += like.of_case[c];
    if (wrong == 0) continue;
    const double within = LogAllAmong(wrong, like.of_case[c], size);
    of.within +=
        pattern.has_upper_end ? std::max(within, std::log(kMostOfACase)) : within;
  }
  std::vector<Counts> all;
  for (const auto& [place, of] : counts) all.push_back(of);
  return all;
}

// Returns the logarithm of a bound on the probability that all deviating elements are
// like that if what deviates has nothing to do with it. Elements of one case may deviate
// for one cause, such as its shape, so both have to be by chance: which cases have
// deviating elements, and which elements of these deviate.
//   Of a case that has deviating elements, any as many may deviate.
//   Any as many cases may have deviating elements, or, as a large case has more chances,
//   any with a probability by their numbers of elements; the larger one counts. A case is
//   as good as three elements that deviate by themselves.
//   For a range, cases of one set-up are as one case, and as one element if it holds for
//   whole set-ups.
double LogChance(const Pattern& pattern, const Like& like,
                 std::span<const Looked> cases) {
  const std::vector<Counts> counts = CountsOf(pattern, like, cases);
  const bool is_of_set_ups =
      IsOfSetUps(pattern) && std::ranges::all_of(counts, [](const Counts& of) {
        return of.like == 0 || of.like == of.size;
      });
  const int64_t of_one_case = is_of_set_ups ? 1 : 3;
  double within = 0;
  int64_t deviating = 0;  // cases
  int64_t draws = 0;      // elements, at most of_one_case of each case
  int64_t possible = 0;   // cases with an element like that
  int64_t possible_size = 0;
  for (const Counts& of : counts) {
    if (of.like > 0) {
      ++possible;
      possible_size += of.size;
    }
    if (of.wrong == 0) continue;
    ++deviating;
    draws += std::min(of.wrong, of_one_case);
    within += of.within;
  }
  const double of_a_case = static_cast<double>(draws) / static_cast<double>(deviating);
  const double by_number =
      of_a_case * LogAllAmong(deviating, possible, static_cast<int64_t>(counts.size()));
  const double by_size =
      static_cast<double>(draws) *
      std::log(static_cast<double>(possible_size) / static_cast<double>(SizeOf(cases)));
  return within + std::max(by_number, by_size);
}

// Cases whose answers and right answers are equal are one content that was asked in
// several ways: its elements deviate together.
std::vector<Looked> WithoutRepetitions(std::span<const Looked> cases) {
  std::vector<Looked> once;
  std::map<Codes, std::vector<const EvidenceCase*>> seen;  // by what was observed
  for (const Looked& each : cases) {
    std::vector<const EvidenceCase*>& same = seen[each.one->observed];
    const bool is_seen = std::ranges::any_of(same, [&](const EvidenceCase* other) {
      return other->answer == each.one->answer ||
             other->decoded->canonical() == each.one->decoded->canonical();
    });
    if (is_seen) continue;
    same.push_back(each.one);
    once.push_back(each);
  }
  return once;
}

int64_t DeviatingOf(std::span<const Looked> cases) {
  int64_t deviating = 0;
  for (const Looked& each : cases) {
    deviating += static_cast<int64_t>(each.deviating.size());
  }
  return deviating;
}

struct Found {
  const Pattern* pattern = nullptr;
  double cost = 0;
};

// Whether a pattern says something that is not by chance. `like` is that of `cases`.
bool SaysSomething(const Pattern& pattern, const Like& like,
                   std::span<const Looked> cases) {
  const int64_t all = SizeOf(cases);
  const int64_t deviating = DeviatingOf(cases);
  if (deviating < kFewestDeviating) return false;
  // What holds for most of what was asked says nothing, unless nearly all that is like
  // that deviates and some is not like that.
  if (4 * like.size > 3 * all && 10 * deviating < 9 * like.size) return false;
  if (20 * like.size > 19 * all) return false;
  if (pattern.is_derived && 4 * deviating < like.size) return false;
  const double most =
      std::log(kChance / kKinds / static_cast<double>(pattern.alternatives));
  return LogChance(pattern, like, cases) < most;
}

std::vector<Looked> OnlyWeighed(const Pattern& pattern, std::span<const Looked> cases) {
  std::vector<Looked> weighed(cases.begin(), cases.end());
  for (Looked& each : weighed) {
    const auto is_left_out = [&](int64_t i) { return !pattern.weighed(*each.one, i); };
    std::erase_if(each.all, is_left_out);
    std::erase_if(each.deviating, is_left_out);
  }
  std::erase_if(weighed, [](const Looked& each) { return each.all.empty(); });
  return weighed;
}

// Returns the pattern that speaks of fewest elements.
const Pattern* Narrowest(std::span<const Pattern> patterns,
                         std::span<const Looked> cases) {
  const std::vector<Looked> once = WithoutRepetitions(cases);
  Found best;
  for (const Pattern& pattern : patterns) {
    if (ExplainLimit::HasPassed()) return nullptr;
    const std::span<const Looked> counted = pattern.is_of_asking ? cases : once;
    if (DeviatingOf(counted) < kFewestDeviating) continue;
    const auto like = LikeOf(pattern, counted);
    if (!like) continue;
    bool says_something = false;
    if (pattern.weighed == nullptr) {
      says_something = SaysSomething(pattern, *like, counted);
    } else {
      const std::vector<Looked> weighed = OnlyWeighed(pattern, counted);
      const auto of_weighed = LikeOf(pattern, weighed);
      says_something = of_weighed && SaysSomething(pattern, *of_weighed, weighed);
    }
    if (!says_something) continue;
    const double share =
        static_cast<double>(like->size) / static_cast<double>(SizeOf(counted));
    const double cost = pattern.is_derived ? 3 * share : share;
    if (best.pattern == nullptr || cost < best.cost) best = {&pattern, cost};
  }
  return best.pattern;
}

// The shapes of the operands and the attributes of a case.
using SetUp = std::pair<std::vector<Shape>, std::vector<Attribute>>;

SetUp SetUpOf(const EvidenceCase& one) {
  SetUp set_up;
  for (const OutputForm& output : one.answer->outputs) {
    set_up.first.push_back(output.shape);
  }
  if (one.model == nullptr) return set_up;
  for (const std::string& name : one.model->node.inputs) {
    Shape& shape = set_up.first.emplace_back();
    for (const ValueInfo& input : one.model->inputs) {
      if (input.name == name) shape = input.shape;
    }
    for (const Initializer& constant : one.model->initializers) {
      if (constant.name == name) shape = constant.tensor.shape;
    }
  }
  set_up.second = one.model->node.attributes;
  return set_up;
}

// Leaves the elements that are like that, and the cases that have some.
void Keep(const Pattern& pattern, std::vector<Looked>& cases) {
  for (Looked& each : cases) {
    std::erase_if(each.all, [&](int64_t i) { return !pattern.holds(*each.one, i); });
  }
  std::erase_if(cases, [](const Looked& each) { return each.all.empty(); });
}

// Whether each output that deviates has the right codes, in other places. Both have to
// have several codes, of which so many are hardly the right ones by chance.
bool OnlyPlacesDiffer(std::span<const Looked> cases) {
  constexpr size_t kFewestCodes = 8;  // that are different
  constexpr size_t kFewestWrong = 8;
  size_t shown = 0;
  for (const Looked& each : cases) {
    if (each.deviating.empty()) continue;
    Codes right = each.one->decoded->canonical();
    Codes observed = each.one->observed;
    if (right.size() != observed.size()) return false;
    std::ranges::sort(right);
    std::ranges::sort(observed);
    if (right != observed) return false;
    right.erase(std::unique(right.begin(), right.end()), right.end());
    const bool is_clear =
        right.size() >= kFewestCodes && each.deviating.size() >= kFewestWrong;
    shown += is_clear ? 1 : 0;
  }
  return shown >= 2;
}

}  // namespace

std::vector<std::string> PatternOf(const OperatorFaults& faults,
                                   std::span<const EvidenceCase> cases) {
  std::vector<Looked> looked;
  std::vector<SetUp> set_ups;
  for (const EvidenceCase& one : cases) {
    if (qconform::SizeOf(one) == 0) continue;
    Looked each{&one, std::vector<int64_t>(one.answer->elements.size()), one.deviating};
    for (size_t i = 0; i < each.all.size(); ++i) each.all[i] = static_cast<int64_t>(i);
    SetUp set_up = SetUpOf(one);
    const auto found = std::ranges::find(set_ups, set_up);
    each.set_up = static_cast<size_t>(found - set_ups.begin());
    if (found == set_ups.end()) set_ups.push_back(std::move(set_up));
    looked.push_back(std::move(each));
  }
  if (DeviatingOf(looked) < kFewestDeviating) return {};
  std::vector<std::string> words;
  if (OnlyPlacesDiffer(looked)) {
    words.push_back("places, as each output that deviates has all the right codes");
  }
  if (std::string scales = faults.WrongScalesOf(cases); !scales.empty()) {
    words.push_back(std::move(scales));
  }
  if (ExplainLimit::HasPassed()) return words;
  Patterns patterns = faults.PatternsOf(cases);
  Append(patterns, CommonPatterns(cases));
  // The second one has to say something of the elements that are like the first.
  while (words.size() < kMostTold) {
    const Pattern* pattern = Narrowest(patterns, looked);
    if (pattern == nullptr) break;
    words.push_back(pattern->words);
    Keep(*pattern, looked);
  }
  return words;
}

}  // namespace qconform
