#include "harness/compare/cell_answers.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/compare/explain_limit.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// What is kept of the answers to all contents of a cell. Those that were made first go
// first; who holds one keeps it.
constexpr size_t kMostBytes = size_t{64} << 20;

bool Differ(const ElementAnswer& a, const ElementAnswer& b) {
  // Two sets of codes may differ where nothing else does.
  return a.code != b.code || a.freedom != b.freedom ||
         a.zero_sign_is_free != b.zero_sign_is_free || a.freedom == Freedom::kOneOf;
}

}  // namespace

class SharedReadings {
 public:
  Result<std::span<const ReadingSet>> Of(const OracleModel& oracle,
                                         const std::vector<TensorView>& inputs) {
    const auto known = by_key_.find(oracle.ReadingsKey());
    if (known != by_key_.end()) return std::span<const ReadingSet>(known->second);
    auto sets = oracle.Readings(inputs);
    if (!sets) return sets.error();
    return std::span<const ReadingSet>(
        by_key_.emplace(oracle.ReadingsKey(), *std::move(sets)).first->second);
  }

  // Takes note of an answer of a content, and drops the oldest if there are too many.
  void Keep(ContentAnswers& content, uint64_t code, size_t bytes) {
    kept_.push_back({&content, code, bytes});
    bytes_ += bytes;
    while (bytes_ > kMostBytes && kept_.size() > 1) {
      bytes_ -= kept_.front().bytes;
      kept_.front().content->by_set_.erase(kept_.front().code);
      kept_.pop_front();
    }
  }

  // A content that is gone has no answers to be dropped.
  void Forget(const ContentAnswers& content) {
    std::erase_if(kept_, [&](const Kept& one) {
      if (one.content != &content) return false;
      bytes_ -= one.bytes;
      return true;
    });
  }

 private:
  struct Kept {
    ContentAnswers* content = nullptr;
    uint64_t code = 0;
    size_t bytes = 0;
  };

  std::map<int64_t, std::vector<ReadingSet>> by_key_;
  std::deque<Kept> kept_;
  size_t bytes_ = 0;
};

ReadingAnswer::ReadingAnswer(const ReadingSet& set,
                             std::shared_ptr<const CaseAnswer> canonical,
                             CaseAnswer answer)
    : kind_(set.kind),
      canonical_(std::move(canonical)),
      bounds_(std::move(answer.bounds)),
      one_of_(std::move(answer.one_of)) {
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    ElementAnswer& element = answer.elements[i];
    const ElementAnswer& right = canonical_->elements[i];
    if (!Differ(element, right)) continue;
    element.tier = right.tier;
    element.features = right.features;
    differences_.push_back({i, element});
  }
  differences_.shrink_to_fit();
}

ElementAnswer ReadingAnswer::At(size_t index) const {
  const auto found =
      std::ranges::lower_bound(differences_, index, {}, &Difference::index);
  return found != differences_.end() && found->index == index
             ? found->element
             : canonical_->elements[index];
}

std::span<const uint32_t> ReadingAnswer::OneOf(size_t index,
                                               const ElementAnswer& element) const {
  if (element.freedom != Freedom::kOneOf) return {};
  const auto own = one_of_.find(index);
  return own != one_of_.end() ? own->second : canonical_->one_of.at(index);
}

bool ReadingAnswer::Allows(size_t index, uint32_t code) const {
  return AllowsElement(index, At(index), code);
}

bool ReadingAnswer::AllowsElement(size_t index, const ElementAnswer& element,
                                  uint32_t code) const {
  const DataType type = canonical_->TypeOf(index);
  if (IsOneOf(type, OneOf(index, element), code)) return true;
  if (kind_ == ReadingSet::Kind::kFunction || !bounds_[index]) {
    return qconform::Allows(type, element, code);
  }
  const CodeBounds& bounds = *bounds_[index];
  if (kind_ == ReadingSet::Kind::kArising) {
    // It is known which codes may arise: the canonical one need not be among them.
    return element.freedom == Freedom::kAnyCode || bounds.arising.Hold(type, code);
  }
  if (qconform::Allows(type, element, code)) return true;
  const bool wider = kind_ == ReadingSet::Kind::kWider;
  return bounds.arising.Hold(type, code) ||
         IsWithin(type, code, wider ? bounds.wider_low : bounds.low,
                  wider ? bounds.wider_high : bounds.high);
}

