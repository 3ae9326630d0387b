#include "harness/diagnosis/diagnosis.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "cases/core/level.h"
#include "harness/compare/compare.h"
#include "harness/compare/explain_limit.h"
#include "harness/core/decoded_case.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/over_readings.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

constexpr size_t kShareCases = 3;     // over which shares are counted
constexpr size_t kLeavingModels = 4;  // whose rest a further model may explain
constexpr size_t kPairReadings = 3;   // over which sets of models are tried
constexpr size_t kMostEqual = 16;     // models that are tried on further cases together
constexpr size_t kMostFaults = 3;     // of one explanation
// Further cases that every model has to foretell, the most that are asked to distinguish
// models, and the most that are made only to distinguish them.
constexpr size_t kFurtherCases = 6;
constexpr size_t kMostFurtherCases = 240;
constexpr size_t kMostVariedCases = 240;

// The fewest elements by which a model that need not explain each case, or each bit, has
// to be borne out.
constexpr int64_t kFewestElements = 4;
constexpr std::string_view kByRoundingOnly =
    " Results differ from this by rounding only.";

// A wrong model of the cell's operator: one fault, or several that are made together.
struct WrongModel {
  std::vector<const Fault*> faults;  // by name
  FaultSet set;
  // Names of models that are proved to give the same bits.
  std::vector<std::string> same{};
  double share = 0;     // of the deviating elements that it reproduces
  double nearness = 0;  // the same, of the deviating ones and those that it alone changes

  bool HasState() const { return faults.size() == 1 && faults.front()->has_state; }
  // "ties_away+zero_point_ignored", always in this order.
  std::string Name() const {
    std::vector<std::string> names;
    for (const Fault* fault : faults) names.emplace_back(fault->name);
    return Joined(names, "+");
  }
  std::string Sentence() const {
    std::vector<std::string> sentences;
    for (const Fault* fault : faults) sentences.emplace_back(fault->sentence);
    return Joined(sentences, " ");
  }
};

// Fills the indices that the answer does not allow.
void AddDeviating(EvidenceCase& one) {
  for (size_t i = 0; i < one.observed.size(); ++i) {
    if (!Allows(*one.answer, i, one.observed)) {
      one.deviating.push_back(static_cast<int64_t>(i));
    }
  }
}

// The search for models over one reading, those of fewer faults first.
class Search {
 public:
  // `follows` may be null: the canonical readings.
  Search(const Cell& cell, const OperatorFaults& faults, std::vector<EvidenceCase> cases,
         const FollowedReading* follows)
      : cell_(cell), faults_(faults), in_order_(std::move(cases)), follows_(follows) {
    for (const EvidenceCase& one : in_order_) {
      sorted_.push_back(&one);
      deviating_ += static_cast<int64_t>(one.deviating.size());
    }
    std::ranges::stable_sort(sorted_, {}, [](const auto* one) { return OrderOf(*one); });
  }
  Search(const Search&) = delete;  // sorted_ points to in_order_
  Search& operator=(const Search&) = delete;

  // Returns what the sets of `count` faults explain; nothing if none explains everything
  // and foretells further cases. The calls count up from 1. `further` may be null.
  Result<std::optional<Diagnosis>> Explain(size_t count, FurtherCases* further) {
    // What further cases refuted is left out when the sets are looked for again.
    constexpr int kMostTimes = 3;
    for (int times = 0; times < kMostTimes; ++times) {
      std::vector<WrongModel> models = SetsOf(count);  // none is proved to be another
      if (models.empty()) break;
      const std::vector<WrongModel> fit = models;
      int64_t confirmed = 0;
      const Status asked = Confirm(further, models, confirmed);
      if (!asked) return asked.error();
      if (!models.empty()) {
        Diagnosis diagnosis;
        Name(models, diagnosis);
        diagnosis.deviation.elements_confirmed = confirmed;
        return std::optional(std::move(diagnosis));
      }
      if (refuted_.empty()) refuted_ = fit;
      if (count == 1) break;
    }
    return std::optional<Diagnosis>();
  }

  // Returns the models that every answer is near, if there are some. To be asked for
  // after Explain.
  std::optional<Diagnosis> ExplainNearly() const {
    if (!refuted_.empty()) return std::nullopt;
    const std::vector<WrongModel> near = NearOnes();
    if (near.empty()) return std::nullopt;
    Diagnosis diagnosis;
    Name(near, diagnosis);
    diagnosis.deviation.model += kByRoundingOnly;
    return diagnosis;
  }

