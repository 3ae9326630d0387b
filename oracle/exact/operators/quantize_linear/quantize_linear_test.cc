// The judge's QuantizeLinear against answers worked out by hand.
#include "oracle/exact/operators/quantize_linear/quantize_linear.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace qconform::exact {
namespace {

// One element, one scale, since_version 25, or 28 where y's type needs it.
QuantizeLinearInput One(int x_type, uint64_t x, int scale_type, uint64_t scale,
                        int y_type) {
  QuantizeLinearInput input;
  input.since_version = y_type == kFloat6E2M3 || y_type == kFloat6E3M2 ? 28 : 25;
  input.x = {x_type, {}, {x}};
  input.y_scale = {scale_type, {}, {scale}};
  input.output_dtype = y_type;
  return input;
}

QuantizeLinearInput OneFloat(const mpq_class& x, int y_type) {
  return One(kFloat, CodeOf(GetFormat(kFloat), Value::Number(x)), kFloat, 0x3f800000,
             y_type);
}

Element Answered(const QuantizeLinearInput& input,
                 const QuantizeLinearReadings& readings = {}) {
  return QuantizeLinear(input, readings).elements.at(0);
}

constexpr uint64_t kFloatInf = 0x7f800000;
constexpr uint64_t kFloatNan = 0x7fc00000;

TEST(ExactQuantizeLinear, Integers_RoundFirstThenAddThenClamp) {
  QuantizeLinearInput input = OneFloat(mpq_class(5, 2), kUint8);
  EXPECT_EQ(Answered(input).code, 2u);
  input.y_zero_point = Codes{kUint8, {}, {1}};  // QL-10: 3.5 would round to 4
  EXPECT_EQ(Answered(input).code, 3u);
  input.x.codes = {kFloatInf};  // QL-11
  EXPECT_EQ(Answered(input).code, 255u);
  input.x.codes = {0xff7fffff};
  EXPECT_EQ(Answered(input).code, 0u);
  input.x.codes = {kFloatNan};  // QL-12
  EXPECT_EQ(Answered(input).code, 0u);
  EXPECT_EQ(Answered(input).freedom, Freedom::kAnyCode);
  EXPECT_EQ(Answered(OneFloat(mpq_class(-257, 2), kInt8)).code, 0x80u);
  EXPECT_EQ(Answered(OneFloat(-2, kInt2)).code, 2u);
}

TEST(ExactQuantizeLinear, Quotient_IsRoundedOnceToP) {
  // 3.5 - 2^-23 or so: a tie once it is a FLOAT (QL-01), none as DOUBLE.
  QuantizeLinearInput input = One(kFloat, 0x40600003, kFloat, 0x3f800002, kUint8);
  EXPECT_EQ(Answered(input).code, 4u);
  input.precision = kDouble;  // QL-05
  EXPECT_EQ(Answered(input).code, 3u);
  // QL-03: 2^24 + 1 over 2^25 is 1/2 as FLOAT and more as DOUBLE.
  input = One(kInt32, 16777217, kFloat, 0x4c000000, kUint8);
  input.since_version = 13;
  EXPECT_EQ(Answered(input).code, 0u);
  EXPECT_EQ(Answered(input, {.division = DivisionPrecision::kF64Division}).code, 1u);
  EXPECT_EQ(Answered(input, {.unconverted_operands = true}).code, 0u);
}

// QL-02, QL-04: before 23 the text names no precision.
TEST(ExactQuantizeLinear, OneType_MayBeDividedInDoubleBefore23) {
  // 12 / 0x1.ce9b68p-5 is 212.5 and 1.45e-6 more, less than half a step of FLOAT.
  QuantizeLinearInput input = One(kFloat, 0x41400000, kFloat, 0x3d674db4, kUint8);
  input.output_dtype = 0;
  const QuantizeLinearReadings in_double = {.division = DivisionPrecision::kF64Division};
  for (int since_version : {10, 13, 19, 21}) {
    input.since_version = since_version;
    EXPECT_EQ(Answered(input).code, 212u) << since_version;
    EXPECT_EQ(Answered(input, in_double).code, 213u) << since_version;
    EXPECT_EQ(Answered(input).tier, Tier::kRegular) << since_version;
  }
  const auto is_allowed = [&](int since_version, int type, int64_t precision) {
    for (const QuantizeLinearReadings& readings :
         AllowedReadings(since_version, type, type, kUint8, precision)) {
      if (readings.division == DivisionPrecision::kF64Division) return true;
    }
    return false;
  };
  for (int type : {kFloat, kFloat16, kBfloat16}) {
    for (int since_version : {19, 21}) EXPECT_TRUE(is_allowed(since_version, type, 0));
    for (int since_version : {23, 24, 25}) {
      EXPECT_FALSE(is_allowed(since_version, type, 0)) << since_version;
      EXPECT_FALSE(is_allowed(since_version, type, kFloat)) << since_version;
    }
  }
  for (int since_version : {10, 13}) EXPECT_TRUE(is_allowed(since_version, kFloat, 0));
  EXPECT_FALSE(is_allowed(21, kInt32, 0));  // QL-06: exact, FLOAT or the type of x
  // FLOAT16: 9 / 1.2001953125 = 7.4988 is 7.5 in steps of 2^-8. BFLOAT16: 2 / 1.3359375
  // = 1.4971 is 1.5 in steps of 2^-7.
  for (const auto& [half, y, y_in_double] :
       {std::tuple{One(kFloat16, 0x4880, kFloat16, 0x3ccd, kUint8), 8u, 7u},
        std::tuple{One(kBfloat16, 0x4000, kBfloat16, 0x3fab, kUint8), 2u, 1u}}) {
    input = half;
    for (int since_version : {19, 21}) {
      input.since_version = since_version;
      EXPECT_EQ(Answered(input).code, y);
      EXPECT_EQ(Answered(input, in_double).code, y_in_double);
      EXPECT_EQ(Answered(input, {.division = DivisionPrecision::kF32Quotient}).code,
                y_in_double);
    }
  }
}

TEST(ExactQuantizeLinear, Int32Scale_HasTheExactQuotient) {
  const auto quotient = [](uint32_t x, uint32_t scale) {
    return Answered(One(kInt32, x, kInt32, scale, kInt8));
  };
  EXPECT_EQ(quotient(5, 2).code, 2u);
  EXPECT_EQ(quotient(7, 2).code, 4u);
  EXPECT_EQ(quotient(2147483647, 0).code, 127u);
  EXPECT_EQ(quotient(static_cast<uint32_t>(-1), 0).code, 0x80u);
  EXPECT_EQ(quotient(0, 0).freedom, Freedom::kAnyCode);
  EXPECT_EQ(quotient(5, 0).tier, Tier::kDegenerateScale);
  // Just above 2.5; with the operands rounded to FLOAT just below it.
  EXPECT_EQ(quotient(2147483647, 858993458).code, 3u);
  EXPECT_EQ(Answered(One(kInt32, 2147483647, kInt32, 858993458, kInt8),
                     {.division = DivisionPrecision::kF32Quotient})
                .code,
            2u);
}

TEST(ExactQuantizeLinear, E8M0Scale_DividesInFloat) {
  EXPECT_EQ(Answered(One(kFloat16, 0x4500, kFloat8E8M0, 128, kUint8)).code, 2u);  // 5 / 2
  const QuantizeLinearInput tiny = One(kFloat16, 0x3c00, kFloat8E8M0, 0, kUint8);
  EXPECT_EQ(Answered(tiny).code, 255u);  // 2^127
  EXPECT_EQ(Answered(One(kFloat, 0x3f800000, kFloat8E8M0, 0, kUint8)).tier,
            Tier::kSubnormal);
  EXPECT_EQ(Answered(One(kFloat, 0, kFloat8E8M0, 255, kUint8)).tier,
            Tier::kDegenerateScale);
}

TEST(ExactQuantizeLinear, Float8_OverflowZeroAndNan) {
  const auto code = [](const mpq_class& x, int type, int64_t saturate) {
    QuantizeLinearInput input = OneFloat(x, type);
    input.saturate = saturate;
    return Answered(input).code;
  };
  // QL-20.
  EXPECT_EQ(code(464, kFloat8E4M3FN, 0), 0x7eu);
  EXPECT_EQ(code(465, kFloat8E4M3FN, 0), 0x7fu);
  EXPECT_EQ(code(-465, kFloat8E4M3FN, 0), 0xffu);
  EXPECT_EQ(code(-465, kFloat8E4M3FN, 1), 0xfeu);
  EXPECT_EQ(code(-61440, kFloat8E5M2, 0), 0xfcu);
  EXPECT_EQ(code(248, kFloat8E4M3FNUZ, 0), 0x80u);
  EXPECT_EQ(code(248, kFloat8E4M3FNUZ, 1), 0x7fu);
  EXPECT_EQ(code(-PowerOfTwo(-40), kFloat8E4M3FN, 1), 0x80u);
  EXPECT_EQ(code(-PowerOfTwo(-40), kFloat8E5M2FNUZ, 1), 0x00u);
  // QL-21 to QL-23.
  QuantizeLinearInput input = One(kFloat, kFloatInf, kFloat, 0x3f800000, kFloat8E5M2FNUZ);
  EXPECT_EQ(Answered(input).code, 0x7fu);
  EXPECT_EQ(Answered(input, {.target = {.other_fnuz_infinity = true}}).code, 0x80u);
  input.output_dtype = kFloat8E5M2;
  EXPECT_EQ(Answered(input).code, 0x7bu);
  input.saturate = 0;
  EXPECT_EQ(Answered(input).code, 0x7cu);
  input.x.codes = {kFloatNan};
  EXPECT_EQ(Answered(input).freedom, Freedom::kAnyNan);
}

TEST(ExactQuantizeLinear, FloatZeroPoints) {
  QuantizeLinearInput input = OneFloat(17, kFloat8E4M3FN);
  input.y_zero_point = Codes{kFloat8E4M3FN, {}, {0x38}};  // 1
  const auto with = [&](FloatZeroPoint reading) {
    return Answered(input, {.target = {.float_zero_point = reading}}).code;
  };
  // QL-24. 16 is 0x58, 18 is 0x59.
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x59u);
  EXPECT_EQ(with(FloatZeroPoint::kIgnored), 0x58u);
  EXPECT_EQ(with(FloatZeroPoint::kRoundThenAdd), 0x58u);
  // 2304 is the middle of 0x68 and 0x69; FLOAT16 loses the half above it.
  input = OneFloat(2304, kFloat8E5M2);
  input.precision = kFloat16;
  input.y_zero_point = Codes{kFloat8E5M2, {}, {0x38}};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x69u);
  EXPECT_EQ(with(FloatZeroPoint::kAddedInP), 0x68u);
  // QL-20a.
  input = One(kFloat, 0x80000000, kFloat, 0x3f800000, kFloat8E4M3FN);
  input.y_zero_point = Codes{kFloat8E4M3FN, {}, {0x00}};
  EXPECT_EQ(Answered(input).code, 0x80u);
  const TargetReadings added = {.zero_point_of_zero =
                                    ZeroPointOfZero::kAddedWherePresent};
  EXPECT_EQ(Answered(input, {.target = added}).code, 0x00u);
  input.y_zero_point->codes = {0x80};
  EXPECT_EQ(Answered(input, {.target = added}).code, 0x80u);
}

