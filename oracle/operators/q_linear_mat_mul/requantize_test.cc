// MM-02, MM-20: readings of the requantization, scales.
#include "oracle/requantization/requantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Requantization = QLinearMatMulReadings::Requantization;
using Order = QLinearMatMulReadings::MultiplierOrder;

// --- MM-02 -------------------------------------------------------------------------

TEST(MatMulRequantization, Canonical_IsExact) {  // MM-02
  struct Row {
    int64_t c;
    float a, b;
    double y;
    int64_t exact, in_double;
  };
  const Row rows[] = {
      // 235102706 * 4210967 * 865 = 93.5 * 8529903 * 2^30 - 2: below the tie; the
      // doubles are exactly there, and go to the even 94.
      {235102706, 4210967, 865, 8529903 * 0x1p30, 93, 94},
      // 704858286 * 121 * 15167777 = 111.5 * 10805239 * 2^30 - 2.
      {704858286, 121, 15167777, 10805239 * 0x1p30, 111, 112},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(row.c);
    SetScales(tensors, kFloat, row.a, row.b, row.y);
    EXPECT_EQ(Codes(Evaluate(tensors))[0], row.exact);
    EXPECT_EQ(Codes(Evaluate(tensors, {.requantization = Requantization::kF64Chain}))[0],
              row.in_double);
    EXPECT_TRUE(Evaluate(tensors).elements[0].features & kFeatureNearTie);
  }
}

TEST(MatMulRequantization, Canonical_AgreesWithIntegerDivision) {  // MM-02
  std::mt19937_64 random(29);
  int visited = 0;
  for (; visited < 300; ++visited) {
    // Whole scales: v = c a b / y is a quotient of integers below 2^62.
    const auto c = static_cast<int64_t>(random() % 100000) - 50000;
    const auto a = static_cast<int64_t>(random() % 4096 + 1),
               b = static_cast<int64_t>(random() % 4096 + 1);
    int64_t y = std::abs(c * a * b) / static_cast<int64_t>(random() % 120 + 1) + 1;
    while (y >= 1 << 24) y /= 2;  // then most saturate, but not all
    MatMulTensors tensors = ProductOf(c);
    SetScales(tensors, kFloat, static_cast<double>(a), static_cast<double>(b),
              static_cast<double>(y));
    const int64_t n = c * a * b;
    int64_t rounded = std::abs(n) / y;
    const int64_t twice = 2 * (std::abs(n) % y);
    if (twice > y || (twice == y && rounded % 2 != 0)) ++rounded;
    rounded = n < 0 ? std::max<int64_t>(-rounded, -128) : std::min<int64_t>(rounded, 127);
    ASSERT_EQ(Codes(Evaluate(tensors))[0], rounded)
        << c << " " << a << " " << b << " " << y;
  }
  EXPECT_EQ(visited, 300);
}

// Rounds a double that holds the exact value to FLOAT16 or BFLOAT16.
double RoundToScaleType(DataType type, double exact) {
  const uint64_t code = CodeOf(type, exact);
  const ExactValue value = Decode(FormatOf(type), code);
  double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  if (value.value_class == ValueClass::kInfinity) magnitude = INFINITY;
  if (value.value_class == ValueClass::kNan) magnitude = NAN;
  return value.negative ? -magnitude : magnitude;
}

float MultiplierInFloat(Order order, float a, float b, float y) {
  switch (order) {
    case Order::kAbFirst:
      return (a * b) / y;
    case Order::kByFirst:
      return a * (b / y);
    case Order::kAyFirst:
      return (a / y) * b;
  }
  return 0;
}

// Quotients of 11 digits in double are never so near a tie of 11 digits that the
// second rounding could differ.
double MultiplierInScaleType(DataType type, Order order, double a, double b, double y) {
  const auto round = [type](double value) { return RoundToScaleType(type, value); };
  switch (order) {
    case Order::kAbFirst:
      return round(round(a * b) / y);
    case Order::kByFirst:
      return round(a * round(b / y));
    case Order::kAyFirst:
      return round(round(a / y) * b);
  }
  return 0;
}

