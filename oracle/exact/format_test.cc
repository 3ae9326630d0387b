// Facts about the formats, from their specifications.
#include "oracle/exact/format.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace qconform::exact {
namespace {

mpq_class Power(long n, int exponent) { return n * PowerOfTwo(exponent); }

struct Fact {
  int type;
  uint64_t code;
  mpq_class value;
};

TEST(ExactFormat, LiteralCodes_HaveTheirValues) {
  const Fact facts[] = {
      // IEEE 754: one, smallest subnormal, smallest normal, largest.
      {kFloat, 0x3f800000, 1},
      {kFloat, 0x00000001, Power(1, -149)},
      {kFloat, 0x00800000, Power(1, -126)},
      {kFloat, 0x7f7fffff, Power(16777215, 104)},
      {kFloat, 0xc0490fdb, -Power(13176795, -22)},  // -pi as FLOAT
      {kDouble, 0x3ff0000000000000, 1},
      {kDouble, 0x0000000000000001, Power(1, -1074)},
      {kDouble, 0x0010000000000000, Power(1, -1022)},
      {kDouble, 0x7fefffffffffffff, Power((1L << 53) - 1, 971)},
      {kFloat16, 0x3c00, 1},
      {kFloat16, 0x0001, Power(1, -24)},
      {kFloat16, 0x0400, Power(1, -14)},
      {kFloat16, 0x7bff, 65504},
      {kFloat16, 0x3555, Power(1365, -12)},  // nearest to 1/3
      {kBfloat16, 0x3f80, 1},
      {kBfloat16, 0x0001, Power(1, -133)},
      {kBfloat16, 0x0080, Power(1, -126)},
      {kBfloat16, 0x7f7f, Power(255, 120)},
      // ONNX's float8 page: the largest, the smallest positive, and one.
      {kFloat8E4M3FN, 0x7e, 448},
      {kFloat8E4M3FN, 0x01, Power(1, -9)},
      {kFloat8E4M3FN, 0x08, Power(1, -6)},
      {kFloat8E4M3FN, 0xb8, -1},
      {kFloat8E4M3FNUZ, 0x7f, 240},
      {kFloat8E4M3FNUZ, 0x01, Power(1, -10)},
      {kFloat8E4M3FNUZ, 0x40, 1},
      {kFloat8E5M2, 0x7b, 57344},
      {kFloat8E5M2, 0x01, Power(1, -16)},
      {kFloat8E5M2, 0x3c, 1},
      {kFloat8E5M2FNUZ, 0x7f, 57344},
      {kFloat8E5M2FNUZ, 0x01, Power(1, -17)},
      {kFloat8E5M2FNUZ, 0xc0, -1},
      // The eight magnitudes of FLOAT4E2M1.
      {kFloat4E2M1, 0, 0},
      {kFloat4E2M1, 1, mpq_class(1, 2)},
      {kFloat4E2M1, 2, 1},
      {kFloat4E2M1, 3, mpq_class(3, 2)},
      {kFloat4E2M1, 4, 2},
      {kFloat4E2M1, 5, 3},
      {kFloat4E2M1, 6, 4},
      {kFloat4E2M1, 7, 6},
      {kFloat4E2M1, 15, -6},
      // OCP MX, FP6, and ONNX's float6 page: zeros, the smallest subnormal, the largest
      // subnormal, the smallest normal, one, the largest, and some in between.
      {kFloat6E2M3, 0x00, 0},
      {kFloat6E2M3, 0x01, mpq_class(1, 8)},
      {kFloat6E2M3, 0x07, mpq_class(7, 8)},
      {kFloat6E2M3, 0x08, 1},
      {kFloat6E2M3, 0x09, mpq_class(9, 8)},
      {kFloat6E2M3, 0x0f, mpq_class(15, 8)},
      {kFloat6E2M3, 0x10, 2},
      {kFloat6E2M3, 0x11, mpq_class(9, 4)},
      {kFloat6E2M3, 0x18, 4},
      {kFloat6E2M3, 0x1e, 7},
      {kFloat6E2M3, 0x1f, mpq_class(15, 2)},
      {kFloat6E2M3, 0x21, mpq_class(-1, 8)},
      {kFloat6E2M3, 0x28, -1},
      {kFloat6E2M3, 0x3f, mpq_class(-15, 2)},
      {kFloat6E3M2, 0x00, 0},
      {kFloat6E3M2, 0x01, mpq_class(1, 16)},
      {kFloat6E3M2, 0x03, mpq_class(3, 16)},
      {kFloat6E3M2, 0x04, mpq_class(1, 4)},
      {kFloat6E3M2, 0x05, mpq_class(5, 16)},
      {kFloat6E3M2, 0x08, mpq_class(1, 2)},
      {kFloat6E3M2, 0x0c, 1},
      {kFloat6E3M2, 0x10, 2},
      {kFloat6E3M2, 0x17, 7},
      {kFloat6E3M2, 0x18, 8},
      {kFloat6E3M2, 0x1c, 16},
      {kFloat6E3M2, 0x1e, 24},
      {kFloat6E3M2, 0x1f, 28},
      {kFloat6E3M2, 0x23, mpq_class(-3, 16)},
      {kFloat6E3M2, 0x2c, -1},
      {kFloat6E3M2, 0x3f, -28},
      {kFloat8E8M0, 0x00, Power(1, -127)},
      {kFloat8E8M0, 0x7f, 1},
      {kFloat8E8M0, 0xfe, Power(1, 127)},
      // QL-13.
      {kUint16, 0xffff, 65535},
      {kInt16, 0x8000, -32768},
      {kInt16, 0x7fff, 32767},
      {kUint8, 0xff, 255},
      {kInt8, 0x80, -128},
      {kUint4, 0xf, 15},
      {kInt4, 0x8, -8},
      {kInt4, 0x7, 7},
      {kUint2, 0x3, 3},
      {kInt2, 0x2, -2},
      {kInt2, 0x1, 1},
      {kInt32, 0x80000000, -2147483648L},
      {kInt32, 0xffffffff, -1},
  };
  for (const Fact& fact : facts) {
    const Format& format = GetFormat(fact.type);
    const Value value = ValueOf(format, fact.code);
    ASSERT_TRUE(value.IsNumber()) << fact.type << " " << fact.code;
    EXPECT_EQ(value.number, fact.value) << fact.type << " " << fact.code;
    EXPECT_EQ(CodeOf(format, value), fact.code) << fact.type;
  }
}

TEST(ExactFormat, Specials_AreWhereTheSpecificationsPutThem) {
  struct Special {
    int type;
    uint64_t code;
    bool is_nan;
    bool negative;
  };
  const Special specials[] = {
      {kFloat, 0x7f800000, false, false},
      {kFloat, 0xff800000, false, true},
      {kFloat, 0x7f800001, true, false},
      {kFloat, 0xffc00000, true, false},
      {kDouble, 0x7ff0000000000000, false, false},
      {kDouble, 0x7ff8000000000000, true, false},
      {kFloat16, 0x7c00, false, false},
      {kFloat16, 0xfc01, true, false},
      {kBfloat16, 0xff80, false, true},
      {kBfloat16, 0x7fc0, true, false},
      {kFloat8E4M3FN, 0x7f, true, false},
      {kFloat8E4M3FN, 0xff, true, false},
      {kFloat8E4M3FNUZ, 0x80, true, false},
      {kFloat8E5M2FNUZ, 0x80, true, false},
      {kFloat8E5M2, 0x7c, false, false},
      {kFloat8E5M2, 0xfc, false, true},
      {kFloat8E5M2, 0x7d, true, false},
      {kFloat8E5M2, 0xff, true, false},
      {kFloat8E8M0, 0xff, true, false},
  };
  for (const Special& special : specials) {
    const Value value = ValueOf(GetFormat(special.type), special.code);
    EXPECT_EQ(value.IsNan(), special.is_nan) << special.type << " " << special.code;
    EXPECT_EQ(value.IsInfinity(), !special.is_nan) << special.type << " " << special.code;
    if (!special.is_nan) {
      EXPECT_EQ(value.negative, special.negative);
    }
  }
}

TEST(ExactFormat, CodesOfAtMost16Bits_AscendAndReturn) {
  uint64_t visited = 0;
  int formats = 0;
  for (const Format& format : AllFormats()) {
    if (format.bits > 16) continue;
    ++formats;
    const uint64_t codes = uint64_t{1} << format.bits;
    uint64_t numbers = 0;
    for (uint64_t code = 0; code < codes; ++code, ++visited) {
      const Value value = ValueOf(format, code);
      const uint64_t again = CodeOf(format, value);
      if (value.IsNan()) {
        EXPECT_TRUE(IsNanCode(format, again)) << format.type << " " << code;
        continue;
      }
      EXPECT_EQ(again, code) << format.type;
      if (!value.IsNumber()) continue;
      ++numbers;
      EXPECT_GE(value.number, format.lowest);
      EXPECT_LE(value.number, format.highest);
      if (code == 0) continue;
      const Value before = ValueOf(format, code - 1);
      if (!before.IsNumber() || before.negative != value.negative) continue;
      // Two's complement ascends; after a sign bit the magnitude ascends.
      if (format.set == Format::Set::kIntegers) {
        EXPECT_GT(value.number, before.number) << format.type << " " << code;
      } else {
        EXPECT_GT(abs(value.number), abs(before.number)) << format.type << " " << code;
      }
    }
    // Only NaN and infinities are missing.
    const uint64_t specials = format.type == kFloat8E4M3FN     ? 2
                              : format.type == kFloat8E4M3FNUZ ? 1
                              : format.type == kFloat8E5M2     ? 8
                              : format.type == kFloat8E5M2FNUZ ? 1
                              : format.type == kFloat8E8M0     ? 1
                              : format.type == kFloat16        ? 2048
                              : format.type == kBfloat16       ? 256
                                                               : 0;
    EXPECT_EQ(numbers, codes - specials) << format.type;
  }
  EXPECT_EQ(formats, 18);
  // 4 of 16 bits, 7 of 8 (float8, E8M0, UINT8, INT8), 2 of 6, 3 of 4, 2 of 2.
  EXPECT_EQ(visited, 4u * 65536 + 7 * 256 + 2 * 64 + 3 * 16 + 2 * 4);
}

TEST(ExactFormat, Round_TiesGoToTheEvenCode) {
  struct Case {
    int type;
    mpq_class value;
    uint64_t code;
  };
  const Case cases[] = {
      {kUint8, mpq_class(1, 2), 0},
      {kUint8, mpq_class(3, 2), 2},
      {kUint8, mpq_class(5, 2), 2},
      {kInt8, mpq_class(-1, 2), 0},
      {kInt8, mpq_class(-3, 2), 0xfe},
      {kInt8, mpq_class(-257, 2), 0x80},
      {kFloat4E2M1, mpq_class(1, 4), 0},
      {kFloat4E2M1, mpq_class(3, 4), 2},
      {kFloat4E2M1, mpq_class(5, 2), 4},
      {kFloat4E2M1, mpq_class(7, 2), 6},
      {kFloat4E2M1, 5, 6},
      {kFloat4E2M1, -5, 14},
      // 7 is 0x1e, 7.5 is 0x1f; 1/8 is 0x01, 1/4 is 0x02.
      {kFloat6E2M3, mpq_class(29, 4), 0x1e},
      {kFloat6E2M3, mpq_class(-29, 4), 0x3e},
      {kFloat6E2M3, mpq_class(1, 16), 0x00},
      {kFloat6E2M3, mpq_class(-1, 16), 0x20},
      {kFloat6E2M3, mpq_class(3, 16), 0x02},
      {kFloat6E2M3, mpq_class(5, 16), 0x02},
      {kFloat6E2M3, mpq_class(15, 16), 0x08},  // the largest subnormal or 1
      {kFloat6E2M3, mpq_class(31, 16), 0x10},  // 1.875 or 2
      {kFloat6E2M3, mpq_class(17, 8), 0x10},   // 2 or 2.25
      {kFloat6E3M2, 26, 0x1e},                 // 24 or 28
      {kFloat6E3M2, -26, 0x3e},
      {kFloat6E3M2, 22, 0x1e},  // 20 or 24
      {kFloat6E3M2, 25, 0x1e},  // the page's example
      {kFloat6E3M2, mpq_class(1, 32), 0x00},
      {kFloat6E3M2, mpq_class(-1, 32), 0x20},
      {kFloat6E3M2, mpq_class(3, 32), 0x02},
      {kFloat6E3M2, mpq_class(7, 32), 0x04},  // the largest subnormal or 0.25
      {kFloat8E4M3FN, 17, 0x58},              // 16 or 18
      {kFloat8E4M3FN, 19, 0x5a},              // 18 or 20
      {kFloat8E4M3FN, Power(1, -10), 0x00},
      {kFloat8E4M3FN, Power(-1, -10), 0x80},
      {kFloat8E4M3FNUZ, Power(-1, -11), 0x00},
      {kFloat8E5M2, Power(3, -17), 0x02},
      {kFloat16, 2049, 0x6800},
      {kFloat16, 2051, 0x6802},
      {kBfloat16, Power(257, 0), 0x4380},
      {kFloat, Power(16777217, 0), 0x4b800000},
      {kFloat, Power(16777219, 0), 0x4b800002},
      {kDouble, Power((1L << 53) + 1, 0), 0x4340000000000000},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Round(GetFormat(c.type), Value::Number(c.value), Overflow::kSaturate),
              c.code)
        << c.type << " " << c.value;
  }
}

