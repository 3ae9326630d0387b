// Makes the record of a cell from the answers of a backend: verdicts per tier and operand
// form, counts, and the first counterexamples.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_CELL_JUDGE_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_CELL_JUDGE_H_

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/case_answer.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/runner/ask/case_failure.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/prepared_state.h"
#include "harness/runner/judge/cell_coverage.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/judge/explain_budget.h"
#include "harness/runner/judge/observations.h"
#include "oracle/base/first_error.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "reports/record/record.h"

namespace qconform {

// The oracle's answer and the backend's to a case that is not in the cell's list.
struct AnswerToKey {
  std::shared_ptr<const CaseAnswer> expected;
  RunResult result;
  // Whether a clause lets a backend refuse the case, if it was refused.
  bool refusal_is_open = false;
};
// Asks the backend; returns an Error if the case cannot be made or evaluated.
using AskKey = std::function<Result<AnswerToKey>(const CaseKey& key)>;

// Asks a case in a process that answered nothing before; nothing if there is no such
// process, or no time for one.
using AskAlone = std::function<Result<std::optional<RunResult>>(const OpCase& op_case)>;

// How a cell is asked once more, to find out why it deviates. All may be left out.
struct AskFurther {
  FurtherCases* cases = nullptr;  // on which a diagnosis is tested
  AskKey key{};  // for the verdicts of opset_versions that were not asked the whole list
  AskAlone alone{};
  std::string rerun{};  // the line that reruns the cell in one job
};

class CellJudge {
 public:
  // `judged_at`: the opset_version that is asked the whole list, or 0 for the newest.
  CellJudge(Cell cell, ReplayContext context, int judged_at = 0);

  // The reading by which a backend may refuse the case, if there is one.
  static Result<std::optional<Reading>> RefusalOf(const OpCase& op_case);

  // Takes the answer of one case. `expected` is shared among equal contents.
  void Add(std::shared_ptr<const OpCase> op_case,
           std::shared_ptr<const CaseAnswer> expected, RunResult result);
  // Whether cases were asked at the opset_version and all of them were declined.
  bool DeclinesAll(int opset_version) const;
  // Whether a case at the opset_version was answered.
  bool Answers(int opset_version) const;

  // Records that the last `cases` of the cell were not asked, because too many before
  // them crashed or hung.
  void AddUnasked(int64_t cases) { unasked_ = cases; }

  // Returns the cases that are worth asking again; empty if nothing was answered:
  //   one with free elements, if there is one;
  //   the one with most elements that are not free, if the first leaves almost nothing to
  //   judge, or if it is large enough for several threads.
  std::vector<std::shared_ptr<const OpCase>> ToRepeat() const;
  // Returns the first case with an element that deviates from the canonical answer; null
  // if there is none.
  std::shared_ptr<const OpCase> FirstDeviating() const;
  // Takes a second answer to one of them. `changed` is kChangedAlignment or
  // kChangedThreads. Equal inputs must give equal bits, except where a clause leaves them
  // free. `as_it_was` asks the case once more with nothing changed: if it gives other
  // bits than at first, the change is not what they depend on, and kChangedRepetition is
  // shown.
  void AddRepeat(const OpCase& repeated, RunResult result, const char* changed,
                 const std::function<Result<RunResult>()>& as_it_was);
  // Takes the answer to one of them with its elements in other places: element i is the
  // case's element sources[i]. The place of an element must not change its bits, except
  // where a clause leaves them free.
  void AddMoved(const OpCase& repeated, const FedModel& moved,
                const std::vector<int64_t>& sources, RunResult result);
  // Returns the cases on which one prepared model is run more than once: for each operand
  // form one with the most inputs, and among these the one whose answer has the most
  // different codes. They live until the next Add.
  std::vector<const AskedCase*> ToRunOnce() const;
  void AddFurtherFailure(const AskedCase& asked, CaseFailure failure);
  // Takes the result of one of them with named dimensions, if it is not a failure.
  void AddDynamicShapes(const DynamicShapes& dynamic);
  // Counts time that a caller spent for readings, diagnosis and observations.
  void AddExplainTime(double ms) { explain_ms_ += ms; }