// QL-20a, QL-26: -0 with a zero point of +0, of -0 and without one.
TEST(ExactQuantizeLinear, ZeroPointOfZero_PresentAndMissing) {
  for (const auto& [type, minus_zero] :
       {std::pair{kFloat8E4M3FN, 0x80u}, std::pair{kFloat8E5M2, 0x80u},
        std::pair{kFloat4E2M1, 0x8u}, std::pair{kFloat6E2M3, 0x20u},
        std::pair{kFloat6E3M2, 0x20u}}) {
    const auto codes = [&](ZeroPointOfZero reading, uint64_t x,
                           FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical) {
      QuantizeLinearInput input = One(kFloat, x, kFloat, 0x3f800000, type);
      const QuantizeLinearReadings readings = {
          .target = {.float_zero_point = float_zero_point,
                     .zero_point_of_zero = reading}};
      std::vector<uint64_t> all = {Answered(input, readings).code};
      for (uint64_t zero_point : {0u, minus_zero}) {
        input.y_zero_point = Codes{type, {}, {zero_point}};
        all.push_back(Answered(input, readings).code);
      }
      return all;
    };
    using Three = std::vector<uint64_t>;  // missing, +0, -0
    const Three kept = {minus_zero, minus_zero, minus_zero};
    EXPECT_EQ(codes(ZeroPointOfZero::kNotAdded, 0x80000000), kept);
    EXPECT_EQ(codes(ZeroPointOfZero::kAddedWherePresent, 0x80000000),
              (Three{minus_zero, 0, minus_zero}));
    EXPECT_EQ(codes(ZeroPointOfZero::kAlwaysAdded, 0x80000000),
              (Three{0, 0, minus_zero}));
    // A tiny quotient below 0 is 0 only once it is rounded: added before that, a zero
    // point of 0 leaves it as it is.
    EXPECT_EQ(codes(ZeroPointOfZero::kAlwaysAdded, 0x90000000), kept);
    EXPECT_EQ(
        codes(ZeroPointOfZero::kAlwaysAdded, 0x90000000, FloatZeroPoint::kRoundThenAdd),
        (Three{0, 0, minus_zero}));
    EXPECT_EQ(codes(ZeroPointOfZero::kAddedWherePresent, 0x90000000,
                    FloatZeroPoint::kRoundThenAdd),
              (Three{minus_zero, 0, minus_zero}));
    // Nothing else changes: 1 stays 1, NaN stays NaN.
    for (uint64_t x : {0x3f800000u, 0xbf800000u, 0x00000000u, 0xff800000u}) {
      EXPECT_EQ(codes(ZeroPointOfZero::kAlwaysAdded, x),
                codes(ZeroPointOfZero::kNotAdded, x));
    }
  }
}

