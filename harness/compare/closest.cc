#include "harness/compare/closest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "harness/compare/compare.h"

namespace qconform {
namespace {

// Reading sets are weeded out on the contents that differ most, up to this many elements
// for all sets; those that are kept are counted over all contents.
constexpr size_t kSampledElements = 2'000'000;
constexpr size_t kKept = 16;
constexpr size_t kMostReadings = 16;
// Elements that have to bear a reading out, beyond two thirds.
constexpr int64_t kFewest = 8;
// The most that the probability may be that a backend has as many of a reading's codes by
// chance, for all readings together.
constexpr double kChance = 1e-6 / 64;
// A backend that follows a reading misses no more elements where it differs than twice as
// many as elsewhere, and a few of them.
constexpr double kMostMissed = 2;
constexpr double kFewMissed = 0.02;

// Elements of one kind, each content counted once: ties, values next to ties, and others,
// as wrong backends are wrong in different shares of them.
struct Stratum {
  int64_t elements = 0;
  int64_t differ = 0;          // where the reading is not as the canonical readings are
  int64_t wrong = 0;           // that the canonical readings do not allow
  int64_t gained = 0;          // of these, those that the reading allows and differs in
  int64_t agreeing_wrong = 0;  // of these, those in which the reading does not differ

  // Returns the logarithm of a bound on the probability that as many of the wrong
  // elements are where the reading differs, if they have nothing to do with it.
  double LogChance() const {
    if (gained == 0 || differ == elements) return 0;
    const double share = static_cast<double>(differ) / static_cast<double>(elements);
    const double seen = static_cast<double>(gained) / static_cast<double>(wrong);
    if (seen <= share) return 0;
    double divergence = seen * std::log(seen / share);
    if (seen < 1) divergence += (1 - seen) * std::log((1 - seen) / (1 - share));
    return -static_cast<double>(wrong) * divergence;
  }
};
using Strata = std::array<Stratum, 3>;

size_t StratumOf(const ElementAnswer& element) {
  if ((element.features & kFeatureTie) != 0) return 0;
  return (element.features & kFeatureNearTie) != 0 ? 1 : 2;
}

// How a reading set stands to the elements of open tiers.
struct Tally {
  const ReadingSet* set = nullptr;  // null in a sum
  bool is_bounded = false;          // of a sum: one of the sets is
  int64_t left = 0;
  int64_t canonical_left = 0;
  int64_t same = 0;        // elements where it is as the canonical readings are,
  int64_t same_wrong = 0;  // and of them those that neither allows
  int64_t differ = 0;      // elements where it is not,
  int64_t gained = 0;      // of them those that only it allows,
  int64_t missed = 0;      // and those that it does not
  Strata strata{};

