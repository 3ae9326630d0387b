#include "harness/backends/process/words.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, EachRow_IsSplitAsAShellWould) {
  const struct {
    const char* command;
    Words words;
  } kRows[] = {
      {"worker", {"worker"}},
      {"  a \t b\nc ", {"a", "b", "c"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"'' \"\"", {"", ""}},
      {"a\\ b \\'c", {"a b", "'c"}},
      {"\"a\\\"b\\\\c\\d\"", {"a\"b\\c\\d"}},
      {"'a\\b'", {"a\\b"}},
      {"a\\\nb", {"ab"}},
      {"echo $HOME `x` * ~ > f; g & h | i",
       {"echo", "$HOME", "`x`", "*", "~", ">", "f;", "g", "&", "h", "|", "i"}},
  };
  for (const auto& row : kRows) {
    const auto words = SplitWords(row.command);
    ASSERT_TRUE(words.ok()) << row.command;
    EXPECT_EQ(*words, row.words) << row.command;
  }
}

TEST(SplitWords, WhatIsNotClosed_IsAnError) {
  for (const char* command : {"", "  ", "a 'b", "a \"b", "a\\"}) {
    EXPECT_FALSE(SplitWords(command).ok()) << command;
  }
}

}  // namespace
}  // namespace qconform
