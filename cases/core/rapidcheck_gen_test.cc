#include "cases/core/testing/rapidcheck_gen.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "cases/model/serialize.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform::generators {
namespace {

// Draws `count` values of a generator, all of full size.
template <typename T, typename Visit>
void Draw(const rc::Gen<T>& gen, int count, Visit visit) {
  rc::Random random(1);
  for (int i = 0; i < count; ++i) visit(gen(random.split(), 100));
}

TEST(RapidCheckGen, AnyCode_MeetsAllKindsOfValues) {
  for (const DataType type :
       {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    const NumberFormat& format = FormatOf(type);
    std::map<std::string, int> seen;
    Draw(AnyCode(type), 2000, [&](const rc::Shrinkable<uint64_t>& drawn) {
      const uint64_t code = drawn.value();
      const ExactValue value = Decode(format, code);
      if (value.value_class == ValueClass::kNan) ++seen["NaN"];
      if (value.value_class == ValueClass::kInfinity) ++seen["infinite"];
      if (value.value_class == ValueClass::kZero) ++seen[value.negative ? "-0" : "0"];
      if (IsSubnormal(format, code)) ++seen["subnormal"];
    });
    EXPECT_EQ(seen.size(), 5u) << DataTypeName(type);
  }
}

TEST(RapidCheckGen, AnyCode_ShrinksToZero) {
  Draw(AnyCode(DataType::kFloat), 50, [](rc::Shrinkable<uint64_t> drawn) {
    int steps = 0;
    while (auto next = drawn.shrinks().next()) {
      drawn = *next;
      ASSERT_LT(++steps, 200);
    }
    EXPECT_EQ(drawn.value(), 0u);
  });
}

TEST(RapidCheckGen, AnyShape_KeepsItsLimits) {
  Draw(AnyShape(8, 500), 500, [](const rc::Shrinkable<Shape>& drawn) {
    const Shape shape = drawn.value();
    EXPECT_LE(shape.size(), 8u);
    EXPECT_LE(ElementCount(shape).value(), 500 * 17);
  });
}

bool HasNan(const QuantizeLinearParts& parts) {
  const NumberFormat& x = FormatOf(parts.cell.types[0]);
  return std::any_of(parts.x.begin(), parts.x.end(), [&](uint32_t code) {
    return Decode(x, code).value_class == ValueClass::kNan;
  });
}

TEST(RapidCheckGen, AnyQuantizeLinear_IsValidAndSoAreItsSimplerForms) {
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

TEST(RapidCheckGen, AnyQuantizeLinear_ShrinksToOneElement) {
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
