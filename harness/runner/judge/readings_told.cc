#include "harness/runner/judge/readings_told.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "oracle/core/clauses.h"

namespace qconform {
namespace {

// One of this many elements of a cell is looked at, because every run pays for it.
constexpr int64_t kShare = 3;

// The readings of a set by clause, without canonical ones.
using NameByClause = std::map<std::string, std::string>;

NameByClause NamesByClause(const ReadingSet& set) {
  NameByClause parts;
  for (const Reading& reading : set.readings) parts.emplace(reading.clause, reading.name);
  return parts;
}

// The feature of elements for which the readings of a clause differ; 0: it is not known.
uint16_t FeatureOf(const std::string& clause) {
  const Clause* found = FindClause(clause);
  return found == nullptr ? uint16_t{0} : found->feature;
}

// The reading sets of a model by their parts, without the derived bounds.
using Sets = std::map<NameByClause, ReadingSet>;

// The parts of a tier's explanation, for models with this ReadingsKey; nothing if it is a
// bound.
std::optional<NameByClause> BaseOf(const std::optional<Explanation>& explanation,
                                   int64_t key) {
  if (!explanation) return NameByClause{};
  const CellReading& reading = explanation->parts.front().reading;
  const auto set = reading.sets.find(key);
  if (set == reading.sets.end()) return NameByClause{};
  if (set->second.is_bounded()) return std::nullopt;
  return NamesByClause(set->second);
}

// The different codes that the backend gave for a content.
struct ToAsk {
  ContentAnswers* content = nullptr;
  GivenCodes given;

  const std::vector<ElementAnswer>& elements() const {
    return content->canonical()->elements;
  }
  int64_t size() const { return static_cast<int64_t>(elements().size()); }
};

// Sorts cases by their number of elements, and moves those to the front that have an
// element of a kind that no case before has: most readings are refuted by one of them.
std::vector<ToAsk> ToLookAt(std::span<const AnsweredCase> answered) {
  std::vector<ToAsk> cases;
  for (GivenContent& one : GroupCases(answered)) {
    for (GivenCodes& given : one.given) {
      if (!given.codes.empty()) cases.push_back({one.content, std::move(given)});
    }
  }
  std::ranges::sort(
      cases, {}, [](const ToAsk& one) { return std::pair(one.size(), one.given.first); });
  std::set<std::pair<Tier, uint16_t>> kinds;
  std::set<size_t> first;
  for (const ToAsk& one : cases) {
    for (const ElementAnswer& element : one.elements()) {
      if (element.freedom == Freedom::kAnyCode) continue;
      if (kinds.emplace(element.tier, element.features).second) {
        first.insert(one.given.first);
      }
    }
  }
  std::stable_partition(cases.begin(), cases.end(), [&](const ToAsk& one) {
    return first.contains(one.given.first);
  });
  return cases;
}

// A case, and its explanation in each tier.
class Refutation {
 public:
  Refutation(const ToAsk& asked, const Explanations& explanations, int64_t key,
             const Sets& sets)
      : asked_(asked), sets_(sets) {
    for (const ElementAnswer& element : asked.elements()) {
      if (element.freedom != Freedom::kAnyCode) features_ |= element.features;
    }
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      bases_[tier] = BaseOf(explanations[tier], key);
    }
  }

  // Whether the reading has other bits than were answered. Takes from `room` what was
  // looked at.
  Result<bool> Refutes(const std::string& clause, const std::string& reading,
                       int64_t& room) const {
    const uint16_t feature = FeatureOf(clause);
    if (feature != 0 && (features_ & feature) == 0) return false;
    std::array<std::optional<NameByClause>, kTierCount> others;
    std::set<NameByClause> all;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (asked_.content->tiers()[tier])
        others[tier] = With(bases_[tier], clause, reading);
      if (others[tier]) all.insert(*others[tier]);
    }
    for (const NameByClause& parts : all) {
      room -= asked_.size();
      TierFlags concerned{};
      for (size_t tier = 0; tier < kTierCount; ++tier) {
        concerned[tier] = others[tier] == parts;
      }
      auto differs = Differs(sets_.at(parts), concerned);
      if (!differs || *differs) return differs;
    }
    return false;
  }