  // Explains by a model that acts in some cases only, and there on the whole graph: each
  // answer is either the right one, or that of the model. `explained_by` is empty if
  // there is none.
  struct WhereItActs {
    Diagnosis diagnosis;
    // The cases in which it acts, and those in which it would show and does not.
    std::vector<size_t> acting{};
    std::vector<size_t> idle{};
  };
  Result<WhereItActs> ExplainWhereItActs(FurtherCases* further) {
    WhereItActs found;
    Deviation& deviation = found.diagnosis.deviation;
    std::vector<ActingModel> all;
    for (const Fault& fault : Faults()) {
      if (fault.has_state) continue;
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) continue;
      WrongModel model{{&fault}, *fault.SetFor(cell_.op_type)};
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
      if (order(one) == order(all.front())) Add(one.model, models);
    }
    Name(models, found.diagnosis);
    if (all.front().is_near) deviation.model += kByRoundingOnly;
    found.acting = all.front().acting;
    found.idle = all.front().idle;
    return found;
  }
  // Returns what is known if nothing explains the cell: patterns, and the nearest model.
  Diagnosis Unexplained() const {
    Diagnosis diagnosis;
    Deviation& deviation = diagnosis.deviation;
    deviation.elements_deviating = deviating_;
    deviation.pattern = PatternOf(faults_, in_order_);
    if (!refuted_.empty()) {
      // They fit what was asked first, and failed afterwards: they are not the cause.
      Diagnosis near;
      Name(refuted_, near);
      deviation.nearest = near.explained_by;
      deviation.model = near.deviation.model;
      deviation.elements_explained = deviating_;
    } else {
      NameNearest(deviation);
    }
    return diagnosis;
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

  static Codes CodesOf(const DecodedCase& decoded, const WrongModel& model) {
    FaultState state;
    return decoded.CodesOf(model.set, state);
  }

  std::vector<WrongModel> SetsOf(size_t count) {
    if (count == 1) return Singles();
    return count == 2 ? Pairs() : LargerSets(count);
  }

  // Fills `partial_` with those that do not reproduce everything, too.
  std::vector<WrongModel> Singles() {
    std::vector<WrongModel> models;
    for (const Fault& fault : Faults()) {
      if (Declare(fault, cell_).kind == Declaration::Kind::kEquivalent) continue;
      if (follows_ != nullptr && !ChangesAnotherStep(fault, cell_, *follows_)) continue;
      WrongModel model{{&fault}, *fault.SetFor(cell_.op_type)};
      if (Explains(model)) {
        Add(model, models);
        if (model.HasState()) continue;
        model.share = 1;
        model.nearness = 1;
      } else if (!fault.has_state) {
        const Reproduced some = ReproducedBy(model, kShareCases);
        model.share = some.Share();
        model.nearness = some.Nearness();
      } else {
        continue;
      }
      partial_.push_back(std::move(model));
    }
    std::ranges::stable_sort(partial_, std::greater(), &WrongModel::share);
    return models;
  }

  // Proofs are over the canonical readings.
  bool AreProvedEqual(const WrongModel& a, const WrongModel& b) const {
    return follows_ == nullptr && !a.HasState() && !b.HasState() &&
           !faults_.WhyIndistinguishable(cell_, a.set, b.set).empty();
  }

  // Adds a model, or its name to that of the one that is proved to be the same.
  void Add(const WrongModel& model, std::vector<WrongModel>& models) const {
    for (WrongModel& one : models) {
      if (!AreProvedEqual(one, model)) continue;
      one.same.push_back(model.Name());
      return;
    }
    models.push_back(model);
  }

  // Asks further cases: a few, to see that a model foretells the answers; then those that
  // distinguish models that are not proved to be equal, of the cell's generators and with
  // operands that are varied. Leaves the models that foretell everything. One with a
  // state depends on the calls before: it is not asked, and stays.
  Status Confirm(FurtherCases* further, std::vector<WrongModel>& models,
                 int64_t& confirmed) {
    if (further == nullptr || std::ranges::all_of(models, &WrongModel::HasState)) {
      return Ok();
    }
    for (size_t index = 0; index < kMostFurtherCases && !models.empty(); ++index) {
      if (index >= kFurtherCases && models.size() == 1) return Ok();
      if (ExplainLimit::HasPassed()) return Ok();
      const auto made = NextQuestion(further->Question(index));
      if (!made) return made.error();
      if (!made->has_value()) break;
      const Status asked =
          Test(**made, index < kFurtherCases, *further, models, confirmed);
      if (!asked) return asked;
    }
    for (size_t index = 0; index < kMostVariedCases && !models.empty(); ++index) {
      if (models.size() == 1) return Ok();
      if (ExplainLimit::HasPassed()) return Ok();
      const auto made = NextQuestion(further->Varied(index));
      if (!made) return made.error();
      if (!made->has_value()) break;
      const Status asked = Test(**made, false, *further, models, confirmed);
      if (!asked) return asked;
    }
    return Ok();
  }

  // Removes the models that do not foretell the answer to the question of the last call.
  // It is asked if `always`, or if models differ in it.
  Status Test(const EvidenceCase& question, bool always, FurtherCases& further,
              std::vector<WrongModel>& models, int64_t& confirmed) {
    if (question.decoded == nullptr) return Ok();
    std::vector<Codes> codes;
    bool differ = false;
    for (const WrongModel& model : models) {
      codes.push_back(CodesOf(*question.decoded, model));
      differ = differ || !Matches(*question.answer, codes.back(), codes.front());
    }
    if (!always && !differ) return Ok();
    const auto asked = further.Ask();
    if (!asked) return asked.error();
    const Codes* observed = *asked;
    if (observed == nullptr) return Ok();
    std::vector<WrongModel> left;
    for (size_t m = 0; m < models.size(); ++m) {
      if (models[m].HasState() || Matches(*question.answer, codes[m], *observed)) {
        left.push_back(models[m]);
      }
    }
    if (left.size() < models.size()) {
      EvidenceCase& refuting = refuting_.emplace_back(question);
      refuting.observed = *observed;
      AddDeviating(refuting);
    }
    models = std::move(left);
    confirmed += static_cast<int64_t>(observed->size());
    return Ok();
  }

  // Of several models none is preferred: the name is "a or b".
  void Name(const std::vector<WrongModel>& models, Diagnosis& diagnosis) const {
    Deviation& deviation = diagnosis.deviation;
    std::vector<const WrongModel*> different;
    for (const WrongModel& model : models) {
      different.push_back(&model);
      std::ranges::copy(model.same, std::back_inserter(deviation.indistinguishable_from));
    }
    std::ranges::sort(different, {}, &WrongModel::Name);
    std::vector<std::string> names;
    std::vector<std::string> sentences;
    for (const WrongModel* model : different) {
      names.push_back(model->Name());
      sentences.push_back(SentenceOf(*model));
    }
    diagnosis.explained_by = Joined(names, kOtherModel);
    deviation.model = Joined(sentences, " Or: ");
    if (different.size() == 1) {
      diagnosis.model = different.front()->set;
    } else {
      deviation.also_explained_by = std::move(names);
    }
    deviation.elements_deviating = deviating_;
    deviation.elements_explained = deviating_;
  }

  // Returns models that every answer is near, of a backend that rounds otherwise between
  // the quantizing steps. They must explain what is not near the right answer.
  std::vector<WrongModel> NearOnes() const {
    constexpr size_t kTried = 8;
    std::vector<WrongModel> near;
    if (in_order_.empty() || !in_order_.front().decoded->computes_in_floats())
      return near;
    for (size_t m = 0; m < std::min(kTried, partial_.size()); ++m) {
      int64_t far = 0;
      const bool fits = std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
        if (ExplainLimit::HasPassed()) return false;
        if (!IsNear(*one, CodesOf(*one->decoded, partial_[m]), one->observed)) {
          return false;
        }
        far += FarFromRight(*one);
        return true;
      });
      if (fits && far >= kFewestElements) near.push_back(partial_[m]);
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
      auto decoded = NextQuestion(further->Question(index));
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

  // Returns the further case that was made by the reading that is followed; without
  // `decoded` where that has none for it; nothing after the last.
  Result<std::optional<EvidenceCase>> NextQuestion(
      Result<std::optional<AnsweredCase>> made) const {
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
    return model.Sentence();
  }

  // A few cases choose the models that are counted over all. A model that leaves more
  // than half of the elements is no hint, nor is one that changes many others.
  void NameNearest(Deviation& deviation) const {
    constexpr size_t kCounted = 3;
    std::vector<WrongModel> nearest = partial_;
    std::ranges::stable_sort(nearest, std::greater(), &WrongModel::nearness);
    double best = 0.5;
    for (size_t i = 0; i < std::min(kCounted, nearest.size()); ++i) {
      const Reproduced all = ReproducedBy(nearest[i], sorted_.size());
      const double nearness = all.Nearness();
      if (nearness < best || (nearness == best && !deviation.nearest.empty())) continue;
      best = nearness;
      deviation.nearest = nearest[i].Name();
      deviation.model = SentenceOf(nearest[i]);
      deviation.elements_explained = all.deviating - all.left;
    }
  }

  static bool Matches(const CaseAnswer& answer, const Codes& codes,
                      const Codes& observed) {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!Reproduces(answer, i, codes[i], observed[i])) return false;
    }
    return true;
  }

  static bool ReproducesAll(const EvidenceCase& one, const WrongModel& model) {
    return Matches(*one.answer, CodesOf(*one.decoded, model), one.observed);
  }

  // False if the limit has passed.
  bool Explains(const WrongModel& model) const {
    if (!model.HasState()) {
      return std::ranges::all_of(refuting_,
                                 [&](const EvidenceCase& one) {
                                   return !ExplainLimit::HasPassed() &&
                                          ReproducesAll(one, model);
                                 }) &&
             std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
               return !ExplainLimit::HasPassed() && ReproducesAll(*one, model);
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

  // How many elements a model reproduces.
  struct Reproduced {
    int64_t deviating = 0;
    int64_t left = 0;     // of these, those that it does not reproduce
    int64_t changed = 0;  // others that it does not reproduce

    double Share() const { return Of(deviating); }
    double Nearness() const { return Of(deviating + changed); }

   private:
    double Of(int64_t all) const {
      return all == 0 ? 0
                      : static_cast<double>(deviating - left) / static_cast<double>(all);
    }
  };

  // Counts in the first cases, which are those with most deviating elements.
  Reproduced ReproducedBy(const WrongModel& model, size_t cases) const {
    Reproduced reproduced;
    for (size_t c = 0; c < std::min(cases, sorted_.size()); ++c) {
      if (ExplainLimit::HasPassed()) return {};
      const EvidenceCase& one = *sorted_[c];
      const Codes codes = CodesOf(*one.decoded, model);
      auto deviating = one.deviating.begin();
      for (size_t i = 0; i < codes.size(); ++i) {
        const bool deviates =
            deviating != one.deviating.end() && *deviating == static_cast<int64_t>(i);
        if (deviates) ++deviating;
        if (Reproduces(*one.answer, i, codes[i], one.observed[i])) continue;
        ++(deviates ? reproduced.left : reproduced.changed);
      }
      reproduced.deviating += static_cast<int64_t>(one.deviating.size());
    }
    return reproduced;
  }

  // Returns both together; nothing if one replaces a mistake of the other, or acts on a
  // part of the elements.
  std::optional<WrongModel> Together(const WrongModel& a, const WrongModel& b) const {
    const auto both = faults_.Merge(a.set, b.set);
    if (!both || *both == a.set || *both == b.set) return std::nullopt;
    // Mistakes of a graph are all kept.
    const auto reversed = faults_.Merge(b.set, a.set);
    const bool replaces = !reversed || *reversed != *both;
    if (replaces && !IsGraphFamily(cell_.op_type)) return std::nullopt;
    WrongModel together{a.faults, *both};
    together.faults.insert(together.faults.end(), b.faults.begin(), b.faults.end());
    std::ranges::sort(together.faults, {}, &Fault::name);
    return together;
  }

  std::vector<WrongModel> Mergeable() const {
    std::vector<WrongModel> all = partial_;
    std::erase_if(
        all, [&](const WrongModel& one) { return !faults_.Merge(one.set, one.set); });
    return all;
  }

  // Tries the first models that reproduce something with each other; if none of these
  // explains the cell, the first few with all that reproduce something of what they
  // leave, which may lie in small cases.
  std::vector<WrongModel> Pairs() const {
    const std::vector<WrongModel> all = Mergeable();
    std::vector<WrongModel> found;
    const auto explain = [&](const WrongModel& a, const WrongModel& b) {
      auto pair = Together(a, b);
      if (!pair || !Explains(*pair)) return;
      Add(*pair, found);
    };
    const size_t most = std::min(faults_.most_in_pairs(), all.size());
    size_t partial = 0;
    while (partial < most && all[partial].share > 0) ++partial;
    for (size_t i = 0; i < partial && found.size() < kMostEqual; ++i) {
      for (size_t j = i + 1; j < partial && found.size() < kMostEqual; ++j) {
        explain(all[i], all[j]);
      }
    }
    if (!found.empty()) return found;
    for (size_t i = 0; i < std::min(kLeavingModels, partial); ++i) {
      const std::vector<Left> left = LeftBy(all[i]);
      for (size_t j = 0; j < all.size() && found.size() < kMostEqual; ++j) {
        if (j == i || (i < j && j < partial)) continue;
        if (ReproducesSome(all[j], left)) explain(all[i], all[j]);
      }
    }
    return found;
  }

  // A set of models with the number of elements that it does not give.
  struct Counted {
    WrongModel model;
    int64_t missed = 0;
  };

  // Returns how many elements of all cases a model does not give; more than `most` are
  // not counted.
  int64_t MissedBy(const WrongModel& model, int64_t most) const {
    int64_t missed = 0;
    const auto count = [&](const EvidenceCase& one) {
      const Codes codes = CodesOf(*one.decoded, model);
      for (size_t i = 0; i < codes.size(); ++i) {
        missed += Reproduces(*one.answer, i, codes[i], one.observed[i]) ? 0 : 1;
      }
      return missed <= most;
    };
    for (const EvidenceCase& one : refuting_) {
      if (!count(one)) return missed;
    }
    for (const EvidenceCase* one : sorted_) {
      if (ExplainLimit::HasPassed() || !count(*one)) return missed;
    }
    return missed;
  }

  // Extends the sets that leave the fewest elements, step by step.
  std::vector<WrongModel> LargerSets(size_t count) const {
    constexpr size_t kKept = 4;
    const std::vector<WrongModel> all = Mergeable();
    std::vector<Counted> kept;
    std::vector<WrongModel> whole;  // that leave nothing
    int64_t all_deviating = deviating_;
    for (const EvidenceCase& one : refuting_) {
      all_deviating += static_cast<int64_t>(one.deviating.size());
    }
    const auto keep = [&](WrongModel model) {
      if (ExplainLimit::HasPassed()) return;
      const int64_t least = kept.size() < kKept ? all_deviating : kept.back().missed;
      const int64_t limit = std::max<int64_t>(least - 1, 0);
      const int64_t missed = MissedBy(model, limit);
      if (missed == 0) Add(model, whole);
      if (missed > limit) return;
      kept.push_back({std::move(model), missed});
      std::ranges::stable_sort(kept, {}, &Counted::missed);
      if (kept.size() > kKept) kept.pop_back();
    };
    for (const WrongModel& one : all) keep(one);
    for (size_t size = 2; size <= count; ++size) {
      const std::vector<Counted> smaller = std::exchange(kept, {});
      whole.clear();
      std::set<std::vector<const Fault*>> tried;
      for (const Counted& base : smaller) {
        const std::vector<Left> left = LeftBy(base.model);
        for (const WrongModel& one : all) {
          auto together = Together(base.model, one);
          if (!together || !tried.insert(together->faults).second) continue;
          if (ReproducesSome(*together, left)) keep(*std::move(together));
          if (whole.size() == kMostEqual) break;
        }
      }
    }
    return whole;
  }

  // A case, and the deviating elements of it that a model does not reproduce.
  struct Left {
    const EvidenceCase* one;
    std::vector<size_t> elements;
  };

  // Returns the smallest few cases of which a model leaves something.
  std::vector<Left> LeftBy(const WrongModel& model) const {
    std::vector<Left> all;
    for (const EvidenceCase& one : refuting_) {
      Left left{&one, LeftOf(one, model)};
      if (!left.elements.empty()) all.push_back(std::move(left));
    }
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
  int64_t deviating_ = 0;
  std::vector<WrongModel> partial_;     // single ones, the largest share first
  std::vector<EvidenceCase> refuting_;  // further cases that ruled a model out
  std::vector<WrongModel> refuted_;     // the first that explained the cell but for these
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

// Everything that is known of a cell over one reading. `cases` have the answers by it.
class CellSearch {
 public:
  // `follows` may be null: the canonical readings. `cell` and `follows` must outlive it.
  static Result<std::unique_ptr<CellSearch>> Create(const Cell& cell,
                                                    std::span<const AnsweredCase> cases,
                                                    const FollowedReading* follows) {
    const OperatorFaults* faults = FindOperatorFaults(cell.op_type);
    if (faults == nullptr)
      return Error{"operator '" + cell.op_type + "' is not registered"};
    std::vector<EvidenceCase> evidence;
    std::map<const CaseAnswer*, std::shared_ptr<const DecodedCase>> decoded_by_answer;
    for (const AnsweredCase& answered : cases) {
      const Status within = ExplainLimit::StatusOfLimit();
      if (!within) return within.error();
      std::shared_ptr<const DecodedCase>& decoded =
          decoded_by_answer[answered.answer.get()];
      if (!decoded) {
        auto made = DecodeCase(answered, cell.since_version, follows);
        if (!made) return made.error();
        decoded = *std::move(made);
      }
      EvidenceCase one{answered.answer,
                       decoded,
                       {},
                       {},
                       &answered.content->model(),
                       answered.form,
                       answered.opset_version};
      one.observed.assign(answered.codes.begin(), answered.codes.end());
      AddDeviating(one);
      evidence.push_back(std::move(one));
    }
    return std::unique_ptr<CellSearch>(
        new CellSearch(cell, *faults, cases, std::move(evidence), follows));
  }

  // As those of Search.
  Result<std::optional<Diagnosis>> Explain(size_t count, FurtherCases* further) {
    return whole_.Explain(count, further);
  }
  Diagnosis Unexplained() const { return whole_.Unexplained(); }

  // Returns what explains a cell of graphs only by its rounding, or some of its cases: an
  // optimizer acts on some graphs. To be asked for after Explain(1).
  Result<std::optional<Diagnosis>> ExplainPartly(FurtherCases* further) {
    if (auto near = whole_.ExplainNearly()) return near;
    if (!IsGraphFamily(cell_.op_type)) return std::optional<Diagnosis>();
    if (in_forms_) {
      auto in_forms = in_forms_->Explain(1, further);
      if (!in_forms) return in_forms;
      if (*in_forms) {
        (**in_forms).deviation.model += OnlyInText(forms_);
        return in_forms;
      }
    }
    auto found = whole_.ExplainWhereItActs(further);
    if (!found) return found.error();
    if (found->diagnosis.explained_by.empty()) return std::optional<Diagnosis>();
    found->diagnosis.deviation.model += WhereText(found->acting, found->idle, cases_);
    return std::optional(std::move(found->diagnosis));
  }

 private:
  CellSearch(const Cell& cell, const OperatorFaults& faults,
             std::span<const AnsweredCase> cases, std::vector<EvidenceCase> evidence,
             const FollowedReading* follows)
      : cell_(cell),
        cases_(cases.begin(), cases.end()),
        forms_(DeviatingForms(cases, evidence)),
        of_forms_(IsGraphFamily(cell.op_type) ? OfForms(forms_, cases, evidence)
                                              : std::vector<EvidenceCase>()),
        whole_(cell, faults, std::move(evidence), follows) {
    const bool are_some = of_forms_.size() < cases.size();
    if (IsGraphFamily(cell.op_type) && are_some) {
      in_forms_.emplace(cell, faults, std::move(of_forms_), follows);
    }
  }

  const Cell& cell_;
  std::vector<AnsweredCase> cases_;
  std::set<OperandForm> forms_;
  std::vector<EvidenceCase> of_forms_;
  Search whole_;
  std::optional<Search> in_forms_;
};

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
    found = (*made)->search->Explain(1, further);
    if (!found) return found.error();
    if (*found) {
      (*made)->AddTo(**found);
      return **std::move(found);
    }
    if (is_first_clear) clear = *made;
  }
  // A fault that reaches nearly every element hides what the rest follows.
  auto hidden = ReadingsWithModels(cell, cases, explanations, *readings);
  if (!hidden) return hidden.error();
  for (const FollowedReading& reading : *hidden) {
    auto made = over(reading);
    if (!made) return made.error();
    found = (*made)->search->Explain(1, further);
    if (!found) return found.error();
    if (*found) {
      (*made)->AddTo(**found);
      return **std::move(found);
    }
  }
  auto to_combine =
      ToPairOver((*canonical)->Unexplained(), cell, cases, *std::move(readings));
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
