#include "harness/runner/suites/negative_runner.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/oracle_model.h"
#include "harness/compare/standing.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Type, shape and the first codes: enough to see what a lax backend did.
std::string Described(const Outputs& outputs) {
  if (outputs.size() != 1) return std::to_string(outputs.size()) + " outputs";
  const Tensor& y = outputs.front();
  const bool known = BitWidth(y.type) > 0;
  std::string text = known ? "y is " : "y is of type ";
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

struct Judgement {
  bool right = false;
  std::string text;
};

// What the oracle says of an answer to a model that has a meaning.
Judgement Judge(const FedModel& meaning, const Outputs& outputs) {
  const std::vector<TensorView> inputs = ViewsOf(meaning.inputs);
  const auto oracle = OracleModel::Create(meaning.model);
  if (!oracle) return {false, oracle.error().message};
  auto evaluated = oracle->Evaluate(inputs);
  if (!evaluated) return {false, evaluated.error().message};
  const auto answer = std::make_shared<const Answer>(*std::move(evaluated));
  const auto standing = StandingOf(meaning.model, inputs, answer, outputs);
  if (!standing) return {false, standing.error().message};
  if (!standing->invalid_output.empty()) return {false, standing->invalid_output};
  if (standing->allowed()) return {true, standing->readings};
  const Mismatch& first = *standing->first;
  return {false, "y[" + std::to_string(first.index) + "] is " +
                     CodeToString(answer->type, first.actual) + ", " +
                     CodeToString(answer->type, first.expected.code) + " is right"};
}

void JudgeAnswer(const NegativeModel& model, const Outputs& outputs,
                 NegativeRecord& record) {
  switch (model.kind) {
    case ModelKind::kLegal: {
      Judgement judgement = Judge(model.question, outputs);
      record.result = judgement.right ? NegativeResult::kPass : NegativeResult::kDeviates;
      record.text = std::move(judgement.text);
      return;
    }
    case ModelKind::kOpen: {
      // The oracle answers open models with their plain meaning.
      const Judgement judgement = Judge(model.question, outputs);
      record.result = NegativeResult::kAccepted;
      record.text = judgement.right ? "the plain meaning"
                                    : "not the plain meaning: " + judgement.text;
      return;
    }
    case ModelKind::kInvalid: {
      record.result = NegativeResult::kLax;
      if (!model.meaning) {
        record.text = "there is no plain meaning; " + Described(outputs);
        return;
      }
      const Judgement judgement = Judge(*model.meaning, outputs);
      record.text = judgement.right ? "the plain meaning"
                                    : "not the plain meaning: " + judgement.text;
      return;
    }
  }
}

void JudgeError(ModelKind kind, const BackendError& error, NegativeRecord& record) {
  record.text = error.text;
  switch (error.kind) {
    case BackendError::Kind::kCrashed:
      record.result = NegativeResult::kCrashed;
      return;
    case BackendError::Kind::kTimedOut:
      record.result = NegativeResult::kTimedOut;
      return;
    // Bytes outside of y, other ones each time, and broken messages are nobody's
    // freedom, whatever the model.
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
  const RunResult result = RunModel(backend, model.question.model, model.question.inputs);
  const NegativeResult not_taken = model.kind == ModelKind::kLegal
                                       ? NegativeResult::kDeclined
                                       : NegativeResult::kRefused;
  if (const auto* outputs = std::get_if<Outputs>(&result)) {
    JudgeAnswer(model, *outputs, record);
  } else if (const auto* error = std::get_if<BackendError>(&result)) {
    JudgeError(model.kind, *error, record);
  } else if (const auto* refused = std::get_if<Refused>(&result)) {
    record.result = not_taken;
    record.text = refused->reason;
  } else {
    record.result = not_taken;
    record.text = std::get<Unsupported>(result).Words();
  }
  return record;
}

}  // namespace qconform
