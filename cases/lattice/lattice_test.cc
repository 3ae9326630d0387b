#include "cases/lattice/lattice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cases/core/operator_cases.h"

namespace qconform {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

std::map<int, int> CountsBySinceVersion(std::string_view op_type) {
  std::map<int, int> counts;
  for (const Cell& cell : CellsOf(op_type)) ++counts[cell.since_version];
  return counts;
}

std::vector<std::string> CellIds(std::string_view op_type, int since_version) {
  std::vector<std::string> ids;
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version == since_version) ids.push_back(CellId(cell));
  }
  return ids;
}

TEST(Lattice, QuantizeLinear_HasEveryLegalCell) {
  // The numbers that docs and README state; an older ONNX ends before.
  const bool has_28 = NewestOpsetVersion() >= 28;
  std::map<int, int> expected{{10, 4},   {13, 8},   {19, 48}, {21, 120},
                              {23, 528}, {24, 660}, {25, 780}};
  if (has_28) expected[28] = 900;
  const std::map<int, int> counts = CountsBySinceVersion("QuantizeLinear");
  int total = 0;
  for (const auto& [since_version, count] : expected) {
    ASSERT_TRUE(counts.count(since_version)) << since_version;
    EXPECT_EQ(counts.at(since_version), count) << "since_version " << since_version;
    total += counts.at(since_version);
  }
  EXPECT_EQ(total, has_28 ? 3048 : 2148);
  EXPECT_EQ(counts.size(), expected.size());
  EXPECT_EQ(DefinitionBeyondOnnx("QuantizeLinear"),
            has_28 ? std::nullopt : std::optional(28));
  EXPECT_EQ(DefinitionBeyondOnnx("QLinearMatMul"), std::nullopt);
}

TEST(Lattice, QLinearMatMul_HasEveryLegalCell) {
  const std::map<int, int> counts = CountsBySinceVersion("QLinearMatMul");
  EXPECT_EQ(counts.at(10), 32);
  EXPECT_EQ(counts.at(21), 2592);
}

TEST(Lattice, CellIds_AreUnique) {
  std::set<std::string> ids;
  size_t visited = 0;
  for (const std::string& op_type : JudgedOperators()) {
    for (const Cell& cell : CellsOf(op_type)) {
      ids.insert(CellId(cell));
      ++visited;
    }
  }
  EXPECT_GE(visited, 2148u + 2624u);
  EXPECT_EQ(ids.size(), visited);
}

TEST(Lattice, Cells_AreOrderedBySinceVersionTypesGranularity) {
  for (const std::string& op_type : JudgedOperators()) {
    const std::vector<Cell> cells = CellsOf(op_type);
    EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end(),
                               [](const Cell& a, const Cell& b) {
                                 const auto key = [](const Cell& cell) {
                                   return std::tuple(cell.since_version, cell.types,
                                                     GranularityNumber(cell));
                                 };
                                 return key(a) < key(b);
                               }))
        << op_type;
  }
}

TEST(Lattice, QuantizeLinear10_IsFourCellsPerTensor) {
  EXPECT_THAT(CellIds("QuantizeLinear", 10),
              ElementsAre("QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor",
                          "QuantizeLinear/10/FLOAT-FLOAT-INT8/per_tensor",
                          "QuantizeLinear/10/INT32-FLOAT-UINT8/per_tensor",
                          "QuantizeLinear/10/INT32-FLOAT-INT8/per_tensor"));
}

TEST(Lattice, SharedConstraint_GivesEqualTypes) {
  // since 13: x is T1 and y_scale is FLOAT; 19 and 21: both are T1; then apart.
  for (const Cell& cell : CellsOf("QuantizeLinear")) {
    if (cell.since_version == 19 || cell.since_version == 21) {
      EXPECT_EQ(cell.types[0], cell.types[1]) << CellId(cell);
    }
  }
  EXPECT_THAT(CellIds("QuantizeLinear", 23),
              IsSupersetOf({"QuantizeLinear/23/FLOAT16-FLOAT-INT4/blocked",
                            "QuantizeLinear/23/INT32-BFLOAT16-UINT8/per_axis"}));
}

TEST(Lattice, QLinearMatMul_NamesScaleTypeFirst) {
  EXPECT_THAT(
      CellIds("QLinearMatMul", 21),
      IsSupersetOf({"QLinearMatMul/21/BFLOAT16-UINT8-FLOAT8E5M2-INT8/per_row-per_column",
                    "QLinearMatMul/21/FLOAT16-INT8-INT8-UINT8/per_tensor-per_column"}));
  for (const Cell& cell : CellsOf("QLinearMatMul")) {
    ASSERT_THAT(cell.types, SizeIs(4));
    EXPECT_EQ(OutputType(cell), cell.types[3]);
    if (cell.since_version == 10) {
      EXPECT_EQ(cell.types[0], DataType::kFloat);
    }
  }
}

TEST(Lattice, OpsetVersions_AreMappedToSinceVersions) {
  std::vector<SinceVersion> versions = SinceVersions("QuantizeLinear");
  ASSERT_EQ(versions.size(), NewestOpsetVersion() >= 28 ? 8u : 7u);
  const std::vector<SinceVersion> unjudged = UnjudgedVersions("QuantizeLinear");
  versions.insert(versions.end(), unjudged.begin(), unjudged.end());
  EXPECT_EQ(versions[0].since_version, 10);
  EXPECT_THAT(versions[0].opset_versions, ElementsAre(10, 11, 12));
  EXPECT_THAT(versions[3].opset_versions, ElementsAre(21, 22));
  int next = 10;  // no opset_version is left out, none is there twice
  for (const SinceVersion& version : versions) {
    EXPECT_EQ(version.opset_versions.front(), version.since_version);
    for (const int opset_version : version.opset_versions)
      EXPECT_EQ(opset_version, next++);
  }
  EXPECT_EQ(next, NewestOpsetVersion() + 1);
  EXPECT_GE(NewestOpsetVersion(), 25);
}