// The three of the four combinations that a backend may follow, and no fourth one.
TEST(ExactQuantizeLinear, ZeroPointOfZero_IsAReadingOfTypesWithBothZeros) {
  const auto count = [](int y, ZeroPointOfZero reading) {
    int64_t found = 0;
    for (const QuantizeLinearReadings& readings :
         AllowedReadings(28, kFloat, kFloat, y, 0)) {
      if (readings.target.zero_point_of_zero == reading) ++found;
    }
    return found;
  };
  for (int y : {kFloat8E4M3FN, kFloat8E5M2, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
    EXPECT_GT(count(y, ZeroPointOfZero::kNotAdded), 0);
    EXPECT_EQ(count(y, ZeroPointOfZero::kAddedWherePresent),
              count(y, ZeroPointOfZero::kNotAdded));
    EXPECT_EQ(count(y, ZeroPointOfZero::kAlwaysAdded),
              count(y, ZeroPointOfZero::kNotAdded));
  }
  for (int y : {kUint8, kInt4, kFloat8E4M3FNUZ, kFloat8E5M2FNUZ}) {
    EXPECT_EQ(count(y, ZeroPointOfZero::kAddedWherePresent), 0);
    EXPECT_EQ(count(y, ZeroPointOfZero::kAlwaysAdded), 0);
  }
}

// QL-22: Cast of 19, 21 and 23 gives NaN, of 24 and 25 the largest finite.
TEST(ExactQuantizeLinear, InfinityToFnuz_FollowsCastOfItsTime) {
  for (const auto& [since_version, is_nan] :
       {std::pair{19, true}, std::pair{21, true}, std::pair{23, true},
        std::pair{24, false}, std::pair{25, false}}) {
    for (int type : {kFloat8E4M3FNUZ, kFloat8E5M2FNUZ}) {
      QuantizeLinearInput input = One(kFloat, kFloatInf, kFloat, 0x3f800000, type);
      input.since_version = since_version;
      input.output_dtype = 0;
      input.y_zero_point = Codes{type, {}, {0}};
      const QuantizeLinearReadings other = {.target = {.other_fnuz_infinity = true}};
      EXPECT_EQ(Answered(input).code, is_nan ? 0x80u : 0x7fu) << since_version;
      EXPECT_EQ(Answered(input).freedom, is_nan ? Freedom::kAnyNan : Freedom::kNone);
      EXPECT_EQ(Answered(input, other).code, is_nan ? 0x7fu : 0x80u) << since_version;
      input.x.codes = {0xff800000};
      EXPECT_EQ(Answered(input).code, is_nan ? 0x80u : 0xffu) << since_version;
      EXPECT_EQ(Answered(input, other).code, is_nan ? 0xffu : 0x80u) << since_version;
      // A quotient that is large and finite saturates, whatever the version.
      input.x.codes = {0x7f7fffff};
      EXPECT_EQ(Answered(input).code, 0x7fu) << since_version;
      EXPECT_EQ(Answered(input, other).code, 0x7fu) << since_version;
      input.saturate = 0;
      EXPECT_EQ(Answered(input).freedom, Freedom::kAnyNan) << since_version;
    }
  }
}

TEST(ExactQuantizeLinear, Float4_SaturatesAlways) {
  QuantizeLinearInput input = OneFloat(100, kFloat4E2M1);
  input.saturate = 0;
  EXPECT_EQ(Answered(input).code, 0x7u);
  input.x.codes = {0xff800000};
  EXPECT_EQ(Answered(input).code, 0xfu);
  input.x.codes = {kFloatNan};  // QL-26
  EXPECT_EQ(Answered(input).code, 0x7u);
  EXPECT_EQ(Answered(input).freedom, Freedom::kAnyCode);
  input.x.codes = {0x80000000};
  EXPECT_EQ(Answered(input).code, 0x8u);
  EXPECT_EQ(Answered(input, {.target = {.zero_sign_dropped = true}}).code, 0x0u);
}

// QL-27: `saturate` has no effect, and infinities give the largest of their sign.
TEST(ExactQuantizeLinear, Float6_SaturatesAlways) {
  for (int type : {kFloat6E2M3, kFloat6E3M2}) {
    for (int64_t saturate : {0, 1}) {
      QuantizeLinearInput input = OneFloat(100, type);
      input.saturate = saturate;
      const auto code = [&](uint64_t x) {
        input.x.codes = {x};
        return Answered(input).code;
      };
      EXPECT_EQ(code(0x42c80000), 0x1fu);  // 100
      EXPECT_EQ(code(0xc2c80000), 0x3fu);
      EXPECT_EQ(code(0x7f7fffff), 0x1fu);  // the largest FLOAT
      EXPECT_EQ(code(kFloatInf), 0x1fu);
      EXPECT_EQ(code(0xff800000), 0x3fu);
      EXPECT_EQ(Answered(input).freedom, Freedom::kNone);
      // 65504 / 2^-14 overflows FLOAT16, the P of this division.
      input = One(kFloat16, 0x7bff, kFloat16, 0x0400, type);
      input.saturate = saturate;
      EXPECT_EQ(Answered(input).code, 0x1fu);
      EXPECT_EQ(code(0xfbff), 0x3fu);
    }
  }
}

// QL-27: one rounding, from the quotient to the grid.
TEST(ExactQuantizeLinear, Float6_GridTiesAndSubnormals) {
  const auto code = [](const mpq_class& x, int type) {
    return Answered(OneFloat(x, type)).code;
  };
  const mpq_class more = PowerOfTwo(-20);                 // a FLOAT holds 7.25 and this
  EXPECT_EQ(code(mpq_class(29, 4), kFloat6E2M3), 0x1eu);  // 7.25: 7 is even
  EXPECT_EQ(code(mpq_class(29, 4) + more, kFloat6E2M3), 0x1fu);
  EXPECT_EQ(code(mpq_class(31, 4), kFloat6E2M3), 0x1fu);  // 7.75
  EXPECT_EQ(code(mpq_class(1, 16), kFloat6E2M3), 0x00u);
  EXPECT_EQ(code(mpq_class(3, 16), kFloat6E2M3), 0x02u);
  EXPECT_EQ(code(mpq_class(-1, 16), kFloat6E2M3), 0x20u);
  EXPECT_EQ(code(mpq_class(-3, 8), kFloat6E2M3), 0x23u);
  EXPECT_EQ(code(26, kFloat6E3M2), 0x1eu);  // 24 is even
  EXPECT_EQ(code(26 + more * 2, kFloat6E3M2), 0x1fu);
  EXPECT_EQ(code(30, kFloat6E3M2), 0x1fu);
  EXPECT_EQ(code(25, kFloat6E3M2), 0x1eu);
  EXPECT_EQ(code(mpq_class(1, 32), kFloat6E3M2), 0x00u);
  EXPECT_EQ(code(mpq_class(-1, 32), kFloat6E3M2), 0x20u);
  EXPECT_EQ(code(mpq_class(-3, 16), kFloat6E3M2), 0x23u);
  // FLOAT8E4M3FN has 1/16 as the nearest of it, FLOAT16 has 26: then these would be ties.
  EXPECT_EQ(code(mpq_class(1, 16) + PowerOfTwo(-12), kFloat6E2M3), 0x01u);
  EXPECT_EQ(code(26 + PowerOfTwo(-8), kFloat6E3M2), 0x1fu);
}

// QL-28.
TEST(ExactQuantizeLinear, Float6_NanAndSignOfZero) {
  for (int type : {kFloat6E2M3, kFloat6E3M2}) {
    QuantizeLinearInput input = One(kFloat, kFloatNan, kFloat, 0x3f800000, type);
    const QuantizeLinearReadings dropped = {.target = {.zero_sign_dropped = true}};
    for (const QuantizeLinearReadings& readings : {QuantizeLinearReadings{}, dropped}) {
      EXPECT_EQ(Answered(input, readings).code, 0x20u);
      EXPECT_EQ(Answered(input, readings).freedom, Freedom::kAnyCode);
    }
    for (uint64_t x : {0x80000000u, 0x80000001u, 0xba000000u}) {  // -0, and close to it
      input.x.codes = {x};
      EXPECT_EQ(Answered(input).code, 0x20u);
      EXPECT_EQ(Answered(input).freedom, Freedom::kNone);
      EXPECT_EQ(Answered(input, dropped).code, 0x00u);
    }
    input.x.codes = {0xbf800000};  // -1 is no zero
    EXPECT_EQ(Answered(input, dropped).code, Answered(input).code);
    input.x.codes = {0};
    EXPECT_EQ(Answered(input).code, 0x00u);
  }
  int64_t count = 0;
  for (const QuantizeLinearReadings& readings :
       AllowedReadings(28, kFloat, kFloat, kFloat6E3M2, 0)) {
    count += readings.target.zero_sign_dropped ? 1 : 0;
    EXPECT_FALSE(readings.target.other_fnuz_infinity);
  }
  EXPECT_EQ(count, 4 * 3);  // with those of QL-24 and QL-20a
}

// QL-24 for FLOAT6.
TEST(ExactQuantizeLinear, Float6_ZeroPoints) {
  QuantizeLinearInput input = OneFloat(mpq_class(1, 16), kFloat6E2M3);
  const auto with = [&](FloatZeroPoint reading) {
    return Answered(input, {.target = {.float_zero_point = reading}}).code;
  };
  input.y_zero_point = Codes{kFloat6E2M3, {}, {0x09}};  // 1.125
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x0au);   // 1.1875 ties to 1.25
  EXPECT_EQ(with(FloatZeroPoint::kAddedInP), 0x0au);
  EXPECT_EQ(with(FloatZeroPoint::kRoundThenAdd), 0x09u);
  EXPECT_EQ(with(FloatZeroPoint::kIgnored), 0x00u);
  // 1.0625 + 2^-12 is nearer to 1.125 than to 1, and a tie in FLOAT16.
  input = OneFloat(mpq_class(1, 16) + PowerOfTwo(-12), kFloat6E2M3);
  input.precision = kFloat16;
  input.y_zero_point = Codes{kFloat6E2M3, {}, {0x08}};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x09u);
  EXPECT_EQ(with(FloatZeroPoint::kAddedInP), 0x08u);
  EXPECT_EQ(with(FloatZeroPoint::kRoundThenAdd), 0x09u);
  EXPECT_EQ(with(FloatZeroPoint::kIgnored), 0x01u);
  // 28 + 28 saturates; 28 - 28 is +0; -Inf + 28 is -Inf; the -0 zero point is a zero.
  input = OneFloat(28, kFloat6E3M2);
  input.y_zero_point = Codes{kFloat6E3M2, {}, {0x1f}};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x1fu);
  input.y_zero_point->codes = {0x3f};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x00u);
  EXPECT_EQ(with(FloatZeroPoint::kIgnored), 0x1fu);
  input.x.codes = {0x41e80000};  // 29: rounded first it is 28
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x0cu);
  EXPECT_EQ(with(FloatZeroPoint::kRoundThenAdd), 0x00u);
  input.x.codes = {kFloatInf};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x1fu);
  EXPECT_EQ(with(FloatZeroPoint::kRoundThenAdd), 0x00u);
  input.x.codes = {0x80000000};
  input.y_zero_point->codes = {0x20};
  EXPECT_EQ(with(FloatZeroPoint::kCanonical), 0x20u);
}

