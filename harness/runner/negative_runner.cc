#include "harness/runner/negative_runner.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/compare/oracle_model.h"
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

struct Standing {
  bool right = false;
  std::string text;
};

// How an answer stands to what the oracle says of a model that has a meaning.
Standing Judge(const FedModel& meaning, const Outputs& outputs) {
  std::vector<TensorView> inputs;
  for (const Tensor& tensor : meaning.inputs) inputs.push_back(tensor.view());
  const auto oracle = OracleModel::Create(meaning.model);
  if (!oracle) return {false, oracle.error().message};
  auto evaluated = oracle->Evaluate(inputs);
  if (!evaluated) return {false, evaluated.error().message};
  const auto answer = std::make_shared<const Answer>(*std::move(evaluated));
  const Comparison comparison = Compare(*answer, outputs, 1);
  if (!comparison.invalid_output.empty()) return {false, comparison.invalid_output};
  if (comparison.mismatches() == 0) return {true, ""};
  const AnsweredCase answered{&meaning.model, inputs, answer, &outputs.front()};
  const auto explained = ExplainByReadings({&answered, 1});
  std::string reading;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (comparison.tiers[tier].mismatches == 0) continue;
    if (!explained || !(*explained)[tier]) {
      const Mismatch& first = comparison.first.front();
      return {false, "y[" + std::to_string(first.index) + "] is " +
                         CodeToString(answer->type, first.actual) + ", " +
                         CodeToString(answer->type, first.expected.code) + " is right"};
    }
    reading = *(*explained)[tier];
  }
  return {true, reading};
}

void JudgeAnswer(const NegativeModel& model, const Outputs& outputs,
                 NegativeRecord& record) {
  switch (model.kind) {
    case ModelKind::kLegal: {
      Standing standing = Judge(model.question, outputs);
      record.result = standing.right ? NegativeResult::kPass : NegativeResult::kDeviates;
      record.text = std::move(standing.text);
      return;
    }
    case ModelKind::kOpen: {
      // The oracle answers open models with their plain meaning.
      const Standing standing = Judge(model.question, outputs);
      record.result = NegativeResult::kAccepted;
      record.text = standing.right ? "the plain meaning"
                                   : "not the plain meaning: " + standing.text;
      return;
    }
    case ModelKind::kInvalid: {
      record.result = NegativeResult::kLax;
      if (!model.meaning) {
        record.text = "there is no plain meaning; " + Described(outputs);
        return;
      }
      const Standing standing = Judge(*model.meaning, outputs);
      record.text = standing.right ? "the plain meaning"
                                   : "not the plain meaning: " + standing.text;
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
    // Bytes outside of y, or other ones each time, are nobody's freedom,
    // whatever the model.
    case BackendError::Kind::kNondeterministic:
    case BackendError::Kind::kInvalidOutput:
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
    return !HasOracle(model.question.model.node.op_type);
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
    record.text = std::get<Unsupported>(result).reason;
  }
  return record;
}

}  // namespace qconform
