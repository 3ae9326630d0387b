#include "harness/explain/explained.h"

#include <algorithm>
#include <map>

#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/oracle_model.h"
#include "harness/explain/outputs_text.h"
#include "harness/explain/question.h"
#include "oracle/base/expected.h"

namespace qconform {

Result<Explained> Explained::Create(FedModel fed) {
  Explained made;
  made.fed_ = std::make_shared<const FedModel>(std::move(fed));
  auto content = ContentAnswers::Create(made.fed_->model, ViewsOf(made.fed_->inputs));
  if (!content) return content.error();
  made.content_ = *std::move(content);
  const auto oracle = made.content_->Oracle();
  if (!oracle) return oracle.error();
  made.since_version_ = (*oracle)->since_version();
  made.note_ = (*oracle)->note();
  return made;
}

std::vector<uint32_t> Explained::Codes() const { return CodesOf(PackAnswer(answer())); }

Result<std::vector<WorkedStep>> StepsOf(const Explained& question, int64_t element,
                                        const GivingModel* model,
                                        std::span<const uint32_t> actual) {
  const std::vector<uint32_t> canonical = question.Codes();
  const bool has_actual = !actual.empty();
  WorkedModel worked;
  if (model != nullptr) worked = model->Worked();
  auto steps = WorkThrough(
      question.Answered(has_actual ? actual : std::span<const uint32_t>(canonical)),
      question.since_version(), element, worked);
  if (!steps) return steps.error();
  if (!has_actual && !steps->empty()) steps->back().actual.clear();
  return steps;
}

namespace {

// Returns " (QL-12: open)" if an open clause leaves the element free, or "".
Result<std::string> OpenClauseText(const Explained& question, size_t index) {
  const auto oracle = question.content().Oracle();
  if (!oracle) return oracle.error();
  const CaseAnswer& answer = question.answer();
  const auto free = (*oracle)->FreeInputOf(question.content().inputs(),
                                           answer.PlaceOf(index), answer.elements[index]);
  if (!free) return free.error();
  return *free ? " (" + (*free)->clause + ": open)" : std::string();
}

// Adds the elements that may have other codes without a reading.
Status AddFreedoms(const Explained& question, OtherAnswers* others) {
  const CaseAnswer& answer = question.answer();
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    const std::string may =
        element.freedom == Freedom::kAnyCode ? "have any code"
        : element.freedom == Freedom::kSameCode
            ? "have the code of " + answer.NameOf(*answer.same_code_as)
        : element.freedom == Freedom::kAnyNan ? "be any NaN"
        : element.freedom == Freedom::kOneOf
            ? "have one of " + std::to_string(answer.one_of.at(i).size()) + " codes"
        : element.zero_sign_is_free ? "be a zero of either sign"
                                    : "";
    if (may.empty() || ++others->free_elements > kMostShown) continue;
    const auto clause = OpenClauseText(question, i);
    if (!clause) return clause.error();
    others->freedoms.push_back(answer.NameOf(i) + " may " + may + *clause);
  }
  return Ok();
}

}  // namespace

Result<OtherAnswers> OtherAnswersOf(const Explained& question) {
  const auto sets = question.content().Readings();
  if (!sets) return sets.error();
  const CaseAnswer& answer = question.answer();
  OtherAnswers others;
  std::map<std::vector<uint32_t>, std::string> seen;
  seen.emplace(question.Codes(), "");
  for (const ReadingSet& set : *sets) {
    if (set.is_canonical()) continue;
    const auto by = question.content().AnswerBy(set);
    if (!by) return by.error();
    if (set.is_bounded()) {
      if ((*by)->HavingOtherCodes().any()) others.bounds.push_back(Spell(set));
      continue;
    }
    std::vector<uint32_t> codes;
    for (size_t i = 0; i < answer.elements.size(); ++i)
      codes.push_back((*by)->At(i).code);
    if (seen.emplace(codes, Spell(set)).second) {
      others.readings.emplace_back(Spell(set), std::move(codes));
    }
  }
  if (const Status added = AddFreedoms(question, &others); !added) return added.error();
  return others;
}

Result<JudgedCodes> JudgeCodes(const Explained& question, std::span<const uint32_t> codes,
                               std::optional<uint64_t> element) {
  JudgedCodes judgement;
  const AnsweredCase answered = question.Answered(codes);
  const Comparison comparison = Compare(question.answer(), codes, 1);
  if (comparison.mismatches() == 0) return judgement;
  const auto explanations = ExplainByReadings({&answered, 1});
  if (!explanations) return explanations.error();
  bool explained = true;
  const TierFlags& tiers = question.content().tiers();
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!tiers[tier]) continue;
    const auto& found = (*explanations)[tier];
    explained = explained && found.has_value();
    if (!found || found->is_canonical()) continue;
    judgement.readings += (judgement.readings.empty() ? "" : ", ") + found->Name();
  }
  judgement.kind =
      explained ? JudgedCodes::Kind::kAdmissible : JudgedCodes::Kind::kDeviates;
  if (explained) return judgement;
  judgement.readings.clear();
  auto models = ModelsGiving(answered, question.since_version());
  if (!models) return models.error();
  judgement.models = *std::move(models);
  judgement.element = element ? static_cast<size_t>(*element)
                              : static_cast<size_t>(comparison.first.front().index);
  auto steps =
      StepsOf(question, static_cast<int64_t>(judgement.element),
              judgement.models.empty() ? nullptr : &judgement.models.front(), codes);
  if (!steps) return steps.error();
  judgement.steps = *std::move(steps);
  return judgement;
}

Result<std::vector<uint32_t>> ReadActual(const std::string& text,
                                         const CaseAnswer& answer) {
  const OutputForm& form = answer.outputs.front();
  if (answer.outputs.size() != 1) {
    return Expected("--actual", "an operator with one output",
                    "one with " + std::to_string(answer.outputs.size()));
  }
  const auto tensor = ParseTensorText(text, form.type, "--actual");
  if (!tensor) return tensor.error();
  if (tensor->type != form.type || tensor->shape != form.shape) {
    return Expected(
        "--actual",
        std::string(DataTypeName(form.type)) + ShapeToString(form.shape) + " as " +
            form.name,
        std::string(DataTypeName(tensor->type)) + ShapeToString(tensor->shape));
  }
  return CodesOf(std::span(&*tensor, 1));
}

Status CheckElement(const CaseAnswer& answer, std::optional<uint64_t> element) {
  const size_t count = answer.elements.size();
  if (count == 0 || element.value_or(0) < count) return Ok();
  return Expected("--element", "an element below " + std::to_string(count),
                  std::to_string(*element));
}

}  // namespace qconform