TEST(ExactFormat, Round_OverflowIsDecidedAfterRoundingWithUnboundedExponent) {
  struct Case {
    int type;
    mpq_class last_in_range;  // the largest that still rounds to `highest`
    bool tie_overflows;
    uint64_t highest;
    uint64_t special;  // what Overflow::kSpecial gives
  };
  const Case cases[] = {
      {kFloat8E4M3FN, 464, false, 0x7e, 0x7f},
      {kFloat8E4M3FNUZ, 248, true, 0x7f, 0x80},
      {kFloat8E5M2, 61440, true, 0x7b, 0x7c},
      {kFloat8E5M2FNUZ, 61440, true, 0x7f, 0x80},
      {kFloat16, 65520, true, 0x7bff, 0x7c00},
      {kBfloat16, Power(511, 119), true, 0x7f7f, 0x7f80},
      {kFloat, Power((1L << 25) - 1, 103), true, 0x7f7fffff, 0x7f800000},
      {kDouble, Power((1L << 54) - 1, 970), true, 0x7fefffffffffffff, 0x7ff0000000000000},
  };
  for (const Case& c : cases) {
    const Format& format = GetFormat(c.type);
    const uint64_t sign = uint64_t{1} << (format.bits - 1);
    const mpq_class above = c.last_in_range * (1 + PowerOfTwo(-80));
    const mpq_class below = c.last_in_range * (1 - PowerOfTwo(-80));
    const auto special = [&](const mpq_class& v) {
      return Round(format, Value::Number(v), Overflow::kSpecial);
    };
    EXPECT_EQ(special(below), c.highest) << c.type;
    EXPECT_EQ(special(c.last_in_range), c.tie_overflows ? c.special : c.highest)
        << c.type;
    EXPECT_EQ(special(above), c.special) << c.type;
    EXPECT_EQ(special(-below), sign + c.highest) << c.type;
    EXPECT_EQ(special(-above), c.special | sign) << c.type;
    EXPECT_EQ(Round(format, Value::Number(above), Overflow::kSaturate), c.highest);
    EXPECT_EQ(Round(format, Value::Infinity(true), Overflow::kSaturate),
              sign + c.highest);
    EXPECT_EQ(Round(format, Value::Infinity(false), Overflow::kSpecial), c.special);
  }
}

