#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/core/decoded_case.h"
#include "harness/core/operator_faults.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/over_readings.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

constexpr size_t kShareCases = 3;     // that shares are counted over
constexpr size_t kLeavingModels = 4;  // whose rest a second model may explain
constexpr size_t kPairReadings = 3;   // over which pairs are tried
// Further cases that every model has to foretell, and the most that are made to tell
// models from each other.
constexpr size_t kFurtherCases = 6;
constexpr size_t kMostFurtherCases = 240;

// What is tried where no model explains a cell alone.
enum class Combine : uint8_t { kNone, kPairs };

class Search {
 public:
  // `follows` may be null: the canonical readings.
  Search(const Cell& cell, const OperatorFaults& faults, std::vector<EvidenceCase> cases,
         const FollowedReading* follows, Combine combine)
      : cell_(cell),
        faults_(faults),
        in_order_(std::move(cases)),
        follows_(follows),
        combine_(combine) {
    for (const EvidenceCase& one : in_order_) sorted_.push_back(&one);
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const EvidenceCase* a, const EvidenceCase* b) {
                       return OrderOf(*a) < OrderOf(*b);
                     });
  }

  Result<Diagnosis> Run(FurtherCases* further) {
    Diagnosis diagnosis;
    for (const EvidenceCase& one : in_order_) {
      diagnosis.deviating += static_cast<int64_t>(one.deviating.size());
    }
    std::vector<Model> models;
    std::vector<std::pair<double, const Fault*>> partial;
    for (const Fault& fault : Faults()) {
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) continue;
      const Model model{std::string(fault.name), std::string(fault.sentence), &fault,
                        *fault.SetFor(cell_.op_type), fault.has_state};
      if (Explains(model)) {
        models.push_back(model);
      } else if (!fault.has_state && models.empty()) {
        partial.emplace_back(Share(model.set, kShareCases), &fault);
      }
    }
    std::stable_sort(partial.begin(), partial.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (models.empty() && combine_ == Combine::kPairs) TryPairs(partial, models);
    const std::vector<Model> fit = models;
    const Status confirmed = Confirm(further, models, diagnosis);
    if (!confirmed) return confirmed.error();
    if (!models.empty()) {
      Tell(models, diagnosis);
      return diagnosis;
    }
    diagnosis.confirmed = 0;
    diagnosis.pattern = PatternOf(faults_, in_order_);
    if (!fit.empty()) {
      // It fits what was asked first, and failed afterwards: no cause.
      diagnosis.nearest = fit.front().name;
      diagnosis.sentence = fit.front().sentence;
      diagnosis.explained = diagnosis.deviating;
      return diagnosis;
    }
    TellNearest(partial, diagnosis);
    return diagnosis;
  }

 private:
  // One that reproduces every output.
  struct Model {
    std::string name;
    std::string sentence;
    const Fault* fault = nullptr;  // null: a pair
    FaultSet set;
    bool has_state = false;
  };

  // What refutes most models soonest comes first: most deviating elements, but of large
  // cases, each of which takes as long as many others, only behind those.
  static std::tuple<bool, bool, int64_t> OrderOf(const EvidenceCase& one) {
    constexpr size_t kManyElements = 16 * 1024;
    return {one.deviating.empty(), one.observed.size() > kManyElements,
            -static_cast<int64_t>(one.deviating.size())};
  }

  static Codes CodesOf(const DecodedCase& decoded, const FaultSet& set) {
    FaultState state;
    return decoded.CodesOf(set, state);
  }

  // What is proved is proved over the canonical readings.
  bool AreProvedEqual(const Model& a, const Model& b) const {
    return follows_ == nullptr && a.fault != nullptr && b.fault != nullptr &&
           !WhyIndistinguishable(cell_, *a.fault, *b.fault).empty();
  }

  bool AllProvedEqual(const std::vector<Model>& models) const {
    return std::all_of(models.begin(), models.end(), [&](const Model& model) {
      return &model == &models.front() || AreProvedEqual(models.front(), model);
    });
  }

  // Asks further cases: a few, to see that a model foretells the answers; then those
  // that tell models apart which are not proved to be equal. Leaves the models that
  // foretell everything. What has a state depends on the calls before, and stays.
  Status Confirm(FurtherCases* further, std::vector<Model>& models,
                 Diagnosis& diagnosis) {
    if (further == nullptr || models.empty() || models.front().has_state) return Ok();
    for (size_t index = 0; index < kMostFurtherCases && !models.empty(); ++index) {
      if (index >= kFurtherCases && AllProvedEqual(models)) break;
      auto made = further->Question(index);
      if (!made) return made.error();
      if (!made->has_value()) break;
      AnsweredCase& question = **made;
      if (follows_ != nullptr) {
        const auto key = question.content->ReadingsKey();
        if (!key) return key.error();
        if (!follows_->sets.contains(*key)) continue;
        auto answer = AnswerBy(*follows_, question);
        if (!answer) return answer.error();
        question.answer = *std::move(answer);
      }
      const auto decoded = DecodeCase(question, cell_.since_version, follows_);
      if (!decoded) return decoded.error();
      std::vector<Codes> codes;
      bool tells = index < kFurtherCases;
      for (const Model& model : models) {
        codes.push_back(CodesOf(**decoded, model.set));
        tells = tells || codes.back() != codes.front();
      }
      if (!tells) continue;
      const Codes* given = further->Ask();
      if (given == nullptr) continue;
      const Codes& observed = *given;
      const CaseAnswer& answer = *question.answer;
      std::vector<Model> left;
      for (size_t m = 0; m < models.size(); ++m) {
        bool same = true;
        for (size_t i = 0; i < observed.size() && same; ++i) {
          same = Reproduces(answer, i, codes[m][i], observed[i]);
        }
        if (same || models[m].has_state) left.push_back(models[m]);
      }
      models = std::move(left);
      diagnosis.confirmed += static_cast<int64_t>(observed.size());
    }
    return Ok();
  }

  void Tell(const std::vector<Model>& models, Diagnosis& diagnosis) const {
    const Model& first = models.front();
    diagnosis.explained_by = first.name;
    diagnosis.sentence = first.sentence;
    diagnosis.model = first.set;
    diagnosis.explained = diagnosis.deviating;
    for (size_t m = 1; m < models.size(); ++m) {
      (AreProvedEqual(first, models[m]) ? diagnosis.indistinguishable_from
                                        : diagnosis.also_explained_by)
          .push_back(models[m].name);
    }
  }

  // Shares over a few cases choose those that are counted over all.
  void TellNearest(const std::vector<std::pair<double, const Fault*>>& partial,
                   Diagnosis& diagnosis) const {
    constexpr size_t kCounted = 3;
    double best = 0;
    for (size_t i = 0; i < std::min(kCounted, partial.size()); ++i) {
      if (partial[i].first <= 0) break;
      const Fault& fault = *partial[i].second;
      const double share = Share(*fault.SetFor(cell_.op_type), sorted_.size());
      if (share <= best) continue;
      best = share;
      diagnosis.nearest = fault.name;
      diagnosis.sentence = fault.sentence;
    }
    diagnosis.explained = std::llround(best * static_cast<double>(diagnosis.deviating));
  }

  static bool Matches(const EvidenceCase& one, const Codes& codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Reproduces(*one.answer, i, codes[i], one.observed[i])) return false;
    }
    return true;
  }

  bool Explains(const Model& model) const {
    if (!model.has_state) {
      return std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
        return Matches(*one, CodesOf(*one->decoded, model.set));
      });
    }
    FaultState state;
    return std::ranges::all_of(in_order_, [&](const EvidenceCase& one) {
      return Matches(one, one.decoded->CodesOf(model.set, state));
    });
  }

  // Of the deviating elements of the cases with most of them.
  double Share(const FaultSet& set, size_t cases) const {
    int64_t deviating = 0;
    int64_t reproduced = 0;
    for (size_t c = 0; c < std::min(cases, sorted_.size()); ++c) {
      const EvidenceCase& one = *sorted_[c];
      const Codes codes = CodesOf(*one.decoded, set);
      for (const int64_t i : one.deviating) {
        const auto at = static_cast<size_t>(i);
        ++deviating;
        reproduced += Reproduces(*one.answer, at, codes[at], one.observed[at]) ? 1 : 0;
      }
    }
    return deviating == 0
               ? 0
               : static_cast<double>(reproduced) / static_cast<double>(deviating);
  }

  // Of the first models that reproduce something; then of the first few with those that
  // reproduce something of what each leaves, which may lie in small cases.
  void TryPairs(std::vector<std::pair<double, const Fault*>> all,
                std::vector<Model>& models) const {
    const auto set_of = [&](size_t i) -> const FaultSet& {
      return *all[i].second->SetFor(cell_.op_type);
    };
    // What acts on a part of the elements is in no pair.
    std::erase_if(all, [&](const auto& one) {
      const FaultSet& set = *one.second->SetFor(cell_.op_type);
      return !faults_.Merge(set, set);
    });
    const auto explains = [&](size_t i, size_t j) {
      const auto both = faults_.Merge(set_of(i), set_of(j));
      if (!both || *both == set_of(i) || *both == set_of(j)) return false;
      const Fault& a = *all[i].second;
      const Fault& b = *all[j].second;
      const Model pair{std::string(a.name) + "+" + std::string(b.name),
                       std::string(a.sentence) + " " + std::string(b.sentence), nullptr,
                       *both};
      if (!Explains(pair)) return false;
      models.push_back(pair);
      return true;
    };
    size_t partial = 0;
    while (partial < std::min(faults_.most_in_pairs(), all.size()) &&
           all[partial].first > 0)
      ++partial;
    for (size_t i = 0; i < partial; ++i) {
      for (size_t j = i + 1; j < partial; ++j) {
        if (explains(i, j)) return;
      }
    }
    for (size_t i = 0; i < std::min(kLeavingModels, partial); ++i) {
      const std::vector<Left> left = LeftBy(set_of(i));
      for (size_t j = 0; j < all.size(); ++j) {
        if (j == i || (i < j && j < partial)) continue;
        if (!ReproducesSome(set_of(j), left)) continue;
        if (explains(i, j)) return;
      }
    }
  }

  // A case, and the deviating elements of it that a model does not reproduce.
  struct Left {
    const EvidenceCase* one;
    std::vector<size_t> elements;
  };

  // The smallest few.
  std::vector<Left> LeftBy(const FaultSet& set) const {
    std::vector<Left> all;
    for (const EvidenceCase* one : sorted_) {
      if (one->deviating.empty()) break;
      const Codes codes = CodesOf(*one->decoded, set);
      Left left{one, {}};
      for (const int64_t i : one->deviating) {
        const auto at = static_cast<size_t>(i);
        if (!Reproduces(*one->answer, at, codes[at], one->observed[at])) {
          left.elements.push_back(at);
        }
      }
      if (!left.elements.empty()) all.push_back(std::move(left));
    }
    std::stable_sort(all.begin(), all.end(), [](const Left& a, const Left& b) {
      return a.one->observed.size() < b.one->observed.size();
    });
    if (all.size() > kShareCases) all.resize(kShareCases);
    return all;
  }

  static bool ReproducesSome(const FaultSet& set, std::span<const Left> cases) {
    return std::any_of(cases.begin(), cases.end(), [&](const Left& left) {
      const EvidenceCase& one = *left.one;
      const Codes codes = CodesOf(*one.decoded, set);
      return std::any_of(left.elements.begin(), left.elements.end(), [&](size_t at) {
        return Reproduces(*one.answer, at, codes[at], one.observed[at]);
      });
    });
  }

  const Cell& cell_;
  const OperatorFaults& faults_;
  std::vector<EvidenceCase> in_order_;
  std::vector<const EvidenceCase*> sorted_;  // by OrderOf
  const FollowedReading* follows_;
  Combine combine_;
};

