// What the suite's digest is of. A part that it forgets would let the reports of two
// suites be compared as if their questions were the same.
#include "harness/runner/suite.h"

#include <gtest/gtest.h>

#include <string>

#include "cases/core/case.h"
#include "cases/core/levels.h"
#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "cases/negative/negative_model.h"
#include "harness/runner/selection.h"
#include "oracle/base/sha256.h"
#include "oracle/core/clauses.h"

namespace qconform {
namespace {

bool HasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Suite, Digest_IsThatOfTheText) {
  const std::vector<std::string> all = OperatorsAndFamilies();
  EXPECT_EQ(SuiteDigest(all), Sha256Hex(SuiteText(all)));
}

// Graphs come and go without a change of what operators are asked, and the reverse.
TEST(Suite, OfOperators_HasNoGraphs) {
  const std::string operators = SuiteText(OperatorsInUse());
  EXPECT_EQ(operators.find(kGraphFamilyPrefix), std::string::npos);
  EXPECT_EQ(operators.find("\nGR-"), std::string::npos);
  const std::string graphs = SuiteText(FamiliesInUse());
  for (const std::string& op_type : OperatorsInUse()) {
    EXPECT_EQ(graphs.find("\n" + op_type + " "), std::string::npos) << op_type;
  }
}

TEST(Suite, EveryGenerator_IsToldWithItsVersion) {
  const std::string text = SuiteText(OperatorsAndFamilies());
  ASSERT_FALSE(AllOperatorCases().empty());
  for (const OperatorCases* cases : AllOperatorCases()) {
    ASSERT_FALSE(cases->generators.empty());
    for (const GeneratorInfo& info : cases->generators) {
      const std::string line = std::string(cases->op_type) + " " +
                               std::string(info.name) + " " +
                               std::to_string(info.version);
      EXPECT_TRUE(HasLine(text, line)) << line;
    }
  }
}

TEST(Suite, EveryClause_IsToldWithItsReadings) {
  const std::string text = SuiteText(OperatorsAndFamilies());
  size_t readings = 0;
  for (const Clause& clause : Clauses()) {
    std::string line(clause.id);
    for (const ClauseReading& reading : clause.readings) {
      line += " " + std::string(reading.name);
      ++readings;
    }
    EXPECT_TRUE(HasLine(text, line)) << line;
  }
  EXPECT_GT(readings, 0u);
}

TEST(Suite, EveryCellOpsetVersionAndLevel_IsTold) {
  const std::string text = SuiteText(OperatorsAndFamilies());
  ASSERT_FALSE(JudgedOperators().empty());
  for (const std::string& op_type : JudgedOperators()) {
    for (const SinceVersion& version : SinceVersions(op_type)) {
      ASSERT_FALSE(version.opset_versions.empty());
      std::string line = op_type + " " + std::to_string(version.since_version) + ":";
      for (const int opset : version.opset_versions) line += " " + std::to_string(opset);
      EXPECT_TRUE(HasLine(text, line)) << line;
    }
    for (const Cell& cell : CellsOf(op_type)) {
      EXPECT_TRUE(HasLine(text, CellId(cell))) << CellId(cell);
    }
    ASSERT_FALSE(FrozenLevelsOf(op_type).empty());
    for (const FrozenLevels& frozen : FrozenLevelsOf(op_type)) {
      for (const Level level : kAllLevels) {
        const uint64_t digest = frozen.digests[static_cast<size_t>(level)];
        const std::string line =
            op_type + " " + std::string(LevelName(level)) + " " + std::to_string(digest);
        EXPECT_TRUE(HasLine(text, line)) << line;
      }
    }
  }
}

TEST(Suite, EveryNegativeModel_IsToldWithItsInputs) {
  const std::string text = SuiteText(OperatorsAndFamilies());
  size_t at = 0;
  size_t with_data = 0;
  ASSERT_FALSE(NegativeModels().empty());
  // One after the other, because many have the same model, or inputs that are all zeros.
  for (const NegativeModel& model : NegativeModels()) {
    std::string part = model.id + " " + model.clause + " " +
                       std::string(ModelKindName(model.kind)) + "\n" +
                       SerializeModel(model.question.model);
    for (const Tensor& input : model.question.inputs) {
      part.append(reinterpret_cast<const char*>(input.data.data()), input.data.size());
      with_data += input.data.empty() ? 0 : 1;
    }
    const size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << model.id;
    EXPECT_TRUE(at == 0 || found == at) << "something else before " << model.id;
    at = found + part.size();
  }
  EXPECT_EQ(at, text.size());
  EXPECT_GT(with_data, 0u);
}

}  // namespace
}  // namespace qconform
