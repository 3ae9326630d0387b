// Exact operations, against the machine's own correctly rounded ones.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using enum DataType;

double FromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

uint64_t Bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

ExactValue Exact(double value) { return Decode(FormatOf(kDouble), Bits(value)); }

uint64_t RoundToDouble(const Unrounded& value) {
  return Round(FormatOf(kDouble), value, RoundingMode::kNearestEven,
               OverflowPolicy::kNonSaturating);
}

// Equal bits, or both NaN.
bool Same(uint64_t code, double expected) {
  return std::isnan(expected) ? IsNan(FormatOf(kDouble), code) : code == Bits(expected);
}

// Doubles of all kinds: uniform bits, few digits, near each other, special.
double RandomDouble(std::mt19937_64& random) {
  const double special[] = {
      0.0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
      1.0, -1.0};
  switch (random() % 8) {
    case 0:
      return special[random() % std::size(special)];
    case 1:
      return FromBits(random() & 0xFFF8000000000000);  // few digits
    case 2:
      return FromBits((random() & 0x800FFFFFFFFFFFFF));  // subnormal
    case 3:
      return std::ldexp(static_cast<double>(random() % 1000), static_cast<int>(random() % 20));
    case 4:
    case 5:
      return FromBits((random() & 0x800FFFFFFFFFFFFF) | (1000 + random() % 40) << 52);
    default:
      return FromBits(random());
  }
}

TEST(Arithmetic, RandomDoubles_RoundOnceToTheMachinesResults) {
  std::mt19937_64 random(7);
  int visited = 0;
  for (; visited < 1'000'000; ++visited) {
    const double a = RandomDouble(random);
    const double b = RandomDouble(random);
    ASSERT_TRUE(Same(RoundToDouble(Divide(Exact(a), Exact(b))), a / b)) << a << " / " << b;
    ASSERT_TRUE(Same(RoundToDouble(Multiply(Exact(a), Exact(b))), a * b)) << a << " * " << b;
    ASSERT_TRUE(Same(RoundToDouble(Add(ToUnrounded(Exact(a)), Exact(b))), a + b))
        << a << " + " << b;
    // A product and a sum, rounded once.
    const double c = RandomDouble(random);
    ASSERT_TRUE(Same(RoundToDouble(Add(Multiply(Exact(a), Exact(b)), Exact(c))), std::fma(a, b, c)))
        << a << " * " << b << " + " << c;
  }
  EXPECT_EQ(visited, 1'000'000);
}

TEST(Divide, RandomSignificands_AgreeWith128BitDivision) {
  std::mt19937_64 random(11);
  int visited = 0;
  for (; visited < 1'000'000; ++visited) {
    uint64_t n = random() >> (random() % 64);
    uint64_t d = random() >> (random() % 64);
    // Divisors and dividends near powers of two are where estimates fail.
    if (random() % 4 == 0) d = (uint64_t{1} << (random() % 64)) - random() % 3;
    if (random() % 4 == 0) n = (uint64_t{1} << (random() % 64)) - random() % 3;
    if (n == 0 || d == 0) continue;
    const Unrounded q = Divide({.value_class = ValueClass::kFinite, .significand = n},
                               {.value_class = ValueClass::kFinite, .significand = d});
    // q.significand <= (n / d) 2^-exponent < q.significand + 1, in integers.
    const int shift = -q.exponent;
    ASSERT_GE(q.significand, static_cast<Uint128>(1) << 62);
    if (shift >= 0 && shift < 64) {
      const Uint128 numerator = static_cast<Uint128>(n) << shift;
      ASSERT_TRUE(q.significand == numerator / d && q.sticky == (numerator % d != 0))
          << n << " / " << d;
    } else if (shift < 0) {
      ASSERT_TRUE(n / d == q.significand << -shift && !q.sticky) << n << " / " << d;
    } else {
      // (n 2^64) / d, and what is left of it 2^(shift - 64) times.
      const Uint128 first = (static_cast<Uint128>(n) << 64) / d;
      Uint128 rest = (static_cast<Uint128>(n) << 64) % d;
      Uint128 quotient = first;
      for (int i = 64; i < shift; ++i) {
        rest <<= 1;
        quotient = (quotient << 1) | (rest >= d ? 1 : 0);
        if (rest >= d) rest -= d;
      }
      ASSERT_TRUE(q.significand == quotient && q.sticky == (rest != 0)) << n << " / " << d;
    }
  }
  EXPECT_EQ(visited, 1'000'000);
}

TEST(MultiplyWide, ProductsBeyond128Digits_KeepTheFirst128) {
  // (2^100 + 1) * (2^53 - 1) = 2^153 - 2^100 + 2^53 - 1, of 153 digits: the last 25
  // are ones, and the 128 above them are 2^128 - 2^75 + 2^28 - 1.
  const Unrounded a{.value_class = ValueClass::kFinite,
                    .significand = (static_cast<Uint128>(1) << 100) + 1};
  const ExactValue b{.value_class = ValueClass::kFinite, .significand = (uint64_t{1} << 53) - 1};
  const Unrounded product = MultiplyWide(a, b);
  EXPECT_TRUE(product.significand == ~((static_cast<Uint128>(1) << 75) - 1) + (1u << 28) - 1);
  EXPECT_EQ(product.exponent, 25);
  EXPECT_TRUE(product.sticky);
}

