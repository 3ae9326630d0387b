#include "oracle/operators/quantize_linear/dimensions.h"

#include <gtest/gtest.h>

#include "oracle/core/testing/dimensions_check.h"
#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace quantize_linear {
const Operator& GetOperator();
}
namespace {

using enum DataType;

struct DimensionsRow {
  Shape x, y_scale;
  int64_t axis = 1;
  int64_t block_size = 0;
};

TEST(QuantizeLinearDimensions, AreThoseOfTheOperandsOfEachElement) {
  const DimensionsRow rows[] = {
      {{}, {}},
      {{5}, {}},
      {{5}, {5}, 0},
      {{1}, {1}, 0},
      {{0}, {}},
      {{2, 3}, {}},
      {{2, 3}, {2}, 0},
      {{2, 3}, {3}, 1},
      {{2, 3}, {3}, -1},
      {{3, 3}, {3}, 0},
      {{2, 1, 3}, {1}, 1},
      {{2, 3, 4}, {3}, -2},
      {{2, 3, 4}, {4}, 2},
      {{4, 6}, {4, 2}, 1, 3},
      {{4, 6}, {4, 2}, 1, 4},
      {{4, 7}, {4, 3}, 1, 3},
      {{4, 5}, {4, 5}, 1, 1},
      {{4, 5}, {4, 1}, 1, 8},
      {{5, 4}, {2, 4}, 0, 3},
      {{5, 4}, {2, 4}, -2, 3},
      {{1, 4}, {1, 2}, 1, 2},
      {{2, 5, 3}, {2, 3, 3}, 1, 2},
      {{2, 0, 3}, {2, 0, 3}, 1, 2},
  };
  const Operator& op = quantize_linear::GetOperator();
  for (const DimensionsRow& row : rows) {
    SCOPED_TRACE(ShapeToString(row.x) + " " + ShapeToString(row.y_scale));
    std::vector<Attribute> attributes{{"axis", row.axis}};
    if (row.block_size != 0) attributes.push_back({"block_size", row.block_size});
    const auto bound = op.Bind(attributes, 21);
    ASSERT_TRUE(bound.ok());
    const Tensor x = Numbered(kFloat, row.x);
    const Tensor y_scale = Numbered(kFloat, row.y_scale);
    ExpectDimensionsMatch(op, **bound, {x, y_scale, Tensor{}});
    ExpectDimensionsMatch(op, **bound, {x, y_scale, Numbered(kInt16, row.y_scale)});
  }
  // The axis is counted from the front, and is 1 if it is left out.
  const Tensor x = Numbered(kFloat, {2, 3, 4});
  const std::pair<std::vector<Attribute>, size_t> axes[] = {
      {{}, 1}, {{{"axis", int64_t{-1}}}, 2}, {{{"axis", int64_t{0}}}, 0}};
  for (const auto& [attributes, axis] : axes) {
    const Tensor scale = Numbered(kFloat, {x.shape[axis]});
    const auto made =
        (*op.Bind(attributes, 21))->DimensionsOf({x.view(), scale.view()});
    ASSERT_TRUE(made.ok());
    EXPECT_EQ((*made)[axis].operands.back(), (AxisPlace{1, 0, 1}));
  }
  const auto invalid = (*op.Bind({}, 21))
                           ->DimensionsOf({Numbered(kFloat, {2, 3}).view(),
                                           Numbered(kFloat, {2, 2}).view()});
  ASSERT_FALSE(invalid.ok());
  EXPECT_NE(invalid.error().message.find("QL-34"), std::string::npos);
}

}  // namespace
}  // namespace qconform