// The formulas of MM-02 in the machine's own arithmetic.
double Simple(const QLinearMatMulReadings& readings, DataType type, int32_t c, double a,
              double b, double y) {
  const auto fa = static_cast<float>(a), fb = static_cast<float>(b),
             fy = static_cast<float>(y);
  const auto fc = static_cast<float>(c);
  switch (readings.requantization) {
    case Requantization::kCanonical:
      break;
    case Requantization::kF32Multiplier:
      return fc * MultiplierInFloat(readings.order, fa, fb, fy);
    case Requantization::kF32DequantizeQuantize:
      return readings.b_first ? ((fc * fb) * fa) / fy : ((fc * fa) * fb) / fy;
    case Requantization::kF32CombinedDequantizeQuantize:
      return (fc * (fa * fb)) / fy;
    case Requantization::kF64Product:
      return static_cast<double>(c) * MultiplierInFloat(readings.order, fa, fb, fy);
    case Requantization::kF64Chain:
      return readings.b_first ? ((static_cast<double>(c) * b) * a) / y
                              : ((static_cast<double>(c) * a) * b) / y;
    case Requantization::kScaleTypeMultiplier: {
      const double m = MultiplierInScaleType(type, readings.order, a, b, y);
      if (readings.product_in_double) return static_cast<double>(c) * m;
      return fc * static_cast<float>(m);
    }
  }
  return 0;
}

TEST(MatMulRequantization, EachReading_FollowsItsFormula) {  // MM-02
  std::mt19937_64 random(31);
  int64_t visited = 0;
  for (const DataType type : {kFloat, kFloat16, kBfloat16}) {
    const NumberFormat& format = FormatOf(type);
    for (const QLinearMatMulReadings& readings : ReadingCombinations(type, kInt8)) {
      if (readings.requantization == Requantization::kCanonical) continue;
      const QLinearMatMulParameters parameters = ParametersOf(readings, type);
      const Requantizer requantize(parameters.requantization);
      for (int i = 0; i < 20000; ++i, ++visited) {
        // Most scales near one, some any bits at all.
        uint64_t codes[3];
        for (uint64_t& code : codes) {
          code = random() & (~uint64_t{0} >> (64 - format.bits));
          if (i % 8 != 0)
            code = CodeOf(
                type, std::ldexp(1 + static_cast<double>(random() % (1 << 24)) * 0x1p-24,
                                 static_cast<int>(random() % 12) - 6));
        }
        const auto c =
            static_cast<int32_t>(static_cast<uint32_t>(random() >> (random() % 32)));
        const RequantizationScales scales{
            Decode(format, codes[0]), Decode(format, codes[1]), Decode(format, codes[2])};
        RationalSum sum{
            .value_class = c == 0 ? ValueClass::kZero : ValueClass::kFinite,
            .negative = c < 0,
            .numerator = static_cast<Uint128>(std::abs(static_cast<int64_t>(c)))};
        const auto value = [](const ExactValue& exact) {
          double magnitude =
              std::ldexp(static_cast<double>(exact.significand), exact.exponent);
          if (exact.value_class == ValueClass::kInfinity) magnitude = INFINITY;
          if (exact.value_class == ValueClass::kNan) magnitude = NAN;
          return exact.negative ? -magnitude : magnitude;
        };
        const double expected =
            Simple(readings, type, c, value(scales.a), value(scales.b), value(scales.y));
        const uint64_t code =
            Round(FormatOf(kDouble), requantize(sum, scales), RoundingMode::kNearestEven,
                  OverflowPolicy::kNonSaturating);
        if (std::isnan(expected)) {
          ASSERT_TRUE(IsNan(FormatOf(kDouble), code)) << ReadingsName(readings);
          continue;
        }
        ASSERT_EQ(code, CodeOf(kDouble, expected))
            << ReadingsName(readings) << ": " << c << " * " << value(scales.a) << " * "
            << value(scales.b) << " / " << value(scales.y);
      }
    }
  }
  EXPECT_EQ(visited, 20000 * (11 + 17 + 17));
}

// --- readings ---------------------------------------------------------------------

