#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using enum DataType;
constexpr auto kEven = RoundingMode::kNearestEven;
constexpr auto kSat = OverflowPolicy::kSaturate;
constexpr auto kNonSat = OverflowPolicy::kNonSaturating;

// The exact value of a double, by frexp.
Unrounded FromDouble(double value) {
  Unrounded result{.negative = std::signbit(value)};
  if (std::isnan(value)) {
    result.value_class = ValueClass::kNan;
  } else if (std::isinf(value)) {
    result.value_class = ValueClass::kInfinity;
  } else if (value != 0) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    result.value_class = ValueClass::kFinite;
    result.significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
    result.exponent = exponent - 53;
  }
  return result;
}

double ToDouble(DataType type, uint64_t code) {
  const ExactValue value = Decode(FormatOf(type), code);
  const double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

template <typename To, typename From>
To BitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

// Finite codes of a format that are not -0, in the order of their values.
std::vector<std::pair<double, uint64_t>> SortedValues(DataType type) {
  const NumberFormat& format = FormatOf(type);
  std::vector<std::pair<double, uint64_t>> values;
  for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code) {
    const ExactValue value = Decode(format, code);
    const bool finite = value.value_class == ValueClass::kFinite;
    const bool zero = value.value_class == ValueClass::kZero && !value.negative;
    if (finite || zero) values.emplace_back(ToDouble(type, code), code);
  }
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Round, EveryMidpointAndItsNeighbours_OfAllFormatsUpTo16Bits) {
  int64_t visited = 0;
  for (const DataType type : AllDataTypes()) {
    const NumberFormat& format = FormatOf(type);
    if (format.bits > 16 || format.kind == NumberKind::kPowerOfTwo) continue;
    const auto values = SortedValues(type);
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      const auto [low, low_code] = values[i];
      const auto [high, high_code] = values[i + 1];
      const double middle = (low + high) / 2;  // exact: at most 25 digits
      // Of two neighbouring magnitudes one has an even code. Codes of negative
      // integers are even where their values are.
      const uint64_t even = (low_code & 1) == 0 ? low_code : high_code;
      const auto round = [&](double value) {
        const uint64_t code = Round(format, FromDouble(value), kEven, kSat);
        // A negative value that rounds to zero: -0 where the format has it.
        const bool zero =
            (code << (64 - format.bits) << 1) == 0 && code != 0 && format.has_negative_zero;
        return zero ? uint64_t{0} : code;
      };
      ASSERT_EQ(round(low), low_code);
      ASSERT_EQ(round(middle), even) << DataTypeName(type) << " " << middle;
      ASSERT_EQ(round(std::nextafter(middle, -1e300)), low_code) << DataTypeName(type) << middle;
      ASSERT_EQ(round(std::nextafter(middle, 1e300)), high_code) << DataTypeName(type) << middle;
      visited += 4;
    }
  }
  // Codes but NaN, infinities and -0, less one, of each format.
  const int64_t gaps = (65536 - 2048 - 2) + (65536 - 256 - 2) + 2 * 65535 + (256 - 4) + (256 - 2) +
                       (256 - 10) + (256 - 2) + 2 * 255 + 2 * 62 + 14 + 2 * 15 + 2 * 3;
  EXPECT_EQ(visited, 4 * gaps);
}

TEST(Round, RandomDoublesToFloat_AreTheMachines) {
  std::mt19937_64 random(20240601);
  int visited = 0;
  for (; visited < 1'000'000; ++visited) {
    // Exponents a little beyond FLOAT's on both sides; few or many digits.
    const int exponent = static_cast<int>(random() % 310) - 160;
    uint64_t digits = random() >> 12;
    if (random() % 4 == 0) digits &= ~((uint64_t{1} << 28) - 1);  // ties
    const double value = std::ldexp(BitCast<double>(uint64_t{1023} << 52 | digits), exponent);
    const auto expected = BitCast<uint32_t>(static_cast<float>(value));
    ASSERT_EQ(Round(FormatOf(kFloat), FromDouble(value), kEven, kNonSat), expected) << value;
  }
  EXPECT_EQ(visited, 1'000'000);
}