// QL-31 with 6-bit y whose rows do not begin at a byte: the scale's index is that of the
// element, whatever its place in the bytes.
TEST(ExactQuantizeLinear, Float6_RowsOffTheByte) {
  QuantizeLinearInput input;
  input.since_version = 28;
  input.axis = 0;
  input.output_dtype = kFloat6E2M3;
  input.x = {kFloat, {2, 3}, std::vector<uint64_t>(6, 0x40800000)};  // 4
  input.y_scale = {kFloat, {2}, {0x3f800000, 0x40000000}};           // 1, 2
  std::vector<uint64_t> codes;
  for (const Element& element : QuantizeLinear(input).elements) {
    codes.push_back(element.code);
  }
  EXPECT_EQ(codes, (std::vector<uint64_t>{0x18, 0x18, 0x18, 0x10, 0x10, 0x10}));
}

TEST(ExactQuantizeLinear, Tiers_FollowTheAdmittedPrecisions) {
  const auto tier = [](int x_type, uint64_t x, int scale_type, uint64_t scale,
                       int64_t precision = 0) {
    QuantizeLinearInput input = One(x_type, x, scale_type, scale, kUint8);
    input.precision = precision;
    return Answered(input).tier;
  };
  EXPECT_EQ(tier(kFloat, 0x3f800000, kFloat, 0x3f800000), Tier::kRegular);
  EXPECT_EQ(tier(kFloat, kFloatNan, kFloat, 0x3f800000), Tier::kRegular);
  EXPECT_EQ(tier(kFloat, kFloatInf, kFloat, 0x3f800000), Tier::kRegular);
  EXPECT_EQ(tier(kFloat, 0x00000001, kFloat, 0x3f800000), Tier::kSubnormal);
  EXPECT_EQ(tier(kFloat, 0x00800000, kFloat, 0x40000000), Tier::kSubnormal);  // quotient
  EXPECT_EQ(tier(kFloat, 0x00800000, kFloat, 0x7f000000), Tier::kSubnormal);  // it is 0
  for (uint64_t scale : {0x00000000u, 0x80000000u, 0x00000001u}) {
    EXPECT_EQ(tier(kFloat, 0, kFloat, scale), Tier::kDegenerateScale);
  }
  for (uint64_t scale : {0xbf800000u, 0x7f800000u, 0x7fc00000u}) {
    EXPECT_EQ(tier(kFloat, 0, kFloat, scale), Tier::kDegenerateScale);
  }
  // 70000 is beyond FLOAT16; 2^-30 is 0 in it, 2^-20 subnormal.
  EXPECT_EQ(tier(kFloat, 0x4788b800, kFloat16, 0x3c00), Tier::kConversionRange);
  EXPECT_EQ(tier(kFloat, 0x30800000, kFloat16, 0x3c00), Tier::kConversionRange);
  EXPECT_EQ(tier(kFloat, 0x35800000, kFloat16, 0x3c00), Tier::kSubnormal);
  EXPECT_EQ(tier(kFloat, 0x4788b800, kFloat16, 0x3c00, kFloat), Tier::kRegular);
  EXPECT_EQ(tier(kFloat16, 0x3c00, kInt32, 70000), Tier::kConversionRange);  // QL-06
  EXPECT_EQ(tier(kInt32, 1, kInt32, 70000), Tier::kRegular);
}

