#include "reports/base/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qconform {
namespace {

Json Read(const std::string& text) { return *ParseJson(text, "t"); }

std::string Packed(const std::string& text) {
  return "{" + PackedMembers(Read(text)) + "}";
}

// The value of packed text, or the error.
std::string UnpackedOf(const std::string& text) {
  const auto value = Unpacked(Read(text), "t");
  return value ? Dump(*value) : value.error().message;
}

TEST(Packed, AnyValue_ComesBackAsItWas) {
  for (
      const char* text :
      {"null", "true", "-1", "-2.5",
       "[0,-1,2.5,-2.5,-0.0,18446744073709551615,-9223372036854775808]", R"("")",
       R"("/")", R"("//////////////////////////////")",
       R"("a text that is longer and has no part")", "[]", "[[]]", "[-1,-2,0]", "{}",
       R"({"a":{},"b":[1,{"a":{},"b":[]}],"":-1})", R"(["\u0000/\"\\/é/🙂/<//////>"])",
       R"([{"cell":"QuantizeLinear/21/A/per_axis"},{"cell":"QuantizeLinear/21/B/per_axis"}])"}) {
    EXPECT_EQ(UnpackedOf(Packed(text)), text);
  }
}

TEST(Packed, EqualParts_AreWrittenOnce) {
  EXPECT_EQ(
      Packed(
          R"([{"k":"QuantizeLinear/21/per_axis"},{"k":"QuantizeLinear/21/per_axis"}])"),
      "{\"shapes\":[[-1]],\n\"values\":[\"k\",\n\"QuantizeLinear/\",\n\"21/\",\n"
      "\"per_axis\",\n[-2,-2,-3,-4],\n[0,-5],\n[-1,-6,-6]]}");
}

TEST(Unpacked, WhatIsNotPacked_IsAnError) {
  for (const char* text : {
           R"([])",
           R"({"shapes":[]})",
           R"({"shapes":[],"values":[]})",
           R"({"shapes":{},"values":["a"]})",
           R"({"shapes":[],"values":[{}]})",
           R"({"shapes":[],"values":[[]]})",
           R"({"shapes":[],"values":[["a"]]})",
           R"({"shapes":[],"values":[[-3]]})",
           R"({"shapes":[],"values":["a",[-1,-2]]})",      // itself
           R"({"shapes":[],"values":["a",[-1,-3],"b"]})",  // a later one
           R"({"shapes":[],"values":["a",[-1,"a"]]})",     // no number
           R"({"shapes":[],"values":["a",[-1,-1.0]]})",    // no integer
           R"({"shapes":[],"values":["a",[-1,-9223372036854775808]]})",
           R"({"shapes":[],"values":["a",[-2,1]]})",          // a text of a number
           R"({"shapes":[],"values":[null,[-2,-1]]})",        // a text of null
           R"({"shapes":[],"values":["a",[0]]})",             // no such shape
           R"({"shapes":[[-1]],"values":["a",[0]]})",         // no value for its key
           R"({"shapes":[[-1]],"values":["a",[0,1,2]]})",     // two
           R"({"shapes":[[-2]],"values":["a",[0,1],"b"]})",   // a later key
           R"({"shapes":[[-1]],"values":[null,[0,1]]})",      // a key that is no text
           R"({"shapes":[[-1,-1]],"values":["a",[0,1,2]]})",  // a key twice
           R"({"shapes":[["a"]],"values":["a",[0,1]]})",
       }) {
    EXPECT_FALSE(Unpacked(Read(text), "t")) << text;
  }
}

// Each value names the one before it ten times, so that a few of them stand for more
// than fits into any memory, or one of them, which is nested deeply.
TEST(Unpacked, WhatWouldGrowBeyondADocument_IsAnErrorAtOnce) {
  for (const std::string kind : {"-1", "-2"}) {
    std::string values = "\"0123456789\"";
    for (int i = 1; i <= 60; ++i) {
      values += ",[" + kind;
      for (int j = 0; j < 10; ++j) values += "," + std::to_string(-i);
      values += "]";
    }
    EXPECT_THAT(UnpackedOf("{\"shapes\":[],\"values\":[" + values + "]}"),
                testing::StartsWith("t: expected at most"));
  }
  std::string deep = "0";
  for (int i = 1; i <= 100; ++i) deep += ",[-1," + std::to_string(-i) + "]";
  EXPECT_THAT(UnpackedOf("{\"shapes\":[],\"values\":[" + deep + "]}"),
              testing::StartsWith("t: expected at most 64 levels"));
}

}  // namespace
}  // namespace qconform
