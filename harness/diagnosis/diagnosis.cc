#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "cases/core/level.h"
#include "harness/compare/compare.h"
#include "harness/core/decoded_case.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/explain_limit.h"
#include "harness/diagnosis/over_readings.h"

namespace qconform {
namespace {

constexpr size_t kShareCases = 3;     // over which shares are counted
constexpr size_t kLeavingModels = 4;  // whose rest a second model may explain
constexpr size_t kPairReadings = 3;   // over which pairs are tried
// Further cases that every model has to foretell, and the most that are asked to
// distinguish models.
constexpr size_t kFurtherCases = 6;
constexpr size_t kMostFurtherCases = 240;

// The fewest elements by which a model that need not explain each case, or each bit, has
// to be borne out.
constexpr int64_t kFewestElements = 4;
constexpr std::string_view kByRoundingOnly =
    " Results differ from this by rounding only.";

// What is tried if no model alone explains a cell.
enum class Combine : uint8_t { kNone, kPairs };

// A wrong model of the cell's operator.
struct WrongModel {
  std::string name;
  std::string sentence;
  FaultSet set;
  const Fault* fault = nullptr;  // null: a pair of faults
  double share = 0;              // of the deviating elements that it reproduces
};

// The search for models over one reading.
class Search {
 public:
  // `follows` may be null: the canonical readings.
  Search(const Cell& cell, const OperatorFaults& faults, std::vector<EvidenceCase> cases,
         const FollowedReading* follows)
      : cell_(cell), faults_(faults), in_order_(std::move(cases)), follows_(follows) {
    for (const EvidenceCase& one : in_order_) sorted_.push_back(&one);
    std::ranges::stable_sort(sorted_, {}, [](const auto* one) { return OrderOf(*one); });
  }

  Result<Diagnosis> Run(Combine combine, FurtherCases* further) {
    Diagnosis diagnosis;
    Deviation& deviation = diagnosis.deviation;
    for (const EvidenceCase& one : in_order_) {
      deviation.elements_deviating += static_cast<int64_t>(one.deviating.size());
    }
    std::vector<WrongModel> models;   // that reproduce every output
    std::vector<WrongModel> partial;  // the others, the largest share first
    for (const Fault& fault : Faults()) {
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) continue;
      WrongModel model{std::string(fault.name), std::string(fault.sentence),
                       *fault.SetFor(cell_.op_type), &fault};
      if (Explains(model)) {
        models.push_back(std::move(model));
      } else if (!fault.has_state && models.empty()) {
        model.share = ShareOf(model, kShareCases);
        partial.push_back(std::move(model));
      }
    }
    std::ranges::stable_sort(partial, std::greater(), &WrongModel::share);
    if (models.empty() && combine == Combine::kPairs) {
      if (auto pair = FindPair(partial)) models.push_back(*std::move(pair));
    }
    const std::vector<WrongModel> fit = models;
    const Status confirmed = Confirm(further, models, deviation.elements_confirmed);
    if (!confirmed) return confirmed.error();
    if (!models.empty()) {
      Name(models, diagnosis);
      return diagnosis;
    }
    deviation.elements_confirmed = 0;
    if (fit.empty() && follows_ == nullptr) {
      const std::vector<WrongModel> near = NearOnes(partial);
      if (!near.empty()) {
        Name(near, diagnosis);
        deviation.model += kByRoundingOnly;
        return diagnosis;
      }
    }
    deviation.pattern = PatternOf(faults_, in_order_);
    if (!fit.empty()) {
      // It fits what was asked first, and failed afterwards: it is not the cause.
      deviation.nearest = fit.front().name;
      deviation.model = fit.front().sentence;
      deviation.elements_explained = deviation.elements_deviating;
    } else {
      NameNearest(partial, deviation);
    }
    return diagnosis;
  }

