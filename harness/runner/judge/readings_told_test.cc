// A backend that follows one reading in all cells, and one that does not.
#include "harness/runner/judge/readings_told.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"
#include "reports/record/mixed_readings.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kReading = "MM-02:f32_multiplier_ab_first";
// What is asked of the first shows the reading, what is asked of the second does not.
constexpr const char* kShows =
    "QLinearMatMul/21/FLOAT16-UINT8-INT8-INT8/per_tensor-per_tensor";
constexpr const char* kHides =
    "QLinearMatMul/21/FLOAT16-UINT8-INT8-UINT8/per_tensor-per_tensor";

ChangedBackend Following(const std::string& reading) {
  return ChangedBackend([reading](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const auto choices = oracle->Readings(inputs);
    for (const ReadingSet& choice : *choices) {
      if (Spell(choice) != reading) continue;
      result = PackAnswer(*oracle->Evaluate(inputs, choice));
    }
    return result;
  });
}

TEST(ReadingsTold, OneFollowedThroughout_IsNotMixed) {
  ChangedBackend backend = Following(kReading);
  const std::vector<CellRecord> records =
      RunOn(backend, {kShows, kHides}, Level::kStandard);
  ASSERT_EQ(records.size(), 2u);
  for (const CellRecord& record : records) {
    const bool shows = record.cell == kShows;
    EXPECT_EQ(record.verdict, shows ? Verdict::kAdmissible : Verdict::kConformant);
    EXPECT_THAT(record.not_told_apart, Contains(kReading));
  }
  EXPECT_THAT(FindMixedReadings(records).value(), IsEmpty());
}

// Two readings in one cell are a deviation. One of the two elements that show it is as
// the canonical answer has it, and says nothing if it is shown first.
TEST(ReadingsTold, TwoInOneCell_ShowTheElementThatDiffersFirst) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    if (ElementCount(inputs[0].shape).value_or(0) % 2 == 0) return result;
    const auto oracle = OracleModel::Create(model);
    const auto choices = oracle->Readings(inputs);
    for (const ReadingSet& choice : *choices) {
      if (Spell(choice) != "QL-26:zero_sign_dropped") continue;
      result = PackAnswer(*oracle->Evaluate(inputs, choice));
    }
    return result;
  });
  const CellRecord record =
      RunOn(backend, {"QuantizeLinear/23/FLOAT-FLOAT-FLOAT4E2M1/per_tensor"},
            Level::kStandard)
          .front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  ASSERT_GE(record.counterexamples.size(), 2u);
  const Counterexample& first = record.counterexamples[0];
  EXPECT_EQ(first.reading, "QL-26:zero_sign_dropped");
  EXPECT_EQ(first.clause, "QL-26");
  EXPECT_EQ(first.expected.bits, "0x8");
  EXPECT_EQ(first.actual.bits, "0x0");
  EXPECT_THAT(first.message,
              testing::StartsWith("follows QL-26:zero_sign_dropped, where the canonical "
                                  "reading gives 0x8; no reading allows both this and "));
  const Counterexample& second = record.counterexamples[1];
  EXPECT_EQ(second.reading, "canonical");
  EXPECT_EQ(second.actual.bits, "0x8");
  EXPECT_THAT(second.message,
              testing::StartsWith("follows the canonical reading, where "));
}

// The oracle's answers to a cell that would show the reading.
TEST(ReadingsTold, CanonicalWhereTheReadingWouldShow_IsMixed) {
  ChangedBackend backend = Following(kReading);
  std::vector<CellRecord> records = RunOn(backend, {kShows}, Level::kStandard);
  const std::unique_ptr<Backend> oracle = MakeOracleBackend();
  for (CellRecord& record :
       RunOn(*oracle, {"QLinearMatMul/21/FLOAT16-*/*"}, Level::kSmoke)) {
    if (record.cell != kShows) records.push_back(std::move(record));
  }
  const std::vector<MixedReadings> mixed = FindMixedReadings(records).value();
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_GT(mixed[0].readings.at("canonical"), 5);
}

