#include "cases/core/covering_array.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace qconform::generators {
namespace {

TEST(CoveringArray, FewRows_HaveAllPairs) {
  const std::vector<int> levels{5, 3, 4, 2, 2};
  CoveringArray array(levels, 3);
  int rows = 0;
  while (array.missing() > 0 && rows < 100) {
    array.Add(CoveringRow(levels.size(), kFreeLevel));
    ++rows;
  }
  EXPECT_EQ(array.missing(), 0);
  EXPECT_GE(rows, 20);  // 5 * 4 pairs of the two largest factors
  EXPECT_LE(rows, 30);
}

TEST(CoveringArray, GivenLevels_AreKept) {
  CoveringArray array({10, 3, 2});
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < 10; ++i) {
    const CoveringRow row = array.Add({i, kFreeLevel, kFreeLevel});
    EXPECT_EQ(row[0], i);
    pairs.emplace(row[1], row[2]);
  }
  EXPECT_EQ(pairs.size(), 6u);
}

TEST(CoveringArray, LevelsThatAreNotAllowed_AreNotChosen) {
  CoveringArray array({4, 4});
  const auto allows = [](const CoveringRow& row) {
    return row[0] == kFreeLevel || row[1] == kFreeLevel || row[0] != row[1];
  };
  for (int i = 0; i < 12; ++i) {
    const CoveringRow row = array.Add({kFreeLevel, kFreeLevel}, allows);
    EXPECT_NE(row[0], row[1]);
  }
  EXPECT_EQ(array.missing(), 4);
}

TEST(CoveringArray, Turns_GiveOtherRows) {
  const CoveringRow free(3, kFreeLevel);
  EXPECT_NE(CoveringArray({4, 4, 4}, 0).Add(free), CoveringArray({4, 4, 4}, 1).Add(free));
}

}  // namespace
}  // namespace qconform::generators