  // The same for a model that acts in some cases only, and there on the whole graph: each
  // answer is either the right one, or that of the model. `diagnosis.model` is empty if
  // there is none.
  struct WhereItActs {
    Diagnosis diagnosis;
    // The cases in which it acts, and those in which it would show and does not.
    std::vector<size_t> acting{};
    std::vector<size_t> idle{};
  };
  Result<WhereItActs> RunWhereItActs(FurtherCases* further) {
    WhereItActs found;
    Deviation& deviation = found.diagnosis.deviation;
    for (const EvidenceCase& one : in_order_) {
      deviation.elements_deviating += static_cast<int64_t>(one.deviating.size());
    }
    std::vector<ActingModel> all;
    for (const Fault& fault : Faults()) {
      if (fault.has_state) continue;
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) continue;
      WrongModel model{std::string(fault.name), std::string(fault.sentence),
                       *fault.SetFor(cell_.op_type), &fault};
      if (auto acting = Acting(std::move(model))) all.push_back(*std::move(acting));
    }
    // The model that is idle in the fewest cases says most about when it acts.
    const auto order = [](const ActingModel& one) {
      return std::tuple(one.is_near, one.idle.size());
    };
    std::ranges::stable_sort(all, {}, order);
    const Status confirmed = ConfirmActing(further, all, deviation.elements_confirmed);
    if (!confirmed) return confirmed.error();
    if (all.empty()) return found;
    std::vector<WrongModel> models;
    for (const ActingModel& one : all) {
      if (order(one) == order(all.front())) models.push_back(one.model);
    }
    Name(models, found.diagnosis);
    if (all.front().is_near) deviation.model += kByRoundingOnly;
    found.acting = all.front().acting;
    found.idle = all.front().idle;
    return found;
  }

 private:
  // A model that explains every case that deviates, by its place in in_order_.
  struct ActingModel {
    WrongModel model;
    std::vector<size_t> acting{};
    std::vector<size_t> idle{};  // it would show there, and does not
    bool is_near = false;        // results differ from its own by rounding
  };

  // The cases that refute most models come first: those with most deviating elements.
  // Large cases, each of which takes as long as many others, come after the others.
  static std::tuple<bool, bool, int64_t> OrderOf(const EvidenceCase& one) {
    constexpr size_t kManyElements = 16 * 1024;
    return {one.deviating.empty(), one.observed.size() > kManyElements,
            -static_cast<int64_t>(one.deviating.size())};
  }

  static bool HasState(const WrongModel& model) {
    return model.fault != nullptr && model.fault->has_state;
  }

  static Codes CodesOf(const DecodedCase& decoded, const WrongModel& model) {
    FaultState state;
    return decoded.CodesOf(model.set, state);
  }

  // Proofs are over the canonical readings.
  bool AreProvedEqual(const WrongModel& a, const WrongModel& b) const {
    return follows_ == nullptr && a.fault != nullptr && b.fault != nullptr &&
           !WhyIndistinguishable(cell_, *a.fault, *b.fault).empty();
  }

  bool AllProvedEqual(const std::vector<WrongModel>& models) const {
    return std::all_of(models.begin() + 1, models.end(), [&](const WrongModel& model) {
      return AreProvedEqual(models.front(), model);
    });
  }

  // Asks further cases: a few, to see that a model foretells the answers; then those that
  // distinguish models that are not proved to be equal. Leaves the models that foretell
  // everything. One with a state depends on the calls before: it is not asked, and stays.
  Status Confirm(FurtherCases* further, std::vector<WrongModel>& models,
                 int64_t& confirmed) const {
    if (further == nullptr || models.empty() || HasState(models.front())) return Ok();
    for (size_t index = 0; index < kMostFurtherCases && !models.empty(); ++index) {
      if (index >= kFurtherCases && AllProvedEqual(models)) break;
      if (ExplainLimit::HasPassed()) break;
      const auto question = NextQuestion(*further, index);
      if (!question) return question.error();
      if (!question->has_value()) break;
      const EvidenceCase& one = **question;
      if (one.decoded == nullptr) continue;
      std::vector<Codes> codes;
      bool differ = false;
      for (const WrongModel& model : models) {
        codes.push_back(CodesOf(*one.decoded, model));
        differ = differ || codes.back() != codes.front();
      }
      if (index >= kFurtherCases && !differ) continue;
      const auto asked = further->Ask();
      if (!asked) return asked.error();
      const Codes* observed = *asked;
      if (observed == nullptr) continue;
      std::vector<WrongModel> left;
      for (size_t m = 0; m < models.size(); ++m) {
        if (HasState(models[m]) || Matches(*one.answer, codes[m], *observed)) {
          left.push_back(models[m]);
        }
      }
      models = std::move(left);
      confirmed += static_cast<int64_t>(observed->size());
    }
    return Ok();
  }

