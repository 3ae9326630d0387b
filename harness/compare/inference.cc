#include "harness/compare/inference.h"

#include <algorithm>
#include <bitset>

#include "harness/compare/compare.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

Result<Explanations> Explain(const std::vector<GivenContent>& contents,
                             const TierFlags& contested, bool with_bounds) {
  ReadingElimination left(contested, with_bounds);
  for (const GivenContent& one : contents) {
    for (const GivenCodes& given : one.given) {
      const Status dropped = left.Drop(*one.content, given.codes, given.allowed);
      if (!dropped) return dropped.error();
    }
  }
  Explanations explanations;
  if (contents.empty()) return explanations;
  // Tiers that the canonical readings do not explain: by one combination where there is
  // one, else each by its own.
  std::vector<size_t> open;
  const auto set = [&](size_t tier, CellReading reading) {
    explanations[tier] = Explanation{{{"", std::move(reading)}}};
  };
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    auto found = left.Find({&tier, 1});
    if (!found) continue;
    if (!found->is_canonical()) open.push_back(tier);
    set(tier, *std::move(found));
  }
  if (open.size() < 2) return explanations;
  if (const auto common = left.Find(open)) {
    for (const size_t tier : open) set(tier, *common);
  }
  return explanations;
}

// The same codes, with this one before the others. Precondition: `ranges` are joined.
AdmissibleRanges StartingWith(uint32_t code, const AdmissibleRanges& ranges) {
  AdmissibleRanges codes = {{code, code}};
  for (const AdmissibleRange& range : ranges) {
    if (code < range.first || range.last < code) {
      codes.push_back(range);
      continue;
    }
    if (range.first < code) codes.push_back({range.first, code - 1});
    if (code < range.last) codes.push_back({code + 1, range.last});
  }
  return codes;
}

constexpr size_t kMostSets = 512;
using SetOfSets = std::bitset<kMostSets>;

// The first element for each set of reading sets that explains something.
struct Explained {
  SetOfSets sets;
  size_t case_index = 0;
  size_t element = 0;
};

Result<ConflictSide> SideOf(const Explained& one, const ReadingSet& mine,
                            const ReadingSet& other,
                            std::span<const AnsweredCase> cases) {
  const auto answer = cases[one.case_index].content->AnswerBy(other);
  if (!answer) return answer.error();
  return ConflictSide{one.case_index, one.element, mine, other,
                      (*answer)->At(one.element).code};
}

// Two of these without a set in common.
Result<std::optional<ReadingConflict>> ConflictOf(const std::vector<Explained>& seen,
                                                  std::span<const ReadingSet> sets,
                                                  std::span<const AnsweredCase> cases) {
  // The first of the fewest readings.
  const auto simplest_of = [&](const SetOfSets& some) -> const ReadingSet& {
    const ReadingSet* simplest = nullptr;
    for (size_t k = 0; k < sets.size(); ++k) {
      if (!some[k]) continue;
      if (simplest == nullptr || sets[k].readings.size() < simplest->readings.size()) {
        simplest = &sets[k];
      }
    }
    return *simplest;
  };
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t j = i + 1; j < seen.size(); ++j) {
      if ((seen[i].sets & seen[j].sets).any()) continue;
      const ReadingSet& a = simplest_of(seen[i].sets);
      const ReadingSet& b = simplest_of(seen[j].sets);
      auto side = SideOf(seen[i], a, b, cases);
      if (!side) return side.error();
      auto other = SideOf(seen[j], b, a, cases);
      if (!other) return other.error();
      return std::optional(ReadingConflict{*std::move(side), *std::move(other)});
    }
  }
  return std::optional<ReadingConflict>();
}

}  // namespace

bool CellReading::is_canonical() const {
  return std::ranges::all_of(sets,
                             [](const auto& set) { return set.second.is_canonical(); });
}

bool CellReading::is_bounded() const {
  return std::ranges::any_of(sets,
                             [](const auto& set) { return set.second.is_bounded(); });
}

bool CellReading::is_wider() const {
  return std::ranges::any_of(
      sets, [](const auto& set) { return set.second.kind == ReadingSet::Kind::kWider; });
}

