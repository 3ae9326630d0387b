#include "cases/model/text.h"

#include <gtest/gtest.h>

#include <string>

namespace qconform {
namespace {

using namespace std::string_literals;

TEST(IsUtf8, Table) {
  struct Row {
    std::string text;
    bool is;
  };
  const Row kRows[] = {
      {"", true},
      {"y_scale", true},
      {"\x7F", true},
      {"a\0b"s, false},     // NUL would cut the name elsewhere
      {"\xC2\x80", true},   // U+0080
      {"\xC1\xBF", false},  // overlong
      {"\xC2", false},      // cut off
      {"\xC2z", false},
      {"\x80", false},              // a tail alone
      {"\xE0\xA0\x80", true},       // U+0800
      {"\xE0\x9F\xBF", false},      // overlong
      {"\xED\x9F\xBF", true},       // U+D7FF
      {"\xED\xA0\x80", false},      // a surrogate
      {"\xEF\xBF\xBF", true},       // U+FFFF
      {"\xF0\x90\x80\x80", true},   // U+10000
      {"\xF0\x8F\xBF\xBF", false},  // overlong
      {"\xF4\x8F\xBF\xBF", true},   // U+10FFFF
      {"\xF4\x90\x80\x80", false},  // beyond
      {"\xF5\x80\x80\x80", false},
      {"\xFF", false},
  };
  for (const Row& row : kRows) EXPECT_EQ(IsUtf8(row.text), row.is) << Quoted(row.text);
}

TEST(AsUtf8, BytesOfNoCharacter_AreSpelled) {
  EXPECT_EQ(AsUtf8("Gr\xF6\xDF"
                   "e 2"),
            "Gr\\xf6\\xdfe 2");
  EXPECT_EQ(AsUtf8("Gr\xC3\xB6\xC3\x9F"
                   "e\n"),
            "Gr\xC3\xB6\xC3\x9F"
            "e\n");
  EXPECT_EQ(AsUtf8(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(AsUtf8("\xE0\xA0"), "\\xe0\\xa0");
  EXPECT_EQ(AsUtf8(""), "");
}

TEST(Quoted, HostileNames_AreHarmlessOnATerminal) {
  EXPECT_EQ(Quoted("a\x1B[2J\xFF"), "'a?[2J?'");
  EXPECT_EQ(Quoted(std::string(100, 'a')), "'" + std::string(60, 'a') + "...'");
}

}  // namespace
}  // namespace qconform