TEST(ExactQuantizeLinear, Granularity_PicksTheScale) {
  QuantizeLinearInput input;
  input.since_version = 21;
  input.x = {kFloat, {2, 3, 2}, std::vector<uint64_t>(12, 0x42c80000)};  // all 100
  // Scales 1 to 4: 100, 50, 33, 25.
  input.y_scale = {kFloat, {3}, {0x3f800000, 0x40000000, 0x40400000}};
  input.axis = -2;
  const auto codes = [&] {
    std::vector<uint64_t> all;
    for (const Element& element : QuantizeLinear(input).elements)
      all.push_back(element.code);
    return all;
  };
  EXPECT_EQ(codes(),
            (std::vector<uint64_t>{100, 100, 50, 50, 33, 33, 100, 100, 50, 50, 33, 33}));
  // Blocks of 2 along an axis of 3: the last block is partial.
  input.block_size = 2;
  input.y_scale = {kFloat,
                   {2, 2, 2},
                   {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x3f800000,
                    0x3f800000, 0x40000000, 0x40400000}};
  EXPECT_EQ(codes(), (std::vector<uint64_t>{100, 50, 100, 50, 33, 25, 100, 100, 100, 100,
                                            50, 33}));
  input.axis = 0;
  input.y_scale = {
      kFloat,
      {1, 3, 2},
      {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x3f800000, 0x40000000}};
  EXPECT_EQ(codes(),
            (std::vector<uint64_t>{100, 50, 33, 25, 100, 50, 100, 50, 33, 25, 100, 50}));
}

}  // namespace
}  // namespace qconform::exact