  void Name(const std::vector<WrongModel>& models, Diagnosis& diagnosis) const {
    const WrongModel& first = models.front();
    Deviation& deviation = diagnosis.deviation;
    diagnosis.explained_by = first.name;
    diagnosis.is_pair = first.fault == nullptr;
    diagnosis.model = first.set;
    deviation.model = SentenceOf(first);
    deviation.elements_explained = deviation.elements_deviating;
    for (size_t m = 1; m < models.size(); ++m) {
      (AreProvedEqual(first, models[m]) ? deviation.indistinguishable_from
                                        : deviation.also_explained_by)
          .push_back(models[m].name);
    }
  }

  // Returns models that every answer is near, of a backend that rounds otherwise between
  // the quantizing steps. They must explain what is not near the right answer.
  std::vector<WrongModel> NearOnes(const std::vector<WrongModel>& partial) const {
    constexpr size_t kTried = 8;
    std::vector<WrongModel> near;
    if (in_order_.empty() || !in_order_.front().decoded->computes_in_floats())
      return near;
    for (size_t m = 0; m < std::min(kTried, partial.size()); ++m) {
      int64_t far = 0;
      const bool fits = std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
        if (ExplainLimit::HasPassed()) return false;
        if (!IsNear(*one, CodesOf(*one->decoded, partial[m]), one->observed)) {
          return false;
        }
        far += FarFromRight(*one);
        return true;
      });
      if (fits && far >= kFewestElements) near.push_back(partial[m]);
    }
    return near;
  }

  static bool IsNear(const EvidenceCase& one, const Codes& codes, const Codes& observed) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Reproduces(*one.answer, i, codes[i], observed[i]) &&
          !one.decoded->IsNear(static_cast<int64_t>(i), codes[i], observed[i])) {
        return false;
      }
    }
    return true;
  }

  // How many elements of a case are not near the right answer.
  static int64_t FarFromRight(const EvidenceCase& one) {
    return std::ranges::count_if(one.deviating, [&](int64_t at) {
      const auto i = static_cast<size_t>(at);
      return !one.decoded->IsNear(at, one.answer->elements[i].code, one.observed[i]);
    });
  }

  // Returns where a model acts; nothing if it does not explain a case that deviates, or
  // too few elements.
  std::optional<ActingModel> Acting(WrongModel model) const {
    ActingModel found{.model = std::move(model)};
    int64_t elements = 0;
    int64_t exact = 0;  // of them, those that it reproduces
    int64_t far = 0;
    for (const EvidenceCase* one : sorted_) {
      if (ExplainLimit::HasPassed()) return std::nullopt;
      const auto index = static_cast<size_t>(one - in_order_.data());
      const Codes codes = CodesOf(*one->decoded, found.model);
      const bool has_all_bits = Matches(*one->answer, codes, one->observed);
      if (one->deviating.empty() || (!has_all_bits && IsRight(*one, one->observed))) {
        found.is_near = found.is_near || !one->deviating.empty();
        if (!IsRight(*one, codes)) found.idle.push_back(index);
        continue;
      }
      if (!has_all_bits) {
        if (!one->decoded->computes_in_floats() || !IsNear(*one, codes, one->observed)) {
          return std::nullopt;
        }
        found.is_near = true;
      }
      found.acting.push_back(index);
      elements += static_cast<int64_t>(one->deviating.size());
      exact +=
          static_cast<int64_t>(one->deviating.size() - LeftOf(*one, found.model).size());
      far += FarFromRight(*one);
    }
    // Where all is near the right answer too, most bits have to be those of the model.
    const bool has_bits = exact >= kFewestElements && 4 * exact >= 3 * elements;
    if (!has_bits && far < kFewestElements) return std::nullopt;
    return found;
  }

  static bool AllAllowed(const CaseAnswer& answer, const Codes& codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Allows(answer, i, codes)) return false;
    }
    return true;
  }

  // Whether codes are the right ones, apart from how a backend rounds a float result.
  static bool IsRight(const EvidenceCase& one, const Codes& codes) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (Allows(*one.answer, i, codes)) continue;
      const DataType type = one.answer->TypeOf(i);
      const uint32_t right = one.answer->elements[i].code;
      if (IsInteger(type) || BitWidth(type) <= 8 ||
          !one.decoded->IsNear(static_cast<int64_t>(i), right, codes[i])) {
        return false;
      }
    }
    return true;
  }

  // Asks a few further cases, and leaves the models that explain each answer that is not
  // right.
  Status ConfirmActing(FurtherCases* further, std::vector<ActingModel>& acting,
                       int64_t& confirmed) const {
    if (further == nullptr) return Ok();
    for (size_t index = 0; index < kFurtherCases && !acting.empty(); ++index) {
      auto decoded = NextQuestion(*further, index);
      if (!decoded) return decoded.error();
      if (!decoded->has_value()) break;
      const EvidenceCase& one = **decoded;
      if (one.decoded == nullptr) continue;
      const auto asked = further->Ask();
      if (!asked) return asked.error();
      const Codes* observed = *asked;
      if (observed == nullptr) continue;
      confirmed += static_cast<int64_t>(observed->size());
      if (AllAllowed(*one.answer, *observed)) continue;
      std::erase_if(acting, [&](const ActingModel& model) {
        const Codes codes = CodesOf(*one.decoded, model.model);
        if (!model.is_near) return !Matches(*one.answer, codes, *observed);
        return !IsRight(one, *observed) && !IsNear(one, codes, *observed);
      });
    }
    return Ok();
  }

  // Returns a further case by the reading that is followed; without `decoded` where that
  // has none for it; nothing after the last.
  Result<std::optional<EvidenceCase>> NextQuestion(FurtherCases& further,
                                                   size_t index) const {
    auto made = further.Question(index);
    if (!made) return made.error();
    if (!made->has_value()) return std::optional<EvidenceCase>();
    AnsweredCase& question = **made;
    EvidenceCase one;
    if (follows_ != nullptr) {
      const auto key = question.content->ReadingsKey();
      if (!key) return key.error();
      if (!follows_->sets.contains(*key)) return std::optional(std::move(one));
      auto answer = AnswerBy(*follows_, question);
      if (!answer) return answer.error();
      question.answer = *std::move(answer);
    }
    auto decoded = DecodeCase(question, cell_.since_version, follows_);
    if (!decoded) return decoded.error();
    one.answer = question.answer;
    one.decoded = *std::move(decoded);
    return std::optional(std::move(one));
  }

  // What the model does in the first case where that says more than its name.
  std::string SentenceOf(const WrongModel& model) const {
    for (const EvidenceCase& one : in_order_) {
      std::string text = one.decoded->SentenceOf(model.set);
      if (!text.empty()) return text;
    }
    return model.sentence;
  }

  // Shares over a few cases choose those that are counted over all.
  void NameNearest(const std::vector<WrongModel>& partial, Deviation& deviation) const {
    constexpr size_t kCounted = 3;
    double best = 0;
    for (size_t i = 0; i < std::min(kCounted, partial.size()); ++i) {
      if (partial[i].share <= 0) break;
      const double share = ShareOf(partial[i], sorted_.size());
      if (share <= best) continue;
      best = share;
      deviation.nearest = partial[i].name;
      deviation.model = SentenceOf(partial[i]);
    }
    deviation.elements_explained =
        std::llround(best * static_cast<double>(deviation.elements_deviating));
  }

  static bool Matches(const CaseAnswer& answer, const Codes& codes,
                      const Codes& observed) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Reproduces(answer, i, codes[i], observed[i])) return false;
    }
    return true;
  }

  // False if the limit has passed.
  bool Explains(const WrongModel& model) const {
    if (!HasState(model)) {
      return std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
        return !ExplainLimit::HasPassed() &&
               Matches(*one->answer, CodesOf(*one->decoded, model), one->observed);
      });
    }
    FaultState state;
    return std::ranges::all_of(in_order_, [&](const EvidenceCase& one) {
      return !ExplainLimit::HasPassed() &&
             Matches(*one.answer, one.decoded->CodesOf(model.set, state), one.observed);
    });
  }

  // Returns the deviating elements of a case that a model does not reproduce.
  static std::vector<size_t> LeftOf(const EvidenceCase& one, const WrongModel& model) {
    const Codes codes = CodesOf(*one.decoded, model);
    std::vector<size_t> left;
    for (const int64_t i : one.deviating) {
      const auto at = static_cast<size_t>(i);
      if (!Reproduces(*one.answer, at, codes[at], one.observed[at])) left.push_back(at);
    }
    return left;
  }

  // Returns the share in the first cases, which are those with most deviating elements.
  double ShareOf(const WrongModel& model, size_t cases) const {
    size_t deviating = 0;
    size_t left = 0;
    for (size_t c = 0; c < std::min(cases, sorted_.size()); ++c) {
      if (ExplainLimit::HasPassed()) return 0;
      deviating += sorted_[c]->deviating.size();
      left += LeftOf(*sorted_[c], model).size();
    }
    return deviating == 0
               ? 0
               : static_cast<double>(deviating - left) / static_cast<double>(deviating);
  }

  // Tries the first models that reproduce something with each other; then the first few
  // with all that reproduce something of what they leave, which may lie in small cases.
  std::optional<WrongModel> FindPair(std::vector<WrongModel> all) const {
    // No pair has a model that acts on a part of the elements.
    std::erase_if(
        all, [&](const WrongModel& one) { return !faults_.Merge(one.set, one.set); });
    std::optional<WrongModel> found;
    const auto explain = [&](const WrongModel& a, const WrongModel& b) {
      const auto both = faults_.Merge(a.set, b.set);
      if (!both || *both == a.set || *both == b.set) return false;
      // If a mistake of one replaces one of the other, they are no pair. Mistakes of a
      // graph are all kept.
      const auto reversed = faults_.Merge(b.set, a.set);
      const bool replaces = !reversed || !(*reversed == *both);
      if (replaces && !IsGraphFamily(cell_.op_type)) return false;
      WrongModel pair{a.name + "+" + b.name, a.sentence + " " + b.sentence, *both};
      if (Explains(pair)) found = std::move(pair);
      return found.has_value();
    };
    const size_t most = std::min(faults_.most_in_pairs(), all.size());
    size_t partial = 0;
    while (partial < most && all[partial].share > 0) ++partial;
    for (size_t i = 0; i < partial; ++i) {
      for (size_t j = i + 1; j < partial; ++j) {
        if (explain(all[i], all[j])) return found;
      }
    }
    for (size_t i = 0; i < std::min(kLeavingModels, partial); ++i) {
      const std::vector<Left> left = LeftBy(all[i]);
      for (size_t j = 0; j < all.size(); ++j) {
        if (j == i || (i < j && j < partial)) continue;
        if (ReproducesSome(all[j], left) && explain(all[i], all[j])) return found;
      }
    }
    return found;
  }

  // A case, and the deviating elements of it that a model does not reproduce.
  struct Left {
    const EvidenceCase* one;
    std::vector<size_t> elements;
  };

  // Returns the smallest few cases of which a model leaves something.
  std::vector<Left> LeftBy(const WrongModel& model) const {
    std::vector<Left> all;
    for (const EvidenceCase* one : sorted_) {
      if (one->deviating.empty() || ExplainLimit::HasPassed()) break;
      Left left{one, LeftOf(*one, model)};
      if (!left.elements.empty()) all.push_back(std::move(left));
    }
    std::ranges::stable_sort(all, {},
                             [](const Left& left) { return left.one->observed.size(); });
    if (all.size() > kShareCases) all.resize(kShareCases);
    return all;
  }

  static bool ReproducesSome(const WrongModel& model, std::span<const Left> cases) {
    return std::ranges::any_of(cases, [&](const Left& left) {
      if (ExplainLimit::HasPassed()) return false;
      const EvidenceCase& one = *left.one;
      const Codes codes = CodesOf(*one.decoded, model);
      return std::ranges::any_of(left.elements, [&](size_t at) {
        return Reproduces(*one.answer, at, codes[at], one.observed[at]);
      });
    });
  }

  const Cell& cell_;
  const OperatorFaults& faults_;
  std::vector<EvidenceCase> in_order_;
  std::vector<const EvidenceCase*> sorted_;  // by OrderOf
  const FollowedReading* follows_;
};

