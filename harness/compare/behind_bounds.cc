#include "harness/compare/behind_bounds.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using Pair = std::pair<size_t, size_t>;

// Cases of other answers or outputs, those that differ most from the canonical answer
// first: few pairs are left after them.
std::vector<const AnsweredCase*> Different(std::span<const AnsweredCase> cases) {
  std::set<std::pair<const CaseAnswer*, std::vector<uint32_t>>> seen;
  std::vector<std::pair<int64_t, const AnsweredCase*>> counted;
  for (const AnsweredCase& one : cases) {
    if (!seen.emplace(one.answer.get(), std::vector(one.codes.begin(), one.codes.end()))
             .second) {
      continue;
    }
    int64_t equal = 0;
    const auto& elements = one.answer->elements;
    for (size_t i = 0; i < elements.size(); ++i) {
      equal += Allows(one.answer->TypeOf(i), elements[i], one.codes[i]) ? 0 : 1;
    }
    counted.emplace_back(-equal, &one);
  }
  std::stable_sort(counted.begin(), counted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const AnsweredCase*> sorted;
  for (const auto& [mismatches, one] : counted) sorted.push_back(one);
  return sorted;
}

// Takes away the pairs that do not explain a case.
Status Filter(const AnsweredCase& answered, Tier tier,
              const std::vector<ReadingSet>& choices, std::vector<Pair>& pairs) {
  const auto model = OracleModel::Create(*answered.model);
  if (!model) return model.error();
  std::vector<uint64_t> actual;
  std::vector<size_t> indices;
  for (size_t i = 0; i < answered.answer->elements.size(); ++i) {
    if (answered.answer->elements[i].tier != tier) continue;
    indices.push_back(i);
    actual.push_back(answered.codes[i]);
  }
  std::vector<std::vector<bool>> allows(choices.size());
  const auto ask = [&](size_t choice) -> Status {
    if (!allows[choice].empty() || indices.empty()) return Ok();
    const auto answer = model->Evaluate(answered.inputs, choices[choice]);
    if (!answer) return answer.error();
    for (size_t i = 0; i < indices.size(); ++i) {
      allows[choice].push_back(AllowsBy(choices[choice], *answer, indices[i], actual[i]));
    }
    return Ok();
  };
  std::vector<Pair> left;
  for (const Pair& pair : pairs) {
    for (const size_t choice : {pair.first, pair.second}) {
      if (const Status asked = ask(choice); !asked) return asked;
    }
    bool all = true;
    for (size_t i = 0; all && i < indices.size(); ++i) {
      all = allows[pair.first][i] || allows[pair.second][i];
    }
    if (all) left.push_back(pair);
  }
  pairs = std::move(left);
  return Ok();
}

}  // namespace

Result<std::vector<std::string>> PairBehindBound(std::span<const AnsweredCase> cases,
                                                 Tier tier,
                                                 const std::string& explanation) {
  std::vector<std::string> names;
  if (cases.empty()) return names;
  const auto model = OracleModel::Create(*cases.front().model);
  if (!model) return model.error();
  auto choices = model->Readings(cases.front().inputs);
  if (!choices) return choices.error();
  const bool is_bound = std::ranges::any_of(*choices, [&](const ReadingSet& choice) {
    return choice.is_bounded() && Spell(choice) == explanation;
  });
  if (!is_bound) return names;
  std::erase_if(*choices, [](const ReadingSet& choice) { return choice.is_bounded(); });
  std::vector<Pair> pairs;
  for (size_t i = 0; i < choices->size(); ++i) {
    for (size_t j = i + 1; j < choices->size(); ++j) pairs.emplace_back(i, j);
  }
  for (const AnsweredCase* answered : Different(cases)) {
    if (pairs.empty()) return names;
    const Status filtered = Filter(*answered, tier, *choices, pairs);
    if (!filtered) return filtered.error();
  }
  if (pairs.empty()) return names;
  names = {Spell((*choices)[pairs.front().first]),
           Spell((*choices)[pairs.front().second])};
  return names;
}

}  // namespace qconform
