#include "oracle/formats/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace qconform {
namespace {

using enum DataType;

// The value of a code as a double, read off the fields by another route than
// Decode: what ONNX's float8, float6 and float4 pages and IEEE 754 say, in ldexp.
double SimpleValue(DataType type, uint64_t code) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto small_float = [&](int exponent_bits, int mantissa_bits, int bias) {
    const uint64_t sign = code >> (exponent_bits + mantissa_bits);
    const uint64_t exponent = (code >> mantissa_bits) & ((1u << exponent_bits) - 1);
    const uint64_t mantissa = code & ((1u << mantissa_bits) - 1);
    const double fraction = static_cast<double>(mantissa) / (1u << mantissa_bits);
    const double magnitude = exponent == 0
                                 ? std::ldexp(fraction, 1 - bias)
                                 : std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
    return sign != 0 ? -magnitude : magnitude;
  };
  switch (type) {
    case kFloat16:
      if ((code & 0x7FFF) > 0x7C00) return nan;
      if ((code & 0x7FFF) == 0x7C00) return code >> 15 ? -infinity : infinity;
      return small_float(5, 10, 15);
    case kBfloat16: {
      const auto bits = static_cast<uint32_t>(code << 16);
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    }
    case kFloat8E4M3FN:
      return (code & 0x7F) == 0x7F ? nan : small_float(4, 3, 7);
    case kFloat8E4M3FNUZ:
      return code == 0x80 ? nan : small_float(4, 3, 8);
    case kFloat8E5M2:
      if ((code & 0x7F) > 0x7C) return nan;
      if ((code & 0x7F) == 0x7C) return code >> 7 ? -infinity : infinity;
      return small_float(5, 2, 15);
    case kFloat8E5M2FNUZ:
      return code == 0x80 ? nan : small_float(5, 2, 16);
    case kFloat4E2M1: {
      const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
      return code & 8 ? -values[code & 7] : values[code & 7];
    }
    case kFloat6E2M3:
      return small_float(2, 3, 1);
    case kFloat6E3M2:
      return small_float(3, 2, 3);
    case kFloat8E8M0:
      return code == 0xFF ? nan : std::ldexp(1.0, static_cast<int>(code) - 127);
    case kInt2:
      return static_cast<double>(code) - (code < 2 ? 0 : 4);
    case kInt4:
      return static_cast<double>(code) - (code < 8 ? 0 : 16);
    case kInt8:
      return static_cast<int8_t>(code);
    case kInt16:
      return static_cast<int16_t>(code);
    default:
      return static_cast<double>(code);
  }
}

double ToDouble(const ExactValue& value) {
  switch (value.value_class) {
    case ValueClass::kNan:
      return std::numeric_limits<double>::quiet_NaN();
    case ValueClass::kZero:
      return value.negative ? -0.0 : 0.0;
    case ValueClass::kInfinity:
      return value.negative ? -std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::infinity();
    case ValueClass::kFinite:
      break;
  }
  const double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

// Equal values, or both NaN; +0 and -0 differ.
bool Same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

std::vector<DataType> TypesOfAtMost16Bits() {
  std::vector<DataType> types;
  for (const DataType type : AllDataTypes()) {
    if (BitWidth(type) <= 16) types.push_back(type);
  }
  return types;
}

TEST(Decode, AllCodesOf16BitsAndLess_AreTheValuesOfTheFields) {
  int64_t visited = 0;
  for (const DataType type : TypesOfAtMost16Bits()) {
    const NumberFormat& format = FormatOf(type);
    ASSERT_EQ(format.type, type);
    ASSERT_EQ(format.bits, BitWidth(type));
    for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code, ++visited) {
      const ExactValue value = Decode(format, code);
      ASSERT_TRUE(Same(ToDouble(value), SimpleValue(type, code)))
          << DataTypeName(type) << " " << code;
      ASSERT_EQ(IsNan(format, code), std::isnan(SimpleValue(type, code)));
      ASSERT_EQ(value.significand != 0, value.value_class == ValueClass::kFinite);
    }
  }
  // FLOAT16, BFLOAT16, INT16, UINT16; four float8, E8M0, INT8, UINT8; two of
  // 6 bits; three of 4 bits; two of 2 bits.
  EXPECT_EQ(visited, 4 * 65536 + 7 * 256 + 2 * 64 + 3 * 16 + 2 * 4);
}

TEST(Decode, EveryFloatWhoseLowBitsAreFew_IsTheMachines) {
  int64_t visited = 0;
  // All signs and exponents with 2^7 mantissas: the first 6 bits and the last.
  for (uint64_t top = 0; top < 1u << 15; ++top) {
    for (uint64_t last = 0; last < 2; ++last, ++visited) {
      const auto bits = static_cast<uint32_t>(top << 17 | last);
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      ASSERT_TRUE(Same(ToDouble(Decode(FormatOf(kFloat), bits)), value)) << bits;
    }
  }
  EXPECT_EQ(visited, 65536);
}