void ReadingAnswer::AddCodes(size_t index, AdmissibleRanges& ranges) const {
  const DataType type = canonical_->TypeOf(index);
  const ElementAnswer element = At(index);
  for (const uint32_t code : OneOf(index, element)) {
    ElementAnswer one = element;
    one.code = code;
    AddElement(type, one, ranges);
    if (IsNan(FormatOf(type), code)) AddNans(type, ranges);
  }
  if (kind_ == ReadingSet::Kind::kFunction || !bounds_[index]) {
    AddElement(type, element, ranges);
    return;
  }
  const CodeBounds& bounds = *bounds_[index];
  AddArising(type, bounds.arising, ranges);
  if (kind_ == ReadingSet::Kind::kArising) return;
  AddElement(type, element, ranges);
  const bool wider = kind_ == ReadingSet::Kind::kWider;
  AddBetween(type, wider ? bounds.wider_low : bounds.low,
             wider ? bounds.wider_high : bounds.high, ranges);
}

ElementBits ReadingAnswer::Allowed(std::span<const uint32_t> codes,
                                   const ElementBits& canonical) const {
  ElementBits allowed = canonical;
  if (kind_ == ReadingSet::Kind::kFunction) {
    for (const Difference& one : differences_) {
      allowed.Set(one.index, AllowsElement(one.index, one.element, codes[one.index]));
    }
    return allowed;
  }
  auto next = differences_.begin();
  for (size_t i = 0; i < codes.size(); ++i) {
    const bool differs = next != differences_.end() && next->index == i;
    const ElementAnswer& element = differs ? (next++)->element : canonical_->elements[i];
    allowed.Set(i, AllowsElement(i, element, codes[i]));
  }
  return allowed;
}

ElementBits ReadingAnswer::HavingOtherCodes() const {
  ElementBits others(canonical_->elements.size());
  for (const Difference& one : differences_) {
    if (one.element.code != canonical_->elements[one.index].code ||
        one.element.freedom == Freedom::kOneOf) {
      others.Set(one.index, true);
    }
  }
  for (size_t i = 0; i < bounds_.size(); ++i) {
    if (!bounds_[i]) continue;
    const CodeBounds& bounds = *bounds_[i];
    const ArisingCodes& arising = bounds.arising;
    const bool leaves_canonical =
        kind_ == ReadingSet::Kind::kArising &&
        !arising.Hold(canonical_->TypeOf(i), canonical_->elements[i].code);
    const bool wider = kind_ == ReadingSet::Kind::kWider;
    if (leaves_canonical || arising.nan || arising.plus_infinity ||
        arising.minus_infinity || (arising.finite && arising.low != arising.high) ||
        (wider ? bounds.wider_low != bounds.wider_high : bounds.low != bounds.high)) {
      others.Set(i, true);
    }
  }
  return others;
}

CaseAnswer ReadingAnswer::Whole() const {
  CaseAnswer whole = *canonical_;
  for (const Difference& one : differences_) whole.elements[one.index] = one.element;
  for (const auto& [index, codes] : one_of_) whole.one_of[index] = codes;
  return whole;
}

size_t ReadingAnswer::bytes() const {
  return differences_.size() * sizeof(Difference) + bounds_.size() * sizeof(bounds_[0]);
}

ContentAnswers::ContentAnswers(std::shared_ptr<SharedReadings> shared, const Model& model,
                               std::vector<TensorView> inputs,
                               std::shared_ptr<const CaseAnswer> canonical)
    : shared_(std::move(shared)),
      model_(&model),
      inputs_(std::move(inputs)),
      canonical_(std::move(canonical)) {}

Result<std::shared_ptr<ContentAnswers>> ContentAnswers::Create(
    const Model& model, std::vector<TensorView> inputs) {
  return CellAnswers().Add(model, std::move(inputs));
}

std::shared_ptr<ContentAnswers> ContentAnswers::Create(
    const Model& model, std::vector<TensorView> inputs,
    std::shared_ptr<const CaseAnswer> canonical) {
  return CellAnswers().ContentOf(model, std::move(inputs), std::move(canonical));
}

