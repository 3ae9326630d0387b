// From the answers of a backend in one cell to the cell's record: verdicts per
// tier and operand form, counts, and the first counterexamples.
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
#include "harness/runner/judge/observations.h"
#include "oracle/base/first_error.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "reports/record/record.h"

namespace qconform {

// A case that is not in the cell's list: the oracle's answer and the backend's.
struct AnswerToKey {
  std::shared_ptr<const CaseAnswer> expected;
  RunResult result;
};
// Asks the backend; an Error if the case cannot be made or evaluated.
using AskKey = std::function<Result<AnswerToKey>(const CaseKey& key)>;

class CellJudge {
 public:
  // `judged_at`: the opset_version that is asked the whole list, if that is not the
  // newest; else 0.
  CellJudge(Cell cell, ReplayContext context, int judged_at = 0);

  // Takes the answer of one case. `expected` is shared among equal contents.
  void Add(std::shared_ptr<const OpCase> op_case,
           std::shared_ptr<const CaseAnswer> expected, RunResult result);
  // Whether cases were asked at the opset_version, and each was declined.
  bool DeclinesAll(int opset_version) const;
  // Whether a case at the opset_version was answered.
  bool Answers(int opset_version) const;

  // Says that the last `cases` of the cell were not asked: too many before crashed or
  // hung.
  void AddUnasked(int64_t cases) { unasked_ = cases; }

  // Returns the cases that are worth asking again: one with free elements where there
  // is one, and where that leaves next to nothing to be judged, the one with most
  // elements that are not free; that one too where it has as many as threads share.
  // Empty where nothing was answered.
  std::vector<std::shared_ptr<const OpCase>> ToRepeat() const;
  // Takes a second answer to one of them; changed was kChangedAlignment or
  // kChangedThreads: equal inputs must give equal bits, but where a clause leaves them
  // free.
  void AddRepeat(const OpCase& repeated, RunResult result, const char* changed);
  // Takes the answer to one of them with its elements in other places: element i is the
  // case's element sources[i]. Where an element lies changes no bits, but where a clause
  // leaves them free.
  void AddMoved(const OpCase& repeated, const FedModel& moved,
                const std::vector<int64_t>& sources, RunResult result);
  // Returns the cases that one prepared model is run on more than once: of each operand
  // form one with most inputs, of these that whose answer has most codes.
  // They live until the next Add.
  std::vector<const AskedCase*> ToRunOnce() const;
  void AddFurtherFailure(const AskedCase& asked, CaseFailure failure);
  // Takes how one of them went with named dimensions, but for a failure.
  void AddDynamicShapes(const DynamicShapes& dynamic);
  // Counts time that a caller spent for readings, diagnosis and observations.
  void AddExplainTime(double ms) { explain_ms_ += ms; }

  // Leaves CellRecord::not_told_apart empty, which costs evaluations.
  void LeaveNotToldApart() { tells_apart_ = false; }

  // Returns the record. Both may be null: `further`, cases that a diagnosis is tried on,
  // and `ask`, for the verdicts of the opset_versions that were not asked the whole list.
  // An Error is the first one of the harness since the judge was made.
  Result<CellRecord> Finish(FurtherCases* further = nullptr, const AskKey& ask = nullptr);

 private:
  // What the cases of one operand form came to.
  struct Form {
    int64_t cases = 0;
    int64_t declined = 0;
    int64_t refused = 0;                           // declined too, by one of refusals_
    Verdict worst_failure = Verdict::kConformant;  // of cases without an answer
    std::array<TierCount, kTierCount> tiers{};
    std::array<int64_t, kTierCount> left{};  // AskedCase::left
  };

  // What the cases of one opset_version came to.
  struct Opset {
    int64_t cases = 0;
    int64_t declined = 0;
    int64_t refused = 0;  // declined too, by one of refusals_
    // Of cases without an answer, and of those that AskOtherOpsets asked.
    Verdict worst = Verdict::kConformant;
    std::optional<CaseKey> worst_case;
    bool shows_at_once = true;  // the worst; else when the case is asked again only
    std::optional<CaseKey> first_declined;
    std::optional<CaseKey> first_refused;
    // Whether its verdict can be told apart from that of the whole list.
    bool is_known = true;
  };

  void AddFailure(const CaseKey& key, CaseFailure failure);
  void AddDeclined(std::shared_ptr<const OpCase> op_case, const std::string& reason);
  // The reading by which a backend may refuse the case, if there is one.
  static Result<std::optional<Reading>> RefusalOf(const OpCase& op_case);
  // Tells cases that were refused by a reading from others that were declined. A reading
  // is followed if no case that may be refused by it was answered.
  void FindRefusals();
  const AskedCase* Find(const OpCase& op_case) const;
  // Whether readings explain all that differs.
  bool IsExplained(const Explanations& explanations) const;
  // Counts and verdicts: of tiers, operand forms, opset_versions, and the cell.
  void JudgeTiers(const Explanations& explanations);
  // What is shown of tiers that differ: counterexamples, or the reading.
  void ShowTiers(const Explanations& explanations, CellEvidence& evidence);
  void AddReading(const std::string& reading);
  // What explains the parts of a tier each, and what a bound may hide.
  void AddMixed(std::span<const AnsweredCase> answered, Explanations& explanations);
  // What is left of the answers beside the readings that the diagnosis says they follow.
  void Follow(const Diagnosis& diagnosis, Explanations& explanations);
  // Names the readings that would have given the same bits.
  void AddNotToldApart(std::span<const AnsweredCase> answered,
                       const Explanations& explanations);
  // Names the wrong model that explains a deviation, or says what there is to say.
  void AddDiagnosis(const Diagnosis& diagnosis);
  // Adds what the counterexamples tell: readings that are mixed, and one worked through.
  void Work(const Diagnosis& diagnosis, CellEvidence& evidence);
  std::vector<FormRecord> JudgeForms(const Explanations& explanations) const;
  std::vector<OpsetRecord> JudgeOpsets(const Explanations& explanations) const;

  // `left`: of the mismatches with the canonical answer, those that no reading that is
  // followed allows.
  static Verdict TierVerdictOf(const TierCount& count, int64_t left, bool explained);
  // Of a case that was answered in the right form.
  static Verdict CaseVerdict(const AskedCase& asked, const Explanations& explanations);
  Verdict OpsetVerdict(int opset_version, const Explanations& explanations) const;
  // The opset_version that was asked the whole list.
  int WholeListAt() const;
  // Asks opset_versions that were asked few cases what decides the verdict of the whole
  // list: a difference between the two then is one of the backend.
  void AskOtherOpsets(const Explanations& explanations, const AskKey& ask);
  // A case of the whole list that has the verdict of all of it, or one that was answered.
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
  std::vector<std::shared_ptr<const OpCase>> declined_;
  std::vector<Reading> refusals_;  // of FindRefusals, that the backend follows
  CellRecord record_;
  std::vector<Verdict> failures_;  // of the counterexamples that AddFailure made
  // Of models run again and elements moved: they count where nothing else is wrong.
  std::vector<std::pair<std::shared_ptr<const OpCase>, CaseFailure>> further_failures_;
  int64_t unasked_ = 0;
  bool tells_apart_ = true;
  Observations observations_;
  CellCoverage coverage_;
  double explain_ms_ = 0;
  FirstError errors_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CELL_JUDGE_H_