TEST(MatMulReadings, NamesAreUniqueAndCanonicalIsFirst) {
  struct Row {
    DataType scale, y;
    size_t count;
  };
  const Row rows[] = {
      {kFloat, kInt8, 12},
      {kFloat16, kUint8, 18},
      {kFloat, kFloat8E4M3FN, 12 * 3 + 11},
      {kFloat, kFloat8E5M2, 2 * (12 * 3 + 11)},
      {kBfloat16, kFloat8E4M3FNUZ, 2 * (18 * 3 + 17)},
  };
  for (const Row& row : rows) {
    const auto combinations = ReadingCombinations(row.scale, row.y);
    std::set<std::string> names;
    for (const QLinearMatMulReadings& readings : combinations) {
      names.insert(ReadingsName(readings));
    }
    EXPECT_EQ(ReadingsName(combinations[0]), "canonical");
    EXPECT_EQ(combinations.size(), row.count);
    EXPECT_EQ(names.size(), row.count);
  }
  EXPECT_EQ(ReadingsName({.requantization = Requantization::kF32Multiplier,
                          .order = Order::kByFirst,
                          .float_zero_point = FloatZeroPoint::kIgnored}),
            "MM-02:f32_multiplier_by_first+QL-24:zero_point_ignored");
  EXPECT_EQ(ReadingsName({.requantization = Requantization::kScaleTypeMultiplier,
                          .product_in_double = true,
                          .e5m2_infinity = true}),
            "MM-02:scale_type_multiplier_ab_first_in_double+MM-11b:e5m2_infinity");
}

TEST(MatMulReadings, EachPairDiffersSomewhere) {  // MM-02
  std::mt19937_64 random(37);
  for (const DataType type : {kFloat, kFloat16, kBfloat16}) {
    const auto combinations = ReadingCombinations(type, kInt8);
    std::vector<Requantizer> requantizers;
    for (const auto& readings : combinations) {
      requantizers.emplace_back(ParametersOf(readings, type).requantization);
    }
    std::set<std::pair<size_t, size_t>> alike;
    for (size_t i = 0; i < combinations.size(); ++i) {
      for (size_t j = i + 1; j < combinations.size(); ++j) alike.emplace(i, j);
    }
    // Whether the values differ; that codes can is shown by Canonical_IsExact for
    // the pair that lies closest, DOUBLE and exact.
    for (int round = 0; round < 20000 && !alike.empty(); ++round) {
      const auto scale = [&] {
        return Decode(
            FormatOf(type),
            CodeOf(type, 1 + static_cast<double>(random() % (1 << 24)) * 0x1p-24));
      };
      const RequantizationScales scales{scale(), scale(), scale()};
      // Sums of float8 products have more digits than those of integers.
      const uint64_t most = round % 4 == 0 ? uint64_t{1} << 50 : 2147483647;
      const RationalSum sum{.value_class = ValueClass::kFinite,
                            .numerator = static_cast<Uint128>(random() % most + 1)};
      std::vector<uint64_t> values;
      std::vector<bool> exact;
      for (const Requantizer& requantize : requantizers) {
        const Unrounded v = requantize(sum, scales);
        values.push_back(Round(FormatOf(kDouble), v, RoundingMode::kTowardZero,
                               OverflowPolicy::kNonSaturating));
        exact.push_back(!RoundWithFacts(FormatOf(kDouble), v, RoundingMode::kTowardZero,
                                        OverflowPolicy::kNonSaturating)
                             .inexact());
      }
      std::erase_if(alike, [&](const auto& pair) {
        return values[pair.first] != values[pair.second] ||
               exact[pair.first] != exact[pair.second];
      });
    }
    for (const auto& [i, j] : alike) {
      ADD_FAILURE() << DataTypeName(type) << ": " << ReadingsName(combinations[i])
                    << " and " << ReadingsName(combinations[j]);
    }
  }
}

// --- scales -------------------------------------------------------------------------