 private:
  // Returns nothing if the result is the same set.
  std::optional<NameByClause> With(std::optional<NameByClause> base,
                                   const std::string& clause,
                                   const std::string& reading) const {
    if (!base) return std::nullopt;
    std::string& part = (*base)[clause];
    if (part == reading) return std::nullopt;
    part = reading;
    if (!sets_.contains(*base)) return std::nullopt;
    return base;
  }

  Result<bool> Differs(const ReadingSet& set, const TierFlags& concerned) const {
    const auto answer = asked_.content->AnswerBy(set);
    if (!answer) return answer.error();
    const ElementBits allowed =
        (*answer)->Allowed(asked_.given.codes, asked_.given.allowed);
    return !asked_.content->OfTiers(concerned).IsWithin(allowed);
  }

  const ToAsk& asked_;
  const Sets& sets_;
  uint16_t features_ = 0;
  std::array<std::optional<NameByClause>, kTierCount> bases_;
};

// Adds readings that are the same function as a reading that stands: for the types of the
// cell no question can distinguish the two.
Status AddLeftOut(ContentAnswers& content, const Explanations& explanations,
                  std::set<Reading>& standing) {
  std::set<std::string> named;  // clauses
  for (const std::optional<Explanation>& explanation : explanations) {
    if (!explanation) continue;
    for (const auto& [key, set] : explanation->parts.front().reading.sets) {
      for (const Reading& reading : set.readings) named.insert(reading.clause);
    }
  }
  const auto oracle = content.Oracle();
  if (!oracle) return oracle.error();
  const auto all = (*oracle)->ReadingsLeftOut(content.inputs());
  if (!all) return all.error();
  for (const auto& [reading, same_as] : *all) {
    const bool stands =
        same_as ? standing.contains(*same_as) : !named.contains(reading.clause);
    if (stands) standing.insert(reading);
  }
  return Ok();
}

}  // namespace

Result<std::vector<std::string>> ReadingsNotToldApart(
    std::span<const AnsweredCase> answered, const Explanations& explanations) {
  std::map<int64_t, Sets> by_key;
  std::set<Reading> left;
  const std::vector<ToAsk> cases = ToLookAt(answered);
  int64_t room = 0;
  for (const ToAsk& one : cases) {
    room += one.size();
    const auto key = one.content->ReadingsKey();
    if (!key) return key.error();
    const auto [found, added] = by_key.try_emplace(*key);
    if (!added) continue;
    const auto sets = one.content->Readings();
    if (!sets) return sets.error();
    for (const ReadingSet& set : *sets) {
      if (set.is_bounded()) continue;
      left.insert(set.readings.begin(), set.readings.end());
      found->second.emplace(NamesByClause(set), set);
    }
  }
  room /= kShare;
  for (const ToAsk& one : cases) {
    if (left.empty()) break;
    const auto key = one.content->ReadingsKey();
    if (!key) return key.error();
    const Refutation refutation(one, explanations, *key, by_key[*key]);
    for (auto reading = left.begin(); reading != left.end();) {
      if (room < one.size()) break;
      const auto refuted = refutation.Refutes(reading->clause, reading->name, room);
      if (!refuted) return refuted.error();
      reading = *refuted ? left.erase(reading) : std::next(reading);
    }
  }
  if (!cases.empty()) {
    const Status added = AddLeftOut(*cases.front().content, explanations, left);
    if (!added) return added.error();
  }
  std::vector<std::string> names;
  for (const Reading& reading : left) names.push_back(Spell(std::vector{reading}));
  return names;
}

}  // namespace qconform