std::string CellReading::Name() const {
  std::vector<std::string> names;
  for (const auto& [key, set] : sets) {
    if (set.is_canonical()) continue;
    const std::string name = Spell(set);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined.empty() ? "canonical" : joined;
}

std::string Explanation::Name() const {
  if (!is_mixed()) return parts.front().reading.Name();
  std::string text = "mixed by " + mixed_by;
  const char* separator = ": ";
  for (const Part& part : parts) {
    text += separator + part.name + " " + part.reading.Name();
    separator = ", ";
  }
  return text;
}

Status ReadingElimination::Drop(ContentAnswers& content, std::span<const uint32_t> codes,
                                const ElementBits& allowed) {
  const auto key = content.ReadingsKey();
  if (!key) return key.error();
  Candidates& candidates = groups_[*key];
  if (candidates.empty()) {
    const auto sets = content.Readings();
    if (!sets) return sets.error();
    for (const ReadingSet& set : *sets) {
      if (set.is_bounded() && !with_bounds_) continue;
      Candidate& candidate = candidates.emplace_back(Candidate{&set, tiers_});
      // The canonical set explains the other tiers.
      if (candidates.size() == 1) candidate.alive.fill(true);
      if (set.is_bounded()) candidate.alive[static_cast<size_t>(Tier::kRegular)] = true;
    }
  }
  for (Candidate& candidate : candidates) {
    std::shared_ptr<const ReadingAnswer> answer;
    ElementBits explained;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (!candidate.alive[tier] || !content.tiers()[tier]) continue;
      if (answer == nullptr) {
        auto made = content.AnswerBy(*candidate.set);
        if (!made) return made.error();
        answer = *std::move(made);
        explained = answer->Allowed(codes, allowed);
      }
      candidate.alive[tier] = content.OfTier(tier).IsWithin(explained);
    }
  }
  return Ok();
}

bool ReadingElimination::IsAlive(const Candidate& candidate,
                                 std::span<const size_t> tiers) {
  return std::ranges::all_of(tiers, [&](size_t tier) {
    // Whoever computes within a bound does so with all scales.
    const bool elsewhere = tier != static_cast<size_t>(Tier::kDegenerateScale) ||
                           !candidate.set->is_bounded() ||
                           candidate.alive[static_cast<size_t>(Tier::kRegular)];
    return candidate.alive[tier] && elsewhere;
  });
}

std::optional<CellReading> ReadingElimination::Find(std::span<const size_t> tiers) const {
  if (groups_.empty()) return CellReading();
  for (const Candidate& lead : groups_.begin()->second) {
    if (!IsAlive(lead, tiers)) continue;
    CellReading reading;
    for (const auto& [key, candidates] : groups_) {
      const auto found = std::ranges::find_if(candidates, [&](const Candidate& one) {
        return IsAlive(one, tiers) && one.set->shared == lead.set->shared;
      });
      if (found == candidates.end()) break;
      reading.sets.emplace(key, *found->set);
    }
    if (reading.sets.size() == groups_.size()) return reading;
  }
  return std::nullopt;
}

Result<Explanations> ExplainByReadings(std::span<const AnsweredCase> cases) {
  std::vector<GivenContent> contents = GroupCases(cases);
  TierFlags contested{};
  for (const GivenContent& one : contents) {
    for (const GivenCodes& given : one.given) {
      for (size_t tier = 0; tier < kTierCount; ++tier) {
        if (!one.content->OfTier(tier).IsWithin(given.allowed)) contested[tier] = true;
      }
    }
  }
  SortByMismatches(contents, contested);
  // The derived bounds cost more than all combinations.
  auto explanations = Explain(contents, contested, /*with_bounds=*/false);
  if (!explanations) return explanations;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (contested[tier] && !(*explanations)[tier]) {
      return Explain(contents, contested, /*with_bounds=*/true);
    }
  }
  return explanations;
}

Result<std::vector<bool>> AdmissibleAlone(const AnsweredCase& answered,
                                          std::span<const size_t> indices) {
  std::vector<uint32_t> same;
  for (const size_t index : indices) same.push_back(answered.codes[index]);
  return AdmissibleBeside(answered, indices, same);
}

Result<std::vector<bool>> AdmissibleBeside(const AnsweredCase& answered,
                                           std::span<const size_t> indices,
                                           std::span<const uint32_t> other) {
  std::vector<bool> admissible(indices.size(), false);
  const auto sets = answered.content->Readings();
  if (!sets) return sets.error();
  for (const ReadingSet& set : *sets) {
    if (std::ranges::find(admissible, false) == admissible.end()) break;
    const auto answer = answered.content->AnswerBy(set);
    if (!answer) return answer.error();
    for (size_t i = 0; i < indices.size(); ++i) {
      if ((*answer)->Allows(indices[i], answered.codes[indices[i]]) &&
          (*answer)->Allows(indices[i], other[i])) {
        admissible[i] = true;
      }
    }
  }
  return admissible;
}