// The operand forms in which something deviates.
std::set<OperandForm> DeviatingForms(std::span<const AnsweredCase> cases,
                                     std::span<const EvidenceCase> evidence) {
  std::set<OperandForm> forms;
  for (size_t c = 0; c < cases.size(); ++c) {
    if (!evidence[c].deviating.empty()) forms.insert(cases[c].form);
  }
  return forms;
}

// Optimizers rewrite a graph only where its parameters are constants. Returns the
// evidence of the operand forms `in`.
std::vector<EvidenceCase> OfForms(const std::set<OperandForm>& in,
                                  std::span<const AnsweredCase> cases,
                                  std::span<const EvidenceCase> evidence) {
  std::vector<EvidenceCase> of;
  for (size_t c = 0; c < cases.size(); ++c) {
    if (in.contains(cases[c].form)) of.push_back(evidence[c]);
  }
  return of;
}

// "Only in operand form initializers or parameters."
std::string OnlyInText(const std::set<OperandForm>& forms) {
  std::string text;
  for (const OperandForm form : forms) {
    text += (text.empty() ? " Only in operand form " : " or ") +
            std::string(OperandFormName(form));
  }
  return text + ".";
}

// "Only in operand form initializers. Only in 3 of the 7 cases in which it would show."
std::string WhereText(const std::vector<size_t>& acting, const std::vector<size_t>& idle,
                      std::span<const AnsweredCase> cases) {
  std::set<OperandForm> forms;
  for (const size_t at : acting) forms.insert(cases[at].form);
  const auto idle_there = std::ranges::count_if(
      idle, [&](size_t at) { return forms.contains(cases[at].form); });
  std::string text;
  if (idle_there < std::ssize(idle)) text += OnlyInText(forms);
  if (idle_there > 0) {
    text += " Only in " + std::to_string(acting.size()) + " of the " +
            std::to_string(acting.size() + static_cast<size_t>(idle_there)) +
            " cases in which it would show.";
  }
  return text;
}

