#include "harness/diagnosis/search.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/fault.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "harness/diagnosis/over_readings.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// Further cases that every model has to foretell, the most that are asked to distinguish
// models, and the most that are made only to distinguish them.
constexpr size_t kFurtherCases = 6;
constexpr size_t kMostFurtherCases = 240;
constexpr size_t kMostVariedCases = 240;

// The fewest elements by which a model that need not explain each case, or each bit, has
// to be borne out.
constexpr int64_t kFewestElements = 4;
// Models that give less of what deviates, and of what they change, are no hint.
constexpr double kLeastNearness = 0.75;
constexpr std::string_view kByRoundingOnly =
    " Results differ from this by rounding only.";

}  // namespace

Search::Search(const Cell& cell, const OperatorFaults& faults,
               std::vector<EvidenceCase> cases, const FollowedReading* follows)
    : cell_(cell), faults_(faults), in_order_(std::move(cases)), follows_(follows) {
  for (const EvidenceCase& one : in_order_) {
    sorted_.push_back(&one);
    deviating_ += static_cast<int64_t>(one.deviating.size());
  }
  std::ranges::stable_sort(sorted_, {}, [](const auto* one) { return OrderOf(*one); });
}

Result<std::optional<Diagnosis>> Search::Explain(size_t count, FurtherCases* further) {
  // What further cases refuted is left out when the sets are looked for again.
  constexpr int kMostTimes = 3;
  for (int times = 0; times < kMostTimes; ++times) {
    std::vector<CandidateModel> models = SetsOf(count);  // none is proved to be another
    if (models.empty()) break;
    const std::vector<CandidateModel> fit = models;
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

std::optional<Diagnosis> Search::ExplainNearly() const {
  if (!refuted_.empty()) return std::nullopt;
  const std::vector<CandidateModel> near = NearOnes();
  if (near.empty()) return std::nullopt;
  Diagnosis diagnosis;
  Name(near, diagnosis);
  diagnosis.deviation.model += kByRoundingOnly;
  return diagnosis;
}

Result<Search::WhereItActs> Search::ExplainWhereItActs(FurtherCases* further) {
  WhereItActs found;
  Deviation& deviation = found.diagnosis.deviation;
  std::vector<ActingModel> all;
  for (const Fault& fault : Faults()) {
    auto model = fault.has_state ? std::nullopt : CandidateOf(fault);
    if (!model) continue;
    if (auto acting = Acting(*std::move(model))) all.push_back(*std::move(acting));
  }
  // The model that is idle in the fewest cases says most about when it acts.
  const auto order = [](const ActingModel& one) {
    return std::tuple(one.is_near, one.idle.size());
  };
  std::ranges::stable_sort(all, {}, order);
  const Status confirmed = ConfirmActing(further, all, deviation.elements_confirmed);
  if (!confirmed) return confirmed.error();
  if (all.empty()) return found;
  std::vector<CandidateModel> models;
  for (const ActingModel& one : all) {
    if (order(one) == order(all.front())) Add(one.model, models);
  }
  Name(models, found.diagnosis);
  if (all.front().is_near) deviation.model += kByRoundingOnly;
  found.acting = all.front().acting;
  found.idle = all.front().idle;
  return found;
}

Deviation Search::Nearest() const {
  Deviation deviation;
  deviation.elements_deviating = deviating_;
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
  return deviation;
}

Diagnosis Search::Unexplained() const {
  Diagnosis diagnosis;
  diagnosis.deviation = Nearest();
  Deviation named;
  const auto nearest = refuted_.empty() ? NameNearest(named) : std::nullopt;
  if (nearest) diagnosis.missed = MissedElementOf(*nearest);
  diagnosis.deviation.pattern = PatternOf(faults_, in_order_);
  return diagnosis;
}

// The cases that refute most models come first: those with most deviating elements.
// Large cases, each of which takes as long as many others, come after the others.
std::tuple<bool, bool, int64_t> Search::OrderOf(const EvidenceCase& one) {
  constexpr size_t kManyElements = 16 * 1024;
  return {one.deviating.empty(), one.observed.size() > kManyElements,
          -static_cast<int64_t>(one.deviating.size())};
}

// Asks further cases: a few, to see that a model foretells the answers; then those that
// distinguish models that are not proved to be equal, of the cell's generators and with
// operands that are varied. Leaves the models that foretell everything. One with a
// state depends on the calls before: it is not asked, and stays.
Status Search::Confirm(FurtherCases* further, std::vector<CandidateModel>& models,
                       int64_t& confirmed) {
  if (further == nullptr || std::ranges::all_of(models, &CandidateModel::HasState)) {
    return Ok();
  }
  for (size_t index = 0; index < kMostFurtherCases && !models.empty(); ++index) {
    if (index >= kFurtherCases && models.size() == 1) return Ok();
    if (ExplainLimit::HasPassed()) return Ok();
    const auto made = NextQuestion(further->Question(index));
    if (!made) return made.error();
    if (!made->has_value()) break;
    const Status asked = Test(**made, index < kFurtherCases, *further, models, confirmed);
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
Status Search::Test(const EvidenceCase& question, bool always, FurtherCases& further,
                    std::vector<CandidateModel>& models, int64_t& confirmed) {
  if (question.decoded == nullptr) return Ok();
  std::vector<Codes> codes;
  bool differ = false;
  for (const CandidateModel& model : models) {
    codes.push_back(CodesOf(*question.decoded, model));
    differ = differ || !AreSame(*question.answer, codes.back(), codes.front());
  }
  if (!always && !differ) return Ok();
  const auto asked = further.Ask();
  if (!asked) return asked.error();
  const Codes* observed = *asked;
  if (observed == nullptr) return Ok();
  std::vector<CandidateModel> left;
  for (size_t m = 0; m < models.size(); ++m) {
    if (models[m].HasState() || Matches(question, models[m].set, codes[m], *observed)) {
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

// Asks a few further cases, and leaves the models that explain each answer that is not
// right.
Status Search::ConfirmActing(FurtherCases* further, std::vector<ActingModel>& acting,
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
      const FaultSet& set = model.model.set;
      if (!model.is_near) return !Matches(one, set, codes, *observed);
      return !IsRight(one, *observed) && !IsNear(one, set, codes, *observed);
    });
  }
  return Ok();
}

// Returns the further case that was made by the reading that is followed; without
// `decoded` where that has none for it; nothing after the last.
Result<std::optional<EvidenceCase>> Search::NextQuestion(
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

// Returns where a model acts; nothing if it does not explain a case that deviates, or
// too few elements.
std::optional<Search::ActingModel> Search::Acting(CandidateModel model) const {
  ActingModel found{.model = std::move(model)};
  int64_t elements = 0;
  int64_t exact = 0;  // of them, those that it reproduces
  int64_t far = 0;
  for (const EvidenceCase* one : sorted_) {
    if (ExplainLimit::HasPassed()) return std::nullopt;
    const auto index = static_cast<size_t>(one - in_order_.data());
    const Codes codes = CodesOf(*one->decoded, found.model);
    const bool has_all_bits = Matches(*one, found.model.set, codes, one->observed);
    if (one->deviating.empty() || (!has_all_bits && IsRight(*one, one->observed))) {
      found.is_near = found.is_near || !one->deviating.empty();
      if (!IsRight(*one, codes)) found.idle.push_back(index);
      continue;
    }
    if (!has_all_bits) {
      if (!one->decoded->computes_in_floats() ||
          !IsNear(*one, found.model.set, codes, one->observed)) {
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

// Returns models that every answer is near, of a backend that rounds otherwise between
// the quantizing steps. They must explain what is not near the right answer.
std::vector<CandidateModel> Search::NearOnes() const {
  constexpr size_t kTried = 8;
  std::vector<CandidateModel> near;
  if (in_order_.empty() || !in_order_.front().decoded->computes_in_floats()) return near;
  for (size_t m = 0; m < std::min(kTried, partial_.size()); ++m) {
    int64_t far = 0;
    const bool fits = std::ranges::all_of(sorted_, [&](const EvidenceCase* one) {
      if (ExplainLimit::HasPassed()) return false;
      if (!IsNear(*one, partial_[m].set, CodesOf(*one->decoded, partial_[m]),
                  one->observed)) {
        return false;
      }
      far += FarFromRight(*one);
      return true;
    });
    if (fits && far >= kFewestElements) near.push_back(partial_[m]);
  }
  return near;
}

// Of several models none is preferred: the name is "a or b".
void Search::Name(const std::vector<CandidateModel>& models, Diagnosis& diagnosis) const {
  Deviation& deviation = diagnosis.deviation;
  std::vector<const CandidateModel*> different;
  for (const CandidateModel& model : models) {
    different.push_back(&model);
    std::ranges::copy(model.same, std::back_inserter(deviation.indistinguishable_from));
  }
  std::ranges::sort(different, {}, &CandidateModel::Name);
  std::vector<std::string> names;
  std::vector<std::string> sentences;
  for (const CandidateModel* model : different) {
    names.push_back(model->Name());
    sentences.push_back(SentenceOf(*model));
  }
  diagnosis.explained_by = Joined(names, kOtherModel);
  deviation.model = Joined(sentences, " Or: ");
  if (different.size() == 1) {
    diagnosis.model = different.front()->set;
    diagnosis.broken = BrokenBy(*different.front());
  } else {
    deviation.also_explained_by = std::move(names);
  }
  deviation.elements_deviating = deviating_;
  deviation.elements_explained = deviating_;
}

FaultSet Search::BrokenBy(const CandidateModel& model) const {
  std::optional<FaultSet> broken;
  for (const Fault* fault : model.Broken(cell_)) {
    const FaultSet& set = *fault->SetFor(cell_.op_type);
    if (!broken) {
      broken = set;
      continue;
    }
    broken = faults_.Merge(*broken, set);
    if (!broken) return model.set;
  }
  return *broken;
}

// A few cases choose the models that are counted over all. A model that leaves more
// than a quarter of the elements is no hint, nor is one that changes many others.
std::optional<CandidateModel> Search::NameNearest(Deviation& deviation) const {
  constexpr size_t kCounted = 3;
  std::vector<CandidateModel> nearest = partial_;
  std::ranges::stable_sort(nearest, std::greater(), &CandidateModel::nearness);
  std::optional<CandidateModel> named;
  double best = kLeastNearness;
  for (size_t i = 0; i < std::min(kCounted, nearest.size()); ++i) {
    const Reproduced all = ReproducedBy(nearest[i], sorted_.size());
    const double nearness = all.Nearness();
    if (nearness < best || (nearness == best && !deviation.nearest.empty())) continue;
    best = nearness;
    named = nearest[i];
    deviation.nearest = nearest[i].Name();
    deviation.model = SentenceOf(nearest[i]);
    deviation.elements_explained = all.deviating - all.left;
  }
  return named;
}

std::optional<MissedElement> Search::MissedElementOf(const CandidateModel& model) const {
  std::vector<const EvidenceCase*> by_size = sorted_;
  std::ranges::stable_sort(by_size, {},
                           [](const auto* one) { return one->observed.size(); });
  for (const bool deviating : {true, false}) {
    for (const EvidenceCase* one : by_size) {
      if (ExplainLimit::HasPassed()) return std::nullopt;
      if (deviating && one->deviating.empty()) continue;
      const Codes codes = CodesOf(*one->decoded, model);
      const auto is_missed = [&](size_t i) {
        return !Reproduces(*one->answer, *one->decoded, model.set, i, codes[i],
                           one->observed[i]);
      };
      const auto case_index = static_cast<size_t>(one - in_order_.data());
      for (const int64_t i : one->deviating) {
        const auto at = static_cast<size_t>(i);
        if (is_missed(at)) return MissedElement{case_index, at, codes[at]};
      }
      for (size_t i = 0; !deviating && i < codes.size(); ++i) {
        if (is_missed(i)) return MissedElement{case_index, i, codes[i]};
      }
    }
  }
  return std::nullopt;
}

// What the model does in the first case where that says more than its name.
std::string Search::SentenceOf(const CandidateModel& model) const {
  for (const EvidenceCase& one : in_order_) {
    std::string text = one.decoded->SentenceOf(model.set);
    if (!text.empty()) return text;
  }
  return model.Sentence(cell_);
}

}  // namespace qconform