// FLOAT4E2M1 and FLOAT6 have no code for values beyond the largest, so these saturate.
TEST(ExactFormat, Round_FormatsOfNumbersOnlySaturate) {
  struct Case {
    int type;
    mpq_class highest;
    mpq_class tie;  // half a step beyond it: with one more binade the even neighbour
    uint64_t code;
  };
  for (const Case& c : {Case{kFloat4E2M1, 6, 7, 0x7},
                        Case{kFloat6E2M3, mpq_class(15, 2), mpq_class(31, 4), 0x1f},
                        Case{kFloat6E3M2, 28, 30, 0x1f}}) {
    const Format& format = GetFormat(c.type);
    EXPECT_TRUE(HasNumbersOnly(format));
    EXPECT_EQ(format.highest, c.highest);
    EXPECT_EQ(format.lowest, -c.highest);
    const uint64_t sign = uint64_t{1} << (format.bits - 1);
    for (const mpq_class& v : {c.highest, c.tie, mpq_class(c.tie + PowerOfTwo(-60)),
                               mpq_class(2 * c.tie), PowerOfTwo(127)}) {
      EXPECT_EQ(Round(format, Value::Number(v), Overflow::kSaturate), c.code) << v;
      EXPECT_EQ(Round(format, Value::Number(-v), Overflow::kSaturate), sign + c.code);
    }
    EXPECT_EQ(Round(format, Value::Infinity(false), Overflow::kSaturate), c.code);
    EXPECT_EQ(Round(format, Value::Infinity(true), Overflow::kSaturate), sign + c.code);
    EXPECT_EQ(Round(format, Value::Zero(true), Overflow::kSaturate), sign);
  }
  for (int type : {kFloat8E4M3FN, kFloat8E5M2, kFloat8E5M2FNUZ, kFloat8E8M0, kFloat,
                   kInt4, kUint8}) {
    EXPECT_FALSE(HasNumbersOnly(GetFormat(type))) << type;
  }
}