// `cases` have the answers by the reading.
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
    EvidenceCase one{
        answered.answer,       decoded, {}, {}, &answered.content->model(), answered.form,
        answered.opset_version};
    one.observed.assign(answered.codes.begin(), answered.codes.end());
    for (size_t i = 0; i < one.observed.size(); ++i) {
      if (!Allows(*one.answer, i, one.observed)) {
        one.deviating.push_back(static_cast<int64_t>(i));
      }
    }
    evidence.push_back(std::move(one));
  }
  if (!IsGraphFamily(cell.op_type)) {
    return Search(cell, *faults, std::move(evidence), follows).Run(combine, further);
  }
  const std::set<OperandForm> forms = DeviatingForms(cases, evidence);
  std::vector<EvidenceCase> of_forms = OfForms(forms, cases, evidence);
  auto diagnosis = Search(cell, *faults, evidence, follows).Run(combine, further);
  if (!diagnosis || diagnosis->model) return diagnosis;
  if (of_forms.size() < evidence.size()) {
    auto in_forms = Search(cell, *faults, of_forms, follows).Run(Combine::kNone, further);
    if (!in_forms) return in_forms;
    if (in_forms->model) {
      in_forms->deviation.model += OnlyInText(forms);
      return in_forms;
    }
  }
  auto found =
      Search(cell, *faults, std::move(evidence), follows).RunWhereItActs(further);
  if (!found) return found.error();
  if (!found->diagnosis.model) return diagnosis;
  found->diagnosis.deviation.model += WhereText(found->acting, found->idle, cases);
  return std::move(found->diagnosis);
}

