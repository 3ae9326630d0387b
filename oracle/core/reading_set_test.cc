#include "oracle/core/reading_set.h"

#include <gtest/gtest.h>

#include "oracle/core/packed_fields.h"

namespace qconform {
namespace {

TEST(ReadingSet, Spell_JoinsTheReadingsInTheirOrder) {
  EXPECT_EQ(Spell(ReadingSet()), "canonical");
  ReadingSet set{.readings = {{"B-2", "second"}}};
  EXPECT_EQ(Spell(set), "B-2:second");
  set.readings.push_back({"A-1", "first"});
  EXPECT_EQ(Spell(set), "B-2:second+A-1:first");
}

TEST(ReadingSet, Parse_ReturnsWhatWasSpelled) {
  for (const std::vector<Reading>& readings :
       {std::vector<Reading>(), {{"A-1", "first"}}, {{"B-2", "x"}, {"A-1", "first"}}}) {
    const auto parsed = ParseReadings(Spell(readings));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(*parsed, readings);
  }
}

TEST(ReadingSet, Parse_NamesThePartThatIsWrong) {
  for (const char* text : {"", "A-1", "A-1:", ":first", "A-1:first+", "A-1:first+wrong",
                           "canonical+A-1:first"}) {
    const auto parsed = ParseReadings(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().message.find("expected CLAUSE:NAME"), std::string::npos);
  }
  EXPECT_NE(ParseReadings("A-1:first+wrong").error().message.find("'wrong'"),
            std::string::npos);
}

TEST(ReadingSet, ReadingsOfTiers_AreThoseOfAllSets) {
  const auto none = ReadingsOfTiers("");
  ASSERT_TRUE(none.ok()) << none.error().message;
  EXPECT_TRUE(none->empty());
  const auto some = ReadingsOfTiers(
      "regular: A-1:first, A-1:second+B-2:x; subnormal: mixed by M: M = 1 canonical, M "
      "of "
      "16 and more C-3:y");
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_EQ(*some, (std::set<Reading>{
                       {"A-1", "first"}, {"A-1", "second"}, {"B-2", "x"}, {"C-3", "y"}}));
  const auto wrong = ReadingsOfTiers("regular: A-1:first; subnormal: second");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("'second'"), std::string::npos);
}

TEST(ReadingSet, Compares_ByAllOfItsFields) {
  const ReadingSet canonical;
  EXPECT_TRUE(canonical.is_canonical());
  EXPECT_FALSE(canonical.is_bounded());
  const ReadingSet named{.readings = {{"A-1", "first"}}, .code = 1};
  EXPECT_NE(named, canonical);
  ReadingSet bounded = named;
  bounded.kind = ReadingSet::Kind::kBounded;
  EXPECT_TRUE(bounded.is_bounded());
  EXPECT_NE(bounded, named);
  EXPECT_LT(canonical, named);
}

TEST(PackedFields, WhatIsWritten_IsRead) {
  FieldWriter writer;
  writer(uint8_t{5}, 3);
  writer(true, 1);
  writer(uint8_t{2}, 2);
  EXPECT_EQ(writer.code(), 5u | 1u << 3 | 2u << 4);
  FieldReader reader(writer.code());
  uint8_t first = 0, last = 0;
  bool middle = false;
  reader(first, 3);
  reader(middle, 1);
  reader(last, 2);
  EXPECT_EQ(first, 5);
  EXPECT_TRUE(middle);
  EXPECT_EQ(last, 2);
}

}  // namespace
}  // namespace qconform