// A definition that a newer ONNX brings has no cells until it has clauses, and is named.
TEST(Lattice, NewerDefinitions_AreNotJudged) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    for (const SinceVersion& version : SinceVersions(cases->op_type)) {
      EXPECT_LE(version.since_version, cases->newest_since_version);
    }
    for (const SinceVersion& version : UnjudgedVersions(cases->op_type)) {
      EXPECT_GT(version.since_version, cases->newest_since_version);
    }
  }
  EXPECT_EQ(CellsOf("QLinearMatMul").size(), 2624u);
  EXPECT_THAT(UnjudgedVersions("QuantizeLinear"), IsEmpty());
  EXPECT_THAT(UnjudgedVersions("QLinearMatMul"), IsEmpty());
  EXPECT_EQ(SinceVersions("QLinearMatMul").back().since_version, 21);
  EXPECT_EQ(SinceVersions("QLinearMatMul").back().opset_versions.back(),
            NewestOpsetVersion());
}

TEST(Lattice, JudgingVersion_IsTheNewestThatIsJudged) {
  for (const std::string& op_type : JudgedOperators()) {
    for (const SinceVersion& version : SinceVersions(op_type)) {
      for (const int opset_version : version.opset_versions) {
        const auto judging = JudgingVersionFor(op_type, opset_version);
        ASSERT_TRUE(judging.ok()) << judging.error().message;
        EXPECT_EQ(judging->since_version, version.since_version);
        EXPECT_EQ(judging->note, "");
      }
    }
    for (const int opset_version : {NewestOpsetVersion() + 1, 1000}) {
      const auto judging = JudgingVersionFor(op_type, opset_version);
      ASSERT_TRUE(judging.ok()) << judging.error().message;
      EXPECT_EQ(judging->since_version, SinceVersions(op_type).back().since_version);
      EXPECT_NE(judging->note.find("opset_version " + std::to_string(opset_version)),
                std::string::npos)
          << judging->note;
    }
    EXPECT_FALSE(JudgingVersionFor(op_type, 9).ok());
  }
  EXPECT_FALSE(JudgingVersionFor("NoSuchOperator", 13).ok());
  const auto newer = JudgingVersionFor("QuantizeLinear", 1000);
  ASSERT_TRUE(newer.ok());
  EXPECT_EQ(newer->note,
            "QuantizeLinear: opset_version 1000 is newer than those that are judged: "
            "this is by since_version " +
                std::string(NewestOpsetVersion() >= 28 ? "28" : "25"));
}

TEST(Lattice, OtherOperators_HaveNoCells) {
  EXPECT_THAT(CellsOf("Relu"), IsEmpty());
  EXPECT_THAT(CellsOf("quantizelinear"), IsEmpty());
  EXPECT_THAT(SinceVersions("NoSuchOperator"), IsEmpty());
}

TEST(Lattice, EachJudgedOperator_HasCells) {
  EXPECT_THAT(JudgedOperators(), IsSupersetOf({"QuantizeLinear", "QLinearMatMul"}));
  EXPECT_THAT(JudgedOperators(), Not(Contains("Relu")));
  EXPECT_THAT(JudgedOperators(), SizeIs(AllOperatorCases().size()));
  for (const std::string& op_type : JudgedOperators()) {
    EXPECT_THAT(CellsOf(op_type), Not(IsEmpty())) << op_type;
  }
}

TEST(Lattice, UnknownTypes_AreNamedAndNotDropped) {
  for (const std::string& op_type : JudgedOperators()) {
    EXPECT_THAT(UnknownTypes(op_type), IsEmpty()) << op_type;
  }
  // Cast takes types that the project has no number format for.
  const std::vector<UnknownType> unknown = UnknownTypes("Cast");
  EXPECT_TRUE(std::find(unknown.begin(), unknown.end(),
                        UnknownType{13, "input", "tensor(bool)"}) != unknown.end());
}

TEST(Lattice, IrVersions_FollowTheReleases) {
  EXPECT_EQ(IrVersionFor(10), 5);
  EXPECT_EQ(IrVersionFor(13), 7);
  EXPECT_EQ(IrVersionFor(19), 9);
  EXPECT_EQ(IrVersionFor(21), 10);
  EXPECT_EQ(IrVersionFor(25), 13);
  EXPECT_EQ(IrVersionFor(27), 13);
  if (NewestOpsetVersion() >= 28) {
    EXPECT_EQ(IrVersionFor(28), 14);
  }
  int last = 0;
  for (int opset_version = 1; opset_version <= NewestOpsetVersion() + 1;
       ++opset_version) {
    EXPECT_GE(IrVersionFor(opset_version), last);
    last = IrVersionFor(opset_version);
  }
}

TEST(Granularity, OfEveryCell_IsOneOfItsOperators) {
  int visited = 0;
  for (const OperatorCases* cases : AllOperatorCases()) {
    std::set<std::string> names;
    for (const GranularityInfo& info : cases->granularities) names.emplace(info.name);
    EXPECT_EQ(names.size(), cases->granularities.size());
    EXPECT_FALSE(names.contains("per_element"));
    for (const Cell& cell : CellsOf(std::string(cases->op_type))) {
      EXPECT_TRUE(names.contains(cell.granularity)) << CellId(cell);
      ++visited;
    }
  }
  EXPECT_GE(visited, 2148 + 2624);
}

}  // namespace
}  // namespace qconform