TEST(Decode, Int32_EndsOfTheRange) {
  const NumberFormat& format = FormatOf(kInt32);
  EXPECT_EQ(ToDouble(Decode(format, 0x80000000)), -2147483648.0);
  EXPECT_EQ(ToDouble(Decode(format, 0x7FFFFFFF)), 2147483647.0);
  EXPECT_EQ(ToDouble(Decode(format, 0xFFFFFFFF)), -1.0);
}

struct FactsRow {
  DataType type;
  uint64_t largest;
  double largest_value;
  uint64_t smallest_normal;
  double smallest_positive_value;
  uint64_t nan;  // ~0: there is none
};

TEST(Facts, OfEachFloat_AreThoseOfTheSpecifications) {
  const FactsRow rows[] = {
      // IEEE 754: 2^128 - 2^104, 2^-149
      {kFloat, 0x7F7FFFFF, 0x1.fffffep127, 0x00800000, 0x1p-149, 0x7FC00000},
      {kDouble, 0x7FEFFFFFFFFFFFFF, 0x1.fffffffffffffp1023, 0x0010000000000000, 0x1p-1074,
       0x7FF8000000000000},
      {kFloat16, 0x7BFF, 65504, 0x0400, 0x1p-24, 0x7E00},
      {kBfloat16, 0x7F7F, 0x1.fep127, 0x0080, 0x1p-133, 0x7FC0},
      // ONNX's float8 page: largest 448, 240, 57344, 57344; smallest 2^-9,
      // 2^-10, 2^-16, 2^-17
      {kFloat8E4M3FN, 0x7E, 448, 0x08, 0x1p-9, 0x7F},
      {kFloat8E4M3FNUZ, 0x7F, 240, 0x08, 0x1p-10, 0x80},
      {kFloat8E5M2, 0x7B, 57344, 0x04, 0x1p-16, 0x7E},
      {kFloat8E5M2FNUZ, 0x7F, 57344, 0x04, 0x1p-17, 0x80},
      // ONNX's float6 page
      {kFloat6E2M3, 0x1F, 7.5, 0x08, 0.125, ~uint64_t{0}},
      {kFloat6E3M2, 0x1F, 28, 0x04, 0.0625, ~uint64_t{0}},
      // ONNX's float4 page
      {kFloat4E2M1, 0x7, 6, 0x2, 0.5, ~uint64_t{0}},
  };
  int visited = 0;
  for (const FactsRow& row : rows) {
    SCOPED_TRACE(DataTypeName(row.type));
    const NumberFormat& format = FormatOf(row.type);
    EXPECT_EQ(LargestFinite(format), row.largest);
    EXPECT_EQ(ToDouble(Decode(format, row.largest)), row.largest_value);
    EXPECT_EQ(SmallestNormal(format), row.smallest_normal);
    EXPECT_EQ(SmallestPositive(format), 1u);
    EXPECT_EQ(ToDouble(Decode(format, 1)), row.smallest_positive_value);
    EXPECT_TRUE(IsSubnormal(format, 1));
    EXPECT_TRUE(IsSubnormal(format, row.smallest_normal - 1));
    EXPECT_FALSE(IsSubnormal(format, row.smallest_normal));
    EXPECT_FALSE(IsSubnormal(format, 0));
    EXPECT_EQ(ToDouble(Decode(format, row.smallest_normal)),
              std::ldexp(1.0, SmallestNormalExponent(format)));
    if (row.nan != ~uint64_t{0}) {
      EXPECT_EQ(CanonicalNan(format), row.nan);
    }
    ++visited;
  }
  EXPECT_EQ(visited, 11);
}

TEST(Facts, OfFloat8E8M0) {
  const NumberFormat& format = FormatOf(kFloat8E8M0);
  EXPECT_EQ(LargestFinite(format), 0xFEu);  // 2^127
  EXPECT_EQ(SmallestPositive(format), 0u);  // 2^-127
  EXPECT_EQ(CanonicalNan(format), 0xFFu);
  EXPECT_FALSE(IsSubnormal(format, 0));  // the format has none
}

TEST(Facts, OfIntegers_AreTheRangesOfQl13) {
  struct Row {
    DataType type;
    int64_t min, max;
  };
  const Row rows[] = {
      {kUint16, 0, 65535}, {kInt16, -32768, 32767}, {kUint8, 0, 255},
      {kInt8, -128, 127},  {kUint4, 0, 15},         {kInt4, -8, 7},
      {kUint2, 0, 3},      {kInt2, -2, 1},          {kInt32, -2147483648LL, 2147483647}};
  for (const Row& row : rows) {
    EXPECT_EQ(IntegerMin(FormatOf(row.type)), row.min) << DataTypeName(row.type);
    EXPECT_EQ(IntegerMax(FormatOf(row.type)), row.max) << DataTypeName(row.type);
  }
}

