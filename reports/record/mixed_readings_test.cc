#include "reports/record/mixed_readings.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

CellRecord CellOf(const std::string& id, std::vector<DataType> types, Verdict verdict,
                  const std::string& reading) {
  CellRecord cell;
  cell.cell = id;
  cell.op_type = "QuantizeLinear";
  cell.since_version = 21;
  cell.types = std::move(types);
  cell.verdict = verdict;
  cell.reading = reading;
  return cell;
}

constexpr DataType kFloat = DataType::kFloat;
constexpr DataType kHalf = DataType::kFloat16;
constexpr DataType kFloat8 = DataType::kFloat8E5M2;

TEST(Consistency, OneReadingEverywhere_IsNotMixed) {
  EXPECT_TRUE(
      FindMixedReadings(
          {CellOf("a", {kFloat, kFloat, kFloat8}, Verdict::kAdmissible,
                  "regular: QL-24:zero_point_ignored; subnormal: "
                  "QL-24:zero_point_ignored"),
           CellOf("b", {kHalf, kHalf, kFloat8}, Verdict::kAdmissible,
                  "regular: QL-04:f32_quotient+QL-24:zero_point_ignored"),
           CellOf("c", {kFloat, kFloat, DataType::kInt8}, Verdict::kConformant, "")})
          .value()
          .empty());
}

TEST(Consistency, TwoReadingsOfAClause_AreTold) {
  const auto mixed =
      FindMixedReadings({CellOf("a", {kFloat, kFloat, kFloat8}, Verdict::kAdmissible,
                                "regular: QL-24:zero_point_ignored"),
                         CellOf("b", {kHalf, kHalf, kFloat8}, Verdict::kAdmissible,
                                "regular: QL-24:round_then_add")})
          .value();
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].Text(),
            "QuantizeLinear-21, QL-24: round_then_add explains 1 cell (such as b), "
            "zero_point_ignored explains 1 cell (such as a)");
}

TEST(Consistency, ConformantCellOfTheSameTypes_CountsAsCanonical) {
  const auto mixed =
      FindMixedReadings(
          {CellOf("a", {kHalf, kHalf, DataType::kInt8}, Verdict::kAdmissible,
                  "regular: QL-04:f32_quotient"),
           CellOf("b", {kHalf, kHalf, DataType::kUint8}, Verdict::kConformant, ""),
           CellOf("c", {kFloat, kFloat, DataType::kInt8}, Verdict::kConformant, ""),
           CellOf("d", {kHalf, kFloat, DataType::kInt8}, Verdict::kConformant, "")})
          .value();
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].readings,
            (std::map<std::string, int64_t>{{"canonical", 1}, {"f32_quotient", 1}}));
  EXPECT_EQ(
      mixed[0].Text(),
      "QuantizeLinear-21, QL-04: f32_quotient explains 1 cell (such as a), 1 cell is "
      "conformant without (such as b)");
}

// What was asked of b does not tell the two apart, nor what was asked of c.
TEST(Consistency, ReadingThatStandsInConformantCells_IsNotMixed) {
  std::vector<CellRecord> cells{
      CellOf("a", {kHalf, kHalf, DataType::kInt8}, Verdict::kAdmissible,
             "regular: QL-04:f32_quotient"),
      CellOf("b", {kHalf, kHalf, DataType::kUint8}, Verdict::kConformant, ""),
      CellOf("c", {kHalf, kHalf, DataType::kInt4}, Verdict::kConformant, "")};
  cells[1].not_told_apart = {"QL-04:f32_quotient"};
  const auto mixed = FindMixedReadings(cells).value();
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(
      mixed[0].Text(),
      "QuantizeLinear-21, QL-04: f32_quotient explains 1 cell (such as a), 1 cell is "
      "conformant without (such as c)");
  cells[2].not_told_apart = {"QL-04:f32_quotient"};
  EXPECT_TRUE(FindMixedReadings(cells).value().empty());
}

// Of two that each explain a cell, the one that stands in both is what the backend
// follows.
TEST(Consistency, ReadingThatStandsWhereAnotherIsNamed_IsNotMixed) {
  std::vector<CellRecord> cells{
      CellOf("a", {kFloat, kFloat, kFloat8}, Verdict::kAdmissible,
             "regular: QL-24:zero_point_ignored"),
      CellOf("b", {kHalf, kHalf, kFloat8}, Verdict::kAdmissible,
             "regular: QL-24:round_then_add")};
  cells[0].not_told_apart = {"QL-24:added_in_p"};
  EXPECT_EQ(FindMixedReadings(cells).value().size(), 1u);
  cells[0].not_told_apart = {"QL-24:round_then_add"};
  EXPECT_TRUE(FindMixedReadings(cells).value().empty());
}

TEST(Consistency, ReadingsOfOtherTypesOfX_AreNotMixed) {  // QL-06, QL-07
  const DataType y = DataType::kInt8;
  EXPECT_TRUE(
      FindMixedReadings({CellOf("a", {DataType::kInt32, DataType::kFloat8E8M0, y},
                                Verdict::kAdmissible, "regular: QL-07:f64_division"),
                         CellOf("b", {kHalf, DataType::kFloat8E8M0, y},
                                Verdict::kAdmissible, "regular: QL-07:x_type_division"),
                         CellOf("c", {DataType::kInt32, DataType::kInt32, y},
                                Verdict::kAdmissible, "regular: QL-06:f32_quotient"),
                         CellOf("d", {kHalf, DataType::kInt32, y}, Verdict::kAdmissible,
                                "regular: QL-06:x_type_division")})
          .value()
          .empty());
}

// The scales decide on MM-02; a, b and y of the other cell may be what they like.
TEST(Consistency, OfQLinearMatMul_TheScalesAreAlike) {
  std::vector<CellRecord> cells = {
      CellOf("a", {kFloat, DataType::kUint8, DataType::kInt8, DataType::kInt8},
             Verdict::kAdmissible, "regular: MM-02:f64_chain"),
      CellOf("b", {kFloat, kFloat8, kFloat8, DataType::kUint8}, Verdict::kConformant, ""),
      CellOf("c", {kHalf, DataType::kUint8, DataType::kInt8, DataType::kInt8},
             Verdict::kConformant, "")};
  for (CellRecord& cell : cells) cell.op_type = "QLinearMatMul";
  const auto mixed = FindMixedReadings(cells).value();
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_EQ(mixed[0].readings,
            (std::map<std::string, int64_t>{{"canonical", 1}, {"f64_chain", 1}}));
}

}  // namespace
}  // namespace qconform