// Between any two neighbours: the middle, and points next to it on both sides.
TEST(ExactFormat, Round_AllMidpointsOfAtMost16Bits) {
  const mpq_class nearly = 1 - PowerOfTwo(-60);
  uint64_t visited = 0;
  for (const Format& format : AllFormats()) {
    if (format.bits > 16 || format.set == Format::Set::kPowersOfTwo) continue;
    const bool is_float = format.set == Format::Set::kFloats;
    const uint64_t codes = uint64_t{1} << (is_float ? format.bits - 1 : format.bits);
    for (uint64_t code = 0; code + 1 < codes; ++code) {
      const Value low = ValueOf(format, code);
      const Value high = ValueOf(format, code + 1);
      if (!low.IsNumber() || !high.IsNumber() || high.number < low.number) continue;
      const mpq_class half = (high.number - low.number) / 2;
      const auto round = [&](const mpq_class& v) {
        return Round(format, Value::Number(v), Overflow::kSpecial);
      };
      EXPECT_EQ(round(low.number + half * nearly), code) << format.type;
      EXPECT_EQ(round(low.number + half), code % 2 == 0 ? code : code + 1) << format.type;
      EXPECT_EQ(round(high.number - half * nearly), code + 1) << format.type;
      ++visited;
    }
  }
  // Integers: one less per half of the codes; floats: as many as positive numbers.
  const uint64_t integers = 65535 + 65534 + 255 + 254 + 15 + 14 + 3 + 2;
  const uint64_t floats = 0x7bff + 0x7f7f + 126 + 127 + 123 + 127 + 7 + 31 + 31;
  EXPECT_EQ(visited, integers + floats);
}

