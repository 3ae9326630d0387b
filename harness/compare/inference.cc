#include "harness/compare/inference.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using TierFlags = std::array<bool, kTierCount>;

// A choice under which some tiers of a group of cases are still explained.
struct Candidate {
  ReadingSet choice;
  TierFlags alive{};
};

// Cases with one set of choices: those of equal `precision`.
using Candidates = std::vector<Candidate>;

// Cases of equal content, and how many of their elements differ from the canonical
// answer.
struct Doubtful {
  std::vector<const AnsweredCase*> same;
  int64_t mismatches = 0;
};

// Whether a choice explains all that `answered` gave in each of the tiers alive.
void KeepAlive(const AnsweredCase& answered, const ReadingSet& choice,
               const CaseAnswer& answer, TierFlags& flags) {
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    // The tier is the question's: the canonical answer names it.
    bool& alive = flags[static_cast<size_t>(answered.answer->elements[i].tier)];
    if (alive) alive = AllowsBy(choice, answer, i, answered.codes[i]);
  }
}

Status Eliminate(const Doubtful& doubtful, Candidates& candidates) {
  const AnsweredCase& first = *doubtful.same.front();
  const auto model = OracleModel::Create(*first.model);
  if (!model) return model.error();
  TierFlags present{};
  for (const ElementAnswer& element : first.answer->elements) {
    present[static_cast<size_t>(element.tier)] = true;
  }
  for (Candidate& candidate : candidates) {
    bool concerned = false;
    for (size_t i = 0; i < kTierCount; ++i) concerned |= candidate.alive[i] && present[i];
    if (!concerned) continue;
    // The canonical answer is there already.
    const bool canonical =
        !candidate.choice.is_bounded() && candidate.choice.is_canonical();
    std::optional<CaseAnswer> made;
    if (!canonical) {
      auto answer = model->Evaluate(first.inputs, candidate.choice);
      if (!answer) return answer.error();
      made = *std::move(answer);
    }
    const CaseAnswer& answer = canonical ? *first.answer : *made;
    for (size_t i = 0; i < doubtful.same.size(); ++i) {
      const AnsweredCase& one = *doubtful.same[i];
      if (i > 0 && std::ranges::equal(one.codes, first.codes)) continue;
      KeepAlive(one, candidate.choice, answer, candidate.alive);
    }
  }
  return Ok();
}

// The first way to take one candidate alive in each group in all of `tiers` such
// that the shared part is the same everywhere.
std::optional<std::string> Join(const std::map<int64_t, Candidates>& groups,
                                const std::vector<size_t>& tiers) {
  const auto is_alive = [&](const Candidate& candidate) {
    return std::all_of(tiers.begin(), tiers.end(), [&](size_t tier) {
      // MM-20: who dequantizes first does so with all scales.
      const bool elsewhere = tier != static_cast<size_t>(Tier::kDegenerateScale) ||
                             !candidate.choice.is_bounded() ||
                             candidate.alive[static_cast<size_t>(Tier::kRegular)];
      return candidate.alive[tier] && elsewhere;
    });
  };
  const Candidates& first = groups.begin()->second;
  for (const Candidate& lead : first) {
    if (!is_alive(lead)) continue;
    std::vector<std::string> names;
    bool everywhere = true;
    for (const auto& [precision, candidates] : groups) {
      const auto found = std::find_if(
          candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
            return is_alive(candidate) && candidate.choice.shared == lead.choice.shared;
          });
      everywhere = everywhere && found != candidates.end();
      if (!everywhere) break;
      names.push_back(Spell(found->choice));
    }
    if (everywhere) return CombinedName(names);
  }
  return std::nullopt;
}

// Returns the cases, those that differ most first: they leave the fewest choices
// for the others. `contested` gets the tiers that differ.
std::vector<Doubtful> ByMismatches(std::span<const AnsweredCase> cases,
                                   TierFlags& contested) {
  std::vector<Doubtful> sorted;
  std::map<const CaseAnswer*, size_t> places;  // cases of equal content share an answer
  for (const AnsweredCase& answered : cases) {
    const auto [place, added] = places.emplace(answered.answer.get(), sorted.size());
    if (added) sorted.emplace_back();
    Doubtful& doubtful = sorted[place->second];
    doubtful.same.push_back(&answered);
    const CaseAnswer& answer = *answered.answer;
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const ElementAnswer& element = answer.elements[i];
      if (Allows(answer.TypeOf(i), element, answered.codes[i])) continue;
      contested[static_cast<size_t>(element.tier)] = true;
      ++doubtful.mismatches;
    }
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Doubtful& a, const Doubtful& b) { return a.mismatches > b.mismatches; });
  return sorted;
}

