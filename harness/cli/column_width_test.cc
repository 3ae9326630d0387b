#include "harness/cli/column_width.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace qconform {
namespace {

TEST(ColumnWidth, IsThatOfTheLongestName) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(ColumnWidth(Names{"QuantizeLinear", "DynamicQuantizeLinear"}, 16), 21);
  EXPECT_EQ(ColumnWidth(Names{"QuantizeLinear"}, 16), 16);
  EXPECT_EQ(ColumnWidth(Names{}, 16), 16);
}

}  // namespace
}  // namespace qconform