  // Explains a deviation only within this budget; null: whatever it costs.
  void SetExplainBudget(ExplainBudget* budget) { explain_budget_ = budget; }

  // Leaves CellRecord::not_told_apart empty, which costs evaluations.
  void LeaveNotToldApart() { tells_apart_ = false; }

  // Passes also if the cases could not have found every fault: what a part of a model
  // can be asked depends on its constants and shapes.
  void LeaveMistrust() { mistrusts_ = false; }

  // Bounds what the search for examples of a deviation costs, by what is left of the
  // budget and at least a few seconds; examples are of one case then
  // (CellEvidence::SetLimit).
  void BoundEvidence() { bounds_evidence_ = true; }

  // Does not record what the backend gives where a clause leaves it free, which costs an
  // evaluation of a graph for each such element. It is never judged.
  void LeaveObservations() { observes_ = false; }

  // Returns the record. An Error is the first one of the harness since the judge was
  // created.
  Result<CellRecord> Finish(const AskFurther& ask = {});

 private:
  // The results of the cases of one operand form.
  struct Form {
    int64_t cases = 0;
    int64_t declined = 0;
    int64_t refused = 0;                           // declined by one of refusals_
    Verdict worst_failure = Verdict::kConformant;  // of cases without an answer
    std::array<TierCount, kTierCount> tiers{};
    std::array<int64_t, kTierCount> left{};  // AskedCase::left
  };

  // The results of the cases of one opset_version.
  struct Opset {
    int64_t cases = 0;
    int64_t declined = 0;
    int64_t refused = 0;  // declined by one of refusals_
    // Of cases without an answer, and of those that AskOtherOpsets asked.
    Verdict worst = Verdict::kConformant;
    std::optional<CaseKey> worst_case;
    bool shows_at_once = true;  // the worst; false: only when the case is asked again
    std::optional<CaseKey> first_declined;
    std::optional<CaseKey> first_refused;
    // Whether its own verdict is known, which may differ from that of the whole list.
    bool is_known = true;
  };

  // Counts that a case has the verdict. `shows_at_once`: not only when asked again.
  void CountFailure(const CaseKey& key, Verdict verdict, bool shows_at_once);
  void AddFailure(const CaseKey& key, CaseFailure failure);
  // A case that was not taken: declined, or refused as invalid.
  struct NotTaken {
    std::shared_ptr<const OpCase> op_case;
    bool as_invalid = false;
    std::string words;  // of the backend
  };

  void AddNotTaken(NotTaken not_taken);
  // Counts a case as a legal model that the backend refused as invalid. `counted`: it is
  // one of the cell's list.
  void AddRefusedLegal(const CaseKey& key, const std::string& words, bool counted);
  // Separates the cases that were not taken: those that were refused by a reading, legal
  // ones that were refused as invalid although no clause leaves that open, and those that
  // were declined. A reading is followed if no case that may be refused by it was
  // answered.
  void FindRefusals();
  const AskedCase* Find(const OpCase& op_case) const;
  // Whether readings explain all differences.
  bool IsExplained(const Explanations& explanations) const;
  // Counts and verdicts: of tiers, operand forms, opset_versions, and the cell.
  void JudgeTiers(const Explanations& explanations);
  // Adds the evidence for tiers that differ: counterexamples, or the reading.
  void ShowTiers(const Explanations& explanations, CellEvidence& evidence);
  // Counts what a wider bound explains, if the tier needs one.
  void AddWiderBound(size_t tier, const Explanation& explanation);
  void AddReading(const std::string& reading);
  // Adds tiers whose parts are explained separately, and those in which a bound may hide
  // a mixture.
  void AddMixed(std::span<const AnsweredCase> answered, Explanations& explanations);
  // Computes the differences that are left when the readings of the diagnosis are
  // followed.
  void Follow(const Diagnosis& diagnosis, Explanations& explanations);
  // Names the readings that would have given the same bits.
  void AddNotToldApart(std::span<const AnsweredCase> answered,
                       const Explanations& explanations);
  // Shows cases that were refused if nothing is worse.
  void ShowRefusedLegal();
  // Diagnoses the deviations that no reading explains; nothing if the budget is used.
  Result<std::optional<Diagnosis>> DiagnoseWithinBudget(
      std::span<const AnsweredCase> answered, const Explanations& explanations,
      FurtherCases* further);
  // Diagnoses a cell that deviates only in answers to cases whose elements were moved: by
  // a model that gives these, and all others. Nothing if there is no such model.
  Result<std::optional<Diagnosis>> DiagnoseMoved(std::vector<AnsweredCase> answered,
                                                 FurtherCases* further);
  // Whether one of the first deviating cases has the same wrong codes alone in a fresh
  // process. True if that cannot be asked.
  Result<bool> IsReproducedAlone(const AskAlone& alone,
                                 const Explanations& explanations) const;
  // Names the wrong model that explains a deviation, or adds what is known without one.
  void AddDiagnosis(const Diagnosis& diagnosis);
  // Adds to the counterexamples: readings that are mixed, and the computation of one.
  void Work(const Diagnosis& diagnosis, CellEvidence& evidence);
  std::vector<FormRecord> JudgeForms(const Explanations& explanations) const;
  // Empty unless some variants pass and others do not.
  std::vector<VariantRecord> JudgeVariants(const Explanations& explanations) const;
  // Whether chance is not ruled out for what distinguishes the variants of the record.
  bool VariantsDifferByChance(const Explanations& explanations) const;
  std::vector<OpsetRecord> JudgeOpsets(const Explanations& explanations) const;

