#include "harness/runner/vary/minimal_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace qconform {
namespace {

Names Numbered(int count) {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back("Fusion" + std::to_string(i));
  return names;
}

// A backend that passes when all of these are off.
struct Fake {
  std::set<std::string> guilty;
  int asked = 0;

  Passes AsPasses() {
    return [this](const Names& off) -> Result<bool> {
      ++asked;
      return std::ranges::all_of(guilty, [&](const std::string& name) {
        return std::ranges::find(off, name) != off.end();
      });
    };
  }
};

TEST(MinimalSetTest, FindsOneOfMany) {
  const Names names = Numbered(70);
  for (const std::string& name : names) {
    Fake fake{{name}};
    const auto found = FindMinimalSet(names, 0, fake.AsPasses());
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, std::optional<Names>({name}));
    // All of them, and two halves seven times at most.
    EXPECT_LE(fake.asked, 15);
  }
}

TEST(MinimalSetTest, FindsSeveralTogether) {
  const Names names = Numbered(50);
  Fake fake{{"Fusion3", "Fusion17", "Fusion49"}};
  const auto found = FindMinimalSet(names, 0, fake.AsPasses());
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::optional<Names>({"Fusion3", "Fusion17", "Fusion49"}));
}

TEST(MinimalSetTest, TriesTheFirstNamesAlone) {
  const Names names = Numbered(50);
  Fake fake{{"Fusion2"}};
  const auto found = FindMinimalSet(names, 5, fake.AsPasses());
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::optional<Names>({"Fusion2"}));
  EXPECT_EQ(fake.asked, 3);
}

TEST(MinimalSetTest, SaysThatNoSetHelps) {
  Fake fake{{"NoneOfThese"}};
  const auto found = FindMinimalSet(Numbered(9), 2, fake.AsPasses());
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::nullopt);
  const auto empty = FindMinimalSet({}, 2, fake.AsPasses());
  ASSERT_TRUE(empty);
  EXPECT_EQ(*empty, std::nullopt);
}

TEST(MinimalSetTest, LeavesNoNameThatIsNotNeeded) {
  // One of two suffices: each is a smallest set.
  const auto either = [](const Names& off) -> Result<bool> {
    return std::ranges::find(off, "Fusion4") != off.end() ||
           std::ranges::find(off, "Fusion30") != off.end();
  };
  const auto found = FindMinimalSet(Numbered(40), 0, either);
  ASSERT_TRUE(found && found->has_value());
  EXPECT_EQ((*found)->size(), 1);
}

TEST(MinimalSetTest, ReturnsAnError) {
  const auto found = FindMinimalSet(Numbered(4), 1, [](const Names&) -> Result<bool> {
    return Error{"cannot be started"};
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "cannot be started");
}

}  // namespace
}  // namespace qconform
