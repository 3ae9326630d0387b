#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/compare/inference.h"
#include "harness/core/operator_faults.h"
#include "harness/diagnosis/candidate_model.h"
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

// The search for what explains a cell, over the canonical and other readings.
class SearchOverReadings {
 public:
  SearchOverReadings(const Cell& cell, std::span<const AnsweredCase> cases,
                     const Explanations& explanations, FurtherCases* further,
                     CellSearch& canonical)
      : cell_(cell),
        cases_(cases),
        explanations_(explanations),
        further_(further),
        canonical_(canonical) {}

  // Returns the first of what Diagnose lists; nothing if there is none.
  Result<std::optional<Diagnosis>> Explain();

  // Returns what is known otherwise, over the clear reading; nothing if there is none. To
  // be asked for after Explain.
  std::optional<Diagnosis> Unexplained() const {
    if (clear_ == nullptr) return std::nullopt;
    Diagnosis diagnosis = clear_->search->Unexplained();
    clear_->AddTo(diagnosis);
    return diagnosis;
  }

 private:
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

  Result<Over*> OverOf(const FollowedReading& reading);
  Result<std::optional<Diagnosis>> ExplainOver(Over& made) {
    auto explained = made.search->Explain(1, further_);
    if (explained && *explained) made.AddTo(**explained);
    return explained;
  }
  // Tries sets of several faults over the canonical readings and these.
  Result<std::optional<Diagnosis>> ExplainBySets(std::vector<FollowedReading> readings);

  const Cell& cell_;
  std::span<const AnsweredCase> cases_;
  const Explanations& explanations_;
  FurtherCases* further_;
  CellSearch& canonical_;
  std::deque<Over> overs_;  // their readings stay where they are
  Over* clear_ = nullptr;
};

Result<SearchOverReadings::Over*> SearchOverReadings::OverOf(
    const FollowedReading& reading) {
  for (Over& made : overs_) {
    if (made.reading.sets == reading.sets) return &made;
  }
  FollowedReading followed = reading;
  auto answers = AnswersBy(followed, cases_, explanations_);
  if (!answers) return answers.error();
  std::vector<AnsweredCase> answered(cases_.begin(), cases_.end());
  for (size_t i = 0; i < answered.size(); ++i) answered[i].answer = (*answers)[i];
  Over& made =
      overs_.emplace_back(Over{std::move(followed), *std::move(answers), nullptr});
  auto search = CellSearch::Create(cell_, answered, &made.reading);
  if (!search) {
    overs_.pop_back();
    return search.error();
  }
  made.search = *std::move(search);
  return &made;
}

Result<std::optional<Diagnosis>> SearchOverReadings::Explain() {
  auto found = canonical_.Explain(1, further_);
  if (!found || *found) return found;
  auto readings = ClosestReadings(cases_, explanations_);
  if (!readings) return readings.error();
  for (const FollowedReading& reading : *readings) {
    const bool is_first_clear = reading.is_clear && clear_ == nullptr;
    if (!is_first_clear && !HasModels(cell_, reading)) continue;
    auto made = OverOf(reading);
    if (!made) return made.error();
    found = ExplainOver(**made);
    if (!found || *found) return found;
    if (is_first_clear) clear_ = *made;
  }
  // A fault that reaches nearly every element hides what the rest follows.
  auto hidden = ReadingsWithModels(cell_, cases_, explanations_, *readings);
  if (!hidden) return hidden.error();
  for (const FollowedReading& reading : *hidden) {
    auto made = OverOf(reading);
    if (!made) return made.error();
    found = ExplainOver(**made);
    if (!found || *found) return found;
  }
  return ExplainBySets(*std::move(readings));
}