TEST(ExactFormat, RoundToPrecision_KeepsMembersSignsAndSpecials) {
  const Format& f16 = GetFormat(kFloat16);
  EXPECT_TRUE(RoundToPrecision(f16, Value::Number(Power(-1, -25))).IsZero());
  EXPECT_TRUE(RoundToPrecision(f16, Value::Number(Power(-1, -25))).negative);
  EXPECT_EQ(RoundToPrecision(f16, Value::Number(Power(3, -26))).number, Power(1, -24));
  EXPECT_TRUE(RoundToPrecision(f16, Value::Number(65520)).IsInfinity());
  EXPECT_TRUE(RoundToPrecision(f16, Value::Nan()).IsNan());
  EXPECT_TRUE(RoundToPrecision(f16, Value::Zero(true)).negative);
}

TEST(ExactFormat, Contains_FollowsThePrecisionAndTheRange) {
  EXPECT_TRUE(Contains(GetFormat(kFloat), GetFormat(kFloat16)));
  EXPECT_TRUE(Contains(GetFormat(kFloat), GetFormat(kBfloat16)));
  EXPECT_TRUE(Contains(GetFormat(kFloat), GetFormat(kFloat8E8M0)));
  EXPECT_TRUE(Contains(GetFormat(kBfloat16), GetFormat(kFloat8E8M0)));
  EXPECT_FALSE(Contains(GetFormat(kFloat16), GetFormat(kFloat8E8M0)));
  EXPECT_FALSE(Contains(GetFormat(kFloat16), GetFormat(kBfloat16)));
  EXPECT_FALSE(Contains(GetFormat(kBfloat16), GetFormat(kFloat16)));
  EXPECT_FALSE(Contains(GetFormat(kFloat), GetFormat(kInt32)));
  EXPECT_TRUE(Contains(GetFormat(kDouble), GetFormat(kInt32)));
}

