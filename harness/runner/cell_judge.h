// From the answers of a backend in one cell to the cell's record: verdicts per
// tier and operand form, counts, and the first counterexamples.
#ifndef QCONFORM_HARNESS_RUNNER_CELL_JUDGE_H_
#define QCONFORM_HARNESS_RUNNER_CELL_JUDGE_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "harness/backends/backend.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/runner/cell_coverage.h"
#include "harness/runner/cell_evidence.h"
#include "harness/runner/dynamic_shapes.h"
#include "harness/runner/observations.h"
#include "harness/runner/prepared_state.h"
#include "oracle/scalar/answer.h"
#include "reports/record.h"

namespace qconform {

class CellJudge {
 public:
  CellJudge(Cell cell, ReplayContext context);

  // Takes the answer of one case. `expected` is shared among equal contents.
  void Add(std::shared_ptr<const OpCase> op_case, std::shared_ptr<const Answer> expected,
           RunResult result);

  // Says that the last `cases` of the cell were not asked: too many before crashed or
  // hung.
  void AddUnasked(int64_t cases) { unasked_ = cases; }

  // Returns the cases that are worth asking again: one with free elements where there
  // is one, and where that leaves next to nothing to be judged, the one with most
  // elements that are not free; that one too where it has as many as threads share.
  // Empty where nothing was answered.
  std::vector<std::shared_ptr<const OpCase>> ToRepeat() const;
  // Takes a second answer to one of them with one circumstance changed, "alignment" or
  // "threads": equal inputs must give equal bits, but where a clause leaves them free.
  void AddRepeat(const OpCase& repeated, RunResult result, const std::string& changed);
  // Takes the answer to one of them with its elements in other places: element i is the
  // case's element source[i]. Where an element of QuantizeLinear lies changes no bits,
  // but where a clause leaves them free.
  void AddMoved(const OpCase& repeated, const MovedCase& moved, RunResult result);
  // Returns the cases that one prepared model is run on more than once: of each operand
  // form one with most inputs, of these that whose answer has most codes.
  // They live until the next Add.
  std::vector<const AskedCase*> ToRunOnce() const;
  void AddFurtherFailure(const AskedCase& asked, FurtherFailure failure);
  // Takes how one of them went with named dimensions, but for a failure.
  void AddDynamicShapes(const DynamicShapes& dynamic);
  // Counts time that a caller spent for readings, diagnosis and observations.
  void AddExplainTime(double ms) { explain_ms_ += ms; }

  // Leaves CellRecord::not_told_apart empty, which costs evaluations.
  void LeaveNotToldApart() { tells_apart_ = false; }

  // Returns the record. `further` may be null: cases that a diagnosis is tried on.
  CellRecord Finish(FurtherCases* further = nullptr);

 private:
  // What the cases of one operand form came to.
  struct Form {
    int64_t cases = 0;
    int64_t declined = 0;
    int64_t refused = 0;                           // declined too, by QL-24
    Verdict worst_failure = Verdict::kConformant;  // of cases without an answer
    std::array<TierCount, kTierCount> tiers{};
    std::array<int64_t, kTierCount> left{};  // AskedCase::left
  };

  void AddFailure(const OpCase& op_case, Verdict verdict, const std::string& message);
  void AddDeclined(const OpCase& op_case, const std::string& reason);
  // QL-24: whether the backend refuses all zero points of floats but zero, which is a
  // reading of the clause: it takes none of them, in no form.
  bool RefusesZeroPoints() const { return refused_ > 0 && zero_points_taken_ == 0; }
  const AskedCase* Find(const OpCase& op_case) const;
  Explanations Explain(const std::vector<AnsweredCase>& answered) const;
  // Whether readings explain all that differs.
  bool IsExplained(const Explanations& explanations) const;
  // Counts and verdicts: of tiers, operand forms, opset_versions, and the cell.
  void JudgeTiers(const Explanations& explanations);
  // What is shown of tiers that differ: counterexamples, or the reading.
  void ShowTiers(const Explanations& explanations, CellEvidence& evidence);
  void AddReading(const std::string& reading);
  // What explains the parts of a tier each, and what a bound may hide.
  void AddMixed(Explanations& explanations);
  // What is left of the answers beside the readings that the diagnosis says they follow.
  void Follow(const Diagnosis& diagnosis, Explanations& explanations);
  // Names the readings that would have given the same bits.
  void AddNotToldApart(const Explanations& explanations);
  // Names the wrong model that explains a deviation, or says what there is to say.
  void AddDiagnosis(const Diagnosis& diagnosis);
  // Adds what the counterexamples tell: readings that are mixed, and one worked through.
  void Work(const Diagnosis& diagnosis, CellEvidence& evidence);
  std::vector<FormRecord> JudgeForms(const Explanations& explanations) const;
  std::vector<OpsetRecord> JudgeOpsets(const Explanations& explanations) const;
  Cell cell_;
  ReplayContext context_;
  std::vector<AskedCase> asked_;
  std::map<OperandForm, Form> forms_;
  std::map<int, Verdict> opset_failures_;
  std::map<int, int64_t> opset_declined_;
  std::map<int, int64_t> opset_refused_;
  std::map<int, int64_t> opset_cases_;
  // Cases with a zero point of a float other than zero (QL-24), not taken and taken.
  int64_t refused_ = 0;
  int64_t zero_points_taken_ = 0;
  CellRecord record_;
  std::vector<Verdict> failures_;  // of the counterexamples that AddFailure made
  // Of models run again and elements moved: they count where nothing else is wrong.
  std::vector<std::pair<std::shared_ptr<const OpCase>, FurtherFailure>> further_failures_;
  int64_t unasked_ = 0;
  bool tells_apart_ = true;
  Observations observations_;
  CellCoverage coverage_;
  double explain_ms_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_CELL_JUDGE_H_