TEST(DivideWide, RandomProducts_DivideBack) {
  // (n m d) / d = n m, with up to 192 digits between.
  std::mt19937_64 random(23);
  int visited = 0;
  for (; visited < 300'000; ++visited) {
    const uint64_t n = random() >> (random() % 40);
    const uint64_t m = random() >> (random() % 40);
    const uint64_t d = random() >> (random() % 40);
    const Uint128 product = static_cast<Uint128>(n) * m;
    const Unrounded wide =
        MultiplyWide({.value_class = ValueClass::kFinite, .significand = product, .exponent = 3},
                     {.value_class = ValueClass::kFinite, .significand = d, .exponent = -3});
    const Unrounded quotient =
        DivideWide(wide, {.value_class = ValueClass::kFinite, .significand = d});
    // The digits of n m, as many as the quotient has.
    const int drop = quotient.exponent;
    const Uint128 whole = drop >= 0 ? product >> drop : product << -drop;
    const bool rest = drop > 0 && (whole << drop) != product;
    ASSERT_TRUE(quotient.significand == whole && quotient.sticky == rest) << n << " " << m;
  }
  EXPECT_EQ(visited, 300'000);
}

TEST(DivideWide, StickyDividend_LeavesARemainder) {
  // Between 6 and 7 units: by 3 that is between 2 and 3 of them, whatever is left of 6.
  const Unrounded dividend{.value_class = ValueClass::kFinite,
                           .sticky = true,
                           .significand = static_cast<Uint128>(6) << 124};
  const Unrounded quotient =
      DivideWide(dividend, {.value_class = ValueClass::kFinite, .significand = 3});
  EXPECT_TRUE(quotient.significand == static_cast<Uint128>(2) << 124);
  EXPECT_EQ(quotient.exponent, 0);
  EXPECT_TRUE(quotient.sticky);
}

TEST(Divide, ByZeroAndInfinity_AsIeee) {
  const double values[] = {0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, NAN};
  int visited = 0;
  for (const double a : values) {
    for (const double b : values) {
      EXPECT_TRUE(Same(RoundToDouble(Divide(Exact(a), Exact(b))), a / b)) << a << " / " << b;
      EXPECT_TRUE(Same(RoundToDouble(Multiply(Exact(a), Exact(b))), a * b)) << a << " * " << b;
      EXPECT_TRUE(Same(RoundToDouble(Add(ToUnrounded(Exact(a)), Exact(b))), a + b))
          << a << " + " << b;
      EXPECT_TRUE(Same(RoundToDouble(DivideWide(ToUnrounded(Exact(a)), Exact(b))), a / b))
          << a << " / " << b;
      ++visited;
    }
  }
  EXPECT_EQ(visited, 49);
}

TEST(Add, QuotientAndInteger_KeepsWhatLiesBelow) {
  // 1/3 + 8 = 8.333...: to 4 digits 8; and 2/3 - 1 = -1/3 exactly enough to
  // round to FLOAT as the machine does.
  const Unrounded third = Divide(Exact(1), Exact(3));
  const Unrounded sum = Add(third, Exact(8));
  EXPECT_TRUE(sum.sticky);
  EXPECT_EQ(Round(FormatOf(kUint8), sum, RoundingMode::kNearestEven, OverflowPolicy::kSaturate),
            8u);
  const Unrounded difference = Add(Divide(Exact(2), Exact(3)), Exact(-1));
  EXPECT_TRUE(difference.negative);
  float expected = -1.0f / 3;
  uint32_t bits;
  std::memcpy(&bits, &expected, sizeof(bits));
  EXPECT_EQ(Round(FormatOf(kFloat), difference, RoundingMode::kNearestEven,
                  OverflowPolicy::kNonSaturating),
            bits);
}

TEST(Add, StickyAndItsWholePart_LeavesWhatIsSticky) {
  // (2^70 + something) - 2^70: more than nothing, of the sign of the first.
  for (const bool negative : {false, true}) {
    const Unrounded a{.value_class = ValueClass::kFinite,
                      .negative = negative,
                      .sticky = true,
                      .significand = static_cast<Uint128>(1) << 70};
    const Unrounded sum = Add(a, Exact(negative ? 0x1p70 : -0x1p70));
    EXPECT_EQ(sum.value_class, ValueClass::kFinite);
    EXPECT_EQ(sum.negative, negative);
    EXPECT_TRUE(sum.significand == 0);
    EXPECT_TRUE(sum.sticky);
  }
}

TEST(Add, FarApart_TheSmallerDecidesTies) {
  // 2.5 +- 2^-300 to an integer: no tie any more.
  const NumberFormat& format = FormatOf(kUint8);
  const auto round = [&](double a, double b) {
    return Round(format, Add(ToUnrounded(Exact(a)), Exact(b)), RoundingMode::kNearestEven,
                 OverflowPolicy::kSaturate);
  };
  EXPECT_EQ(round(2.5, 0), 2u);
  EXPECT_EQ(round(2.5, 0x1p-300), 3u);
  EXPECT_EQ(round(3.5, -0x1p-300), 3u);
  EXPECT_EQ(round(0x1p-300, 2.5), 3u);
}

}  // namespace
}  // namespace qconform