// Over one reading; `cases` with its answers.
Result<Diagnosis> DiagnoseOver(const Cell& cell, std::span<const AnsweredCase> cases,
                               const FollowedReading* follows, Combine combine,
                               FurtherCases* further) {
  const OperatorFaults* faults = FindOperatorFaults(cell.op_type);
  if (faults == nullptr)
    return Error{"operator '" + cell.op_type + "' is not registered"};
  std::vector<EvidenceCase> evidence;
  std::map<const CaseAnswer*, std::shared_ptr<const DecodedCase>> decoded_by_answer;
  for (const AnsweredCase& answered : cases) {
    std::shared_ptr<const DecodedCase>& decoded =
        decoded_by_answer[answered.answer.get()];
    if (!decoded) {
      auto made = DecodeCase(answered, cell.since_version, follows);
      if (!made) return made.error();
      decoded = *std::move(made);
    }
    EvidenceCase one{answered.answer, decoded, {}, {}};
    one.observed.assign(answered.codes.begin(), answered.codes.end());
    for (size_t i = 0; i < one.observed.size(); ++i) {
      if (!Allows(one.answer->TypeOf(i), one.answer->elements[i], one.observed[i])) {
        one.deviating.push_back(static_cast<int64_t>(i));
      }
    }
    evidence.push_back(std::move(one));
  }
  return Search(cell, *faults, std::move(evidence), follows, combine).Run(further);
}