// Its bits in all cells, whatever it is called there, and others where `precision` is
// given.
ChangedBackend FollowingEverywhere(uint64_t readings, uint64_t with_precision) {
  return ChangedBackend([=](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const bool given = oracle->ReadingsKey() != 0;
    result = PackAnswer(
        *oracle->Evaluate(inputs, {.code = given ? with_precision : readings}));
    return result;
  });
}

// One reading, of which some cells' types make another one's function.
TEST(ReadingsTold, OneThatIsAnothersFunctionInSomeCells_IsNotMixed) {
  using Quotient = QuantizeLinearReadings::Quotient;
  using Requantization = QLinearMatMulReadings::Requantization;
  const struct {
    uint64_t follows;  // ReadingSet::code
    uint64_t with_precision;
    std::vector<std::string> cells;
    std::set<std::string> named;  // "": a cell names none
  } kRows[] = {
      {EncodeReadings({.quotient = Quotient::kXTypeDivisionUnconverted}),
       EncodeReadings({.quotient = Quotient::kUnconvertedOperands}),
       {"QuantizeLinear/24/FLOAT16-FLOAT8E8M0-INT8/per_tensor",
        "QuantizeLinear/24/FLOAT16-FLOAT8E8M0-FLOAT8E5M2/per_tensor"},
       {"", "QL-07:x_type_division"}},
      {EncodeReadings({.quotient = Quotient::kXTypeDivision}),
       0,
       {"QuantizeLinear/23/FLOAT-INT32-FLOAT8E5M2/per_tensor",
        "QuantizeLinear/23/FLOAT16-INT32-FLOAT8E5M2/per_tensor",
        "QuantizeLinear/23/FLOAT16-INT32-INT8/per_tensor"},
       {"QL-06:f32_quotient", "QL-06:x_type_division"}},
      {EncodeReadings(
           {.readings = {.requantization = Requantization::kScaleTypeMultiplier}}),
       0,
       {"QLinearMatMul/21/FLOAT-UINT8-INT8-INT8/per_tensor-per_tensor", kShows},
       {"MM-02:f32_multiplier_ab_first", "MM-02:scale_type_multiplier_ab_first"}},
  };
  for (const auto& row : kRows) {
    ChangedBackend backend = FollowingEverywhere(row.follows, row.with_precision);
    const auto records = RunOn(backend, row.cells, Level::kStandard);
    std::set<std::string> named;
    for (const CellRecord& record : records) {
      EXPECT_TRUE(IsPass(record.verdict)) << record.cell;
      if (record.reading.empty()) named.insert("");
      const auto readings = ReadingsOfTiers(record.reading);
      ASSERT_TRUE(readings.ok()) << readings.error().message;
      for (const auto& [clause, reading] : *readings) {
        named.insert(clause + ":" + reading);
      }
    }
    EXPECT_EQ(named, row.named);
    const auto all_mixed = FindMixedReadings(records);
    ASSERT_TRUE(all_mixed.ok()) << all_mixed.error().message;
    for (const MixedReadings& mixed : *all_mixed) {
      ADD_FAILURE() << mixed.Text();
    }
  }
}

// The bits of a cell tell most of the readings that it has from the canonical one.
TEST(ReadingsTold, ThatHaveOtherBits_AreNotAmongThem) {
  const std::unique_ptr<Backend> oracle = MakeOracleBackend();
  const auto records =
      RunOn(*oracle, {"QuantizeLinear/21/FLOAT16-FLOAT16-FLOAT8E4M3FN/per_tensor"},
            Level::kStandard);
  EXPECT_EQ(records[0].verdict, Verdict::kConformant);
  for (const char* reading : {"QL-04:f32_quotient", "QL-24:zero_point_ignored"}) {
    EXPECT_THAT(records[0].not_told_apart, Not(Contains(reading)));
  }
}

}  // namespace
}  // namespace qconform
