#include "harness/runner/suites/negative_runner.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/compare/standing.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Shows type, shape and the first codes, which is enough to see what a lax backend did.
std::string Described(const std::string& name, const Tensor& y) {
  const bool known = BitWidth(y.type) > 0;
  std::string text = name + (known ? " is " : " is of type ");
  text += AnswerTypeName(y.type) + (known ? "" : ", ") + ShapeToString(y.shape);
  const auto count = ElementCount(y.shape);
  if (!known || !count || y.data.size() != PackedByteSize(y.type, *count)) {
    return text + " of " + std::to_string(y.data.size()) + " bytes";
  }
  constexpr int64_t kMostCodes = 6;
  for (int64_t i = 0; i < std::min(*count, kMostCodes); ++i) {
    text += (i == 0 ? ": " : " ") + BitsToString(y.type, ReadCode(y.view(), i));
  }
  return text + (*count > kMostCodes ? " ..." : "");
}

std::string Described(const Model& model, const Outputs& outputs) {
  if (outputs.size() != model.outputs.size()) {
    return std::to_string(outputs.size()) + " outputs";
  }
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i) {
    text += (i == 0 ? "" : "; ") + Described(model.outputs[i].name, outputs[i]);
  }
  return text;
}

struct Judgement {
  bool right = false;
  std::string text;
};

// Judges an answer to a model that has a meaning by the oracle. An Error is one of the
// harness, because the oracle has an answer to each of these models.
Result<Judgement> Judge(const FedModel& meaning, const Outputs& outputs) {
  const auto content = ContentAnswers::Create(meaning.model, ViewsOf(meaning.inputs));
  if (!content) return content.error();
  const std::shared_ptr<const CaseAnswer>& answer = (*content)->canonical();
  const auto standing = StandingOf(*content, outputs);
  if (!standing) return standing.error();
  if (!standing->invalid_output.empty()) {
    return Judgement{false, standing->invalid_output};
  }
  if (standing->allowed()) return Judgement{true, standing->ReadingNames()};
  const Mismatch& first = *standing->first;
  const auto at = static_cast<size_t>(first.index);
  const DataType type = answer->TypeOf(at);
  return Judgement{false, answer->NameOf(at) + ": expected " +
                              CodeToString(type, first.expected.code) + ", got " +
                              CodeToString(type, first.actual)};
}

Status JudgeAnswer(const NegativeModel& model, const Outputs& outputs,
                   NegativeRecord& record) {
  if (model.kind == ModelKind::kInvalid && !model.meaning) {
    record.result = NegativeResult::kLax;
    record.text =
        "there is no plain meaning; " + Described(model.question.model, outputs);
    return Ok();
  }
  // The oracle answers open models with their plain meaning.
  const FedModel& meaning =
      model.kind == ModelKind::kInvalid ? *model.meaning : model.question;
  auto judgement = Judge(meaning, outputs);
  if (!judgement) return judgement.error();
  if (model.kind == ModelKind::kLegal) {
    record.result = judgement->right ? NegativeResult::kPass : NegativeResult::kDeviates;
    record.text = std::move(judgement->text);
    return Ok();
  }
  record.result =
      model.kind == ModelKind::kOpen ? NegativeResult::kAccepted : NegativeResult::kLax;
  record.text = judgement->right ? "the plain meaning"
                                 : "not the plain meaning: " + judgement->text;
  return Ok();
}

void JudgeError(ModelKind kind, const BackendError& error, NegativeRecord& record) {
  record.text = error.text;
  switch (error.kind) {
    case BackendError::Kind::kCrashed:
      record.result = NegativeResult::kCrashed;
      return;
    case BackendError::Kind::kHarness:
      record.result = NegativeResult::kError;
      return;
    case BackendError::Kind::kTimedOut:
      record.result = NegativeResult::kTimedOut;
      return;
    // Writing outside of y, answering differently each time, and broken messages are
    // deviations for every kind of model.
    case BackendError::Kind::kNondeterministic:
    case BackendError::Kind::kInvalidOutput:
    case BackendError::Kind::kUnreadable:
      record.result = NegativeResult::kDeviates;
      return;
    case BackendError::Kind::kFailed:
      record.result = kind == ModelKind::kLegal ? NegativeResult::kDeviates
                                                : NegativeResult::kRefused;
      return;
  }
}

}  // namespace

std::vector<NegativeModel> JudgedNegativeModels() {
  std::vector<NegativeModel> models = NegativeModels();
  std::erase_if(models, [](const NegativeModel& model) {
    return FindOperator(model.question.model.node.op_type) == nullptr;
  });
  return models;
}

NegativeRecord RunNegativeModel(Backend& backend, const NegativeModel& model) {
  NegativeRecord record;
  record.id = model.id;
  record.kind = ModelKindName(model.kind);
  record.clause = model.clause;
  record.op_type = model.question.model.node.op_type;
  record.opset_version = model.question.model.opset_version;
  record.phase = ModelPhaseName(model.phase);
  const auto asked = RunModel(backend, model.question);
  if (!asked) {
    record.result = NegativeResult::kError;
    record.text = asked.error().message;
    return record;
  }
  const RunResult& result = *asked;
  const NegativeResult not_taken = model.kind == ModelKind::kLegal
                                       ? NegativeResult::kDeclined
                                       : NegativeResult::kRefused;
  if (const auto* outputs = std::get_if<Outputs>(&result)) {
    if (const Status judged = JudgeAnswer(model, *outputs, record); !judged) {
      record.result = NegativeResult::kError;
      record.text = judged.error().message;
    }
  } else if (const auto* error = std::get_if<BackendError>(&result)) {
    JudgeError(model.kind, *error, record);
  } else if (const auto* refused = std::get_if<Refused>(&result)) {
    record.result = model.kind == ModelKind::kLegal ? NegativeResult::kRefusedLegal
                                                    : NegativeResult::kRefused;
    record.text = refused->reason;
  } else {
    record.result = not_taken;
    record.text = std::get<Unsupported>(result).Words();
  }
  return record;
}

}  // namespace qconform
