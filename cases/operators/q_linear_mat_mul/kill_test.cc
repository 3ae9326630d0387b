// Do the cases of QLinearMatMul kill? Wrong models against the oracle's answers
// and bounds, cell by cell.
#include <gtest/gtest.h>

#include "cases/core/testing/no_survivor.h"
#include "cases/operators/q_linear_mat_mul/testing/problem.h"
#include "cases/operators/q_linear_mat_mul/testing/wrong_models.h"

namespace qconform::generators {
namespace {

struct Asked {
  OpCase made;
  Answer answer;
};

Asked Ask(const CaseKey& key) {
  Asked asked;
  Result<OpCase> made = MakeCase(key, kTestSeed);
  EXPECT_TRUE(made.ok()) << made.error().message;
  asked.made = std::move(*made);
  const QLinearMatMulProblem problem = ProblemOf(asked.made);
  const ModelValidity validation = Validate(problem);
  EXPECT_EQ(validation.kind, ModelValidity::Kind::kValid)
      << CaseId(key) << ": " << validation.clause << " " << validation.reason;
  Result<Answer> answer = EvaluateQLinearMatMul(problem, {}, MatMulBounds::kAll);
  EXPECT_TRUE(answer.ok()) << CaseId(key);
  if (answer.ok()) asked.answer = std::move(*answer);
  return asked;
}

// Whether no reading and no bound explains the codes.
bool Caught(const Answer& answer, const std::vector<std::optional<uint64_t>>& codes) {
  for (size_t i = 0; i < codes.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    if (!codes[i] || element.freedom != Freedom::kNone) continue;
    const CodeBounds& bounds = answer.bounds[i];
    if (!IsWithin(answer.type, *codes[i], bounds.low, bounds.high)) return true;
  }
  return false;
}

std::vector<std::string> Survivors(const Cell& cell) {
  const auto& models = MatMulWrongModels();
  std::vector<bool> killed(models.size(), false);
  std::vector<bool> later(models.size(), false);
  const auto attack = [&](const CaseKey& key, std::vector<bool>& by) {
    const Asked asked = Ask(key);
    const auto right = EvaluateMatMul(asked.made, {});
    for (size_t i = 0; i < right.size(); ++i) {
      const ElementAnswer& element = asked.answer.elements[i];
      if (!right[i] || element.freedom != Freedom::kNone) continue;
      EXPECT_EQ(*right[i], element.code) << CaseId(key) << " element " << i;
      if (*right[i] != element.code) return;
    }
    for (size_t m = 0; m < models.size(); ++m) {
      if (killed[m] || by[m]) continue;
      by[m] = Caught(asked.answer, EvaluateMatMul(asked.made, models[m].recipe));
    }
  };
  const std::vector<CaseKey> keys = ContentsOf(cell, Level::kStandard);
  for (const CaseKey& key : keys) {
    std::vector<bool> by(models.size(), false);
    attack(key, by);
    for (size_t m = 0; m < models.size(); ++m) killed[m] = killed[m] || by[m];
  }
  for (const CaseKey& key : keys) {
    if (key.generator == "overflow") continue;
    CaseKey other = key;
    other.index += 100;
    attack(other, later);
  }
  std::vector<std::string> survivors;
  for (size_t m = 0; m < models.size(); ++m) {
    if (!killed[m] && later[m]) survivors.push_back(models[m].name);
  }
  return survivors;
}

TEST(MatMulKill, Standard_LeavesNoSurvivorInSampledCells) {
  ExpectNoSurvivor("QLinearMatMul", 131, Survivors);
}

}  // namespace
}  // namespace qconform::generators
