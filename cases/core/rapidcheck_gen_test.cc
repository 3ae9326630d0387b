#include "cases/core/testing/rapidcheck_gen.h"

#include <gtest/gtest.h>

#include <map>

namespace qconform::generators {
namespace {

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

}  // namespace
}  // namespace qconform::generators