TEST(ExactValue, SpecialOperands_AreThoseOfIeee754) {
  const Value one = Value::Number(1);
  const Value inf = Value::Infinity(false);
  const Value zero = Value::Zero(false);
  EXPECT_TRUE(Divide(zero, zero).IsNan());
  EXPECT_TRUE(Divide(inf, inf).IsNan());
  EXPECT_TRUE(Divide(one, Value::Zero(true)).negative);
  EXPECT_TRUE(Divide(one, Value::Zero(true)).IsInfinity());
  EXPECT_TRUE(Divide(Value::Number(-1), inf).IsZero());
  EXPECT_TRUE(Divide(Value::Number(-1), inf).negative);
  EXPECT_TRUE(Divide(inf, zero).IsInfinity());
  EXPECT_TRUE(Multiply(inf, zero).IsNan());
  EXPECT_TRUE(Multiply(inf, Value::Number(-2)).negative);
  EXPECT_TRUE(Add(inf, Value::Infinity(true)).IsNan());
  EXPECT_FALSE(Add(one, Value::Number(-1)).negative);
  EXPECT_TRUE(Add(Value::Zero(true), Value::Zero(true)).negative);
  EXPECT_FALSE(Add(Value::Zero(true), zero).negative);
}

TEST(ExactValue, RoundHalfEven_OfNegativeNumbers) {
  EXPECT_EQ(RoundHalfEven(mpq_class(-5, 2)), -2);
  EXPECT_EQ(RoundHalfEven(mpq_class(-7, 2)), -4);
  EXPECT_EQ(RoundHalfEven(mpq_class(-9, 4)), -2);
  EXPECT_EQ(RoundHalfEven(mpq_class(7, 3)), 2);
}

}  // namespace
}  // namespace qconform::exact