Result<std::vector<AdmissibleRanges>> AdmissibleCodes(ContentAnswers& content) {
  const auto sets = content.Readings();
  if (!sets) return sets.error();
  const CaseAnswer& canonical = *content.canonical();
  std::vector<AdmissibleRanges> codes(canonical.elements.size());
  std::vector<bool> any(codes.size(), false);
  for (const ReadingSet& set : *sets) {
    const auto answer = content.AnswerBy(set);
    if (!answer) return answer.error();
    for (size_t i = 0; i < codes.size(); ++i) {
      const Freedom freedom = (*answer)->At(i).freedom;
      any[i] = any[i] || freedom == Freedom::kAnyCode || freedom == Freedom::kSameCode;
      if (any[i]) continue;
      (*answer)->AddCodes(i, codes[i]);
      Join(codes[i]);
    }
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] =
        any[i] ? AdmissibleRanges() : StartingWith(canonical.elements[i].code, codes[i]);
  }
  return codes;
}

Result<std::optional<ReadingConflict>> FindConflict(std::span<const AnsweredCase> cases,
                                                    Tier tier) {
  struct Group {
    std::span<const ReadingSet> sets;
    std::vector<Explained> seen;
  };
  const std::vector<GivenContent> contents = GroupCases(cases);
  std::vector<std::pair<const GivenContent*, const GivenCodes*>> in_order;
  for (const GivenContent& one : contents) {
    for (const GivenCodes& given : one.given) in_order.emplace_back(&one, &given);
  }
  std::ranges::sort(in_order, {}, [](const auto& pair) { return pair.second->first; });
  std::map<int64_t, Group> groups;  // by ReadingsKey
  for (const auto& [content, given] : in_order) {
    ContentAnswers& answers = *content->content;
    const auto key = answers.ReadingsKey();
    if (!key) return key.error();
    const auto sets = answers.Readings();
    if (!sets) return sets.error();
    if (sets->size() > kMostSets) return std::optional<ReadingConflict>();
    Group& group = groups[*key];
    group.sets = *sets;
    const ElementBits& of_tier = answers.OfTier(static_cast<size_t>(tier));
    std::vector<SetOfSets> explaining(given->codes.size());
    for (size_t k = 0; k < sets->size(); ++k) {
      const auto answer = answers.AnswerBy((*sets)[k]);
      if (!answer) return answer.error();
      const ElementBits allowed = (*answer)->Allowed(given->codes, given->allowed);
      for (size_t i = 0; i < explaining.size(); ++i) explaining[i][k] = allowed[i];
    }
    for (size_t i = 0; i < explaining.size(); ++i) {
      if (!of_tier[i]) continue;
      if (explaining[i].none()) return std::optional<ReadingConflict>();
      if (std::ranges::find(group.seen, explaining[i], &Explained::sets) ==
          group.seen.end()) {
        group.seen.push_back({explaining[i], given->first, i});
      }
    }
  }
  for (const auto& [key, group] : groups) {
    auto conflict = ConflictOf(group.seen, group.sets, cases);
    if (!conflict || *conflict) return conflict;
  }
  return std::optional<ReadingConflict>();
}

Result<std::optional<std::pair<ReadingSet, ReadingSet>>> PairBehindBound(
    std::span<const AnsweredCase> cases, Tier tier, const CellReading& explanation) {
  using Sets = std::optional<std::pair<ReadingSet, ReadingSet>>;
  if (!explanation.is_bounded() || explanation.sets.size() != 1) return Sets();
  std::vector<GivenContent> contents = GroupCases(cases);
  if (contents.empty()) return Sets();
  const auto all = contents.front().content->Readings();
  if (!all) return all.error();
  std::vector<ReadingSet> sets;
  std::ranges::copy_if(*all, std::back_inserter(sets),
                       [](const ReadingSet& set) { return !set.is_bounded(); });
  std::vector<std::pair<size_t, size_t>> pairs;  // that explain what was looked at
  for (size_t i = 0; i < sets.size(); ++i) {
    for (size_t j = i + 1; j < sets.size(); ++j) pairs.emplace_back(i, j);
  }
  // Few pairs are left after those that differ most.
  TierFlags every;
  every.fill(true);
  SortByMismatches(contents, every);
  for (const GivenContent& one : contents) {
    const ElementBits& of_tier = one.content->OfTier(static_cast<size_t>(tier));
    for (const GivenCodes& given : one.given) {
      std::vector<std::optional<ElementBits>> allowed(sets.size());
      for (const auto& pair : pairs) {
        for (const size_t set : {pair.first, pair.second}) {
          if (allowed[set]) continue;
          const auto answer = one.content->AnswerBy(sets[set]);
          if (!answer) return answer.error();
          allowed[set] = (*answer)->Allowed(given.codes, given.allowed);
        }
      }
      std::erase_if(pairs, [&](const auto& pair) {
        return !of_tier.IsWithin(*allowed[pair.first] | *allowed[pair.second]);
      });
    }
    if (pairs.empty()) return Sets();
  }
  return Sets(std::pair(sets[pairs.front().first], sets[pairs.front().second]));
}

}  // namespace qconform
