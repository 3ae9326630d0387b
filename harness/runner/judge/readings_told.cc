#include "harness/runner/judge/readings_told.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "oracle/core/clauses.h"
#include "oracle/formats/codes.h"
#include "reports/record/mixed_readings.h"

namespace qconform {
namespace {

// Of the elements of a cell one in so many is looked at: the cost of it is felt by every
// run.
constexpr int64_t kShare = 3;

// Clause -> reading; canonical ones are not there.
using Parts = std::map<std::string, std::string>;

Parts PartsOf(const std::string& name) {
  const auto named = ReadingsNamedIn(name);
  return {named.begin(), named.end()};
}

// What an element has that the readings of a clause tell apart; 0: that is not known.
uint16_t FeatureOf(const std::string& clause) {
  const Clause* found = FindClause(clause);
  return found == nullptr ? uint16_t{0} : found->feature;
}

// The choices of a model, by their parts; without the derived bounds.
using Choices = std::map<Parts, ReadingSet>;

// One of the names that an explanation joins is that of the model.
std::optional<Parts> BaseOf(const std::optional<std::string>& explanation,
                            const Choices& choices) {
  if (!explanation) return Parts{};
  size_t start = 0;
  while (start < explanation->size()) {
    const size_t end = std::min(explanation->find(", ", start), explanation->size());
    const Parts parts = PartsOf(explanation->substr(start, end - start));
    if (!parts.empty() && choices.contains(parts)) return parts;
    if (parts.contains("MM-02") || parts.contains("MM-10")) return std::nullopt;
    start = end + 2;
  }
  return Parts{};
}

// Few elements first, and before the others those that have an element of a kind that
// none before has: most readings are refuted by one of them.
std::vector<const AskedCase*> ToLookAt(const std::vector<AskedCase>& asked) {
  std::vector<const AskedCase*> cases;
  std::set<std::pair<const CaseAnswer*, std::vector<uint32_t>>> seen;
  for (const AskedCase& one : asked) {
    if (one.expected->elements.empty()) continue;
    if (seen.emplace(one.expected.get(), one.codes).second) cases.push_back(&one);
  }
  std::stable_sort(cases.begin(), cases.end(), [](const auto* a, const auto* b) {
    return a->expected->elements.size() < b->expected->elements.size();
  });
  std::set<std::pair<Tier, uint16_t>> kinds;
  std::set<const AskedCase*> first;
  for (const AskedCase* one : cases) {
    for (const ElementAnswer& element : one->expected->elements) {
      if (element.freedom == Freedom::kAnyCode) continue;
      if (kinds.emplace(element.tier, element.features).second) first.insert(one);
    }
  }
  std::stable_partition(cases.begin(), cases.end(),
                        [&](const AskedCase* one) { return first.contains(one); });
  return cases;
}

// A case, and what explains it in each tier.
class Refutation {
 public:
  Refutation(const AskedCase& asked, const Explanations& explanations,
             const Choices& choices)
      : asked_(asked), choices_(choices) {
    for (const ElementAnswer& element : asked.expected->elements) {
      present_[static_cast<size_t>(element.tier)] = true;
      if (element.freedom != Freedom::kAnyCode) features_ |= element.features;
    }
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      bases_[tier] = BaseOf(explanations[tier], choices);
    }
  }

  // Whether the reading has other bits than were answered. Takes from `room` what was
  // looked at.
  Result<bool> Refutes(const std::string& clause, const std::string& reading,
                       int64_t& room) const {
    const uint16_t feature = FeatureOf(clause);
    if (feature != 0 && (features_ & feature) == 0) return false;
    std::array<std::optional<Parts>, kTierCount> others;
    std::set<Parts> all;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (present_[tier]) others[tier] = With(bases_[tier], clause, reading);
      if (others[tier]) all.insert(*others[tier]);
    }
    for (const Parts& parts : all) {
      room -= static_cast<int64_t>(asked_.expected->elements.size());
      std::array<bool, kTierCount> concerned{};
      for (size_t tier = 0; tier < kTierCount; ++tier) {
        concerned[tier] = others[tier] == parts;
      }
      auto differs = Differs(choices_.at(parts), concerned);
      if (!differs || *differs) return differs;
    }
    return false;
  }