TEST(MatMulScales, Degenerate_AsExtendedReals) {  // MM-20
  struct Row {
    const char* what;
    int64_t c;
    double a, b, y;
    double v;
  };
  const Row rows[] = {
      {"zero", 5, 0, 1, 1, 0},
      {"x / 0", 5, 1, 1, 0, INFINITY},
      {"negative", 5, -1, 1, 1, -5},
      {"negative b", 5, 1, -1, 1, -5},
      {"negative y", 5, 1, 1, -1, -5},
      {"all negative", 5, -1, -1, -1, -5},
      {"-x / 0", -5, 1, 1, 0, -INFINITY},
      {"0 / 0", 0, 1, 1, 0, NAN},
      {"0 * Inf", 0, INFINITY, 1, 1, NAN},
      {"Inf * 0", 5, INFINITY, 0, 1, NAN},
      {"Inf / Inf", 5, INFINITY, 1, INFINITY, NAN},
      {"x / Inf", 5, 1, 1, INFINITY, 0},
      {"NaN", 5, 1, NAN, 1, NAN},
      {"subnormal over subnormal", 5, 0x1p-140, 1, 0x1p-141, 10},
      // a * b alone is 2^-240, far below FLOAT: exactly it does not matter.
      {"underflow in between", 3, 0x1p-120, 0x1p-120, 0x1p-120 * 0x1p-20, 0},
      {"overflow in between", 3, 0x1p120, 0x1p120, 0x1p127, INFINITY},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(row.c);
    SetScales(tensors, kFloat, row.a, row.b, row.y);
    const Answer answer = Evaluate(tensors);
    EXPECT_EQ(answer.elements[0].tier, Tier::kDegenerateScale) << row.what;
    if (std::isnan(row.v)) {
      EXPECT_EQ(answer.elements[0].freedom, Freedom::kAnyCode) << row.what;
      continue;
    }
    const double clamped = std::fmin(std::fmax(row.v, -128), 127);
    EXPECT_EQ(Codes(answer)[0], std::lrint(clamped)) << row.what;
  }
}

TEST(MatMulScales, Tier) {  // MM-20, G-02
  struct Row {
    const char* what;
    DataType type;
    double a, b, y;
    Tier tier;
  };
  const Row rows[] = {
      {"plain", kFloat, 1, 1, 1, Tier::kRegular},
      {"a * b subnormal in FLOAT", kFloat, 0x1p-70, 0x1p-70, 0x1p-60,
       Tier::kDegenerateScale},
      {"a * b overflows FLOAT", kFloat, 0x1p70, 0x1p70, 0x1p60, Tier::kDegenerateScale},
      {"m subnormal in FLOAT", kFloat, 0x1p-60, 0x1p-60, 0x1p10, Tier::kDegenerateScale},
      {"m overflows FLOAT", kFloat, 0x1p60, 0x1p60, 0x1p-10, Tier::kDegenerateScale},
      {"m the smallest normal", kFloat, 0x1p-60, 0x1p-60, 0x1p6, Tier::kRegular},
      {"a * b subnormal in FLOAT16", kFloat16, 0x1p-8, 0x1p-8, 0x1p-8,
       Tier::kDegenerateScale},
      {"the same in FLOAT", kFloat, 0x1p-8, 0x1p-8, 0x1p-8, Tier::kRegular},
      {"a * b overflows FLOAT16", kFloat16, 1024, 64, 1024, Tier::kDegenerateScale},
      {"just not", kFloat16, 1023, 64, 1024, Tier::kRegular},
      {"rounds up to overflow", kFloat16, 2016, 32.5, 1024,
       Tier::kDegenerateScale},  // 65520
      {"scale subnormal in FLOAT16", kFloat16, 0x1p-15, 1, 0x1p-10,
       Tier::kDegenerateScale},
      {"what is dequantized overflows FLOAT", kFloat, 0x1p119, 0x1p-119, 1,
       Tier::kDegenerateScale},
      {"just not", kFloat, 0x1p118, 0x1p-118, 1, Tier::kRegular},
      {"a sum of two of it overflows FLOAT", kFloat, 0x1p110, 1, 0x1p110,
       Tier::kDegenerateScale},
      {"just not", kFloat, 0x1p109, 1, 0x1p109, Tier::kRegular},
      {"scale -0", kFloat, -0.0, 1, 1, Tier::kDegenerateScale},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(3);
    SetScales(tensors, row.type, row.a, row.b, row.y);
    EXPECT_EQ(TierName(Evaluate(tensors).elements[0].tier), TierName(row.tier))
        << row.what;
  }
}

}  // namespace
}  // namespace qconform
