#include "cases/operators/quantize_linear/testing/any_quantize_linear.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/model/serialize.h"

namespace qconform::generators {
namespace {

bool HasNan(const QuantizeLinearParts& parts) {
  const NumberFormat& x = FormatOf(parts.cell.types[0]);
  return std::any_of(parts.x.begin(), parts.x.end(), [&](uint32_t code) {
    return Decode(x, code).value_class == ValueClass::kNan;
  });
}

TEST(AnyQuantizeLinear, IsValidAndSoAreItsSimplerForms) {
  int64_t seen = 0;
  const auto check = [&](const QuantizeLinearParts& parts) {
    const OpCase made = ToCase(parts);
    const Status status = CheckModel(SerializeModel(made.model));
    ASSERT_TRUE(status.ok()) << ToString(parts) << ": " << status.error().message;
    for (const Tensor& operand : made.operands) {
      if (operand.type == DataType::kUndefined) continue;
      ASSERT_EQ(operand.data.size(),
                PackedByteSize(operand.type, ElementCount(operand.shape).value()));
    }
    ++seen;
  };
  Draw(AnyQuantizeLinear(CellsOf("QuantizeLinear")), 200,
       [&](const rc::Shrinkable<QuantizeLinearParts>& drawn) {
         const QuantizeLinearParts parts = drawn.value();
         check(parts);
         int steps = 0;
         for (const QuantizeLinearParts& simpler : Simpler(parts)) {
           if (++steps <= 6) check(simpler);
         }
       });
  EXPECT_GT(seen, 1000);
}

TEST(AnyQuantizeLinear, ShrinksToOneElement) {
  // "No x is NaN" fails; the counterexample shrinks to a single NaN.
  std::vector<Cell> cells = CellsOf("QuantizeLinear");
  std::erase_if(cells,
                [](const Cell& cell) { return cell.types[0] == DataType::kInt32; });
  int found = 0;
  Draw(AnyQuantizeLinear(cells), 300, [&](rc::Shrinkable<QuantizeLinearParts> drawn) {
    if (!HasNan(drawn.value()) || found == 20) return;
    ++found;
    int steps = 0;
    bool moved = true;
    while (moved) {
      moved = false;
      auto shrinks = drawn.shrinks();
      while (auto next = shrinks.next()) {
        if (!HasNan(next->value())) continue;
        drawn = *next;
        moved = true;
        ASSERT_LT(++steps, 2000);
        break;
      }
    }
    const QuantizeLinearParts smallest = drawn.value();
    EXPECT_EQ(smallest.x.size(), 1u) << ToString(smallest);
    EXPECT_LE(smallest.shape.size(), 2u);
    EXPECT_EQ(smallest.zero_points[0], 0u);
    EXPECT_EQ(smallest.form, OperandForm::kInputs);
  });
  EXPECT_EQ(found, 20);
}

}  // namespace
}  // namespace qconform::generators