TEST(Infinity, OfFormatsThatHaveIt) {
  EXPECT_EQ(Infinity(FormatOf(kFloat), true), 0xFF800000u);
  EXPECT_EQ(Infinity(FormatOf(kFloat16), false), 0x7C00u);
  EXPECT_EQ(Infinity(FormatOf(kFloat8E5M2), true), 0xFCu);
}

TEST(NextUp, AllCodes_IsTheNextLargerValue) {
  int64_t visited = 0;
  for (const DataType type : TypesOfAtMost16Bits()) {
    const NumberFormat& format = FormatOf(type);
    for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code) {
      if (IsNan(format, code)) continue;
      ++visited;
      const double value = SimpleValue(type, code);
      const uint64_t up = NextUp(format, code);
      const uint64_t down = NextDown(format, code);
      ASSERT_FALSE(IsNan(format, up) || IsNan(format, down)) << DataTypeName(type) << code;
      if (up == code) continue;
      ASSERT_GT(SimpleValue(type, up), value) << DataTypeName(type) << " " << code;
      // There and back again; +0 and -0 are one value.
      ASSERT_EQ(SimpleValue(type, NextDown(format, up)), value) << DataTypeName(type);
      if (down != code) {
        ASSERT_LT(SimpleValue(type, down), value) << DataTypeName(type) << " " << code;
        ASSERT_EQ(SimpleValue(type, NextUp(format, down)), value) << DataTypeName(type);
      }
    }
  }
  // All codes but 2 x (2^10 - 1) NaN of FLOAT16, 2 x 127 of BFLOAT16, 2 + 1 + 6
  // + 1 of the float8 types and 1 of FLOAT8E8M0.
  EXPECT_EQ(visited, 4 * 65536 + 7 * 256 + 2 * 64 + 3 * 16 + 2 * 4 - 2046 - 254 - 10 - 1);
}

TEST(NextUp, AroundZeroAndAtTheEnds) {
  struct Row {
    DataType type;
    uint64_t code, up, down;
  };
  const Row rows[] = {
      {kFloat, 0x00000000, 0x00000001, 0x80000001},  // +0
      {kFloat, 0x80000000, 0x00000001, 0x80000001},  // -0 is the same value
      {kFloat, 0x80000001, 0x80000000, 0x80000002},  // up to -0, as IEEE 754 has it
      {kFloat, 0x7F7FFFFF, 0x7F800000, 0x7F7FFFFE},  // largest finite
      {kFloat, 0x7F800000, 0x7F800000, 0x7F7FFFFF},  // +Inf stays
      {kFloat, 0xFF800000, 0xFF7FFFFF, 0xFF800000},  // -Inf stays
      {kFloat8E4M3FN, 0x7E, 0x7E, 0x7D},             // no infinity
      {kFloat8E4M3FNUZ, 0x81, 0x00, 0x82},           // 0x80 is NaN
      {kFloat8E4M3FNUZ, 0x00, 0x01, 0x81},           // the same, from zero down
      {kInt4, 0x8, 0x9, 0x8},                        // -8
      {kInt4, 0xF, 0x0, 0xE},                        // -1
      {kUint2, 0x3, 0x3, 0x2},                       // 3
      {kFloat8E8M0, 0xFE, 0xFE, 0xFD},               // 2^127
      {kFloat8E8M0, 0x00, 0x01, 0x00},               // 2^-127
  };
  for (const Row& row : rows) {
    EXPECT_EQ(NextUp(FormatOf(row.type), row.code), row.up) << DataTypeName(row.type) << row.code;
    EXPECT_EQ(NextDown(FormatOf(row.type), row.code), row.down)
        << DataTypeName(row.type) << row.code;
  }
}

TEST(HoldsAllOf, Pairs) {
  struct Row {
    DataType to, from;
    bool holds;
  };
  const Row rows[] = {
      {kFloat, kFloat16, true},
      {kFloat, kBfloat16, true},
      {kFloat, kInt32, false},  // 2^24 + 1
      {kFloat, kInt16, true},
      {kDouble, kInt32, true},
      {kDouble, kFloat, true},
      {kFloat, kDouble, false},
      {kFloat16, kBfloat16, false},  // range
      {kBfloat16, kFloat16, false},  // digits
      {kFloat, kFloat8E8M0, true},   // 2^-127 is a subnormal
      {kBfloat16, kFloat8E8M0, true},
      {kFloat16, kFloat8E8M0, false},
      {kFloat16, kFloat16, true},
      {kFloat16, kInt8, true},
      {kFloat8E5M2, kFloat8E5M2FNUZ, false},  // 2^-17
      {kFloat8E5M2FNUZ, kFloat8E5M2, true},
      {kFloat8E4M3FNUZ, kFloat8E4M3FN, false},  // 448
  };
  for (const Row& row : rows) {
    EXPECT_EQ(HoldsAllOf(FormatOf(row.to), FormatOf(row.from)), row.holds)
        << DataTypeName(row.to) << " " << DataTypeName(row.from);
  }
}

}  // namespace
}  // namespace qconform