  // 0: a function, 1: a bound, 2: the wider bound.
  int looseness() const {
    return set->kind == ReadingSet::Kind::kWider ? 2 : set->is_bounded() ? 1 : 0;
  }
  // FollowedReading::is_clear.
  bool is_clear() const {
    if (gained < 2 * missed + kFewest) return false;
    double log_chance = 0;
    for (const Stratum& stratum : strata) log_chance += stratum.LogChance();
    if (log_chance > std::log(kChance)) return false;
    if (static_cast<double>(missed) >
        kMostMissed * ExpectedMissed() + kFewMissed * static_cast<double>(differ)) {
      return false;
    }
    // A bound holds much of what any error by one code gives.
    if (is_bounded) return gained * same >= 10 * same_wrong * differ;
    return 2 * left <= canonical_left || gained * same >= 3 * same_wrong * differ;
  }
  // How many elements a backend that follows the reading misses where it differs, if it
  // is wrong there as often as where both readings agree: of ties, and of all others.
  double ExpectedMissed() const {
    double expected = 0;
    for (const bool ties : {true, false}) {
      Stratum sum;
      int64_t agreeing_wrong = 0;
      for (size_t s = 0; s < strata.size(); ++s) {
        if ((s == 0) != ties) continue;
        sum.elements += strata[s].elements;
        sum.differ += strata[s].differ;
        agreeing_wrong += strata[s].agreeing_wrong;
      }
      const int64_t agreeing = sum.elements - sum.differ;
      if (agreeing == 0) continue;
      expected += static_cast<double>(sum.differ) * static_cast<double>(agreeing_wrong) /
                  static_cast<double>(agreeing);
    }
    return expected;
  }
  void Add(const Tally& other) {
    is_bounded = is_bounded || other.is_bounded;
    left += other.left;
    canonical_left += other.canonical_left;
    same += other.same;
    same_wrong += other.same_wrong;
    differ += other.differ;
    gained += other.gained;
    missed += other.missed;
    for (size_t i = 0; i < strata.size(); ++i) {
      strata[i].elements += other.strata[i].elements;
      strata[i].differ += other.strata[i].differ;
      strata[i].wrong += other.strata[i].wrong;
      strata[i].gained += other.strata[i].gained;
      strata[i].agreeing_wrong += other.strata[i].agreeing_wrong;
    }
  }
};

Status Count(const GivenContent& one, const TierFlags& open_tiers, Tally& tally) {
  const ElementBits open = one.content->OfTiers(open_tiers);
  const auto answer = one.content->AnswerBy(*tally.set);
  if (!answer) return answer.error();
  const ElementBits differing = open & (*answer)->HavingOtherCodes();
  const ElementBits same = open - differing;
  std::array<ElementBits, 3> of_stratum;
  of_stratum.fill(ElementBits(one.content->canonical()->elements.size()));
  for (size_t i = 0; i < one.content->canonical()->elements.size(); ++i) {
    of_stratum[StratumOf(one.content->canonical()->elements[i])].Set(i, true);
  }
  for (const GivenCodes& given : one.given) {
    const ElementBits allowed = (*answer)->Allowed(given.codes, given.allowed);
    tally.left += given.times * (open - allowed).count();
    tally.canonical_left += given.times * (open - given.allowed).count();
    tally.same += given.times * same.count();
    tally.differ += given.times * differing.count();
    tally.same_wrong += given.times * (same - allowed).count();
    const ElementBits gained = (differing & allowed) - given.allowed;
    tally.gained += given.times * gained.count();
    tally.missed += given.times * (differing - allowed).count();
    for (size_t s = 0; s < of_stratum.size(); ++s) {
      Stratum& stratum = tally.strata[s];
      stratum.elements += (open & of_stratum[s]).count();
      stratum.differ += (differing & of_stratum[s]).count();
      stratum.wrong += ((open - given.allowed) & of_stratum[s]).count();
      stratum.gained += (gained & of_stratum[s]).count();
      stratum.agreeing_wrong += ((same - allowed) & of_stratum[s]).count();
    }
  }
  return Ok();
}

// Contents with the same reading sets.
struct Group {
  std::span<const ReadingSet> sets;
  std::vector<GivenContent> contents;  // most mismatches in open tiers first
  std::vector<Tally> kept;             // the canonical set first
};

Result<std::map<int64_t, Group>> GroupsOf(std::span<const AnsweredCase> cases,
                                          const TierFlags& open) {
  std::map<int64_t, Group> groups;
  for (GivenContent& one : GroupCases(cases)) {
    const auto key = one.content->ReadingsKey();
    if (!key) return key.error();
    groups[*key].contents.push_back(std::move(one));
  }
  for (auto& [key, group] : groups) {
    SortByMismatches(group.contents, open);
    const auto sets = group.contents.front().content->Readings();
    if (!sets) return sets.error();
    group.sets = *sets;
  }
  return groups;
}

// Fills `kept`.
Status Weed(const TierFlags& open, Group& group) {
  std::vector<Tally> tallies;
  size_t sampled = 0;
  for (size_t elements = 0;
       sampled < group.contents.size() && elements * group.sets.size() < kSampledElements;
       ++sampled) {
    elements += group.contents[sampled].content->canonical()->elements.size();
  }
  for (const ReadingSet& set : group.sets) {
    Tally& tally = tallies.emplace_back();
    tally.set = &set;
    tally.is_bounded = set.is_bounded();
    for (size_t c = 0; c < sampled; ++c) {
      const Status done = Count(group.contents[c], open, tally);
      if (!done) return done;
    }
  }
  const Tally canonical = tallies.front();
  tallies.erase(tallies.begin());

  std::erase_if(tallies, [](const Tally& tally) { return tally.gained == 0; });
  std::stable_sort(tallies.begin(), tallies.end(), [](const Tally& a, const Tally& b) {
    return std::pair(a.looseness(), a.left) < std::pair(b.looseness(), b.left);
  });
  // Of each looseness.
  std::array<size_t, 3> room{kKept, 2, 2};
  group.kept = {canonical};
  for (const Tally& tally : tallies) {
    size_t& left = room[static_cast<size_t>(tally.looseness())];
    if (left == 0) continue;
    --left;
    group.kept.push_back(tally);
  }
  for (Tally& tally : group.kept) {
    for (size_t c = sampled; c < group.contents.size(); ++c) {
      const Status done = Count(group.contents[c], open, tally);
      if (!done) return done;
    }
  }
  return Ok();
}

// One tally of each group, whose shared part is the same, and their sum.
struct Joined {
  std::map<int64_t, const Tally*> parts;
  Tally sum;
  int looseness = 0;