Result<std::optional<Diagnosis>> SearchOverReadings::ExplainBySets(
    std::vector<FollowedReading> readings) {
  auto to_combine = ToPairOver(canonical_.Nearest(), cell_, cases_, std::move(readings));
  if (!to_combine) return to_combine.error();
  const Status added = AddDeclared(cell_, cases_, *to_combine);
  if (!added) return added.error();
  // Graphs have too many wrong models for sets of three.
  const size_t most = IsGraphFamily(cell_.op_type) ? 2 : kMostFaults;
  for (size_t count = 2; count <= most; ++count) {
    auto found = canonical_.Explain(count, further_);
    if (!found || *found) return found;
    if (count == 2) {
      found = canonical_.ExplainPartly(further_);
      if (!found || *found) return found;
    }
    for (const FollowedReading& reading : *to_combine) {
      const size_t before = overs_.size();
      auto made = OverOf(reading);
      if (!made) return made.error();
      if (overs_.size() > before) {
        found = (*made)->search->Explain(1, further_);
        if (!found) return found.error();
      }
      if (!*found) found = (*made)->search->Explain(count, further_);
      if (found && !*found && count == 2) {
        found = (*made)->search->ExplainPartly(further_);
      }
      if (!found) return found.error();
      if (*found) {
        (*made)->AddTo(**found);
        return found;
      }
    }
  }
  return std::optional<Diagnosis>();
}

// Returns the cases with answers that have the backend's codes where some reading allows
// these: such an element accuses nobody by itself, whichever reading the backend follows.
// Nothing if there is no such element.
Result<std::optional<std::vector<AnsweredCase>>> WithoutAdmissible(
    std::span<const AnsweredCase> cases) {
  std::vector<AnsweredCase> left(cases.begin(), cases.end());
  bool is_changed = false;
  for (AnsweredCase& each : left) {
    const Status within = ExplainLimit::StatusOfLimit();
    if (!within) return within.error();
    const std::vector<size_t> deviating = DeviatingIn(*each.answer, each.codes);
    if (deviating.empty()) continue;
    const auto admissible = AdmissibleAlone(each, deviating);
    if (!admissible) return admissible.error();
    if (std::ranges::find(*admissible, true) == admissible->end()) continue;
    is_changed = true;
    auto answer = std::make_shared<CaseAnswer>(*each.answer);
    for (size_t i = 0; i < deviating.size(); ++i) {
      const size_t at = deviating[i];
      if ((*admissible)[i]) answer->elements[at].code = each.codes[at];
    }
    each.answer = std::move(answer);
  }
  return is_changed ? std::optional(std::move(left)) : std::nullopt;
}

// Returns what is known of a cell that no model explains, and that follows no reading
// clearly. `canonical` has looked for a single model.
Result<Diagnosis> UnexplainedByAll(const Cell& cell, std::span<const AnsweredCase> cases,
                                   const CellSearch& canonical) {
  const auto left = WithoutAdmissible(cases);
  if (!left) return left.error();
  if (!*left) return canonical.Unexplained();
  const auto search = CellSearch::Create(cell, **left, nullptr);
  if (!search) return search.error();
  // For the nearest model. None explains all: some answers are those of a reading.
  const auto none = (*search)->Explain(1, nullptr);
  if (!none) return none.error();
  return (*search)->Unexplained();
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
  // The rest is for patterns, which say more than that the search was cut.
  constexpr double kForModels = 0.6;
  Diagnosis cut;
  cut.is_cut = true;
  auto canonical = CellSearch::Create(cell, cases, nullptr);
  // What ends in an Error by the limit is cut, too.
  if (ExplainLimit::HasPassed()) return cut;
  if (!canonical) return canonical.error();
  SearchOverReadings search(cell, cases, explanations, further, **canonical);
  bool is_cut = false;
  {
    ExplainLimit for_models(kForModels * ExplainLimit::Left());
    auto found = search.Explain();
    is_cut = ExplainLimit::HasPassed();
    if (!is_cut) {
      if (!found) return found.error();
      if (*found) return **std::move(found);
    }
  }
  if (ExplainLimit::HasPassed()) return cut;
  std::optional<Diagnosis> over_clear;
  if (!is_cut) over_clear = search.Unexplained();
  Result<Diagnosis> diagnosis =
      over_clear ? *std::move(over_clear) : UnexplainedByAll(cell, cases, **canonical);
  if (ExplainLimit::HasPassed()) return cut;
  if (diagnosis) diagnosis->is_cut = is_cut;
  return diagnosis;
}

}  // namespace qconform
