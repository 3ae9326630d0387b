#include "harness/core/patterns/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace qconform {
namespace {

// The elements of y[19] and y_scale[3] that a pattern holds for.
std::vector<int64_t> ElementsOf(const Patterns& patterns, const std::string& words) {
  EvidenceCase one;
  one.answer = std::make_shared<const CaseAnswer>(
      CaseAnswer({Answer{DataType::kUint8, {19}, std::vector<ElementAnswer>(19)},
                  Answer{DataType::kFloat, {3}, std::vector<ElementAnswer>(3)}},
                 {"y", "y_scale"}));
  const auto pattern = std::ranges::find(patterns, words, &Pattern::words);
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < SizeOf(one); ++i) {
    if (pattern->holds(one, i)) elements.push_back(i);
  }
  return elements;
}

TEST(Patterns, OfPlaces_LookAtEachOutput) {
  using Elements = std::vector<int64_t>;
  EXPECT_EQ(ElementsOf(ResultPatterns(), "only the last element of a tensor"),
            (Elements{18, 21}));
  EXPECT_EQ(ElementsOf(TailPatterns(), "only elements behind the last multiple of 16"),
            (Elements{16, 17, 18, 19, 20, 21}));
  EXPECT_EQ(ElementsOf(TailPatterns(), "only elements behind the last multiple of 2"),
            (Elements{18, 21}));
  EXPECT_EQ(ElementsOf(LanePatterns(), "only elements whose index modulo 8 is 1"),
            (Elements{1, 9, 17, 20}));
}

}  // namespace
}  // namespace qconform
