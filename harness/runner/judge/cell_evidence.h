// The elements of a cell that a report shows: counterexamples, the simplest first and
// with its computation, and an example of a reading.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_CELL_EVIDENCE_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_CELL_EVIDENCE_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/case.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/case_answer.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/diagnosis/worked.h"
#include "oracle/base/first_error.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/record.h"

namespace qconform {

// The facts that a replay line needs.
struct ReplayContext {
  std::string backend;                       // as --backend names it
  std::vector<std::string> backend_options;  // KEY=VALUE
  uint64_t seed = 1;
  std::string more_flags = {};  // " --timeout-per-case 1", as typed; or empty
  // Of a part of a model, whose cases have no id that replay takes: the whole line that
  // asks the part again.
  std::string part_line = {};
};

// At most this many mismatches of a tier in a case are compared; the simplest is shown.
inline constexpr size_t kWeighedPerCase = 12;

// Returns "--backend simd --backend-option threads=2 --seed 1".
std::string FlagsOf(const ReplayContext& context);

// Returns the command line that reruns a case.
std::string ReplayLine(const std::string& case_id, const ReplayContext& context);

// Returns the command line that reruns a cell with its cases one after another.
std::string RerunLine(const Cell& cell, Level level, const ReplayContext& context);

// A case that was answered in the right form.
struct AskedCase {
  std::shared_ptr<const OpCase> op_case;
  std::shared_ptr<ContentAnswers> content;
  std::shared_ptr<const CaseAnswer> expected;
  std::vector<uint32_t> codes;  // the backend's, of all elements
  Comparison comparison;        // with the canonical answer
  // The answer by the readings that the backend follows in tiers that no combination of
  // readings explains, and the differences from it. The same as above if the canonical
  // readings come nearest.
  std::shared_ptr<const CaseAnswer> followed;
  Comparison left;
};

AnsweredCase AsAnswered(const AskedCase& asked);

class CellEvidence {
 public:
  // Keeps errors of the harness in `errors`; then the returned values mean nothing.
  CellEvidence(const Cell& cell, const ReplayContext& context,
               const std::vector<AskedCase>& asked, FirstError& errors)
      : cell_(&cell), context_(&context), asked_(&asked), errors_(&errors) {}

  // Bounds what the search for elements costs, in seconds as of ExplainLimit, and takes
  // all elements from one case if it has enough: weighing a large case evaluates it by
  // every reading.
  void SetLimit(double seconds) { seconds_ = seconds; }

  // Returns at most `room` elements of a tier that no combination of readings explains:
  // the simplest that no reading allows, or the first one after the limit. If every
  // element is allowed by some reading, returns one element for each side of a conflict,
  // with the readings that they follow.
  std::vector<Counterexample> OfTier(Tier tier, size_t room);

  // Returns the simplest element that shows what explains a tier.
  std::optional<Counterexample> OfReading(Tier tier, const Explanation& explanation);

  // Describes an element that the nearest model does not reproduce.
  NotReproduced NotReproducedAt(const MissedElement& missed) const;

  // Adds the computation to the first example that OfTier returned, by the model that
  // explains them all. Sets the clause of all examples to the one that the model breaks.
  void Work(std::vector<Counterexample>& examples, const WorkedModel& model) const;

 private:
  struct Place {
    const AskedCase* asked = nullptr;
    Mismatch mismatch;
    int64_t complexity = 0;
  };

  // Of the differences from the canonical answer, or of those that are left of it.
  std::vector<Place> SimplestFirst(Tier tier, Comparison AskedCase::*of) const;
  // The first elements that no reading allows, of all elements, remembered or not.
  std::vector<Place> AllUnallowed(Tier tier, size_t most) const;
  // The first element of the tier that differs, even if a reading allows it; may be
  // empty.
  std::vector<Counterexample> FirstMismatch(Tier tier) const;
  static Place PlaceAt(const AskedCase& asked, size_t index);
  // The number of products that an element is a sum of, or 0. The operands that are shown
  // do not contain all of them.
  int64_t TermsOf(const AskedCase& asked) const;
  // The operands of an element; none after an Error.
  std::vector<ElementOperand> OperandsOf(const AskedCase& asked, int64_t index) const;
  // Indices of the elements of the tier that the followed answer does not allow.
  static std::vector<size_t> MismatchesOf(const AskedCase& asked, Tier tier);
  Counterexample Describe(const Place& place) const;
  std::vector<Counterexample> Conflict(Tier tier) const;
  // Whether each of these elements of a case is allowed by some reading; nothing after
  // the limit.
  std::optional<std::vector<bool>> Weigh(const AskedCase& asked,
                                         std::span<const size_t> indices) const;
  // OfTier without its limit; no examples if that passed.
  std::vector<Counterexample> Search(Tier tier, size_t room);
  // The clause that the model breaks in that case, or "" if it is not known.
  std::string_view ClauseBrokenBy(const WorkedModel& model,
                                  const std::string& case_id) const;
  void AddSteps(const Place& place, const WorkedModel& model,
                Counterexample& example) const;

  const Cell* cell_;
  const ReplayContext* context_;
  const std::vector<AskedCase>* asked_;
  std::optional<double> seconds_;  // SetLimit
  std::optional<Place> first_;     // of OfTier
  FirstError* errors_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CELL_EVIDENCE_H_
