#include "harness/compare/closest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/compare/compare.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Choices are weeded out on the contents that differ most, up to so many elements for all
// choices; what is kept is counted over all of them.
constexpr size_t kSampledElements = 2'000'000;
constexpr size_t kKept = 16;
constexpr size_t kMostReadings = 16;
// Elements that have to bear a reading out, beyond two thirds.
constexpr int64_t kFewest = 8;

using TierFlags = std::array<bool, kTierCount>;

// Cases of equal content.
struct Content {
  std::vector<const AnsweredCase*> same;
  int64_t mismatches = 0;  // with the canonical answer, in open tiers
};

// How a choice stands to the elements of open tiers.
struct Tally {
  const ReadingSet* choice = nullptr;
  int64_t left = 0;
  int64_t canonical_left = 0;
  int64_t same = 0;        // elements where it is as the canonical readings are,
  int64_t same_wrong = 0;  // and of them those that neither allows
  int64_t differ = 0;      // elements where it is not,
  int64_t gained = 0;      // of them those that it alone allows,
  int64_t missed = 0;      // and those that it does not

  // 0: a function, 1: a bound, 2: the wider bound.
  int looseness() const {
    if (choice->kind == ReadingSet::Kind::kWider) return 2;
    return choice->is_bounded() ? 1 : 0;
  }
  // FollowedReading::is_clear.
  bool is_clear() const {
    if (gained < 2 * missed + kFewest) return false;
    return 2 * left <= canonical_left || gained * same >= 3 * same_wrong * differ;
  }
  void Add(const Tally& other) {
    left += other.left;
    canonical_left += other.canonical_left;
    same += other.same;
    same_wrong += other.same_wrong;
    differ += other.differ;
    gained += other.gained;
    missed += other.missed;
  }
};

Status Count(const Content& content, const TierFlags& open, Tally& tally) {
  const AnsweredCase& first = *content.same.front();
  const auto model = OracleModel::Create(*first.model);
  if (!model) return model.error();
  const auto answer = model->Evaluate(first.inputs, *tally.choice);
  if (!answer) return answer.error();
  const CaseAnswer& canonical = *first.answer;
  for (const AnsweredCase* answered : content.same) {
    for (size_t i = 0; i < canonical.elements.size(); ++i) {
      const ElementAnswer& element = canonical.elements[i];
      if (!open[static_cast<size_t>(element.tier)]) continue;
      const uint64_t actual = answered->codes[i];
      const bool allowed = AllowsBy(*tally.choice, *answer, i, actual);
      const bool is_canonical = Allows(canonical.TypeOf(i), element, actual);
      const bool differs = HasOtherCodes(*tally.choice, *answer, canonical, i);
      tally.left += allowed ? 0 : 1;
      tally.canonical_left += is_canonical ? 0 : 1;
      ++(differs ? tally.differ : tally.same);
      if (!differs && !allowed) ++tally.same_wrong;
      if (differs && allowed && !is_canonical) ++tally.gained;
      if (differs && !allowed) ++tally.missed;
    }
  }
  return Ok();
}

// Cases with one set of choices: those of equal `precision`.
struct Group {
  std::vector<ReadingSet> choices;
  std::vector<Content> contents;  // most mismatches first
  std::vector<Tally> kept;        // the canonical choice first
};

Result<std::map<int64_t, Group>> GroupsOf(std::span<const AnsweredCase> cases,
                                          const Explanations& explanations,
                                          TierFlags& open) {
  std::map<int64_t, Group> groups;
  std::map<const CaseAnswer*, std::pair<int64_t, size_t>> places;
  for (size_t tier = 0; tier < kTierCount; ++tier) open[tier] = !explanations[tier];
  for (const AnsweredCase& answered : cases) {
    const int64_t precision = ReadingsKeyOf(*answered.model);
    Group& group = groups[precision];
    const auto [place, added] = places.emplace(
        answered.answer.get(), std::pair{precision, group.contents.size()});
    if (added) group.contents.emplace_back();
    Content& content = group.contents[place->second.second];
    content.same.push_back(&answered);
    const CaseAnswer& answer = *answered.answer;
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const ElementAnswer& element = answer.elements[i];
      if (!open[static_cast<size_t>(element.tier)]) continue;
      const bool right = Allows(answer.TypeOf(i), element, answered.codes[i]);
      content.mismatches += right ? 0 : 1;
    }
  }
  for (auto& [precision, group] : groups) {
    std::stable_sort(
        group.contents.begin(), group.contents.end(),
        [](const Content& a, const Content& b) { return a.mismatches > b.mismatches; });
    const AnsweredCase& first = *group.contents.front().same.front();
    const auto model = OracleModel::Create(*first.model);
    if (!model) return model.error();
    auto choices = model->Readings(first.inputs);
    if (!choices) return choices.error();
    group.choices = *std::move(choices);
  }
  return groups;
}