bool HasModels(const Cell& cell, const FollowedReading& reading) {
  if (ExplainLimit::HasPassed()) return false;
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
  const Deviation& deviation = canonical.deviation;
  const Fault* nearest = FindFault(deviation.nearest);
  if (2 * deviation.elements_explained > deviation.elements_deviating &&
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

// Diagnose without a look at the limit at the end.
Result<Diagnosis> DiagnoseOverReadings(const Cell& cell,
                                       std::span<const AnsweredCase> cases,
                                       const Explanations& explanations,
                                       FurtherCases* further) {
  auto canonical = DiagnoseOver(cell, cases, nullptr, Combine::kPairs, further);
  if (!canonical || (canonical->model && !canonical->is_pair)) return canonical;
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
    if (!diagnosis || diagnosis->model) return diagnosis;
    if (is_first_clear) clear = *std::move(diagnosis);
  }
  // A fault that reaches nearly every element hides what the rest follows.
  auto hidden = ReadingsWithModels(cell, cases, explanations, *readings);
  if (!hidden) return hidden.error();
  for (FollowedReading& reading : *hidden) {
    auto diagnosis = diagnose_over(reading, Combine::kNone);
    if (!diagnosis || diagnosis->model) return diagnosis;
  }
  if (canonical->model) return canonical;
  auto to_pair = ToPairOver(*canonical, cell, cases, *std::move(readings));
  if (!to_pair) return to_pair.error();
  for (FollowedReading& reading : *to_pair) {
    auto diagnosis = diagnose_over(reading, Combine::kPairs);
    if (!diagnosis || diagnosis->model) return diagnosis;
  }
  if (clear) return *std::move(clear);
  return canonical;
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
  if (!diagnosis || !ExplainLimit::HasPassed()) return diagnosis;
  Diagnosis cut;
  cut.cut = true;
  return cut;
}

}  // namespace qconform
