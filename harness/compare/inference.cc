#include "harness/compare/inference.h"

#include <algorithm>
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
  ReadingChoice choice;
  TierFlags alive{};
};

// Cases with one set of choices: those of equal `precision`.
using Candidates = std::vector<Candidate>;

Status Eliminate(const AnsweredCase& answered, Candidates& candidates) {
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return model.error();
  TierFlags present{};
  for (const ElementAnswer& element : answered.answer->elements) {
    present[static_cast<size_t>(element.tier)] = true;
  }
  for (Candidate& candidate : candidates) {
    bool concerned = false;
    for (size_t i = 0; i < kTierCount; ++i) concerned |= candidate.alive[i] && present[i];
    if (!concerned) continue;
    const auto answer = model->Evaluate(answered.inputs, candidate.choice);
    if (!answer) return answer.error();
    const TensorView y = answered.output->view();
    for (size_t i = 0; i < answer->elements.size(); ++i) {
      // The tier is the question's: the canonical answer names it.
      bool& alive = candidate.alive[static_cast<size_t>(answered.answer->elements[i].tier)];
      if (!alive) continue;
      const uint64_t actual = ReadCode(y, static_cast<int64_t>(i));
      alive = candidate.choice.bounded
                  ? IsWithinBounds(*answer, i, actual)
                  : Allows(answer->type, answer->elements[i], actual);
    }
  }
  return Ok();
}

// The first way to take one candidate alive in each group in all of `tiers` such
// that the shared part is the same everywhere.
std::optional<std::string> Join(const std::map<int64_t, Candidates>& groups,
                                const std::vector<size_t>& tiers) {
  const auto is_alive = [&](const Candidate& candidate) {
    return std::all_of(tiers.begin(), tiers.end(),
                       [&](size_t tier) { return candidate.alive[tier]; });
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
      if (std::find(names.begin(), names.end(), found->choice.name) == names.end()) {
        names.push_back(found->choice.name);
      }
    }
    if (!everywhere) continue;
    if (names.size() > 1) std::erase(names, "canonical");
    std::string joined;
    for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
    return joined;
  }
  return std::nullopt;
}

int64_t PrecisionOf(const Model& model) {
  for (const Attribute& attribute : model.node.attributes) {
    const int64_t* value = std::get_if<int64_t>(&attribute.value);
    if (attribute.name == "precision" && value != nullptr) return *value;
  }
  return 0;
}

}  // namespace

namespace {

// A case, and how many of its elements differ from the canonical answer.
struct Doubtful {
  const AnsweredCase* answered;
  int64_t mismatches = 0;
};

// Returns the cases, those that differ most first: they leave the fewest choices
// for the others. `contested` gets the tiers that differ.
std::vector<Doubtful> ByMismatches(std::span<const AnsweredCase> cases,
                                   TierFlags& contested) {
  std::vector<Doubtful> sorted;
  for (const AnsweredCase& answered : cases) {
    Doubtful doubtful{&answered, 0};
    const TensorView y = answered.output->view();
    const Answer& answer = *answered.answer;
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const ElementAnswer& element = answer.elements[i];
      if (Allows(answer.type, element, ReadCode(y, static_cast<int64_t>(i)))) continue;
      contested[static_cast<size_t>(element.tier)] = true;
      ++doubtful.mismatches;
    }
    sorted.push_back(doubtful);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Doubtful& a, const Doubtful& b) {
    return a.mismatches > b.mismatches;
  });
  return sorted;
}

}  // namespace

Result<Explanations> ExplainByReadings(std::span<const AnsweredCase> cases) {
  std::map<int64_t, Candidates> groups;
  TierFlags contested{};
  for (const Doubtful& doubtful : ByMismatches(cases, contested)) {
    const AnsweredCase& answered = *doubtful.answered;
    Candidates& candidates = groups[PrecisionOf(*answered.model)];
    if (candidates.empty()) {
      const auto model = OracleModel::Create(*answered.model);
      if (!model) return model.error();
      auto choices = model->Choices(answered.inputs);
      if (!choices) return choices.error();
      for (ReadingChoice& choice : *choices) {
        Candidate candidate{std::move(choice), {}};
        // The other tiers are explained by the canonical choice, the first.
        candidate.alive = contested;
        if (candidates.empty()) candidate.alive.fill(true);
        candidates.push_back(std::move(candidate));
      }
    }
    const Status done = Eliminate(answered, candidates);
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

Result<std::vector<bool>> AdmissibleAlone(const AnsweredCase& answered,
                                          std::span<const int64_t> indices) {
  std::vector<bool> admissible(indices.size(), false);
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return model.error();
  const auto choices = model->Choices(answered.inputs);
  if (!choices) return choices.error();
  const TensorView y = answered.output->view();
  for (const ReadingChoice& choice : *choices) {
    if (std::find(admissible.begin(), admissible.end(), false) == admissible.end()) break;
    const auto answer = model->Evaluate(answered.inputs, choice);
    if (!answer) return answer.error();
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto at = static_cast<size_t>(indices[i]);
      const uint64_t actual = ReadCode(y, indices[i]);
      if (choice.bounded ? IsWithinBounds(*answer, at, actual)
                         : Allows(answer->type, answer->elements[at], actual)) {
        admissible[i] = true;
      }
    }
  }
  return admissible;
}

}  // namespace qconform
