#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/backends/faulty/decoded_case.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/indistinguishable.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Cases that shares are counted over, and models that are tried in pairs.
constexpr size_t kShareCases = 3;
constexpr size_t kPairModels = 24;
constexpr size_t kMatMulPairModels = 12;  // each evaluation takes K times as long
// Further cases that every model has to foretell, and the most that are made to tell
// models from each other.
constexpr size_t kFurtherCases = 6;
constexpr size_t kMostFurtherCases = 240;

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

std::optional<QLinearMatMulSwitches> Merge(const QLinearMatMulSwitches& a,
                                           const QLinearMatMulSwitches& b) {
  if (a.tail_lanes != 0 || b.tail_lanes != 0) return std::nullopt;
  const QLinearMatMulSwitches plain;
  QLinearMatMulSwitches both = a;
  Overlay(both.sum, b.sum, plain.sum);
  Overlay(both.lost_tail, b.lost_tail, 0);
  Overlay(both.uncorrected_tail, b.uncorrected_tail, 0);
  Overlay(both.no_a_zero_point, b.no_a_zero_point, false);
  Overlay(both.no_b_zero_point, b.no_b_zero_point, false);
  Overlay(both.no_cross_term, b.no_cross_term, false);
  Overlay(both.first_batch, b.first_batch, false);
  Overlay(both.empty_is_zero, b.empty_is_zero, false);
  Overlay(both.a_scale, b.a_scale, plain.a_scale);
  Overlay(both.b_scale, b.b_scale, plain.b_scale);
  Overlay(both.a_zero_point, b.a_zero_point, plain.a_zero_point);
  Overlay(both.b_zero_point, b.b_zero_point, plain.b_zero_point);
  Overlay(both.scales_as, b.scales_as, plain.scales_as);
  Overlay(both.absolute_scales, b.absolute_scales, false);
  Overlay(both.rounding, b.rounding, plain.rounding);
  Overlay(both.order, b.order, plain.order);
  Overlay(both.overflow, b.overflow, plain.overflow);
  Overlay(both.flush_result, b.flush_result, false);
  Overlay(both.never_saturates, b.never_saturates, false);
  Overlay(both.last_unwritten, b.last_unwritten, false);
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

// Whether a fault changes another step than the readings of all models do: over these its
// model is then what a backend with both would be.
bool ChangesAnotherStep(const Fault& fault, const FollowedReading& follows) {
  for (const auto& [precision, choice] : follows.choices) {
    if (choice.bounded) return false;
    if (const auto* mat_mul = std::get_if<QLinearMatMulReadings>(&choice.readings)) {
      QLinearMatMulReadings rest = *mat_mul;
      rest.requantization = QLinearMatMulReadings().requantization;
      rest.order = QLinearMatMulReadings().order;
      rest.product_in_double = false;
      if (!fault.mat_mul || rest != QLinearMatMulReadings()) return false;
    }
    if (const auto* linear = std::get_if<QuantizeLinearReadings>(&choice.readings)) {
      QuantizeLinearReadings rest = *linear;
      rest.quotient = QuantizeLinearReadings::Quotient::kCanonical;
      if (!fault.quantize_linear || rest != QuantizeLinearReadings()) return false;
      const QuantizeLinearSwitches& switches = *fault.quantize_linear;
      const bool divides =
          switches.quotient != QuantizeLinearSwitches::Quotient::kCanonical ||
          switches.default_precision || switches.without_precision;
      if (divides && linear->quotient != rest.quotient) return false;
    }
  }
  return true;
}

class Search {
 public:
  // `follows` may be null: the canonical readings.
  Search(const Cell& cell, std::vector<EvidenceCase> cases,
         const FollowedReading* follows)
      : cell_(cell), in_order_(std::move(cases)), follows_(follows) {
    for (const EvidenceCase& one : in_order_) sorted_.push_back(&one);
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const EvidenceCase* a, const EvidenceCase* b) {
                       return OrderOf(*a) < OrderOf(*b);
                     });
  }

  Diagnosis Run(FurtherCases* further) {
    Diagnosis diagnosis;
    for (const EvidenceCase& one : in_order_) {
      diagnosis.deviating += static_cast<int64_t>(one.deviating.size());
    }
    std::vector<Model> models;
    std::vector<std::pair<double, const Fault*>> partial;
    for (const Fault& fault : Faults()) {
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, *follows_)) continue;
      if (Explains(fault)) {
        models.push_back(ModelOf(fault));
      } else if (!fault.has_state && models.empty()) {
        partial.emplace_back(Share(fault, kShareCases), &fault);
      }
    }
    std::stable_sort(partial.begin(), partial.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (models.empty() && follows_ == nullptr) TryPairs(partial, models);
    const std::vector<Model> fit = models;
    Confirm(further, models, diagnosis);
    if (!models.empty()) {
      Tell(models, diagnosis);
      return diagnosis;
    }
    diagnosis.confirmed = 0;
    diagnosis.pattern = PatternOf(in_order_);
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
    std::optional<QuantizeLinearSwitches> quantize_linear{};
    std::optional<QLinearMatMulSwitches> mat_mul{};
    bool has_state = false;
  };

  // What refutes most models soonest comes first: most deviating elements, but of large
  // cases, each of which takes as long as many others, only behind those.
  static std::tuple<bool, bool, int64_t> OrderOf(const EvidenceCase& one) {
    constexpr size_t kManyElements = 16 * 1024;
    return {one.deviating.empty(), one.observed.size() > kManyElements,
            -static_cast<int64_t>(one.deviating.size())};
  }

  static Model ModelOf(const Fault& fault) {
    return {std::string(fault.name),
            std::string(fault.sentence),
            &fault,
            fault.quantize_linear,
            fault.mat_mul,
            fault.has_state};
  }

  static std::vector<uint32_t> CodesOf(const DecodedCase& decoded, const Model& model) {
    FaultState state;
    if (decoded.quantize_linear() != nullptr && model.quantize_linear) {
      return decoded.CodesOf(*model.quantize_linear, state);
    }
    if (decoded.mat_mul() != nullptr && model.mat_mul)
      return decoded.CodesOf(*model.mat_mul);
    return decoded.canonical();
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
  void Confirm(FurtherCases* further, std::vector<Model>& models, Diagnosis& diagnosis) {
    if (further == nullptr || models.empty() || models.front().has_state) return;
    for (size_t index = 0; index < kMostFurtherCases && !models.empty(); ++index) {
      if (index >= kFurtherCases && AllProvedEqual(models)) break;
      auto question = further->Question(index);
      if (!question) break;
      if (follows_ != nullptr) {
        auto answer = AnswerBy(*follows_, *question);
        if (!answer) continue;
        question->answer = *std::move(answer);
      }
      const auto decoded = DecodeCase(*question, cell_.since_version, follows_);
      if (!decoded) break;
      std::vector<std::vector<uint32_t>> codes;
      bool tells = index < kFurtherCases;
      for (const Model& model : models) {
        codes.push_back(CodesOf(*decoded, model));
        tells = tells || codes.back() != codes.front();
      }
      if (!tells) continue;
      const Tensor* output = further->Ask();
      if (output == nullptr) continue;
      const std::vector<uint64_t> observed = ReadCodes(output->view());
      const Answer& answer = *question->answer;
      std::vector<Model> left;
      for (size_t m = 0; m < models.size(); ++m) {
        bool same = true;
        for (size_t i = 0; i < observed.size() && same; ++i) {
          same = Reproduces(answer, i, codes[m][i], static_cast<uint32_t>(observed[i]));
        }
        if (same || models[m].has_state) left.push_back(models[m]);
      }
      models = std::move(left);
      diagnosis.confirmed += static_cast<int64_t>(observed.size());
    }
  }

  void Tell(const std::vector<Model>& models, Diagnosis& diagnosis) const {
    const Model& first = models.front();
    diagnosis.explained_by = first.name;
    diagnosis.sentence = first.sentence;
    diagnosis.quantize_linear = first.quantize_linear;
    diagnosis.mat_mul = first.mat_mul;
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
      const double share = Share(fault, sorted_.size());
      if (share <= best) continue;
      best = share;
      diagnosis.nearest = fault.name;
      diagnosis.sentence = fault.sentence;
    }
    diagnosis.explained = std::llround(best * static_cast<double>(diagnosis.deviating));
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

  bool Explains(const Model& model) const {
    return std::all_of(sorted_.begin(), sorted_.end(), [&](const EvidenceCase* one) {
      return Matches(*one, CodesOf(*one->decoded, model));
    });
  }

  // Of the deviating elements of the cases with most of them.
  double Share(const Fault& fault, size_t cases) const {
    FaultState state;
    int64_t deviating = 0;
    int64_t reproduced = 0;
    for (size_t c = 0; c < std::min(cases, sorted_.size()); ++c) {
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

  void TryPairs(const std::vector<std::pair<double, const Fault*>>& partial,
                std::vector<Model>& models) const {
    if (cell_.op_type == "QLinearMatMul") {
      TryPairsOf(&Fault::mat_mul, &Model::mat_mul, kMatMulPairModels, partial, models);
    } else {
      TryPairsOf(&Fault::quantize_linear, &Model::quantize_linear, kPairModels, partial,
                 models);
    }
  }

  // Of the first `most` models that reproduce something and have switches of the
  // operator.
  template <typename Switches>
  void TryPairsOf(std::optional<Switches> Fault::*of,
                  std::optional<Switches> Model::*into, size_t most,
                  std::vector<std::pair<double, const Fault*>> partial,
                  std::vector<Model>& models) const {
    std::erase_if(partial, [&](const auto& model) {
      const std::optional<Switches>& switches = model.second->*of;
      return model.first <= 0 || !switches || switches->tail_lanes != 0;
    });
    if (partial.size() > most) partial.resize(most);
    for (size_t i = 0; i < partial.size(); ++i) {
      for (size_t j = i + 1; j < partial.size(); ++j) {
        const Fault& a = *partial[i].second;
        const Fault& b = *partial[j].second;
        const auto both = Merge(*(a.*of), *(b.*of));
        if (!both || *both == *(a.*of) || *both == *(b.*of)) continue;
        Model pair{std::string(a.name) + "+" + std::string(b.name),
                   std::string(a.sentence) + " " + std::string(b.sentence)};
        pair.*into = both;
        if (!Explains(pair)) continue;
        models.push_back(std::move(pair));
        return;
      }
    }
  }

  const Cell& cell_;
  std::vector<EvidenceCase> in_order_;
  std::vector<const EvidenceCase*> sorted_;  // by OrderOf
  const FollowedReading* follows_;
};

// Over one reading; `cases` with its answers.
Result<Diagnosis> DiagnoseOver(const Cell& cell, std::span<const AnsweredCase> cases,
                               const FollowedReading* follows, FurtherCases* further) {
  std::vector<EvidenceCase> evidence;
  std::map<const Answer*, std::shared_ptr<const DecodedCase>> decoded_by_answer;
  for (const AnsweredCase& answered : cases) {
    std::shared_ptr<const DecodedCase>& decoded =
        decoded_by_answer[answered.answer.get()];
    if (!decoded) {
      auto made = DecodeCase(answered, cell.since_version, follows);
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
  return Search(cell, std::move(evidence), follows).Run(further);
}

}  // namespace

Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases,
                           const Explanations& explanations, FurtherCases* further) {
  auto canonical = DiagnoseOver(cell, cases, nullptr, further);
  const auto is_pair = [](const std::string& name) {
    return name.find('+') != std::string::npos;
  };
  if (!canonical ||
      (!canonical->explained_by.empty() && !is_pair(canonical->explained_by)))
    return canonical;
  auto readings = ClosestReadings(cases, explanations);
  if (!readings) return readings.error();
  std::optional<Diagnosis> clear;
  for (FollowedReading& reading : *readings) {
    const bool is_first_clear = reading.is_clear && !clear;
    const bool has_models = std::ranges::any_of(
        Faults(), [&](const Fault& fault) { return ChangesAnotherStep(fault, reading); });
    if (!has_models && !is_first_clear) continue;
    auto answers = AnswersBy(reading, cases, explanations);
    if (!answers) return answers.error();
    std::vector<AnsweredCase> answered(cases.begin(), cases.end());
    for (size_t i = 0; i < answered.size(); ++i) answered[i].answer = (*answers)[i];
    auto diagnosis = DiagnoseOver(cell, answered, &reading, further);
    if (!diagnosis) return diagnosis;
    const bool explained = !diagnosis->explained_by.empty();
    if (!explained && !is_first_clear) continue;
    diagnosis->follows = std::move(reading);
    diagnosis->answers = *std::move(answers);
    if (explained) return diagnosis;
    clear = *std::move(diagnosis);
  }
  if (clear && canonical->explained_by.empty()) return *std::move(clear);
  return canonical;
}

}  // namespace qconform
