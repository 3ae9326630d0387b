// One question worked through: the right answer, how an element comes about, what else is
// admissible, and who gives another answer. The command `explain` and the page of the
// site show the same.
#ifndef QCONFORM_HARNESS_EXPLAIN_EXPLAINED_H_
#define QCONFORM_HARNESS_EXPLAIN_EXPLAINED_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model.h"
#include "harness/compare/answered_case.h"
#include "harness/compare/cell_answers.h"
#include "harness/core/case_answer.h"
#include "harness/diagnosis/models_giving.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// A model, what it is fed, and the oracle's answer.
class Explained {
 public:
  // An Error if the oracle does not judge the model.
  static Result<Explained> Create(FedModel fed);

  const Model& model() const { return fed_->model; }
  const std::vector<Tensor>& inputs() const { return fed_->inputs; }
  const FedModel& fed() const { return *fed_; }
  ContentAnswers& content() const { return *content_; }
  const CaseAnswer& answer() const { return *content_->canonical(); }
  int since_version() const { return since_version_; }
  // Why another definition judges the model than its opset_version selects; or empty.
  const std::string& note() const { return note_; }

  // The canonical codes of all elements.
  std::vector<uint32_t> Codes() const;
  // The case with these codes of somebody, which must outlive the result.
  AnsweredCase Answered(std::span<const uint32_t> codes) const {
    return {content_, content_->canonical(), codes};
  }

 private:
  Explained() = default;

  std::shared_ptr<const FedModel> fed_;
  std::shared_ptr<ContentAnswers> content_;
  int since_version_ = 0;
  std::string note_;
};

// Returns how an element comes about; in a second column by `model`, if that is not null.
// `actual` are the codes that are shown last; empty: none.
Result<std::vector<WorkedStep>> StepsOf(const Explained& question, int64_t element,
                                        const GivingModel* model,
                                        std::span<const uint32_t> actual);

// Which codes are right but the canonical ones.
struct OtherAnswers {
  // Elements that may have other codes without a reading, as sentences.
  std::vector<std::string> freedoms;  // the first kMostShown
  size_t free_elements = 0;
  // Readings that give other codes than those before; each answer once, by the first
  // combination that gives it.
  std::vector<std::pair<std::string, std::vector<uint32_t>>> readings;
  std::vector<std::string> bounds;  // derived ones that allow other codes

  bool none() const { return free_elements == 0 && readings.empty() && bounds.empty(); }
};
Result<OtherAnswers> OtherAnswersOf(const Explained& question);

// What somebody's codes are by the specification.
struct JudgedCodes {
  enum class Kind : uint8_t { kRight, kAdmissible, kDeviates };
  Kind kind = Kind::kRight;
  std::string readings{};  // kAdmissible: those that give the codes
  // kDeviates: an element worked through, next to the first of the wrong models that give
  // all codes, the simplest first.
  size_t element = 0;
  std::vector<WorkedStep> steps{};
  std::vector<GivingModel> models{};
};

// `element` is the one that is worked through if the codes deviate; nothing: the first
// that differs.
Result<JudgedCodes> JudgeCodes(const Explained& question, std::span<const uint32_t> codes,
                               std::optional<uint64_t> element);

// Returns the codes of an answer that is typed, in the form of the only output. An Error
// names --actual.
Result<std::vector<uint32_t>> ReadActual(const std::string& text,
                                         const CaseAnswer& answer);

// Returns an Error that names --element if the answer has elements and not this one.
Status CheckElement(const CaseAnswer& answer, std::optional<uint64_t> element);

// --- the same as lines of text ----------------------------------------------------

// Returns operator, versions, operands and attributes.
std::string QuestionText(const Explained& question);

// Returns what each node of a graph gives; "" for an operator.
Result<std::string> IntermediatesText(const Explained& question);

// Returns columns; `column` is the head of the second one.
std::string StepsText(std::vector<WorkedStep> steps, const std::string& column);

std::string OtherAnswersText(const CaseAnswer& answer, const OtherAnswers& others);

// Returns what follows the codes of somebody: "  right", and so on.
std::string JudgedCodesText(const Explained& question, const JudgedCodes& judgement);

// Returns the answer, the element worked through and OtherAnswersText: what follows the
// question. `element` is as CheckElement takes it.
Result<std::string> AnswerText(const Explained& question,
                               std::optional<uint64_t> element);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_EXPLAINED_H_
