// The model of DequantizeLinear that faults are planted in gives the oracle's codes by
// all readings, if no switch is set.
#include "harness/operators/dequantize_linear/fault_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cases/core/testing/asked.h"
#include "cases/lattice/cell.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

TEST(DequantizeLinearModel, WithoutMistakes_GivesTheOraclesCodes) {
  int64_t elements = 0;
  int64_t turn = 0;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    if (++turn % 41 != 0) continue;
    for (const CaseKey& key : generators::ContentsOf(cell, Level::kSmoke)) {
      const auto made = MakeCase(key, generators::kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Node& node = made->model.node;
      const Operands operands = generators::OperandsOf(*made);
      const auto bound =
          FindOperator(cell.op_type)->Bind(node.attributes, cell.since_version);
      ASSERT_TRUE(bound.ok());
      const auto all = (*bound)->Readings(operands);
      ASSERT_TRUE(all.ok());
      for (const ReadingSet& readings : *all) {
        const auto answers = (*bound)->Evaluate(operands, readings);
        ASSERT_TRUE(answers.ok());
        const auto decoded =
            DecodeDequantizeLinear(node, cell.since_version, operands, readings);
        ASSERT_TRUE(decoded.ok());
        const std::vector<ElementAnswer>& expected = answers->front().elements;
        for (size_t i = 0; i < expected.size(); ++i) {
          if (expected[i].freedom == Freedom::kAnyCode) continue;
          const uint32_t code = TraceElement(*decoded, {}, static_cast<int64_t>(i)).code;
          if (IsNan(*decoded->y, code) && IsNan(*decoded->y, expected[i].code)) continue;
          ASSERT_EQ(code, expected[i].code)
              << CaseId(key) << " [" << i << "] by " << Spell(readings);
        }
        elements += static_cast<int64_t>(expected.size());
      }
    }
  }
  EXPECT_GT(elements, 100'000);
}

}  // namespace
}  // namespace qconform
