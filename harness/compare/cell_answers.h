// The oracle's answers to the contents of one cell: each model is bound once, the
// admissible sets of readings are listed once, and a content is evaluated once for each
// set. Everything that asks what explains a backend's answers asks these.
//
// One thread at a time may use the contents of a CellAnswers; cells that are judged in
// parallel have one each.
#ifndef QCONFORM_HARNESS_COMPARE_CELL_ANSWERS_H_
#define QCONFORM_HARNESS_COMPARE_CELL_ANSWERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cases/model/model.h"
#include "harness/compare/admissible_ranges.h"
#include "harness/compare/element_bits.h"
#include "harness/core/case_answer.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"

namespace qconform {

using TierFlags = std::array<bool, kTierCount>;

// The answer to a content by a set of readings. Only what differs from the canonical
// answer is kept, and the bounds of a set that has some.
class ReadingAnswer {
 public:
  // `answer` is the content's answer by `set`.
  ReadingAnswer(const ReadingSet& set, std::shared_ptr<const CaseAnswer> canonical,
                CaseAnswer answer);

  // Returns the element with the tier and features of the canonical answer.
  ElementAnswer At(size_t index) const;

  bool Allows(size_t index, uint32_t code) const;

  // Adds the codes that Allows is true for. Precondition: the element's freedom is not
  // kAnyCode.
  void AddCodes(size_t index, AdmissibleRanges& ranges) const;

  // Returns the elements that it allows to have these codes; `canonical` are those that
  // the canonical answer allows to have them.
  ElementBits Allowed(std::span<const uint32_t> codes,
                      const ElementBits& canonical) const;

  // Returns the elements that it allows other codes than the canonical answer has.
  ElementBits HavingOtherCodes() const;

  // Returns the whole answer without its bounds, as At gives its elements.
  CaseAnswer Whole() const;

  size_t bytes() const;

 private:
  struct Difference {
    size_t index = 0;
    ElementAnswer element;
  };

  // The codes of an element of Freedom::kOneOf; none of others.
  std::span<const uint32_t> OneOf(size_t index, const ElementAnswer& element) const;
  bool AllowsElement(size_t index, const ElementAnswer& element, uint32_t code) const;

  ReadingSet::Kind kind_;
  std::shared_ptr<const CaseAnswer> canonical_;
  std::vector<Difference> differences_;            // by index
  std::vector<std::optional<CodeBounds>> bounds_;  // CaseAnswer::bounds
  std::map<size_t, std::vector<uint32_t>> one_of_;  // CaseAnswer::one_of
};

// What the contents of a cell share.
class SharedReadings;

// One content: a model with its inputs, and all answers to it.
class ContentAnswers {
 public:
  // CellAnswers::Add and ContentOf of a content that shares nothing with others.
  static Result<std::shared_ptr<ContentAnswers>> Create(const Model& model,
                                                        std::vector<TensorView> inputs);
  static std::shared_ptr<ContentAnswers> Create(
      const Model& model, std::vector<TensorView> inputs,
      std::shared_ptr<const CaseAnswer> canonical);

  ContentAnswers(std::shared_ptr<SharedReadings> shared, const Model& model,
                 std::vector<TensorView> inputs,
                 std::shared_ptr<const CaseAnswer> canonical);
  ContentAnswers(const ContentAnswers&) = delete;
  ContentAnswers& operator=(const ContentAnswers&) = delete;
  ~ContentAnswers();

  const Model& model() const { return *model_; }
  const std::vector<TensorView>& inputs() const { return inputs_; }
  const std::shared_ptr<const CaseAnswer>& canonical() const { return canonical_; }

  // Elements by tier.
  const ElementBits& OfTier(size_t tier);
  ElementBits OfTiers(const TierFlags& tiers);
  const TierFlags& tiers();  // that have elements

  Result<const OracleModel*> Oracle();
  // Contents of a cell with equal keys have the same reading sets.
  Result<int64_t> ReadingsKey();
  // Returns every admissible set of readings, the canonical one first.
  Result<std::span<const ReadingSet>> Readings();
  Result<std::shared_ptr<const ReadingAnswer>> AnswerBy(const ReadingSet& set);

  // Returns the elements that the canonical answer allows to have these codes.
  ElementBits AllowedByCanonical(std::span<const uint32_t> codes) const;

 private:
  friend class CellAnswers;
  friend class SharedReadings;

  std::shared_ptr<SharedReadings> shared_;
  const Model* model_;
  std::vector<TensorView> inputs_;
  std::shared_ptr<const CaseAnswer> canonical_;
  std::optional<OracleModel> oracle_;
  std::optional<std::array<ElementBits, kTierCount>> of_tier_;
  TierFlags tiers_{};
  std::map<uint64_t, std::shared_ptr<const ReadingAnswer>> by_set_;  // by its code
};

class CellAnswers {
 public:
  CellAnswers();

  // Binds a model and evaluates its canonical answer. The model and what `inputs` point
  // to must outlive the content.
  Result<std::shared_ptr<ContentAnswers>> Add(const Model& model,
                                              std::vector<TensorView> inputs);
  // The same of a model that is bound already.
  Result<std::shared_ptr<ContentAnswers>> Add(OracleModel oracle,
                                              std::vector<TensorView> inputs);

  // Returns the content with this canonical answer; contents of equal cases share theirs.
  // The model and what `inputs` point to must outlive it.
  std::shared_ptr<ContentAnswers> ContentOf(const Model& model,
                                            std::vector<TensorView> inputs,
                                            std::shared_ptr<const CaseAnswer> canonical);

 private:
  std::shared_ptr<SharedReadings> shared_;
  std::map<const CaseAnswer*, std::shared_ptr<ContentAnswers>> contents_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_CELL_ANSWERS_H_
