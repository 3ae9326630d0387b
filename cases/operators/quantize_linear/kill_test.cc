// Do the cases kill? Wrong models against the oracle's answers, cell by cell.
#include <gtest/gtest.h>

#include "cases/core/testing/no_survivor.h"
#include "cases/operators/quantize_linear/testing/problem.h"
#include "cases/operators/quantize_linear/testing/wrong_models.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// Whether the comparison would notice: the only relaxations are the oracle's.
bool Differs(const Answer& answer, const std::vector<uint64_t>& codes) {
  const NumberFormat& y = FormatOf(answer.type);
  for (size_t i = 0; i < codes.size(); ++i) {
    const ElementAnswer& element = answer.elements[i];
    if (element.freedom == Freedom::kAnyCode) continue;
    if (element.freedom == Freedom::kAnyNan && IsNan(y, codes[i])) continue;
    if (element.code != codes[i]) return true;
  }
  return false;
}

struct Asked {
  OpCase made;
  Setting setting;
  Answer answer;
};

// Makes a content and its answer.
Asked Ask(const CaseKey& key) {
  Asked asked;
  Result<OpCase> made = MakeCase(key, kTestSeed);
  EXPECT_TRUE(made.ok()) << made.error().message;
  asked.made = std::move(*made);
  const QuantizeLinearProblem problem = ProblemOf(asked.made);
  const ModelValidity validation = Validate(problem);
  EXPECT_EQ(validation.kind, ModelValidity::Kind::kValid)
      << CaseId(key) << ": " << validation.clause << " " << validation.reason;
  Result<Answer> answer = EvaluateQuantizeLinear(problem);
  EXPECT_TRUE(answer.ok()) << CaseId(key);
  if (answer.ok()) asked.answer = std::move(*answer);
  asked.setting = Unpack(asked.made);
  return asked;
}

// Returns the names of the models that no content of the cell tells from the
// oracle, and would be told by more of the same.
std::vector<std::string> Survivors(const Cell& cell, Level level) {
  const auto& models = WrongModels();
  std::vector<bool> killed(models.size(), false);
  const auto attack = [&](const CaseKey& key, std::vector<bool>& by) {
    const Asked asked = Ask(key);
    EXPECT_FALSE(Differs(asked.answer, Evaluate(asked.setting, {})))
        << CaseId(key) << ": the right model disagrees with the oracle";
    for (size_t m = 0; m < models.size(); ++m) {
      if (!killed[m] && !by[m])
        by[m] = Differs(asked.answer, models[m].answer(asked.setting));
    }
  };
  const std::vector<CaseKey> keys = ContentsOf(cell, level);
  for (const CaseKey& key : keys) {
    std::vector<bool> by(models.size(), false);
    attack(key, by);
    for (size_t m = 0; m < models.size(); ++m) killed[m] = killed[m] || by[m];
  }
  // Other indices of the same generators: what they kill was to be killed.
  std::vector<bool> later(models.size(), false);
  for (const CaseKey& key : keys) {
    for (int more = 1; more <= 3; ++more) {
      CaseKey other = key;
      other.index += 100 * more + more;
      attack(other, later);
    }
  }
  std::vector<std::string> survivors;
  for (size_t m = 0; m < models.size(); ++m) {
    if (!killed[m] && later[m]) survivors.push_back(models[m].name);
  }
  return survivors;
}

TEST(Kill, Standard_LeavesNoSurvivorInSampledCells) {
  ExpectNoSurvivor("QuantizeLinear", 97,
                   [](const Cell& cell) { return Survivors(cell, Level::kStandard); });
}

}  // namespace
}  // namespace qconform::generators