ContentAnswers::~ContentAnswers() { shared_->Forget(*this); }

const ElementBits& ContentAnswers::OfTier(size_t tier) {
  if (!of_tier_) {
    const size_t size = canonical_->elements.size();
    of_tier_.emplace();
    of_tier_->fill(ElementBits(size));
    for (size_t i = 0; i < size; ++i) {
      const auto own = static_cast<size_t>(canonical_->elements[i].tier);
      (*of_tier_)[own].Set(i, true);
      tiers_[own] = true;
    }
  }
  return (*of_tier_)[tier];
}

const TierFlags& ContentAnswers::tiers() {
  OfTier(0);
  return tiers_;
}

ElementBits ContentAnswers::OfTiers(const TierFlags& tiers) {
  ElementBits elements(canonical_->elements.size());
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (tiers[tier]) elements |= OfTier(tier);
  }
  return elements;
}

Result<const OracleModel*> ContentAnswers::Oracle() {
  if (!oracle_) {
    auto made = OracleModel::Create(*model_);
    if (!made) return made.error();
    oracle_.emplace(*std::move(made));
  }
  return &*oracle_;
}

Result<int64_t> ContentAnswers::ReadingsKey() {
  const auto oracle = Oracle();
  if (!oracle) return oracle.error();
  return (*oracle)->ReadingsKey();
}

Result<std::span<const ReadingSet>> ContentAnswers::Readings() {
  const auto oracle = Oracle();
  if (!oracle) return oracle.error();
  return shared_->Of(**oracle, inputs_);
}

Result<std::shared_ptr<const ReadingAnswer>> ContentAnswers::AnswerBy(
    const ReadingSet& set) {
  const Status within = ExplainLimit::StatusOfLimit();
  if (!within) return within.error();
  const auto known = by_set_.find(set.code);
  if (known != by_set_.end()) return known->second;
  std::shared_ptr<const ReadingAnswer> made;
  if (set.is_canonical() && !set.is_bounded()) {
    made = std::make_shared<const ReadingAnswer>(set, canonical_, CaseAnswer());
  } else {
    const auto oracle = Oracle();
    if (!oracle) return oracle.error();
    auto answer = (*oracle)->Evaluate(inputs_, set);
    if (!answer) return answer.error();
    made = std::make_shared<const ReadingAnswer>(set, canonical_, *std::move(answer));
  }
  by_set_.emplace(set.code, made);
  shared_->Keep(*this, set.code, made->bytes());
  return made;
}

ElementBits ContentAnswers::AllowedByCanonical(std::span<const uint32_t> codes) const {
  ElementBits allowed(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    if (Allows(*canonical_, i, codes)) allowed.Set(i, true);
  }
  return allowed;
}

CellAnswers::CellAnswers() : shared_(std::make_shared<SharedReadings>()) {}

Result<std::shared_ptr<ContentAnswers>> CellAnswers::Add(const Model& model,
                                                         std::vector<TensorView> inputs) {
  auto oracle = OracleModel::Create(model);
  if (!oracle) return oracle.error();
  return Add(*std::move(oracle), std::move(inputs));
}

Result<std::shared_ptr<ContentAnswers>> CellAnswers::Add(OracleModel oracle,
                                                         std::vector<TensorView> inputs) {
  auto answer = oracle.Evaluate(inputs);
  if (!answer) return answer.error();
  auto content = std::make_shared<ContentAnswers>(
      shared_, oracle.model(), std::move(inputs),
      std::make_shared<const CaseAnswer>(*std::move(answer)));
  content->oracle_.emplace(std::move(oracle));
  return content;
}

std::shared_ptr<ContentAnswers> CellAnswers::ContentOf(
    const Model& model, std::vector<TensorView> inputs,
    std::shared_ptr<const CaseAnswer> canonical) {
  std::shared_ptr<ContentAnswers>& content = contents_[canonical.get()];
  if (content == nullptr) {
    content = std::make_shared<ContentAnswers>(shared_, model, std::move(inputs),
                                               std::move(canonical));
  }
  return content;
}

}  // namespace qconform
