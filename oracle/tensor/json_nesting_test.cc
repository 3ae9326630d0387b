#include "oracle/tensor/json_nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace qconform {
namespace {

std::string Repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(JsonNesting, IsLimited) {
  EXPECT_FALSE(NestsTooDeeply(""));
  EXPECT_FALSE(NestsTooDeeply(Repeat("[", 64) + Repeat("]", 64)));
  EXPECT_TRUE(NestsTooDeeply(Repeat("[", 65) + Repeat("]", 65)));
  EXPECT_TRUE(NestsTooDeeply(Repeat("{\"a\":[", 33)));
  EXPECT_FALSE(NestsTooDeeply("[" + Repeat("[],{},", 100) + "1]"));
}

TEST(JsonNesting, IsNoneInStrings) {
  const std::string brackets = Repeat("[", 65);
  EXPECT_FALSE(NestsTooDeeply("\"" + brackets + "\""));
  EXPECT_FALSE(NestsTooDeeply(R"("\")" + brackets + "\""));
  EXPECT_TRUE(NestsTooDeeply(R"("\\")" + brackets));
}

// To a reader of JSON it is the end: what follows would be read by nobody.
TEST(JsonNesting, ZeroByte_IsNoPartOfJson) {
  using std::string_view_literals::operator""sv;
  EXPECT_TRUE(HasZeroByte("{}\0garbage"sv));
  EXPECT_TRUE(HasZeroByte("{}\0"sv));
  EXPECT_FALSE(HasZeroByte("{\"a\":\"\\u0000\"}"));
  EXPECT_FALSE(IsReadableJson("{}\0"sv));
  EXPECT_FALSE(IsReadableJson(Repeat("[", 65)));
  EXPECT_TRUE(IsReadableJson("{}"));
}

}  // namespace
}  // namespace qconform
