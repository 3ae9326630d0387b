#include "oracle/base/json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace qconform {
namespace {

using std::string_view_literals::operator""sv;

std::string Repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string WhyNot(std::string_view text) {
  const auto parsed = ParseJson(text, "it");
  return parsed ? "" : parsed.error().message;
}

TEST(Json, ListOfPairsWithNames_IsAnObject) {
  const Json json = {{"name", "a"}, {"counts", {1, 2}}, {"one", {{"x", nullptr}}}};
  EXPECT_EQ(Dump(json), R"({"name":"a","counts":[1,2],"one":{"x":null}})");
  EXPECT_EQ(Dump(Json{1, "a", true, 0.5}), R"([1,"a",true,0.5])");
  EXPECT_EQ(Dump(Json::array({{"a", 1}})), R"([["a",1]])");
}

TEST(Json, Members_KeepTheirOrderAndAreChanged) {
  Json json;
  json["b"] = 1;
  json["a"].push_back("x");
  json["b"] = 2;
  EXPECT_EQ(Dump(json), R"({"b":2,"a":["x"]})");
  json.erase("b");
  EXPECT_FALSE(json.contains("b"));
  const Json& same = json;
  EXPECT_TRUE(same["b"].is_null());
  EXPECT_EQ(json.size(), 1u);
}

TEST(Json, Numbers_KeepAll64BitsAndCompareByValue) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const std::string text = "[-9223372036854775808,18446744073709551615,0.1,1e+300]";
  const Json json = ParseJson(text, "it").value();
  EXPECT_EQ(json[0].get<int64_t>(), least);
  EXPECT_EQ(json[1].get<uint64_t>(), most);
  EXPECT_EQ(json[2].get<double>(), 0.1);
  EXPECT_EQ(Dump(json), text);
  EXPECT_EQ(Json(int64_t{7}), Json(uint64_t{7}));
  EXPECT_NE(Json(int64_t{-1}), Json(most));
  EXPECT_FALSE(json[0].is_number_unsigned());
  EXPECT_TRUE(Json(7).is_number_unsigned());
}

TEST(Json, Strings_AreEscapedAndRepaired) {
  EXPECT_EQ(Dump(Json("a\"\\\n\x01")), R"("a\"\\\n\u0001")");
  EXPECT_EQ(Dump(Json("\xff")), "\"\xef\xbf\xbd\"");  // U+FFFD
  EXPECT_EQ(Dump(Json("\xc3\xa9")), "\"\xc3\xa9\"");
  EXPECT_EQ(ParseJson(R"("\u00e9\u0000")", "it").value().text(), "\xc3\xa9\0"sv);
}

TEST(Json, Indented_HasALineForEachValue) {
  const Json json = {{"a", {1, 2}}, {"b", Json::object()}, {"c", Json::array()}};
  EXPECT_EQ(Dump(json, 1), "{\n \"a\": [\n  1,\n  2\n ],\n \"b\": {},\n \"c\": []\n}");
}

TEST(Json, Get_OfAnotherKindThrows) {
  EXPECT_THROW(Json("1").get<int>(), std::bad_variant_access);
  EXPECT_EQ((Json{1, 2}.get<std::vector<int64_t>>()), (std::vector<int64_t>{1, 2}));
}

TEST(ParseJson, ManyValues_AreAnError) {
  std::string text = "[";
  for (int64_t i = 0; i < kMostJsonValues; ++i) text += "0,";
  EXPECT_EQ(WhyNot(text + "0]"), "it: expected at most 8000000 values, got more");
}

TEST(ParseJson, Nesting_IsLimited) {
  EXPECT_EQ(WhyNot(Repeat("[", 64) + Repeat("]", 64)), "");
  EXPECT_EQ(WhyNot(Repeat("[", 65) + Repeat("]", 65)),
            "it: expected at most 64 levels of nesting, got more");
  EXPECT_NE(WhyNot(Repeat("{\"a\":[", 33)), "");
  EXPECT_EQ(WhyNot("[" + Repeat("[],{},", 100) + "1]"), "");
  EXPECT_EQ(WhyNot("\"" + Repeat("[", 65) + "\""), "");
}

// Some readers take it for the end: nobody would read what follows.
TEST(ParseJson, ZeroByte_IsRefused) {
  EXPECT_EQ(WhyNot("{}\0garbage"sv),
            "it: expected text without the byte 0, got one as byte 2");
  EXPECT_EQ(WhyNot("{\"a\":\"\\u0000\"}"), "");
}

TEST(ParseJson, KeyThatComesTwice_IsRefused) {
  EXPECT_EQ(WhyNot(R"({"a":1,"b":{"a":1}})"), "");
  EXPECT_EQ(WhyNot(R"({"a":1,"a":2})"),
            "it: expected each key of an object once, got \"a\" twice");
}

TEST(ParseJson, WhatIsNoJson_IsRefused) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "[] x", "\"\xff\""}) {
    EXPECT_NE(WhyNot(text), "") << text;
    EXPECT_TRUE(ParseJsonOrNull(text).is_null()) << text;
  }
}

TEST(Dump, WhatDoesNotPrint_IsEscaped) {
  const std::string text = "\u00e9\u0085\u202e\u200b\U000e0041\x7f\n";
  const std::string dumped = Dump(Json(text));
  EXPECT_EQ(dumped, "\"\u00e9\\u0085\\u202e\\u200b\\udb40\\udc41\\u007f\\n\"");
  EXPECT_EQ(ParseJson(dumped, "it").value().get<std::string>(), text);
}

TEST(ParseJson, ManySmallValues_TakeLinearTime) {
  const int count = 300'000;
  const std::string text = "[" + Repeat("{},", count - 1) + "{}]";
  EXPECT_EQ(ParseJson(text, "it").value().size(), static_cast<size_t>(count));
}

}  // namespace
}  // namespace qconform