// By the combinations alone, or by the derived bounds too, which cost more than all of
// them. `contested` gets the tiers that differ.
Result<Explanations> Explain(std::span<const AnsweredCase> cases, bool with_bounds,
                             TierFlags& contested) {
  std::map<int64_t, Candidates> groups;
  for (const Doubtful& doubtful : ByMismatches(cases, contested)) {
    const AnsweredCase& answered = *doubtful.same.front();
    Candidates& candidates = groups[ReadingsKeyOf(*answered.model)];
    if (candidates.empty()) {
      const auto model = OracleModel::Create(*answered.model);
      if (!model) return model.error();
      auto choices = model->Readings(answered.inputs);
      if (!choices) return choices.error();
      for (ReadingSet& choice : *choices) {
        if (choice.is_bounded() && !with_bounds) continue;
        Candidate candidate{std::move(choice), {}};
        // The other tiers are explained by the canonical choice, the first.
        candidate.alive = contested;
        if (candidate.choice.is_bounded()) {
          candidate.alive[static_cast<size_t>(Tier::kRegular)] = true;
        }
        if (candidates.empty()) candidate.alive.fill(true);
        candidates.push_back(std::move(candidate));
      }
    }
    const Status done = Eliminate(doubtful, candidates);
    if (!done) return done.error();
  }
  Explanations explanations;
  if (groups.empty()) return explanations;
  // Tiers that the canonical readings do not explain: by one combination where
  // there is one, else each by its own.
  std::vector<size_t> open;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    explanations[tier] = Join(groups, {tier});
    if (explanations[tier] && *explanations[tier] != "canonical") open.push_back(tier);
  }
  if (open.size() < 2) return explanations;
  if (const auto common = Join(groups, open)) {
    for (const size_t tier : open) explanations[tier] = common;
  }
  return explanations;
}

// Adds the codes that `answer` allows in element `index` and `codes` has not yet.
void AddAllowed(const CaseAnswer& answer, size_t index, const ReadingSet& choice,
                std::vector<uint32_t>& codes) {
  const auto add = [&](uint32_t code) {
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  };
  const ElementAnswer& element = answer.elements[index];
  add(element.code);
  const bool one_code = element.freedom == Freedom::kNone && !element.zero_sign_is_free;
  if (!choice.is_bounded() && one_code) return;
  for (uint32_t code = 0; code < uint32_t{1} << BitWidth(answer.TypeOf(index)); ++code) {
    if (AllowsBy(choice, answer, index, code)) add(code);
  }
}

constexpr size_t kMostChoices = 512;
using ChoiceSet = std::bitset<kMostChoices>;

// One element for each set of choices that explains something.
struct Explained {
  ChoiceSet choices;
  size_t case_index = 0;
  int64_t element = 0;
};

ConflictSide SideOf(const Explained& one, const ReadingSet& mine, const ReadingSet& other,
                    std::span<const AnsweredCase> cases) {
  ConflictSide side{one.case_index, one.element, mine, Spell(other), 0};
  const AnsweredCase& answered = cases[one.case_index];
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return side;
  const auto answer = model->Evaluate(answered.inputs, other);
  if (answer) side.other_code = answer->elements[static_cast<size_t>(one.element)].code;
  return side;
}

// Two of the sets without a common choice.
std::optional<ReadingConflict> ConflictOf(const std::vector<Explained>& seen,
                                          const std::vector<ReadingSet>& choices,
                                          std::span<const AnsweredCase> cases) {
  const auto first_of = [&](const ChoiceSet& set) -> const ReadingSet& {
    size_t first = 0;
    while (!set[first]) ++first;
    return choices[first];
  };
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t j = i + 1; j < seen.size(); ++j) {
      if ((seen[i].choices & seen[j].choices).any()) continue;
      const ReadingSet& a = first_of(seen[i].choices);
      const ReadingSet& b = first_of(seen[j].choices);
      return ReadingConflict{
          {SideOf(seen[i], a, b, cases), SideOf(seen[j], b, a, cases)}};
    }
  }
  return std::nullopt;
}

}  // namespace

int64_t ReadingsKeyOf(const Model& model) {
  const auto bound = OracleModel::Create(model);
  return bound ? bound->ReadingsKey() : 0;
}

bool AllowsBy(const ReadingSet& choice, const CaseAnswer& answer, size_t index,
              uint64_t actual) {
  if (choice.kind == ReadingSet::Kind::kArising) {
    // What operands become in the scales' type is known: the canonical answer need not
    // lie where they lead.
    return answer.elements[index].freedom == Freedom::kAnyCode ||
           answer.bounds[index].arising.Hold(answer.TypeOf(index), actual);
  }
  return choice.is_bounded()
             ? IsWithinBounds(answer, index, actual,
                              choice.kind == ReadingSet::Kind::kWider)
             : Allows(answer.TypeOf(index), answer.elements[index], actual);
}

bool HasOtherCodes(const ReadingSet& choice, const CaseAnswer& answer,
                   const CaseAnswer& canonical, size_t index) {
  if (answer.elements[index].code != canonical.elements[index].code) return true;
  if (!choice.is_bounded()) return false;
  const CodeBounds& bounds = answer.bounds[index];
  const ArisingCodes& arising = bounds.arising;
  if (choice.kind == ReadingSet::Kind::kArising &&
      !arising.Hold(answer.TypeOf(index), canonical.elements[index].code)) {
    return true;
  }
  if (arising.nan || arising.plus_infinity || arising.minus_infinity ||
      (arising.finite && arising.low != arising.high)) {
    return true;
  }
  return choice.kind == ReadingSet::Kind::kWider ? bounds.wider_low != bounds.wider_high
                                                 : bounds.low != bounds.high;
}

