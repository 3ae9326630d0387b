// The clause of a counterexample is the one that the named model breaks.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cases/lattice/lattice.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/runner/testing/run_on.h"

namespace qconform {
namespace {

constexpr const char* kMatMul =
    "QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_row-per_column";

TEST(BrokenClause, OfANamedModel_IsThatOfItsCounterexamples) {
  const struct {
    const char* fault;
    const char* cell;
    const char* clause;
  } kRows[] = {
      {"packing_swapped", "QuantizeLinear/21/FLOAT-FLOAT-INT4/per_tensor", "QL-50"},
      {"block_one_longer", "QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked", "QL-31"},
      {"default_axis_is_zero", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis", "QL-31"},
      {"float_division", "QuantizeLinear/23/FLOAT16-FLOAT16-INT16/per_tensor", "QL-05"},
      {"ties_away", "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor", "QL-10"},
      {"k_tail_lost_4", kMatMul, "MM-01"},
      {"first_row_scale_for_all", kMatMul, "MM-04"},
      {"truncates", kMatMul, "MM-03"}};
  for (const auto& row : kRows) {
    const CellRecord record =
        RunOn(*MakeFaultyBackend(*FindFault(row.fault)), {row.cell}, Level::kStandard)
            .front();
    EXPECT_NE(record.diagnosis, "") << row.fault;
    ASSERT_FALSE(record.counterexamples.empty()) << row.fault;
    for (const Counterexample& example : record.counterexamples) {
      EXPECT_EQ(example.clause, row.clause) << row.fault;
    }
  }
}

// A zero point that is ignored is a reading of QL-24: the other fault is the one that is
// broken.
TEST(BrokenClause, OfAPair_IsThatOfTheFaultThatIsNotAdmissible) {
  const Cell cell{"QuantizeLinear",
                  21,
                  {DataType::kFloat, DataType::kFloat, DataType::kFloat8E4M3FN},
                  "per_tensor"};
  const Fault* admissible = FindFault("zero_point_ignored");
  const Fault* other = FindFault("saturate_ignored");
  const CandidateModel pair{{other, admissible}, *other->SetFor(cell.op_type)};
  EXPECT_EQ(pair.Broken(cell), std::vector<const Fault*>{other});
  EXPECT_EQ(pair.Sentence(cell),
            std::string(other->sentence) + " " + std::string(admissible->sentence));
}

TEST(BrokenClause, OfFloat6_IsThatOfItsRoundingOrPacking) {
  if (NewestOpsetVersion() < 28) GTEST_SKIP() << "the linked ONNX has no FLOAT6";
  const struct {
    const char* fault;
    const char* cell;
    const char* clause;
  } kRows[] = {
      {"quotient_through_float16", "FLOAT-FLOAT-FLOAT6E2M3/per_tensor", "QL-27"},
      {"quotient_through_bfloat16", "FLOAT-FLOAT-FLOAT6E3M2/per_axis", "QL-27"},
      {"float6_through_float8e5m2", "FLOAT-FLOAT-FLOAT6E2M3/per_tensor", "QL-27"},
      {"float6_last_two_lost", "FLOAT-FLOAT-FLOAT6E2M3/per_tensor", "QL-52"},
      {"float6_rows_padded", "FLOAT16-FLOAT-FLOAT6E3M2/blocked", "QL-52"},
      {"float6_zero_points_in_bytes", "FLOAT-FLOAT-FLOAT6E2M3/per_axis", "QL-52"},
      {"float6_zero_point_of_other_type", "FLOAT-FLOAT-FLOAT6E3M2/per_tensor", "QL-24"}};
  for (const auto& row : kRows) {
    const CellRecord record =
        RunOn(*MakeFaultyBackend(*FindFault(row.fault)),
              {std::string("QuantizeLinear/28/") + row.cell}, Level::kStandard)
            .front();
    EXPECT_EQ(record.diagnosis, row.fault);
    ASSERT_FALSE(record.counterexamples.empty()) << row.fault;
    for (const Counterexample& example : record.counterexamples) {
      EXPECT_EQ(example.clause, row.clause) << row.fault;
    }
  }
}

// QL-05 decides P by `precision` or by the type of y_scale, but not where that type is no
// precision: the same wrong division breaks another clause from case to case.
TEST(BrokenClause, OfTheDivision_IsThatWhichDecidesItsPrecision) {
  const struct {
    const char* fault;
    const char* cell;
    const char* without_precision;
  } kRows[] = {
      {"float16_division", "QuantizeLinear/25/INT32-FLOAT8E8M0-INT16/per_tensor",
       "QL-07"},
      {"double_division", "QuantizeLinear/25/FLOAT-FLOAT-INT16/per_tensor", "QL-05"},
      {"float16_division", "QuantizeLinear/25/FLOAT-INT32-INT16/per_tensor", "QL-06"}};
  for (const auto& row : kRows) {
    for (const Level level : {Level::kSmoke, Level::kStandard}) {
      const CellRecord record =
          RunOn(*MakeFaultyBackend(*FindFault(row.fault)), {row.cell}, level).front();
      EXPECT_EQ(record.diagnosis, row.fault);
      ASSERT_FALSE(record.counterexamples.empty()) << row.cell;
      for (const Counterexample& example : record.counterexamples) {
        const bool given = example.case_id.find("precision=") != std::string::npos;
        EXPECT_EQ(example.clause, given ? "QL-05" : row.without_precision)
            << example.case_id;
      }
    }
  }
}

}  // namespace
}  // namespace qconform
