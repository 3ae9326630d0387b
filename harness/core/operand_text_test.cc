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

TEST(ParseOperand, HexadecimalFloat_IsANumberAndNoCode) {
  EXPECT_EQ(CodeOf(DataType::kFloat, "0x1.4p+1"), 0x40200000u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "-0x1.4p+1"), 0xc0200000u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "0X1P3"), 0x41000000u);
  EXPECT_EQ(CodeOf(DataType::kFloat, "0x1.8"), 0x3fc00000u);
  EXPECT_EQ(CodeOf(DataType::kFloat16, "0x1.004p+0"), 0x3c01u);
  EXPECT_EQ(CodeOf(DataType::kFloat8E8M0, "0x1p-2"), 125u);
  // Without a point and an exponent it is a code.
  EXPECT_EQ(CodeOf(DataType::kFloat, "0x14"), 0x14u);
  for (const char* text : {"0x1.4p", "0x1.4p+1z", "0x.p1", "-0x1.4q"}) {
    const auto code = ParseOperand(DataType::kFloat, text, "x");
    ASSERT_FALSE(code.ok()) << text;
    EXPECT_EQ(code.error().message,
              "x: expected a number such as 0.05, 0x1.4p+1 or inf, or a code such as "
              "0x3f800000, got '" +
                  std::string(text) + "'");
  }
  // Integers are decimal or codes.
  EXPECT_FALSE(ParseOperand(DataType::kInt8, "0x1.4p+1", "x").ok());
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

TEST(ParseOperand, Refusal_NamesOnlyWhatTheTypeHas) {
  const struct {
    DataType type;
    const char* text;
    const char* expected;
  } kRows[] = {
      {DataType::kFloat6E2M3, "8", "a value from -7.5 to 7.5 (FLOAT6E2M3)"},
      {DataType::kFloat6E2M3, "nan", "a value from -7.5 to 7.5 (FLOAT6E2M3)"},
      {DataType::kFloat6E3M2, "-inf", "a value from -28 to 28 (FLOAT6E3M2)"},
      {DataType::kFloat6E3M2, "0.01", "0 or a magnitude of 0.0625 or more (FLOAT6E3M2)"},
      {DataType::kFloat4E2M1, "1e999", "a value from -6 to 6 (FLOAT4E2M1)"},
      {DataType::kFloat8E4M3FN, "500", "a value from -448 to 448 or nan (FLOAT8E4M3FN)"},
      {DataType::kFloat8E5M2, "1e6",
       "a value from -57344 to 57344, inf or nan (FLOAT8E5M2)"},
      {DataType::kFloat16, "-65536",
       "a value from -65504 to 65504, inf or nan (FLOAT16)"},
      {DataType::kFloat, "1e-400", "0 or a magnitude of 1.40129846e-45 or more (FLOAT)"},
      {DataType::kDouble, "-1e999",
       "a value from -1.79769313e+308 to 1.79769313e+308, inf or nan (DOUBLE)"},
  };
  for (const auto& row : kRows) {
    const auto code = ParseOperand(row.type, row.text, "x");
    ASSERT_FALSE(code.ok()) << row.text;
    EXPECT_EQ(code.error().message, "x: expected " + std::string(row.expected) +
                                        ", or a code such as 0x1, got '" + row.text +
                                        "'");
  }
}

}  // namespace
}  // namespace qconform
