#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "harness/backends/faulty/decoded_case.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Cases that shares are counted over, and models that are tried in pairs.
constexpr size_t kShareCases = 3;
constexpr size_t kPairModels = 24;

// Sets the members of `into` that `other` has otherwise than by default.
template <typename T>
void Overlay(T& into, const T& other, const T& plain) {
  if (other != plain) into = other;
}

std::optional<QuantizeLinearSwitches> Merge(const QuantizeLinearSwitches& a,
                                            const QuantizeLinearSwitches& b) {
  if (a.tail_lanes != 0 || b.tail_lanes != 0) return std::nullopt;
  const QuantizeLinearSwitches plain;
  QuantizeLinearSwitches both = a;
  Overlay(both.quotient, b.quotient, plain.quotient);
  Overlay(both.type, b.type, plain.type);
  Overlay(both.default_precision, b.default_precision, false);
  Overlay(both.without_precision, b.without_precision, false);
  Overlay(both.flush_x, b.flush_x, false);
  Overlay(both.flush_scale, b.flush_scale, false);
  Overlay(both.flush_quotient, b.flush_quotient, false);
  Overlay(both.absolute_scale, b.absolute_scale, false);
  Overlay(both.zero_scale_is_one, b.zero_scale_is_one, false);
  Overlay(both.rounding, b.rounding, plain.rounding);
  Overlay(both.order, b.order, plain.order);
  Overlay(both.overflow, b.overflow, plain.overflow);
  Overlay(both.flush_result, b.flush_result, false);
  Overlay(both.always_saturates, b.always_saturates, false);
  Overlay(both.never_saturates, b.never_saturates, false);
  Overlay(both.early_overflow, b.early_overflow, false);
  Overlay(both.late_overflow, b.late_overflow, false);
  Overlay(both.negative_zero_code, b.negative_zero_code, false);
  Overlay(both.drop_zero_sign, b.drop_zero_sign, false);
  Overlay(both.nan_is_zero, b.nan_is_zero, false);
  Overlay(both.infinity_is_nan, b.infinity_is_nan, false);
  Overlay(both.saturate_to_infinity, b.saturate_to_infinity, false);
  Overlay(both.scale_place, b.scale_place, plain.scale_place);
  Overlay(both.zero_point_place, b.zero_point_place, plain.zero_point_place);
  Overlay(both.storage, b.storage, plain.storage);
  return both;
}

// Whether a code that a model gives is the one that was seen.
bool Reproduces(const Answer& answer, size_t i, uint32_t model, uint32_t observed) {
  if (model == observed) return true;
  const ElementAnswer& element = answer.elements[i];
  if (element.freedom == Freedom::kAnyCode) return true;
  const NumberFormat& y = FormatOf(answer.type);
  if (element.zero_sign_is_free) {
    const ValueClass zero = ValueClass::kZero;
    if (Decode(y, model).value_class == zero && Decode(y, observed).value_class == zero) {
      return true;
    }
  }
  return IsNan(y, model) && IsNan(y, observed);
}

