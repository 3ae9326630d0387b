#include "oracle/base/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace qconform {
namespace {

TEST(CellGlobMatches, WithoutASlash_IsAnOperatorToo) {
  const std::string cell = "QuantizeLinear/21/FLOAT-FLOAT-INT4/per_axis";
  EXPECT_TRUE(CellGlobMatches("QuantizeLinear", cell));
  EXPECT_TRUE(CellGlobMatches("[PQ]*Linear", cell));
  EXPECT_TRUE(CellGlobMatches("*INT4*", cell));  // and still the whole id
  EXPECT_FALSE(CellGlobMatches("Quantize", cell));
  EXPECT_FALSE(CellGlobMatches("QuantizeLinear/21", cell));
  const std::vector<std::string> patterns = {"QuantizeLinear"};
  GivenGlobs globs(patterns);
  EXPECT_TRUE(globs.Match(cell));
  EXPECT_EQ(globs.FindUnused(), nullptr);
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
      {"[a]", "a", true},
      {"[a]", "[a]", false},
      {"x[a-cz]y", "xby", true},
      {"x[a-cz]y", "xzy", true},
      {"x[a-cz]y", "xdy", false},
      {"x[!a-c]y", "xdy", true},
      {"x[^a-c]y", "xby", false},
      {"x[a-]y", "x-y", true},  // a - at the end is itself
      {"x[]]y", "x]y", true},   // and so is a ] at the start
      {"x[!]]y", "x]y", false},
      {"x[ay", "x[ay", true},  // nothing closes it
      {"x[]y", "x[]y", true},
      {"[", "[", true},
      {"*[48]/*", "a-INT4/b", true},
      {"*[48]/*", "a-INT2/b", false},
      {"Q*/[12]?/*-U[!I]*", "QuantizeLinear/21/FLOAT-UNT", true},
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
