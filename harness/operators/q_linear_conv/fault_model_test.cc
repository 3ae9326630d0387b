// The model of QLinearConv's faults follows the readings of the steps without a mistake.
#include "harness/operators/q_linear_conv/fault_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cases/core/testing/asked.h"
#include "harness/operators/q_linear_conv/faults.h"
#include "oracle/core/operator.h"

namespace qconform {
namespace {

// A mistake that changes nothing where scales are positive, but lets the model compute.
constexpr QLinearConvSwitches kNothing{.absolute_scales = true};

// Of bounds, such as `unspecified_requantization`, the model is the canonical one.
TEST(QLinearConvFaults, RightModel_FollowsEveryReading) {
  const OperatorFaults& faults = q_linear_conv::GetFaults();
  int64_t elements = 0;
  int64_t not_canonical = 0;
  int turn = 0;
  for (const Cell& cell : CellsOf("QLinearConv")) {
    if (++turn % 7 != 0) continue;
    for (const CaseKey& key : generators::ContentsOf(cell, Level::kSmoke)) {
      const Result<OpCase> made = MakeCase(key, generators::kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Node& node = made->model.node;
      const Operands operands = generators::OperandsOf(*made);
      const auto bound =
          FindOperator(cell.op_type)->Bind(node.attributes, cell.since_version);
      ASSERT_TRUE(bound.ok());
      const auto canonical = (*bound)->Evaluate(operands, {});
      const auto all = (*bound)->Readings(operands);
      ASSERT_TRUE(canonical.ok() && all.ok());
      for (const ReadingSet& readings : *all) {
        const auto answers =
            (*bound)->Evaluate(operands, readings.is_bounded() ? ReadingSet() : readings);
        ASSERT_TRUE(answers.ok());
        Codes codes;
        for (const ElementAnswer& element : answers->front().elements) {
          codes.push_back(element.code);
        }
        const auto decoded =
            faults.Decode(node, cell.since_version, operands, codes, readings);
        ASSERT_TRUE(decoded.ok()) << Spell(readings) << ": " << decoded.error().message;
        FaultState state;
        const Codes by_model = (*decoded)->CodesOf(FaultSet(kNothing), state);
        ASSERT_EQ(by_model.size(), codes.size());
        for (size_t i = 0; i < codes.size(); ++i) {
          if (answers->front().elements[i].tier != Tier::kRegular) continue;
          EXPECT_EQ(by_model[i], codes[i])
              << CaseId(key) << "[" << i << "] " << Spell(readings);
          ++elements;
          if (codes[i] != canonical->front().elements[i].code) ++not_canonical;
        }
      }
    }
  }
  EXPECT_GT(elements, 1000);
  EXPECT_GT(not_canonical, 0);
}

TEST(QLinearConvFaults, MistakesOfAStep_AreNotTriedOnAReadingOfIt) {
  const OperatorFaults& faults = q_linear_conv::GetFaults();
  const ReadingSet multiplier{.readings = {{"QC-04", "f32_multiplier_ab_first"}}};
  const ReadingSet ties{.readings = {{"QC-01", "ties_away"}}};
  const QLinearConvSwitches bias{.bias = QLinearConvSwitches::Bias::kIgnored};
  const QLinearConvSwitches down{.rounding = QLinearConvSwitches::Rounding::kDown};
  const QLinearConvSwitches power{.multiplier =
                                      QLinearConvSwitches::Multiplier::kPowerOfTwo};
  EXPECT_TRUE(faults.ChangesAnotherStep(bias, multiplier));
  EXPECT_TRUE(faults.ChangesAnotherStep(bias, ties));
  EXPECT_TRUE(faults.ChangesAnotherStep(down, multiplier));
  EXPECT_FALSE(faults.ChangesAnotherStep(down, ties));
  EXPECT_FALSE(faults.ChangesAnotherStep(power, multiplier));
  EXPECT_TRUE(faults.ChangesAnotherStep(power, ties));
}

// Of UINT8 y these are one function. Every case of a cell is asked of both.
TEST(QLinearConvFaults, ClampingTheQuotientOrTheResult_IsTheSameOfUnsignedY) {
  const OperatorFaults& faults = q_linear_conv::GetFaults();
  const FaultSet quotient =
      QLinearConvSwitches{.order = QLinearConvSwitches::Order::kAfterClamp};
  const FaultSet result = QLinearConvSwitches{.clamps_at_zero_point = true};
  int64_t differing = 0;
  for (const Cell& cell : CellsOf("QLinearConv")) {
    const bool is_unsigned = cell.types[2] == DataType::kUint8;
    EXPECT_EQ(faults.WhyIndistinguishable(cell, quotient, result),
              is_unsigned ? "unsigned" : "");
    if (cell.granularity != "per_tensor") continue;
    for (const CaseKey& key : generators::ContentsOf(cell, Level::kSmoke)) {
      const Result<OpCase> made = MakeCase(key, generators::kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Node& node = made->model.node;
      const Operands operands = generators::OperandsOf(*made);
      const auto bound =
          FindOperator(cell.op_type)->Bind(node.attributes, cell.since_version);
      ASSERT_TRUE(bound.ok());
      const auto answers = (*bound)->Evaluate(operands, {});
      ASSERT_TRUE(answers.ok());
      Codes codes;
      for (const ElementAnswer& element : answers->front().elements) {
        codes.push_back(element.code);
      }
      const auto decoded = faults.Decode(node, cell.since_version, operands, codes, {});
      ASSERT_TRUE(decoded.ok()) << decoded.error().message;
      FaultState state;
      const bool differ =
          (*decoded)->CodesOf(quotient, state) != (*decoded)->CodesOf(result, state);
      if (is_unsigned) {
        EXPECT_FALSE(differ) << CaseId(key);
      } else {
        differing += differ ? 1 : 0;
      }
    }
  }
  EXPECT_GT(differing, 0);
}

}  // namespace
}  // namespace qconform