 private:
  // Nothing where that is no other choice.
  std::optional<Parts> With(std::optional<Parts> base, const std::string& clause,
                            const std::string& reading) const {
    if (!base) return std::nullopt;
    std::string& part = (*base)[clause];
    if (part == reading) return std::nullopt;
    part = reading;
    if (!choices_.contains(*base)) return std::nullopt;
    return base;
  }

  Result<bool> Differs(const ReadingSet& choice,
                       const std::array<bool, kTierCount>& concerned) const {
    const auto model = OracleModel::Create(asked_.op_case->model);
    if (!model) return model.error();
    const auto answer = model->Evaluate(ViewsOf(asked_.op_case->inputs), choice);
    if (!answer) return answer.error();
    for (size_t i = 0; i < answer->elements.size(); ++i) {
      if (!concerned[static_cast<size_t>(asked_.expected->elements[i].tier)]) continue;
      if (!Allows(answer->TypeOf(i), answer->elements[i], asked_.codes[i])) return true;
    }
    return false;
  }

  const AskedCase& asked_;
  const Choices& choices_;
  std::array<bool, kTierCount> present_{};
  uint16_t features_ = 0;
  std::array<std::optional<Parts>, kTierCount> bases_;
};

// Adds what is the same function as a reading that stands: its types do not tell the two
// apart, nor does anything that could be asked.
void AddLeftOut(const OpCase& op_case, const Explanations& explanations,
                std::set<std::pair<std::string, std::string>>& standing) {
  std::set<std::string> named;  // clauses
  for (const std::optional<std::string>& explanation : explanations) {
    if (!explanation) continue;
    for (const auto& [clause, reading] : ReadingsNamedIn(*explanation)) {
      named.insert(clause);
    }
  }
  const auto model = OracleModel::Create(op_case.model);
  if (!model) return;
  const auto all = model->ReadingsLeftOut(ViewsOf(op_case.inputs));
  if (!all) return;
  for (const auto& [reading, same_as] : *all) {
    const bool stands = same_as ? standing.contains({same_as->clause, same_as->name})
                                : !named.contains(reading.clause);
    if (stands) standing.emplace(reading.clause, reading.name);
  }
}

}  // namespace

Result<std::vector<std::string>> ReadingsNotToldApart(const std::vector<AskedCase>& asked,
                                                      const Explanations& explanations) {
  std::map<int64_t, Choices>
      by_precision;  // which decides on the clauses of the quotient
  std::set<std::pair<std::string, std::string>> left;
  const std::vector<const AskedCase*> cases = ToLookAt(asked);
  int64_t room = 0;
  for (const AskedCase* one : cases) {
    room += static_cast<int64_t>(one->expected->elements.size());
    const auto [found, added] =
        by_precision.try_emplace(ReadingsKeyOf(one->op_case->model));
    if (!added) continue;
    const auto model = OracleModel::Create(one->op_case->model);
    if (!model) return model.error();
    auto choices = model->Readings(ViewsOf(one->op_case->inputs));
    if (!choices) return choices.error();
    for (ReadingSet& choice : *choices) {
      if (choice.is_bounded()) continue;
      const auto named = ReadingsNamedIn(Spell(choice));
      left.insert(named.begin(), named.end());
      found->second.emplace(PartsOf(Spell(choice)), std::move(choice));
    }
  }
  room /= kShare;
  for (const AskedCase* one : cases) {
    if (left.empty()) break;
    const Choices& choices = by_precision[ReadingsKeyOf(one->op_case->model)];
    const Refutation refutation(*one, explanations, choices);
    for (auto reading = left.begin(); reading != left.end();) {
      if (room < static_cast<int64_t>(one->expected->elements.size())) break;
      const auto refuted = refutation.Refutes(reading->first, reading->second, room);
      if (!refuted) return refuted.error();
      reading = *refuted ? left.erase(reading) : std::next(reading);
    }
  }
  if (!cases.empty()) {
    AddLeftOut(*cases.front()->op_case, explanations, left);
  }
  std::vector<std::string> names;
  for (const auto& [clause, reading] : left) names.push_back(clause + ":" + reading);
  return names;
}

}  // namespace qconform