// Fills `kept`.
Status Weed(const TierFlags& open, Group& group) {
  std::vector<Tally> tallies;
  size_t sampled = 0;
  for (size_t elements = 0; sampled < group.contents.size() &&
                            elements * group.choices.size() < kSampledElements;
       ++sampled) {
    elements += group.contents[sampled].same.front()->answer->elements.size();
  }
  for (const ReadingSet& choice : group.choices) {
    Tally& tally = tallies.emplace_back();
    tally.choice = &choice;
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

  void Add(int64_t precision, const Tally& tally) {
    parts[precision] = &tally;
    sum.Add(tally);
    looseness = std::max(looseness, tally.looseness());
  }
};

// One for each tally of the first group, with the best of each other group.
std::vector<Joined> JoinAll(const std::map<int64_t, Group>& groups) {
  std::vector<Joined> all;
  for (const Tally& lead : groups.begin()->second.kept) {
    Joined joined;
    for (const auto& [precision, group] : groups) {
      const Tally* best = precision == groups.begin()->first ? &lead : nullptr;
      for (const Tally& tally : group.kept) {
        if (precision == groups.begin()->first) break;
        if (tally.choice->shared != lead.choice->shared) continue;
        if (best == nullptr || tally.left < best->left) best = &tally;
      }
      if (best == nullptr) break;
      joined.Add(precision, *best);
    }
    if (joined.parts.size() == groups.size()) all.push_back(std::move(joined));
  }
  return all;
}

FollowedReading Named(const Joined& joined) {
  FollowedReading reading;
  std::vector<std::string> names;
  for (const auto& [precision, tally] : joined.parts) {
    reading.choices[precision] = *tally->choice;
    names.push_back(Spell(*tally->choice));
  }
  reading.name = CombinedName(names);
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

bool FollowedReading::bounded() const {
  return std::any_of(choices.begin(), choices.end(),
                     [](const auto& choice) { return choice.second.is_bounded(); });
}

Result<std::vector<FollowedReading>> ClosestReadings(std::span<const AnsweredCase> cases,
                                                     const Explanations& explanations) {
  std::vector<FollowedReading> readings;
  TierFlags open{};
  auto groups = GroupsOf(cases, explanations, open);
  if (!groups) return groups.error();
  if (groups->empty()) return readings;
  for (auto& [precision, group] : *groups) {
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
    readings.push_back(Named(*best));
    all.erase(best);
  }
  return readings;
}

Result<std::vector<FollowedReading>> FunctionReadings(
    std::span<const AnsweredCase> cases) {
  std::vector<FollowedReading> readings;
  if (cases.empty()) return readings;
  const int64_t precision = ReadingsKeyOf(*cases.front().model);
  const bool differ = std::ranges::any_of(cases, [&](const AnsweredCase& answered) {
    return ReadingsKeyOf(*answered.model) != precision;
  });
  if (differ) return readings;
  const auto model = OracleModel::Create(*cases.front().model);
  if (!model) return model.error();
  const auto choices = model->Readings(cases.front().inputs);
  if (!choices) return choices.error();
  for (const ReadingSet& choice : *choices) {
    if (choice.is_bounded() || choice.is_canonical()) continue;
    readings.push_back({.name = Spell(choice), .choices = {{precision, choice}}});
  }
  return readings;
}

Result<std::shared_ptr<const CaseAnswer>> AnswerBy(const FollowedReading& reading,
                                                   const AnsweredCase& answered) {
  const auto choice = reading.choices.find(ReadingsKeyOf(*answered.model));
  if (choice == reading.choices.end()) {
    return Error{reading.name + " says nothing of this precision; it was told of those " +
                 "that were asked"};
  }
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return model.error();
  auto answer = model->Evaluate(answered.inputs, choice->second);
  if (!answer) return answer.error();
  for (size_t i = 0; i < answer->elements.size(); ++i) {
    ElementAnswer& element = answer->elements[i];
    const ElementAnswer& canonical = answered.answer->elements[i];
    if (choice->second.is_bounded() && !answered.codes.empty() &&
        AllowsBy(choice->second, *answer, i, answered.codes[i])) {
      element.code = answered.codes[i];
    }
    element.tier = canonical.tier;
    element.features = canonical.features;
    if (reading.other_tiers[static_cast<size_t>(canonical.tier)]) {
      element.freedom = Freedom::kAnyCode;
    }
  }
  return std::make_shared<const CaseAnswer>(*std::move(answer));
}

Result<std::vector<std::shared_ptr<const CaseAnswer>>> AnswersBy(
    FollowedReading& reading, std::span<const AnsweredCase> cases,
    const Explanations& explanations) {
  reading.other_tiers = {};
  std::vector<std::shared_ptr<const CaseAnswer>> answers;
  std::map<const CaseAnswer*, std::shared_ptr<const CaseAnswer>> made;
  TierFlags differ{};
  for (const AnsweredCase& answered : cases) {
    std::shared_ptr<const CaseAnswer>& answer = made[answered.answer.get()];
    if (answer == nullptr || reading.bounded()) {
      auto by_reading = AnswerBy(reading, answered);
      if (!by_reading) return by_reading.error();
      answer = *std::move(by_reading);
    }
    answers.push_back(answer);
    for (size_t i = 0; i < answer->elements.size(); ++i) {
      const ElementAnswer& element = answer->elements[i];
      if (!Allows(answer->TypeOf(i), element, answered.codes[i])) {
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