struct RoundRow {
  DataType type;
  double value;
  OverflowPolicy policy;
  uint64_t code;
};

TEST(Round, OverflowOfFloats_IsDecidedAfterRoundingToTheGrid) {
  const double inf = INFINITY;
  const RoundRow rows[] = {
      // FLOAT8E4M3FN: 448 is the largest; 464 is halfway to the 480 that is NaN.
      {kFloat8E4M3FN, 464, kSat, 0x7E},
      {kFloat8E4M3FN, 464, kNonSat, 0x7E},  // a tie, even: 448
      {kFloat8E4M3FN, 464.0001, kSat, 0x7E},
      {kFloat8E4M3FN, 464.0001, kNonSat, 0x7F},  // 480 is overflow
      {kFloat8E4M3FN, -465, kNonSat, 0xFF},      // NaN of its sign
      {kFloat8E4M3FN, -1e300, kSat, 0xFE},
      {kFloat8E4M3FN, inf, kSat, 0x7E},
      {kFloat8E4M3FN, -inf, kNonSat, 0xFF},
      // FLOAT8E4M3FNUZ: 240; the next would be 256.
      {kFloat8E4M3FNUZ, 247.99, kNonSat, 0x7F},
      {kFloat8E4M3FNUZ, 248, kNonSat, 0x80},  // a tie to the even 256
      {kFloat8E4M3FNUZ, -248, kSat, 0xFF},
      {kFloat8E4M3FNUZ, inf, kSat, 0x7F},
      {kFloat8E4M3FNUZ, inf, kNonSat, 0x80},
      // FLOAT8E5M2: 57344; the next would be 65536.
      {kFloat8E5M2, 61439, kNonSat, 0x7B},
      {kFloat8E5M2, 61440, kNonSat, 0x7C},  // a tie to 65536: Inf
      {kFloat8E5M2, -61440, kNonSat, 0xFC},
      {kFloat8E5M2, 61440, kSat, 0x7B},
      {kFloat8E5M2, -inf, kSat, 0xFB},
      {kFloat8E5M2, -inf, kNonSat, 0xFC},
      // FLOAT8E5M2FNUZ: 57344 too.
      {kFloat8E5M2FNUZ, 61439, kNonSat, 0x7F},
      {kFloat8E5M2FNUZ, 61440, kNonSat, 0x80},
      // FLOAT4E2M1: 6 whatever the policy, there is no other code.
      {kFloat6E2M3, 7.25, kSat, 0x1E},  // a tie: 7
      {kFloat6E2M3, 7.75, kNonSat, 0x1F},
      {kFloat6E3M2, 26, kSat, 0x1E},  // a tie: 24
      {kFloat6E3M2, -30, kNonSat, 0x3F},
      {kFloat6E3M2, -inf, kNonSat, 0x3F},
      {kFloat4E2M1, 7, kSat, 0x7},
      {kFloat4E2M1, -1e30, kNonSat, 0xF},
      {kFloat4E2M1, inf, kSat, 0x7},
      // IEEE: 65520 is halfway between 65504 and 2^16.
      {kFloat16, 65519.99, kNonSat, 0x7BFF},
      {kFloat16, 65520, kNonSat, 0x7C00},
  };
  for (const RoundRow& row : rows) {
    EXPECT_EQ(Round(FormatOf(row.type), FromDouble(row.value), kEven, row.policy), row.code)
        << DataTypeName(row.type) << " " << row.value;
  }
}

