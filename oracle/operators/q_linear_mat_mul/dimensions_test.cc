#include "oracle/operators/q_linear_mat_mul/dimensions.h"

#include <gtest/gtest.h>

#include "oracle/core/testing/dimensions_check.h"

namespace qconform {
namespace q_linear_mat_mul {
const Operator& GetOperator();
}
namespace {

using enum DataType;

struct DimensionsRow {
  Shape a, b;
  Shape a_scale{}, b_scale{}, y_scale{};
};

TEST(QLinearMatMulDimensions, AreThoseOfTheOperandsOfEachElement) {
  const DimensionsRow rows[] = {
      {{2, 3}, {3, 4}},
      {{1, 1}, {1, 1}},
      {{3}, {3}},
      {{3}, {3, 4}, {}, {4}},
      {{2, 3}, {3}, {2}},
      {{3}, {2, 3, 4}, {}, {2, 1, 4}},
      {{2, 2, 3}, {3}, {2, 2, 1}},
      {{2, 3}, {3, 4}, {2}, {4}},
      {{2, 3}, {3, 4}, {2, 1}, {1, 4}},
      {{1, 3}, {3, 1}, {1}, {1}},
      {{2, 3}, {3, 4}, {2}, {4}, {2}},
      {{2, 3}, {3, 4}, {}, {}, {2, 1}},
      {{5, 2, 3}, {3, 4}, {5, 2, 1}, {4}},
      {{2, 3}, {5, 3, 4}, {2}, {5, 1, 4}},
      {{5, 2, 3}, {5, 3, 4}, {5, 2, 1}, {5, 1, 4}, {5, 2, 1}},
      {{5, 2, 3}, {5, 3, 4}, {5, 1, 1}, {1, 4}},
      {{5, 2, 3}, {1, 3, 4}, {2, 1}, {1, 1, 4}},
      {{2, 1, 2, 3}, {3, 3, 2}, {2, 1, 2, 1}, {3, 1, 2}},
      {{1, 3, 1, 2}, {2, 1, 2, 3}, {1, 3, 1, 1}, {2, 1, 1, 3}},
      {{2, 0}, {0, 3}},
      {{0, 2}, {2, 3}},
      {{0, 2, 2}, {2, 3}},
  };
  const Operator& op = q_linear_mat_mul::GetOperator();
  const auto bound = op.Bind({}, 21);
  ASSERT_TRUE(bound.ok());
  for (const DimensionsRow& row : rows) {
    SCOPED_TRACE(ShapeToString(row.a) + " " + ShapeToString(row.b));
    ExpectDimensionsMatch(op, **bound,
                          {Numbered(kUint8, row.a), Numbered(kFloat, row.a_scale),
                           Numbered(kUint8, row.a_scale), Numbered(kUint8, row.b),
                           Numbered(kFloat, row.b_scale), Numbered(kUint8, row.b_scale),
                           Numbered(kFloat, row.y_scale), Numbered(kUint8, row.y_scale)});
  }
  EXPECT_FALSE((*bound)->DimensionsOf({}).ok());
}

}  // namespace
}  // namespace qconform
