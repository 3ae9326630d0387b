#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/operator_faults.h"
#include "harness/diagnosis/cell_search.h"
#include "harness/diagnosis/over_readings.h"
#include "oracle/base/node.h"

namespace qconform {
namespace {

constexpr size_t kPairReadings = 3;  // over which sets of models are tried
constexpr size_t kMostFaults = 3;    // of one explanation

bool HasModels(const Cell& cell, const FollowedReading& reading) {
  if (ExplainLimit::HasPassed()) return false;
  return std::ranges::any_of(Faults(), [&](const Fault& fault) {
    return ChangesAnotherStep(fault, cell, reading);
  });
}

// The readings over which pairs are tried: those that the nearest model shows, then those
// that the answers show.
Result<std::vector<FollowedReading>> ToPairOver(const Deviation& canonical,
                                                const Cell& cell,
                                                std::span<const AnsweredCase> cases,
                                                std::vector<FollowedReading> readings) {
  std::erase_if(readings, [&](const FollowedReading& reading) {
    return !HasModels(cell, reading);
  });
  const Fault* nearest = FindFault(canonical.nearest);
  if (2 * canonical.elements_explained > canonical.elements_deviating &&
      nearest != nullptr) {
    auto under = ReadingsUnder(*nearest, cell, cases);
    if (!under) return under.error();
    if (under->size() >= kPairReadings) under->resize(kPairReadings - 1);
    std::erase_if(readings, [&](const FollowedReading& reading) {
      return std::ranges::find(*under, reading.sets, &FollowedReading::sets) !=
             under->end();
    });
    readings.insert(readings.begin(), under->begin(), under->end());
  }
  if (readings.size() > kPairReadings) readings.resize(kPairReadings);
  return readings;
}

// Adds the readings that some fault is declared to be: what is admissible by itself is no
// mistake among others.
Status AddDeclared(const Cell& cell, std::span<const AnsweredCase> cases,
                   std::vector<FollowedReading>& readings) {
  constexpr size_t kMost = 4;  // of these
  std::set<std::string> declared;
  for (const Fault& fault : Faults()) {
    Declaration declaration = Declare(fault, cell);
    if (declaration.kind == Declaration::Kind::kAdmissible) {
      declared.insert(std::move(declaration.reading));
    }
  }
  if (declared.empty() || IsGraphFamily(cell.op_type)) return Ok();
  auto all = FunctionReadings(cases);
  if (!all) return all.error();
  size_t added = 0;
  for (FollowedReading& reading : *all) {
    if (added == kMost) break;
    const bool is_known = std::ranges::find(readings, reading.sets,
                                            &FollowedReading::sets) != readings.end();
    if (is_known || !declared.contains(reading.Name()) || !HasModels(cell, reading)) {
      continue;
    }
    readings.push_back(std::move(reading));
    ++added;
  }
  return Ok();
}

// Diagnose without a look at the limit at the end.
Result<Diagnosis> DiagnoseOverReadings(const Cell& cell,
                                       std::span<const AnsweredCase> cases,
                                       const Explanations& explanations,
                                       FurtherCases* further) {
  // A reading with what the cell shows over it.
  struct Over {
    FollowedReading reading;
    std::vector<std::shared_ptr<const CaseAnswer>> answers;
    std::unique_ptr<CellSearch> search;

    void AddTo(Diagnosis& diagnosis) const {
      diagnosis.follows = reading;
      diagnosis.answers = answers;
    }
  };
  std::deque<Over> overs;  // their readings stay where they are
  const auto over = [&](const FollowedReading& reading) -> Result<Over*> {
    for (Over& made : overs) {
      if (made.reading.sets == reading.sets) return &made;
    }
    FollowedReading followed = reading;
    auto answers = AnswersBy(followed, cases, explanations);
    if (!answers) return answers.error();
    std::vector<AnsweredCase> answered(cases.begin(), cases.end());
    for (size_t i = 0; i < answered.size(); ++i) answered[i].answer = (*answers)[i];
    Over& made =
        overs.emplace_back(Over{std::move(followed), *std::move(answers), nullptr});
    auto search = CellSearch::Create(cell, answered, &made.reading);
    if (!search) return search.error();
    made.search = *std::move(search);
    return &made;
  };
  const auto explain_over = [&](Over& made) {
    auto explained = made.search->Explain(1, further);
    if (explained && *explained) made.AddTo(**explained);
    return explained;
  };
  auto canonical = CellSearch::Create(cell, cases, nullptr);
  if (!canonical) return canonical.error();
  auto found = (*canonical)->Explain(1, further);
  if (!found) return found.error();
  if (*found) return **std::move(found);
  auto readings = ClosestReadings(cases, explanations);
  if (!readings) return readings.error();
  Over* clear = nullptr;
  for (const FollowedReading& reading : *readings) {
    const bool is_first_clear = reading.is_clear && clear == nullptr;
    if (!is_first_clear && !HasModels(cell, reading)) continue;
    auto made = over(reading);
    if (!made) return made.error();
    found = explain_over(**made);
    if (!found) return found.error();
    if (*found) return **std::move(found);
    if (is_first_clear) clear = *made;
  }
  // A fault that reaches nearly every element hides what the rest follows.
  auto hidden = ReadingsWithModels(cell, cases, explanations, *readings);
  if (!hidden) return hidden.error();
  for (const FollowedReading& reading : *hidden) {
    auto made = over(reading);
    if (!made) return made.error();
    found = explain_over(**made);
    if (!found) return found.error();
    if (*found) return **std::move(found);
  }
  auto to_combine =
      ToPairOver((*canonical)->Nearest(), cell, cases, *std::move(readings));
  if (!to_combine) return to_combine.error();
  const Status added = AddDeclared(cell, cases, *to_combine);
  if (!added) return added.error();
  // Graphs have too many wrong models for sets of three.
  const size_t most = IsGraphFamily(cell.op_type) ? 2 : kMostFaults;
  for (size_t count = 2; count <= most; ++count) {
    found = (*canonical)->Explain(count, further);
    if (!found) return found.error();
    if (*found) return **std::move(found);
    if (count == 2) {
      found = (*canonical)->ExplainPartly(further);
      if (!found) return found.error();
      if (*found) return **std::move(found);
    }
    for (const FollowedReading& reading : *to_combine) {
      const size_t before = overs.size();
      auto made = over(reading);
      if (!made) return made.error();
      if (overs.size() > before) {
        found = (*made)->search->Explain(1, further);
        if (!found) return found.error();
      }
      if (!*found) found = (*made)->search->Explain(count, further);
      if (found && !*found && count == 2) {
        found = (*made)->search->ExplainPartly(further);
      }
      if (!found) return found.error();
      if (*found) {
        (*made)->AddTo(**found);
        return **std::move(found);
      }
    }
  }
  if (clear == nullptr) return (*canonical)->Unexplained();
  Diagnosis diagnosis = clear->search->Unexplained();
  clear->AddTo(diagnosis);
  return diagnosis;
}

}  // namespace

std::string WhyIndistinguishable(const Cell& cell, const Fault& a, const Fault& b) {
  const OperatorFaults* faults = FindOperatorFaults(cell.op_type);
  const FaultSet* set_a = a.SetFor(cell.op_type);
  const FaultSet* set_b = b.SetFor(cell.op_type);
  if (faults == nullptr || set_a == nullptr || set_b == nullptr) return "";
  if (a.has_state || b.has_state) return "";
  return faults->WhyIndistinguishable(cell, *set_a, *set_b);
}

Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases,
                           const Explanations& explanations, FurtherCases* further) {
  auto diagnosis = DiagnoseOverReadings(cell, cases, explanations, further);
  // What ended in an Error by the limit is cut, too.
  if (!ExplainLimit::HasPassed()) return diagnosis;
  Diagnosis cut;
  cut.cut = true;
  return cut;
}

}  // namespace qconform
