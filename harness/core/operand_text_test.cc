#include "harness/core/operand_text.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

uint64_t CodeOf(DataType type, const char* text) {
  const auto code = ParseOperand(type, text, "--scale");
  EXPECT_TRUE(code.ok()) << text;
  return code.ok() ? *code : ~uint64_t{0};
}

TEST(ParseOperand, Decimal_IsRoundedOnce) {
  EXPECT_EQ(CodeOf(DataType::kFloat, "0.1"), 0x3dcccccdu);
  EXPECT_EQ(CodeOf(DataType::kFloat, "-0.1"), 0xbdcccccdu);
  EXPECT_EQ(CodeOf(DataType::kFloat, "inf"), 0x7f800000u);
  // Midpoints of neighbours (1 + 2^-24, 1 + 2^-11) go to the even one, and what lies
  // beside them by less than DOUBLE can tell to its own side.
  EXPECT_EQ(CodeOf(DataType::kFloat, "1.000000059604644775390625"), 0x3f800000u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "1.0000000596046447754"), 0x3f800001u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "1.0000000596046447753"), 0x3f800000u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "-1.0000000596046447754"), 0xbf800001u);
  EXPECT_EQ(CodeOf(DataType::kFloat16, "1.00048828125"), 0x3c00u);
  EXPECT_EQ(CodeOf(DataType::kFloat16, "1.00048828125000000001"), 0x3c01u);
  // 1 + 3 2^-11, the midpoint above an odd one.
  EXPECT_EQ(CodeOf(DataType::kFloat16, "1.00146484375"), 0x3c02u);
  EXPECT_EQ(CodeOf(DataType::kFloat16, "1.00146484374999999999"), 0x3c01u);
}

TEST(ParseOperand, PowerOfTwo_MayBeAsPrinted) {
  EXPECT_EQ(CodeOf(DataType::kFloat8E8M0, "0.25"), 125u);
  EXPECT_EQ(CodeOf(DataType::kFloat8E8M0, "7.888609052210118e-31"), 27u);    // 2^-100
  EXPECT_EQ(CodeOf(DataType::kFloat8E8M0, "1.2676506002282294e+30"), 227u);  // 2^100
  EXPECT_FALSE(ParseOperand(DataType::kFloat8E8M0, "0.3", "--scale").ok());
  EXPECT_FALSE(ParseOperand(DataType::kFloat8E8M0, "-0.5", "--scale").ok());
}

TEST(ParseOperand, WhatNoFormatHolds_IsRefused) {
  EXPECT_FALSE(ParseOperand(DataType::kFloat, "1e40", "--scale").ok());
  EXPECT_FALSE(ParseOperand(DataType::kFloat, "1e-400", "--scale").ok());
  EXPECT_FALSE(ParseOperand(DataType::kFloat, "-1e-400", "--scale").ok());
  EXPECT_FALSE(ParseOperand(DataType::kFloat, "0.1x", "--scale").ok());
}

}  // namespace
}  // namespace qconform
