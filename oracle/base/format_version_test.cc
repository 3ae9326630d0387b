#include "oracle/base/format_version.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(FormatVersion, ThreeNumbersOfMajorVersion1_AreRead) {
  for (const char* version : {"1.0.0", "1.1.0", "1.10.203"}) {
    EXPECT_TRUE(IsFormatVersion1(version)) << version;
  }
}

TEST(FormatVersion, Numbers_AreOrdered) {
  EXPECT_EQ(ParseFormatVersion("2.10.3"), (FormatVersion{2, 10, 3}));
  EXPECT_LT(*ParseFormatVersion("2.9.9"), *ParseFormatVersion("2.10.0"));
  EXPECT_FALSE(ParseFormatVersion("2.1"));
  EXPECT_FALSE(ParseFormatVersion("2.1.0.0"));
  EXPECT_FALSE(ParseFormatVersion("2.1.1234567"));
}

TEST(FormatVersion, OthersAreNot) {
  for (const char* version :
       {"", "1", "1.", "1.1", "1.1.", "1..1", "1.1.1.1", "1.1.0 ", " 1.1.0", "1.1.0-rc1",
        "1.01.0", "1.1.00", "2.0.0", "10.0.0", "1.+1.0", "1.1.0\n"}) {
    EXPECT_FALSE(IsFormatVersion1(version)) << version;
  }
}

}  // namespace
}  // namespace qconform
