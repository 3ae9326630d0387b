// Which combinations of readings there are, and that no two of them are one function.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/operators/dequantize_linear/clauses.h"
#include "oracle/operators/dequantize_linear/element.h"
#include "oracle/operators/dequantize_linear/testing/test_support.h"

namespace qconform::dequantize_linear {
namespace {

using enum DataType;

constexpr DataType kX[] = {kInt2,         kUint2,          kInt4,       kUint4,
                           kInt8,         kUint8,          kInt16,      kUint16,
                           kInt32,        kFloat4E2M1,     kFloat6E2M3, kFloat6E3M2,
                           kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ};

// All types of the three definitions that differ in their readings.
std::vector<Types> AllTypes() {
  std::vector<Types> all;
  for (const DataType x : kX) {
    for (const DataType y : {kFloat, kFloat16, kBfloat16}) {
      all.push_back({21, x, y, y});
      for (const DataType scale : {kFloat, kFloat16, kBfloat16, kFloat8E8M0}) {
        all.push_back({28, x, scale, y});
      }
    }
  }
  return all;
}

std::string NameOf(const Readings& readings, const Types& types) {
  return Spell(NamesOf(readings, types));
}

std::string NameOf(const Types& types) {
  return std::to_string(types.since_version) + " " + std::string(DataTypeName(types.x)) +
         " " + std::string(DataTypeName(types.x_scale)) + " " +
         std::string(DataTypeName(types.y));
}

TEST(DequantizeReadings, NamesAreUniqueAndCanonicalIsFirst) {
  for (const Types& types : AllTypes()) {
    const std::vector<Readings> combinations = ReadingCombinations(types);
    EXPECT_EQ(combinations.front(), Readings{});
    std::set<std::string> names;
    for (const Readings& readings : combinations) {
      EXPECT_TRUE(names.insert(NameOf(readings, types)).second)
          << NameOf(types) << ": " << NameOf(readings, types);
      EXPECT_EQ(DecodeReadings(EncodeReadings(readings)), readings);
    }
    EXPECT_EQ(EncodeReadings(Readings{}), 0u);
  }
}

TEST(DequantizeReadings, AreThoseOfTheLedger) {
  std::set<Reading> of_ledger;
  for (const Clause& clause : AllClauses()) {
    for (const ClauseReading& reading : clause.readings) {
      // Of what is refused there is nothing to evaluate.
      if (reading.canonical || reading.name == "refused") continue;
      of_ledger.insert({std::string(clause.id), std::string(reading.name)});
    }
  }
  std::set<Reading> found;
  for (const Types& types : AllTypes()) {
    for (const Readings& readings : ReadingCombinations(types)) {
      for (const Reading& name : NamesOf(readings, types)) found.insert(name);
    }
  }
  EXPECT_EQ(found, of_ledger);
}

// One code of x and one zero point for each positive difference of a float type.
std::vector<std::pair<uint64_t, uint64_t>> AllDifferences(DataType type) {
  const NumberFormat& format = FormatOf(type);
  std::map<int64_t, std::pair<uint64_t, uint64_t>> by_units;
  const auto units = [&](uint64_t code) -> std::optional<int64_t> {
    const ExactValue value = Decode(format, code);
    if (value.value_class > ValueClass::kFinite) return std::nullopt;
    const int64_t magnitude =
        static_cast<int64_t>(value.significand)
        << (value.value_class == ValueClass::kZero ? 0 : value.exponent + 17);
    return value.negative ? -magnitude : magnitude;
  };
  for (uint64_t x = 0; x < (uint64_t{1} << format.bits); ++x) {
    for (uint64_t zero_point = 0; zero_point < (uint64_t{1} << format.bits);
         ++zero_point) {
      const auto a = units(x);
      const auto b = units(zero_point);
      if (a && b && *a > *b) by_units.emplace(*a - *b, std::pair(x, zero_point));
    }
  }
  std::vector<std::pair<uint64_t, uint64_t>> differences;
  for (const auto& [difference, codes] : by_units) differences.push_back(codes);
  return differences;
}

// Each row has two readings of which the second is left out: every difference by every
// significand of the scale, with ordinary products, and with such that are subnormal.
TEST(DequantizeReadings, FewDigits_AreNoTiesInFloat) {
  using enum Readings::Operands;
  constexpr auto kInFloat = Readings::Difference::kInFloat;
  struct Row {
    DataType scale, y;
    Readings one, other;
    bool is_e4m3;
  };
  const Row rows[] = {
      {kBfloat16, kBfloat16, {}, {.f32_product = true}, true},
      {kBfloat16,
       kFloat16,
       {.operands = kUnconverted},
       {.operands = kUnconverted, .f32_product = true},
       true},
      {kBfloat16,
       kFloat16,
       {.operands = kScaleInP},
       {.difference = kInFloat, .operands = kScaleInP, .f32_product = true},
       false},
      {kBfloat16,
       kFloat16,
       {.difference = kInFloat, .operands = kUnconverted},
       {.difference = kInFloat, .operands = kUnconverted, .f32_product = true},
       false},
      {kFloat16,
       kBfloat16,
       {.difference = kInFloat, .operands = kUnconverted},
       {.difference = kInFloat, .operands = kUnconverted, .f32_product = true},
       false},
  };
  for (const DataType x :
       {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ}) {
    const auto differences = AllDifferences(x);
    const bool is_e4m3 = x == kFloat8E4M3FN || x == kFloat8E4M3FNUZ;
    EXPECT_GT(differences.size(), is_e4m3 ? 8000u : 12000u);
    for (const Row& row : rows) {
      if (row.is_e4m3 != is_e4m3) continue;
      const Types types{28, x, row.scale, row.y};
      const Parameters one = ParametersOf(row.one, types);
      const Parameters other = ParametersOf(row.other, types);
      EXPECT_EQ(Reduced(one, types), Reduced(other, types)) << NameOf(types);
      const Element by_one(x, row.scale, row.y, one);
      const Element by_other(x, row.scale, row.y, other);
      const NumberFormat& scale = FormatOf(row.scale);
      const uint64_t significands = uint64_t{1} << scale.mantissa_bits;
      const int64_t bias = scale.exponent_bias;
      int64_t differing = 0;
      for (const int64_t exponent : {bias, row.scale == kBfloat16 ? bias - 22 : 1}) {
        for (uint64_t significand = 0; significand < significands; ++significand) {
          const uint64_t code =
              (static_cast<uint64_t>(exponent) << scale.mantissa_bits) | significand;
          const PreparedScale to_one = by_one.PrepareScale(code);
          const PreparedScale to_other = by_other.PrepareScale(code);
          for (const auto& [x_code, zero_point] : differences) {
            ElementAnswer answer, another;
            by_one.Evaluate(x_code, to_one, by_one.PrepareZeroPoint(zero_point), answer);
            by_other.Evaluate(x_code, to_other, by_other.PrepareZeroPoint(zero_point),
                              another);
            differing += answer.code != another.code;
          }
        }
      }
      EXPECT_EQ(differing, 0) << NameOf(types) << ": " << NameOf(row.other, types);
    }
  }
}

// Readings that look alike and are not, with the question that tells them apart.
TEST(DequantizeReadings, F64ProductIsNotTheExactOne) {
  // x * s has 55 digits, the last of which DOUBLE rounds away: the product is then a tie
  // of y. 2^23 < s < 2^24, x * s = 1 + 2^30 modulo 2^31, so x * s is just above a tie of
  // FLOAT.
  constexpr uint64_t kModulus = uint64_t{1} << 31;
  int found = 0;
  for (uint64_t s = (uint64_t{1} << 24) - 1; found < 3; s -= 2) {
    uint64_t inverse = 1;  // of s, by Newton's iteration
    for (int i = 0; i < 6; ++i) inverse = inverse * (2 - s * inverse) % kModulus;
    const uint64_t x = inverse * (1 + kModulus / 2) % kModulus;
    if (x < kModulus / 2) continue;
    const uint64_t upper = x * s >> 31;
    if (upper % 2 != 0) continue;  // otherwise the tie is rounded up, too
    const Types types{10, kInt32, kFloat, kFloat};
    Question question{.types = types,
                      .x = x,
                      .scale = CodeOf(kFloat, static_cast<double>(s)),
                      .readings = {.int32_product = Readings::Int32Product::kExact}};
    const uint32_t exact = Ask(question).code;
    question.readings.int32_product = Readings::Int32Product::kF64;
    EXPECT_EQ(exact, Ask(question).code + 1) << x << " * " << s;
    ++found;
  }
}

}  // namespace
}  // namespace qconform::dequantize_linear