  // `left`: the number of mismatches with the canonical answer that no followed reading
  // allows.
  static Verdict TierVerdictOf(const TierCount& count, int64_t left, bool explained);
  // The verdict of a case that was answered in the right form.
  static Verdict CaseVerdict(const AskedCase& asked, const Explanations& explanations);
  Verdict OpsetVerdict(int opset_version, const Explanations& explanations) const;
  // The opset_version that was asked the whole list.
  int WholeListAt() const;
  // Asks opset_versions that were asked few cases the case that decides the verdict of
  // the whole list, so that a difference between the two is one of the backend.
  void AskOtherOpsets(const Explanations& explanations, const AskKey& ask);
  // A case of the whole list that has the verdict of the whole list, or one that was
  // answered.
  std::optional<CaseKey> CaseOfVerdict(Verdict verdict,
                                       const Explanations& explanations) const;
  std::optional<CaseKey> CaseAnswered() const;
  // Takes the answer to a case of the whole list at another opset_version.
  void AddAtOtherOpset(const CaseKey& of_list, int opset_version, AnswerToKey answer,
                       const Explanations& explanations);
  Cell cell_;
  ReplayContext context_;
  CellAnswers answers_;
  std::vector<AskedCase> asked_;
  std::map<OperandForm, Form> forms_;
  std::map<int, Opset> opsets_;
  std::map<std::string, Verdict> failed_variants_;  // worst of cases without an answer
  std::vector<CaseKey> failed_cases_;               // the same cases
  std::vector<NotTaken> not_taken_;
  // Evidence if the cell is kRefusedLegal: the first few legal cases that were refused.
  std::vector<Counterexample> refused_legal_;
  std::vector<Reading> refusals_;  // of FindRefusals, that the backend follows
  CellRecord record_;
  bool differs_when_repeated_ = false;  // some case: the same inputs gave other bits
  std::vector<Verdict> failures_;       // of the counterexamples that AddFailure made
  // From models that were run again and elements that were moved; they count only if
  // nothing else is wrong.
  std::vector<std::pair<std::shared_ptr<const OpCase>, CaseFailure>> further_failures_;
  // The answers of the cases that were moved among them.
  struct MovedAnswer {
    CaseKey key;
    FedModel fed;
    std::vector<uint32_t> codes;
  };
  std::vector<MovedAnswer> moved_;
  int64_t unasked_ = 0;
  bool tells_apart_ = true;
  bool mistrusts_ = true;
  bool observes_ = true;
  bool bounds_evidence_ = false;
  Observations observations_;
  CellCoverage coverage_;
  double explain_ms_ = 0;
  ExplainBudget* explain_budget_ = nullptr;
  FirstError errors_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CELL_JUDGE_H_
