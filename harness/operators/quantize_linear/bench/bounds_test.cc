#include "harness/operators/quantize_linear/bench/bounds.h"

#include <gtest/gtest.h>

#include "harness/operators/quantize_linear/bench/table.h"

namespace qconform::quantize_linear {
namespace {

TEST(BrokenBounds, SlowCellOfAGroup_IsNamed) {
  QuantizeBenchResult fast, slow, other;
  fast.elements = slow.elements = other.elements = 1 << 16;
  fast.ns_per_element = 0.05;
  slow.row.x = DataType::kInt32;
  slow.ns_per_element = 0.26;
  other.row.y = DataType::kInt16;
  other.ns_per_element = 1;
  const auto broken = BrokenBounds({fast, slow, other}, true);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_TRUE(broken[0].starts_with("INT32-FLOAT-UINT8")) << broken[0];
  // Of some rows nobody knows the fastest.
  EXPECT_TRUE(BrokenBounds({fast, slow, other}, false).empty());
  EXPECT_NE(QuantizeBenchText({slow}, broken, "AVX2", "").find(broken[0]),
            std::string::npos);

  const auto groups = GroupsInCache({fast, slow, other});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].rows, 2u);
  EXPECT_EQ(groups[0].fastest_ns, 0.05);
  EXPECT_EQ(groups[0].slowest_ns, 0.26);
  EXPECT_EQ(groups[0].slowest, slow.row.Name());
  EXPECT_EQ(groups[1].y_bits, 16);
}

TEST(BrokenBounds, RowFarFromTheLimitInMemory_IsNamed) {
  QuantizeBenchResult below, at, in_cache;
  below.elements = at.elements = 1 << 26;
  below.of_limit = 0.59;
  at.of_limit = 0.6;
  in_cache.elements = 1 << 20;
  in_cache.of_limit = 0.1;
  for (const bool whole_groups : {false, true}) {
    const auto broken = BrokenBounds({below, at, in_cache}, whole_groups);
    ASSERT_EQ(broken.size(), 1u);
    EXPECT_TRUE(broken[0].ends_with(": 59 % of the limit at 67108864 elements"))
        << broken[0];
  }
}

}  // namespace
}  // namespace qconform::quantize_linear