class Search {
 public:
  Search(const Cell& cell, std::vector<EvidenceCase> cases)
      : cell_(cell), in_order_(std::move(cases)) {
    for (const EvidenceCase& one : in_order_) sorted_.push_back(&one);
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const EvidenceCase* a, const EvidenceCase* b) {
                       return a->deviating.size() > b->deviating.size();
                     });
  }

  Diagnosis Run() {
    Diagnosis diagnosis;
    for (const EvidenceCase& one : in_order_) {
      diagnosis.deviating += static_cast<int64_t>(one.deviating.size());
    }
    std::vector<std::pair<double, const Fault*>> partial;
    for (const Fault& fault : Faults()) {
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (Explains(fault)) {
        Name(fault.name, fault.sentence, diagnosis);
      } else if (!fault.has_state && diagnosis.explained_by.empty()) {
        partial.emplace_back(Share(fault), &fault);
      }
    }
    if (!diagnosis.explained_by.empty()) return diagnosis;
    std::stable_sort(partial.begin(), partial.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::pair<double, const Fault*>> models = partial;
    std::erase_if(models, [](const auto& model) {
      return !model.second->quantize_linear ||
             model.second->quantize_linear->tail_lanes != 0;
    });
    if (models.size() > kPairModels) models.resize(kPairModels);
    TryPairs(models, diagnosis);
    if (!diagnosis.explained_by.empty()) return diagnosis;
    if (!partial.empty() && partial.front().first > 0) {
      diagnosis.nearest = partial.front().second->name;
      diagnosis.share = partial.front().first;
    }
    diagnosis.pattern = PatternOf(in_order_);
    return diagnosis;
  }

 private:
  static void Name(std::string_view name, std::string_view sentence,
                   Diagnosis& diagnosis) {
    if (diagnosis.explained_by.empty()) {
      diagnosis.explained_by = name;
      diagnosis.sentence = sentence;
    } else {
      diagnosis.also.emplace_back(name);
    }
  }

  static bool Matches(const EvidenceCase& one, const std::vector<uint32_t>& codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Reproduces(*one.answer, i, codes[i], one.observed[i])) return false;
    }
    return true;
  }

  bool Explains(const Fault& fault) const {
    FaultState state;
    if (fault.has_state) {
      return std::all_of(in_order_.begin(), in_order_.end(),
                         [&](const EvidenceCase& one) {
                           return Matches(one, one.decoded->CodesOf(fault, state));
                         });
    }
    return std::all_of(sorted_.begin(), sorted_.end(), [&](const EvidenceCase* one) {
      return Matches(*one, one->decoded->CodesOf(fault, state));
    });
  }

  bool Explains(const QuantizeLinearSwitches& switches) const {
    FaultState state;
    return std::all_of(sorted_.begin(), sorted_.end(), [&](const EvidenceCase* one) {
      return Matches(*one, one->decoded->CodesOf(switches, state));
    });
  }

  // Of the deviating elements of the cases with most of them.
  double Share(const Fault& fault) const {
    FaultState state;
    int64_t deviating = 0;
    int64_t reproduced = 0;
    for (size_t c = 0; c < std::min(kShareCases, sorted_.size()); ++c) {
      const EvidenceCase& one = *sorted_[c];
      const std::vector<uint32_t> codes = one.decoded->CodesOf(fault, state);
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

  void TryPairs(const std::vector<std::pair<double, const Fault*>>& models,
                Diagnosis& diagnosis) const {
    for (size_t i = 0; i < models.size(); ++i) {
      for (size_t j = i + 1; j < models.size(); ++j) {
        const Fault& a = *models[i].second;
        const Fault& b = *models[j].second;
        if (models[j].first <= 0 || !a.quantize_linear || !b.quantize_linear) continue;
        const auto both = Merge(*a.quantize_linear, *b.quantize_linear);
        if (!both || *both == *a.quantize_linear || *both == *b.quantize_linear) continue;
        if (!Explains(*both)) continue;
        Name(std::string(a.name) + "+" + std::string(b.name),
             std::string(a.sentence) + " " + std::string(b.sentence), diagnosis);
        return;
      }
    }
  }

  const Cell& cell_;
  std::vector<EvidenceCase> in_order_;
  std::vector<const EvidenceCase*> sorted_;  // most deviating first
};

}  // namespace

std::string Diagnosis::Text() const {
  if (!explained_by.empty()) {
    std::string text = "explained_by: " + explained_by + ". " + sentence +
                       " This reproduces every output of the cell.";
    for (size_t i = 0; i < also.size(); ++i) {
      text += (i == 0 ? " So would " : ", ") + also[i];
    }
    return text + (also.empty() ? "" : ".");
  }
  std::string text = "no named model explains this";
  if (!nearest.empty()) {
    text += "; " + nearest + " reproduces " +
            std::to_string(static_cast<int>(std::floor(100 * share))) +
            " % of the deviating elements";
  }
  if (!pattern.empty()) text += "; they are " + pattern;
  return text;
}

Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases) {
  std::vector<EvidenceCase> evidence;
  std::map<const Answer*, std::shared_ptr<const DecodedCase>> decoded_by_answer;
  for (const AnsweredCase& answered : cases) {
    std::shared_ptr<const DecodedCase>& decoded =
        decoded_by_answer[answered.answer.get()];
    if (!decoded) {
      auto made = DecodedCase::Create(*answered.model, cell.since_version,
                                      answered.inputs, *answered.answer);
      if (!made) return made.error();
      decoded = std::make_shared<const DecodedCase>(*std::move(made));
    }
    EvidenceCase one{answered.answer, decoded, {}, {}};
    for (const uint64_t code : ReadCodes(answered.output->view())) {
      const size_t index = one.observed.size();
      if (!Allows(one.answer->type, one.answer->elements[index], code)) {
        one.deviating.push_back(static_cast<int64_t>(index));
      }
      one.observed.push_back(static_cast<uint32_t>(code));
    }
    evidence.push_back(std::move(one));
  }
  return Search(cell, std::move(evidence)).Run();
}

}  // namespace qconform