Result<Explanations> ExplainByReadings(std::span<const AnsweredCase> cases) {
  TierFlags contested{};
  auto explanations = Explain(cases, /*with_bounds=*/false, contested);
  if (!explanations) return explanations;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (contested[tier] && !(*explanations)[tier]) {
      return Explain(cases, /*with_bounds=*/true, contested);
    }
  }
  return explanations;
}

std::string CombinedName(const std::vector<std::string>& names) {
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) {
      distinct.push_back(name);
    }
  }
  if (distinct.size() > 1) std::erase(distinct, "canonical");
  std::string combined;
  for (const std::string& name : distinct) {
    combined += (combined.empty() ? "" : ", ") + name;
  }
  return combined;
}

Result<std::vector<bool>> AdmissibleAlone(const AnsweredCase& answered,
                                          std::span<const int64_t> indices) {
  std::vector<uint32_t> same;
  for (const int64_t index : indices) {
    same.push_back(answered.codes[static_cast<size_t>(index)]);
  }
  return AdmissibleBeside(answered, indices, same);
}

Result<std::vector<bool>> AdmissibleBeside(const AnsweredCase& answered,
                                           std::span<const int64_t> indices,
                                           std::span<const uint32_t> other) {
  std::vector<bool> admissible(indices.size(), false);
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return model.error();
  const auto choices = model->Readings(answered.inputs);
  if (!choices) return choices.error();
  for (const ReadingSet& choice : *choices) {
    if (std::find(admissible.begin(), admissible.end(), false) == admissible.end()) break;
    const auto answer = model->Evaluate(answered.inputs, choice);
    if (!answer) return answer.error();
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto at = static_cast<size_t>(indices[i]);
      const uint64_t actual = answered.codes[at];
      if (AllowsBy(choice, *answer, at, actual) &&
          AllowsBy(choice, *answer, at, other[i])) {
        admissible[i] = true;
      }
    }
  }
  return admissible;
}

Result<std::vector<std::vector<uint32_t>>> AdmissibleCodes(
    const Model& model, std::span<const TensorView> inputs) {
  const auto oracle = OracleModel::Create(model);
  if (!oracle) return oracle.error();
  const auto choices = oracle->Readings(inputs);
  if (!choices) return choices.error();
  std::vector<std::vector<uint32_t>> codes;
  std::vector<bool> any;
  for (const ReadingSet& choice : *choices) {
    const auto answer = oracle->Evaluate(inputs, choice);
    if (!answer) return answer.error();
    codes.resize(answer->elements.size());
    any.resize(answer->elements.size(), false);
    for (size_t i = 0; i < codes.size(); ++i) {
      any[i] = any[i] || answer->elements[i].freedom == Freedom::kAnyCode;
      if (!any[i]) AddAllowed(*answer, i, choice, codes[i]);
    }
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    if (any[i]) codes[i].clear();
  }
  return codes;
}

Result<std::optional<ReadingConflict>> FindConflict(std::span<const AnsweredCase> cases,
                                                    Tier tier) {
  struct Group {
    std::vector<ReadingSet> choices;
    std::vector<Explained> seen;
  };
  std::map<int64_t, Group> groups;  // by `precision`
  for (size_t c = 0; c < cases.size(); ++c) {
    const AnsweredCase& answered = cases[c];
    const auto model = OracleModel::Create(*answered.model);
    if (!model) return model.error();
    Group& group = groups[ReadingsKeyOf(*answered.model)];
    if (group.choices.empty()) {
      auto choices = model->Readings(answered.inputs);
      if (!choices) return choices.error();
      if (choices->size() > kMostChoices) return std::optional<ReadingConflict>();
      group.choices = *std::move(choices);
    }
    std::vector<ChoiceSet> sets(answered.answer->elements.size());
    for (size_t k = 0; k < group.choices.size(); ++k) {
      const ReadingSet& choice = group.choices[k];
      const auto answer = model->Evaluate(answered.inputs, choice);
      if (!answer) return answer.error();
      for (size_t i = 0; i < sets.size(); ++i) {
        sets[i][k] = AllowsBy(choice, *answer, i, answered.codes[i]);
      }
    }
    for (size_t i = 0; i < sets.size(); ++i) {
      if (answered.answer->elements[i].tier != tier) continue;
      if (sets[i].none()) return std::optional<ReadingConflict>();
      const bool known =
          std::any_of(group.seen.begin(), group.seen.end(),
                      [&](const Explained& one) { return one.choices == sets[i]; });
      if (!known) group.seen.push_back({sets[i], c, static_cast<int64_t>(i)});
    }
  }
  for (const auto& [precision, group] : groups) {
    auto conflict = ConflictOf(group.seen, group.choices, cases);
    if (conflict) return conflict;
  }
  return std::optional<ReadingConflict>();
}

}  // namespace qconform