bool HasModels(const Cell& cell, const FollowedReading& reading) {
  return std::ranges::any_of(Faults(), [&](const Fault& fault) {
    return ChangesAnotherStep(fault, cell, reading);
  });
}

// The readings over which pairs are tried: those that the nearest model shows, then those
// that the answers show.
Result<std::vector<FollowedReading>> ToPairOver(const Diagnosis& canonical,
                                                const Cell& cell,
                                                std::span<const AnsweredCase> cases,
                                                std::vector<FollowedReading> readings) {
  std::erase_if(readings, [&](const FollowedReading& reading) {
    return !HasModels(cell, reading);
  });
  const auto nearest = std::ranges::find(Faults(), canonical.nearest, &Fault::name);
  if (2 * canonical.explained > canonical.deviating && nearest != Faults().end()) {
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
  auto canonical = DiagnoseOver(cell, cases, nullptr, Combine::kPairs, further);
  const auto is_pair = [](const std::string& name) {
    return name.find('+') != std::string::npos;
  };
  if (!canonical ||
      (!canonical->explained_by.empty() && !is_pair(canonical->explained_by)))
    return canonical;
  const auto diagnose_over = [&](FollowedReading& reading,
                                 Combine combine) -> Result<Diagnosis> {
    auto answers = AnswersBy(reading, cases, explanations);
    if (!answers) return answers.error();
    std::vector<AnsweredCase> answered(cases.begin(), cases.end());
    for (size_t i = 0; i < answered.size(); ++i) answered[i].answer = (*answers)[i];
    auto diagnosis = DiagnoseOver(cell, answered, &reading, combine, further);
    if (!diagnosis) return diagnosis;
    diagnosis->follows = reading;
    diagnosis->answers = *std::move(answers);
    return diagnosis;
  };
  auto readings = ClosestReadings(cases, explanations);
  if (!readings) return readings.error();
  std::optional<Diagnosis> clear;
  for (FollowedReading& reading : *readings) {
    const bool is_first_clear = reading.is_clear && !clear;
    if (!is_first_clear && !HasModels(cell, reading)) continue;
    auto diagnosis = diagnose_over(reading, Combine::kNone);
    if (!diagnosis || !diagnosis->explained_by.empty()) return diagnosis;
    if (is_first_clear) clear = *std::move(diagnosis);
  }
  if (!canonical->explained_by.empty()) return canonical;
  auto to_pair = ToPairOver(*canonical, cell, cases, *std::move(readings));
  if (!to_pair) return to_pair.error();
  for (FollowedReading& reading : *to_pair) {
    auto diagnosis = diagnose_over(reading, Combine::kPairs);
    if (!diagnosis || !diagnosis->explained_by.empty()) return diagnosis;
  }
  if (clear) return *std::move(clear);
  return canonical;
}

}  // namespace qconform
