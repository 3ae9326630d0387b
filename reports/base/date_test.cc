#include "reports/base/date.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(ParseDate, ADay_IsCountedFrom1970) {
  EXPECT_EQ(ParseDate("1970-01-02")->time_since_epoch().count(), 1);
  EXPECT_EQ(*ParseDate("2028-03-01") - *ParseDate("2028-02-28"), std::chrono::days(2));
}

TEST(ParseDate, AnythingElse_IsNone) {
  for (const char* text : {"", "2026-8-01", "2026-13-01", "2026-02-29", "2026-00-10",
                           "2026-01-00", "2026/01/01", "2026-01-01T", "+026-01-01",
                           "2026-01-1 ", "26-01-01", "2026--1-01"}) {
    EXPECT_FALSE(ParseDate(text)) << text;
  }
}

}  // namespace
}  // namespace qconform