TEST(Round, ZeroAndTiny_KeepTheirSignWhereTheFormatHasMinusZero) {
  const RoundRow rows[] = {
      {kFloat8E4M3FN, -0.0, kSat, 0x80},
      {kFloat8E4M3FN, -1e-9, kSat, 0x80},
      {kFloat8E5M2, -1e-300, kSat, 0x80},
      {kFloat8E4M3FNUZ, -0.0, kSat, 0x00},
      {kFloat8E4M3FNUZ, -1e-9, kSat, 0x00},
      {kFloat8E5M2FNUZ, -1e-300, kSat, 0x00},
      {kFloat4E2M1, -0.0, kSat, 0x8},
      {kFloat4E2M1, -0.25, kSat, 0x8},  // a tie to zero
      {kFloat4E2M1, 0.26, kSat, 0x1},
      {kFloat8E4M3FN, 0x1p-10, kSat, 0x00},   // half the smallest: a tie to zero
      {kFloat8E4M3FN, 0x1.8p-9, kSat, 0x02},  // 1.5 subnormal steps: to the even 2
      {kInt8, -0.4, kSat, 0x00},
      {kUint8, -0.0, kSat, 0x00},
  };
  for (const RoundRow& row : rows) {
    EXPECT_EQ(Round(FormatOf(row.type), FromDouble(row.value), kEven, row.policy), row.code)
        << DataTypeName(row.type) << " " << row.value;
  }
}

TEST(Round, IntegersAndNan_SaturateAndGiveTheSmallest) {
  const RoundRow rows[] = {
      {kUint8, 255.5, kSat, 0xFF},
      {kUint8, -0.5, kSat, 0x00},  // a tie to zero
      {kUint8, -0.51, kSat, 0x00},
      {kInt8, -128.5, kSat, 0x80},
      {kInt8, 127.49, kSat, 0x7F},
      {kInt8, 1e300, kSat, 0x7F},
      {kInt4, -INFINITY, kSat, 0x8},
      {kUint4, INFINITY, kSat, 0xF},
      {kInt2, -1.5, kSat, 0x2},  // to the even -2
      {kInt32, -2147483648.5, kSat, 0x80000000},
      {kInt32, 2147483646.5, kSat, 0x7FFFFFFE},
      {kInt64, -1e300, kSat, 0x8000000000000000},
      {kInt64, 1e300, kSat, 0x7FFFFFFFFFFFFFFF},
      {kInt8, NAN, kSat, 0x80},
      {kUint8, NAN, kSat, 0x00},
      {kFloat4E2M1, NAN, kSat, 0x7},
      {kFloat6E2M3, NAN, kSat, 0x20},
      {kFloat6E3M2, NAN, kNonSat, 0x20},
      {kFloat8E4M3FN, NAN, kSat, 0x7F},
      {kFloat8E5M2FNUZ, NAN, kSat, 0x80},
  };
  for (const RoundRow& row : rows) {
    EXPECT_EQ(Round(FormatOf(row.type), FromDouble(row.value), kEven, row.policy), row.code)
        << DataTypeName(row.type) << " " << row.value;
  }
}

TEST(Round, OtherModes_OfHalvesAndQuarters) {
  struct Row {
    RoundingMode mode;
    double value;
    int expected;
  };
  const Row rows[] = {
      {RoundingMode::kNearestAway, 2.5, 3},   {RoundingMode::kNearestAway, -2.5, -3},
      {RoundingMode::kNearestAway, 2.25, 2},  {RoundingMode::kTowardZero, 2.75, 2},
      {RoundingMode::kTowardZero, -2.75, -2}, {RoundingMode::kDown, 2.75, 2},
      {RoundingMode::kDown, -2.25, -3},       {RoundingMode::kUp, 2.25, 3},
      {RoundingMode::kUp, -2.75, -2},         {RoundingMode::kUp, 2, 2},
      {RoundingMode::kDown, -2, -2},          {RoundingMode::kNearestEven, 2.5, 2},
      {RoundingMode::kNearestEven, 3.5, 4},   {RoundingMode::kNearestUp, 2.5, 3},
      {RoundingMode::kNearestUp, -2.5, -2},   {RoundingMode::kNearestUp, -2.75, -3},
      {RoundingMode::kNearestUp, 2.25, 2},    {RoundingMode::kNearestUp, -0.5, 0},
  };
  for (const Row& row : rows) {
    const NumberFormat& format = FormatOf(kInt8);
    EXPECT_EQ(ToInteger(format, Round(format, FromDouble(row.value), row.mode, kSat)), row.expected)
        << row.value;
  }
}

