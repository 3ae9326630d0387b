#include "oracle/base/glob_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/glob.h"

namespace qconform {
namespace {

// Ids that look like those of cells.
std::vector<std::string> Ids(int count) {
  std::vector<std::string> ids;
  const char* operators[] = {"QuantizeLinear", "QLinearMatMul", "graphs.sums"};
  const char* types[] = {"FLOAT-FLOAT-UINT8", "FLOAT16-FLOAT16-INT4", "BFLOAT16-INT8"};
  for (int i = 0; i < count; ++i) {
    ids.push_back(std::string(operators[i % 3]) + "/" + std::to_string(i % 29) + "/" +
                  types[i % 7 % 3] + "/block_" + std::to_string(i));
  }
  return ids;
}

std::vector<size_t> MatchesOf(GlobIndex& index, const std::string& pattern) {
  std::vector<size_t> places;
  index.ForEachMatch(pattern, CellSet(index.size(), true), [&](size_t place) {
    places.push_back(place);
    return true;
  });
  return places;
}

TEST(GlobIndex, Matches_AreThoseOfEachPatternWithEachCell) {
  const std::vector<std::string> texts = Ids(300);
  const std::set<std::string_view> ids(texts.begin(), texts.end());
  GlobIndex index(ids);
  std::vector<std::string> patterns{"*",
                                    "",
                                    "?",
                                    "QuantizeLinear",
                                    "QLinear*",
                                    "Q*/13/*",
                                    "*UINT8*",
                                    "*_1?",
                                    "*[0-4]",
                                    "*block[_]12*",
                                    "*/2[!0-8]/*",
                                    "[",
                                    "[]",
                                    "[]]*",
                                    "*[",
                                    "graphs.sums/*[^0]",
                                    "*-*-*",
                                    "*INT4*block*9",
                                    "no such cell",
                                    "*[b]lock_7",
                                    "*[b",
                                    "*/[]x/]*",
                                    "????",
                                    "*//*"};
  patterns.insert(patterns.end(), texts.begin(), texts.begin() + 5);
  // Any pieces one after another.
  const char* pieces[] = {"*", "?", "[Qg]", "Linear", "/1", "INT", "[!a-z]", "8", "["};
  uint32_t state = 1;
  for (int i = 0; i < 500; ++i) {
    std::string pattern;
    for (int k = 0; k < 6; ++k) {
      state = state * 1664525 + 1013904223;
      pattern += pieces[(state >> 16) % 9];
    }
    patterns.push_back(pattern);
  }
  for (const std::string& pattern : patterns) {
    std::vector<size_t> expected;
    size_t place = 0;
    for (const std::string_view id : ids) {
      if (CellGlobMatches(pattern, id)) expected.push_back(place);
      ++place;
    }
    EXPECT_EQ(MatchesOf(index, pattern), expected) << pattern;
  }
}

TEST(GlobIndex, OnlyWhatIsAsked_IsLookedAt) {
  const std::vector<std::string> texts = Ids(200);
  GlobIndex index({texts.begin(), texts.end()});
  CellSet among(index.size(), false);
  for (const size_t place : {3, 64, 199}) among.Add(place);
  std::vector<size_t> found;
  index.ForEachMatch("*", among, [&](size_t place) {
    found.push_back(place);
    return place < 64;
  });
  EXPECT_EQ(found, (std::vector<size_t>{3, 64}));
  EXPECT_EQ(index.PlaceOf("nothing"), index.size());
}

// 40 000 patterns with 12 000 cells would be 480 million pairs.
TEST(GlobIndex, ManyPatterns_AreTriedWithFewCells) {
  const std::vector<std::string> texts = Ids(12000);
  GlobIndex index({texts.begin(), texts.end()});
  size_t matches = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string number = std::to_string(i);
    const std::string pattern = i % 2 == 0 ? "*/block_" + number : "*_" + number + "?";
    matches += MatchesOf(index, pattern).size();
  }
  EXPECT_GT(matches, 6000u);
  EXPECT_LT(index.tried(), 20 * 40000u);
}

TEST(MatchGlobs, ManyPatterns_MatchAsFew) {
  std::vector<std::string> ids = Ids(300);
  ids.push_back(ids.front());  // some may be there twice
  std::vector<std::string> patterns{"QLinear*", "no such cell", "*/13/*_1?",
                                    "graphs.sums"};
  const MatchedGlobs few = MatchGlobs(patterns, ids);
  EXPECT_EQ(few.patterns, (std::vector<bool>{true, false, true, true}));
  EXPECT_EQ(few.FirstUnused(), 1u);
  int matched = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    const bool any = std::ranges::any_of(patterns, [&](const std::string& pattern) {
      return CellGlobMatches(pattern, ids[i]);
    });
    EXPECT_EQ(few.cells[i], any) << ids[i];
    matched += few.cells[i] ? 1 : 0;
  }
  EXPECT_EQ(matched, 200);
  // The same, and a pattern that matches only cells that others match, too.
  patterns.insert(patterns.end(), 100, "QLinearMatMul/*");
  const MatchedGlobs many = MatchGlobs(patterns, ids);
  EXPECT_EQ(many.cells, few.cells);
  EXPECT_EQ(many.FirstUnused(), 1u);
  EXPECT_TRUE(many.patterns.back());
  patterns.erase(patterns.begin() + 1);
  EXPECT_EQ(MatchGlobs(patterns, ids).FirstUnused(), patterns.size());
}

}  // namespace
}  // namespace qconform