  void Add(int64_t key, const Tally& tally) {
    parts[key] = &tally;
    sum.Add(tally);
    looseness = std::max(looseness, tally.looseness());
  }
};

// One for each tally of the first group, with the best of each other group.
std::vector<Joined> JoinAll(const std::map<int64_t, Group>& groups) {
  std::vector<Joined> all;
  for (const Tally& lead : groups.begin()->second.kept) {
    Joined joined;
    for (const auto& [key, group] : groups) {
      const Tally* best = key == groups.begin()->first ? &lead : nullptr;
      for (const Tally& tally : group.kept) {
        if (key == groups.begin()->first) break;
        if (tally.set->shared != lead.set->shared) continue;
        if (best == nullptr || tally.left < best->left) best = &tally;
      }
      if (best == nullptr) break;
      joined.Add(key, *best);
    }
    if (joined.parts.size() == groups.size()) all.push_back(std::move(joined));
  }
  return all;
}

FollowedReading ReadingOf(const Joined& joined) {
  FollowedReading reading;
  for (const auto& [key, tally] : joined.parts) reading.sets[key] = *tally->set;
  reading.left = joined.sum.left;
  reading.is_clear = joined.sum.is_clear();
  return reading;
}

// Returns whether one is the better account of the answers.
bool IsBetter(const Joined& a, const Joined& b) {
  if (a.sum.is_clear() != b.sum.is_clear()) return a.sum.is_clear();
  if (a.looseness < b.looseness) return a.sum.left <= 2 * b.sum.left;
  if (a.looseness > b.looseness) return 2 * a.sum.left < b.sum.left;
  return a.sum.left < b.sum.left;
}

}  // namespace

Result<std::vector<FollowedReading>> ClosestReadings(std::span<const AnsweredCase> cases,
                                                     const Explanations& explanations) {
  std::vector<FollowedReading> readings;
  TierFlags open{};
  for (size_t tier = 0; tier < kTierCount; ++tier) open[tier] = !explanations[tier];
  auto groups = GroupsOf(cases, open);
  if (!groups) return groups.error();
  if (groups->empty()) return readings;
  for (auto& [key, group] : *groups) {
    const Status done = Weed(open, group);
    if (!done) return done.error();
  }
  std::vector<Joined> all = JoinAll(*groups);
  std::erase_if(all, [](const Joined& one) { return one.sum.gained == 0; });
  while (!all.empty() && readings.size() < kMostReadings) {
    auto best = all.begin();
    for (auto one = all.begin(); one != all.end(); ++one) {
      if (IsBetter(*one, *best)) best = one;
    }
    readings.push_back(ReadingOf(*best));
    all.erase(best);
  }
  return readings;
}

Result<std::vector<FollowedReading>> FunctionReadings(
    std::span<const AnsweredCase> cases) {
  std::map<int64_t, std::span<const ReadingSet>> groups;
  for (const AnsweredCase& answered : cases) {
    const auto key = answered.content->ReadingsKey();
    if (!key) return key.error();
    if (groups.contains(*key)) continue;
    const auto sets = answered.content->Readings();
    if (!sets) return sets.error();
    groups[*key] = *sets;
  }
  std::vector<FollowedReading> readings;
  if (groups.empty()) return readings;
  for (const ReadingSet& lead : groups.begin()->second) {
    if (lead.is_bounded()) continue;
    FollowedReading reading;
    for (const auto& [key, sets] : groups) {
      const bool is_first = key == groups.begin()->first;
      const auto found = std::ranges::find_if(sets, [&](const ReadingSet& set) {
        return is_first ? set == lead : !set.is_bounded() && set.shared == lead.shared;
      });
      if (found == sets.end()) break;
      reading.sets.emplace(key, *found);
    }
    if (reading.sets.size() == groups.size() && !reading.is_canonical()) {
      readings.push_back(std::move(reading));
    }
  }
  return readings;
}

Result<std::shared_ptr<const CaseAnswer>> AnswerBy(const FollowedReading& reading,
                                                   const AnsweredCase& answered) {
  const auto key = answered.content->ReadingsKey();
  if (!key) return key.error();
  const auto set = reading.sets.find(*key);
  if (set == reading.sets.end()) {
    return Error{"reading " + reading.Name() +
                 ": expected a case with readings as those that were answered, got " +
                 "another"};
  }
  const auto by_set = answered.content->AnswerBy(set->second);
  if (!by_set) return by_set.error();
  auto answer = std::make_shared<CaseAnswer>((*by_set)->Whole());
  for (size_t i = 0; i < answer->elements.size(); ++i) {
    ElementAnswer& element = answer->elements[i];
    if (set->second.is_bounded() && !answered.codes.empty() &&
        (*by_set)->Allows(i, answered.codes[i])) {
      element.code = answered.codes[i];
    }
    if (reading.other_tiers[static_cast<size_t>(element.tier)]) {
      element.freedom = Freedom::kAnyCode;
    }
  }
  return std::shared_ptr<const CaseAnswer>(std::move(answer));
}

Result<std::vector<std::shared_ptr<const CaseAnswer>>> AnswersBy(
    FollowedReading& reading, std::span<const AnsweredCase> cases,
    const Explanations& explanations) {
  reading.other_tiers = {};
  std::vector<std::shared_ptr<const CaseAnswer>> answers;
  std::map<const ContentAnswers*, std::shared_ptr<const CaseAnswer>> made;
  TierFlags differ{};
  for (const AnsweredCase& answered : cases) {
    std::shared_ptr<const CaseAnswer>& answer = made[answered.content.get()];
    if (answer == nullptr || reading.is_bounded()) {
      auto by_reading = AnswerBy(reading, answered);
      if (!by_reading) return by_reading.error();
      answer = *std::move(by_reading);
    }
    answers.push_back(answer);
    for (size_t i = 0; i < answer->elements.size(); ++i) {
      const ElementAnswer& element = answer->elements[i];
      if (!Allows(*answer, i, answered.codes)) {
        differ[static_cast<size_t>(element.tier)] = true;
      }
    }
  }
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    reading.other_tiers[tier] = explanations[tier].has_value() && differ[tier];
  }
  std::map<const CaseAnswer*, std::shared_ptr<const CaseAnswer>> freed;
  for (std::shared_ptr<const CaseAnswer>& answer : answers) {
    std::shared_ptr<const CaseAnswer>& with_free = freed[answer.get()];
    if (with_free == nullptr) {
      auto copy = std::make_shared<CaseAnswer>(*answer);
      for (ElementAnswer& element : copy->elements) {
        if (reading.other_tiers[static_cast<size_t>(element.tier)]) {
          element.freedom = Freedom::kAnyCode;
        }
      }
      with_free = std::move(copy);
    }
    answer = with_free;
  }
  return answers;
}

}  // namespace qconform