TEST(Round, MoreThan64Digits_StillTellTiesFromNeighbours) {
  const NumberFormat& format = FormatOf(kUint8);
  // 2^100 + 2^99 over 2^100 is 1.5: a tie, to 2. One unit less is below it.
  const Uint128 tie = (static_cast<Uint128>(1) << 100) + (static_cast<Uint128>(1) << 99);
  Unrounded value{.value_class = ValueClass::kFinite, .significand = tie, .exponent = -100};
  EXPECT_EQ(Round(format, value, kEven, kSat), 2u);
  EXPECT_TRUE(RoundWithFacts(format, value, kEven, kSat).tie());
  value.significand = tie - 1;
  EXPECT_EQ(Round(format, value, kEven, kSat), 1u);
  EXPECT_TRUE(RoundWithFacts(format, value, kEven, kSat).near_tie());
  value.significand = tie + 1;
  EXPECT_EQ(Round(format, value, kEven, kSat), 2u);
  // 2.5 and a little, told by sticky alone.
  value = {.value_class = ValueClass::kFinite,
           .sticky = true,
           .significand = uint64_t{5} << 61,
           .exponent = -62};
  EXPECT_EQ(Round(format, value, kEven, kSat), 3u);
  EXPECT_FALSE(RoundWithFacts(format, value, kEven, kSat).tie());
  value.sticky = false;
  EXPECT_EQ(Round(format, value, kEven, kSat), 2u);
  EXPECT_TRUE(RoundWithFacts(format, value, kEven, kSat).tie());
}

TEST(Round, SignificandOfZeroWithSticky_IsTiny) {
  const Unrounded tiny{
      .value_class = ValueClass::kFinite, .negative = true, .sticky = true, .exponent = -70};
  EXPECT_EQ(Round(FormatOf(kFloat8E4M3FN), tiny, kEven, kSat), 0x80u);
  EXPECT_EQ(Round(FormatOf(kInt8), tiny, kEven, kSat), 0u);
  EXPECT_EQ(Round(FormatOf(kInt8), tiny, RoundingMode::kDown, kSat), 0xFFu);
}

TEST(RoundWithFacts, ReportsWhatHappened) {
  const NumberFormat& format = FormatOf(kFloat8E4M3FN);
  const Rounded exact = RoundWithFacts(format, FromDouble(1.125), kEven, kSat);
  EXPECT_EQ(exact.code, 0x39u);
  EXPECT_FALSE(exact.inexact());
  EXPECT_FALSE(exact.at_limit);
  EXPECT_EQ(std::ldexp(static_cast<double>(exact.units), exact.unit), 1.125);

  const Rounded up = RoundWithFacts(format, FromDouble(1.1875), kEven, kSat);
  EXPECT_EQ(up.code, 0x3Au);  // halfway between 1.125 and 1.25
  EXPECT_TRUE(up.tie());
  EXPECT_TRUE(up.away);

  const Rounded near = RoundWithFacts(format, FromDouble(1.1875 + 0x1p-20), kEven, kSat);
  EXPECT_TRUE(near.near_tie());
  EXPECT_FALSE(near.tie());

  const Rounded over = RoundWithFacts(format, FromDouble(470), kEven, kSat);
  EXPECT_TRUE(over.overflow);
  EXPECT_TRUE(over.at_limit);
  EXPECT_TRUE(over.inexact());
}

}  // namespace
}  // namespace qconform
