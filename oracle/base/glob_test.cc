#include "oracle/base/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace qconform {
namespace {

TEST(AnyGlobMatches, OneIsEnough) {
  EXPECT_FALSE(AnyGlobMatches({}, "a"));
  EXPECT_TRUE(AnyGlobMatches({"b", "?"}, "a"));
  EXPECT_FALSE(AnyGlobMatches({"b", "c*"}, "a"));
}

TEST(GlobMatches, Table) {
  struct Row {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  };
  constexpr Row kRows[] = {
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor", true},
      {"?", "", false},
      {"a?c", "a/c", true},  // both across slashes
      {"*/blocked", "x/21/y/blocked", true},
      {"*/blocked", "x/21/y/blocked/1", false},  // the whole text
      {"*INT4*", "UINT4", true},
      {"*-INT4/*", "FLOAT-FLOAT-UINT4/per_axis", false},
      {"a*b*c", "aXbYbZc", true},  // the first * must not be greedy for good
      {"a*b*c", "aXbYbZ", false},
      {"[a]", "a", false},  // no character classes
      {"**a", "bca", true},
      {"*a*b", "xaxbxab", true},
      {"a?c", "ac", false},
      {"Q*/21/*-INT4/per_*", "QuantizeLinear/21/FLOAT-FLOAT-INT4/per_axis", true},
      {"Q*/21/*-INT4/per_*", "QuantizeLinear/21/FLOAT-FLOAT-INT4/blocked", false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(GlobMatches(row.pattern, row.text), row.matches)
        << row.pattern << " on " << row.text;
  }
}

TEST(GlobMatches, ManyStars_TakeNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  EXPECT_FALSE(GlobMatches(pattern + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace qconform
