// The tables say of their models what ONNX's checker, its strict shape
// inference and the oracle say.
#include "cases/negative/negative_model.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "cases/negative/rows.h"
#include "harness/core/oracle_model.h"

namespace qconform {
namespace {

// Returns where ONNX's own tools reject a model; kNone if both accept it.
ModelPhase OnnxPhase(const Model& model) {
  const Status checked = CheckModel(SerializeModel(model));
  if (checked.ok()) return ModelPhase::kNone;
  return checked.error().message.starts_with("checker: ") ? ModelPhase::kChecker
                                                          : ModelPhase::kShapeInference;
}

std::string OnnxWords(const Model& model) {
  const Status checked = CheckModel(SerializeModel(model));
  return checked.ok() ? "" : checked.error().message;
}

Result<ModelValidity> ValidityOf(const Model& model, const std::vector<Tensor>& inputs) {
  const auto oracle = OracleModel::Create(model);
  if (!oracle) return oracle.error();
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.view());
  return oracle->Validate(views);
}

// The model as it is declared, fed with zeros.
std::vector<Tensor> AsDeclared(const Model& model) {
  std::vector<Tensor> inputs;
  for (const ValueInfo& info : model.inputs) {
    inputs.push_back(Tensor::Zeros(info.type, info.shape));
  }
  return inputs;
}

ModelValidity::Kind ValidityKind(ModelKind kind) {
  switch (kind) {
    case ModelKind::kInvalid:
      return ModelValidity::Kind::kInvalid;
    case ModelKind::kLegal:
      return ModelValidity::Kind::kValid;
    case ModelKind::kOpen:
      break;
  }
  return ModelValidity::Kind::kOpen;
}

TEST(NegativeModels, Ids_AreUniqueAndTellOperatorAndOpset) {
  std::set<std::string> ids;
  ASSERT_FALSE(NegativeModels().empty());
  for (const NegativeModel& model : NegativeModels()) {
    EXPECT_TRUE(ids.insert(model.id).second) << model.id;
    const Model& question = model.question.model;
    EXPECT_TRUE(model.id.starts_with(question.node.op_type + "@" +
                                     std::to_string(question.opset_version) + "/"))
        << model.id;
    EXPECT_FALSE(model.clause.empty()) << model.id;
    EXPECT_FALSE(model.sentence.empty()) << model.id;
    EXPECT_EQ(question.inputs.size(), model.question.inputs.size()) << model.id;
  }
}

TEST(NegativeModels, EveryClauseAndSinceVersion_HasItsShare) {
  std::map<ModelKind, int> kinds;
  std::set<std::pair<std::string, int>> versions;
  std::map<std::string, std::set<int>> of_operator;
  std::set<ModelPhase> phases;
  for (const NegativeModel& model : NegativeModels()) {
    ++kinds[model.kind];
    if (model.kind != ModelKind::kInvalid) continue;
    if (model.question.model.node.is_graph()) continue;  // their nodes have versions
    versions.emplace(model.clause, model.question.model.opset_version);
    of_operator[model.question.model.node.op_type].insert(
        model.question.model.opset_version);
    phases.insert(model.phase);
  }
  EXPECT_GE(kinds[ModelKind::kInvalid], 60);
  EXPECT_GE(kinds[ModelKind::kLegal], 60);
  EXPECT_GE(kinds[ModelKind::kOpen], 60);
  size_t operators = 0;
  for (const std::string& op_type : JudgedOperators()) {
    if (FindOperatorCases(op_type)->cells) continue;  // graphs: their nodes have them
    ++operators;
    for (const SinceVersion& version : SinceVersions(op_type)) {
      EXPECT_TRUE(of_operator[op_type].contains(version.since_version))
          << op_type << " " << version.since_version;
    }
  }
  // QL-34, MM-07, DQ-36, DQ-31 and DQ-32; one clause of each of the other operators,
  // which have one since_version.
  const size_t newest = negative::OnnxHas(28) ? 1 : 0;
  const size_t others = operators - 3;
  EXPECT_EQ(versions.size(),
            7 + newest + 2 + 7 + newest + 2 + newest + 3 + newest + others);
  EXPECT_EQ(phases.size(), 4u);  // all but kNone
}

// The phase cannot rot: a newer ONNX that sees more fails here.
TEST(NegativeModels, Phase_IsWhatOnnxSays) {
  std::map<ModelPhase, int> asked;
  for (const NegativeModel& model : NegativeModels()) {
    const ModelPhase onnx = OnnxPhase(model.question.model);
    const bool later =
        model.phase == ModelPhase::kLoad || model.phase == ModelPhase::kRun;
    EXPECT_EQ(ModelPhaseName(onnx),
              ModelPhaseName(later ? ModelPhase::kNone : model.phase))
        << model.id << ": " << OnnxWords(model.question.model);
    ++asked[onnx];
  }
  EXPECT_GE(asked[ModelPhase::kNone], 60);
  EXPECT_GT(asked[ModelPhase::kChecker], 0);
  EXPECT_GT(asked[ModelPhase::kShapeInference], 0);
}

TEST(NegativeModels, Kind_IsWhatTheOracleSays) {
  int visited = 0;
  for (const NegativeModel& model : NegativeModels()) {
    if (FindOperator(model.question.model.node.op_type) == nullptr) continue;
    const auto validity = ValidityOf(model.question.model, model.question.inputs);
    if (!validity.ok()) {
      // An operand that is not there: nothing is left to ask the oracle.
      EXPECT_EQ(model.kind, ModelKind::kInvalid) << model.id;
      EXPECT_EQ(model.phase, ModelPhase::kChecker)
          << model.id << ": " << validity.error().message;
      continue;
    }
    EXPECT_EQ(static_cast<int>(validity->kind),
              static_cast<int>(ValidityKind(model.kind)))
        << model.id << ": " << validity->reason;
    // Of a graph the clause is that of the node.
    if (model.kind != ModelKind::kLegal && !model.question.model.node.is_graph()) {
      EXPECT_EQ(validity->clause, model.clause) << model.id;
    }
    ++visited;
  }
  EXPECT_GE(visited, 300);
}

// A mistake that only the fed tensors show leaves the declaration legal; one seen on load
// is not.
TEST(NegativeModels, RunAndLoad_AreToldApartByTheDeclaredTypesAndShapes) {
  std::map<ModelPhase, int> visited;
  for (const NegativeModel& model : NegativeModels()) {
    if (FindOperator(model.question.model.node.op_type) == nullptr) continue;
    if (model.phase != ModelPhase::kRun && model.phase != ModelPhase::kLoad) continue;
    const auto validity =
        ValidityOf(model.question.model, AsDeclared(model.question.model));
    ASSERT_TRUE(validity.ok()) << model.id;
    EXPECT_EQ(validity->kind == ModelValidity::Kind::kInvalid,
              model.phase == ModelPhase::kLoad)
        << model.id << ": " << validity->reason;
    ++visited[model.phase];
  }
  EXPECT_GT(visited[ModelPhase::kRun], 0);
  EXPECT_GT(visited[ModelPhase::kLoad], 0);
}

TEST(NegativeModels, Legal_NeedNoPhase) {
  int visited = 0;
  for (const NegativeModel& model : NegativeModels()) {
    if (model.kind == ModelKind::kInvalid) {
      EXPECT_NE(model.phase, ModelPhase::kNone) << model.id;
    }
    if (model.kind == ModelKind::kLegal) {
      EXPECT_EQ(model.phase, ModelPhase::kNone) << model.id;
    }
    visited += model.kind != ModelKind::kOpen ? 1 : 0;
  }
  EXPECT_GE(visited, 120);
}

TEST(NegativeModels, PlainMeanings_AreLegalModels) {
  int visited = 0;
  for (const NegativeModel& model : NegativeModels()) {
    if (!model.meaning) continue;
    EXPECT_EQ(model.kind, ModelKind::kInvalid) << model.id;
    EXPECT_EQ(OnnxWords(model.meaning->model), "") << model.id;
    ++visited;
    if (FindOperator(model.question.model.node.op_type) == nullptr) continue;
    const auto validity = ValidityOf(model.meaning->model, model.meaning->inputs);
    ASSERT_TRUE(validity.ok()) << model.id;
    EXPECT_EQ(validity->reason, "") << model.id;
  }
  EXPECT_GT(visited, 50);
}

}  // namespace
}  // namespace qconform
