// Readings: which there are, what they are called, and that each is a function
// of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Quotient = QuantizeLinearReadings::Quotient;

std::vector<std::string> Names(int since_version, DataType x, DataType y_scale,
                               DataType y, int64_t precision = 0) {
  std::vector<std::string> names;
  for (const QuantizeLinearReadings& readings :
       ReadingCombinations(since_version, x, y_scale, y, precision)) {
    names.push_back(ReadingsName(readings, since_version, x, y_scale, y));
  }
  return names;
}

using Texts = std::vector<std::string>;

TEST(ReadingCombinations, OfTheQuotient) {
  struct Row {
    int since_version;
    DataType x, y_scale;
    int64_t precision;
    Texts names;
  };
  const Row rows[] = {
      {13, kFloat, kFloat, 0, {"canonical", "QL-02:f64_division"}},
      {21, kFloat, kFloat, 0, {"canonical", "QL-02:f64_division"}},
      {23, kFloat, kFloat, 0, {"canonical"}},
      {13,
       kInt32,
       kFloat,
       0,
       {"canonical", "QL-03:f64_division", "QL-03:unconverted_operands"}},
      {21, kFloat16, kFloat16, 0, {"canonical", "QL-04:f32_quotient"}},
      {19, kBfloat16, kBfloat16, 0, {"canonical", "QL-04:f32_quotient"}},
      {21, kInt32, kInt32, 0, {"canonical", "QL-06:f32_quotient"}},
      {23, kFloat16, kFloat16, 0, {"canonical"}},
      {23,
       kInt32,
       kInt32,
       0,
       {"canonical", "QL-06:f32_quotient",
        "QL-06:f32_quotient+QL-09:unconverted_operands"}},
      {23,
       kFloat,
       kInt32,
       0,
       {"canonical", "QL-06:f32_quotient",
        "QL-06:f32_quotient+QL-09:unconverted_operands"}},
      {23,
       kBfloat16,
       kInt32,
       0,
       {"canonical", "QL-06:f32_quotient",
        "QL-06:f32_quotient+QL-09:unconverted_operands", "QL-06:x_type_division",
        "QL-06:x_type_division+QL-09:unconverted_operands"}},
      {23,
       kFloat16,
       kInt32,
       0,
       {"canonical", "QL-06:x_type_division",
        "QL-06:x_type_division+QL-09:unconverted_operands"}},
      {24, kFloat, kFloat8E8M0, 0, {"canonical"}},
      {24, kInt32, kFloat8E8M0, 0, {"canonical", "QL-07:f64_division"}},
      {24, kInt32, kFloat8E8M0, 1, {"canonical", "QL-09:unconverted_operands"}},
      {24, kFloat16, kFloat8E8M0, 0, {"canonical", "QL-07:x_type_division"}},
      {24, kBfloat16, kFloat8E8M0, 0, {"canonical"}},
      {23, kFloat, kFloat16, 0, {"canonical", "QL-09:unconverted_operands"}},
      {23, kFloat16, kFloat, 0, {"canonical"}},  // conversion is exact
      {23, kInt32, kFloat, 0, {"canonical", "QL-09:unconverted_operands"}},
      {23, kInt32, kInt32, 11, {"canonical"}},  // DOUBLE holds both
      {23, kInt32, kInt32, 1, {"canonical", "QL-09:unconverted_operands"}},
      {24, kFloat16, kFloat8E8M0, 10, {"canonical", "QL-09:unconverted_operands"}},
      {23, kFloat16, kFloat16, 17, {"canonical"}},  // QL-08: as if it were not there
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Names(row.since_version, row.x, row.y_scale, kInt8, row.precision),
              row.names)
        << row.since_version << " " << DataTypeName(row.x) << " "
        << DataTypeName(row.y_scale);
  }
}

// Each combination has a code of its own, from which it comes back.
TEST(QuantizeLinearReadings, Codes_AreUniqueAndDecode) {
  std::set<uint64_t> codes;
  std::vector<QuantizeLinearReadings> seen;
  for (const int since : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
      for (const DataType scale : {kFloat, kFloat16, kBfloat16, kInt32, kFloat8E8M0}) {
        for (const DataType y :
             {kInt8, kInt16, kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3}) {
          for (const auto& readings : ReadingCombinations(since, x, scale, y, 0)) {
            const uint64_t code = EncodeReadings(readings);
            EXPECT_EQ(DecodeQuantizeLinearReadings(code), readings);
            codes.insert(code);
            if (std::find(seen.begin(), seen.end(), readings) == seen.end()) {
              seen.push_back(readings);
            }
            const auto parsed = ParseReadings(ReadingsName(readings, since, x, scale, y));
            ASSERT_TRUE(parsed.ok());
            EXPECT_EQ(*parsed, NamesOf(readings, since, x, scale, y));
          }
        }
      }
    }
  }
  EXPECT_EQ(codes.size(), seen.size());
  EXPECT_EQ(EncodeReadings(QuantizeLinearReadings()), 0u);
}

TEST(ReadingCombinations, OfFloatTargets) {
  const Texts halves = Names(21, kFloat16, kFloat16, kInt16);
  EXPECT_EQ(halves, (Texts{"canonical", "QL-04:f32_quotient", "QL-04:f64_division"}));
  const Texts e4m3fn = Names(23, kFloat, kFloat, kFloat8E4M3FN);
  EXPECT_EQ(e4m3fn,
            (Texts{"canonical", "QL-24:zero_point_ignored", "QL-24:round_then_add",
                   "QL-24:added_in_p", "QL-20a:zero_point_added",
                   "QL-20a:zero_point_added+QL-24:zero_point_ignored",
                   "QL-20a:zero_point_added+QL-24:round_then_add",
                   "QL-20a:zero_point_added+QL-24:added_in_p",
                   "QL-20a:missing_zero_point_added",
                   "QL-20a:missing_zero_point_added+QL-24:zero_point_ignored",
                   "QL-20a:missing_zero_point_added+QL-24:round_then_add",
                   "QL-20a:missing_zero_point_added+QL-24:added_in_p"}));
  const Texts fnuz = Names(23, kFloat, kFloat, kFloat8E5M2FNUZ);
  EXPECT_EQ(fnuz.size(), 8u);
  EXPECT_EQ(fnuz[4], "QL-22:fnuz_infinity_largest");
  EXPECT_EQ(Names(24, kFloat, kFloat, kFloat8E5M2FNUZ)[4], "QL-22:fnuz_infinity_nan");
  EXPECT_EQ(Names(23, kFloat, kFloat, kFloat4E2M1).size(), 4u * 4u);
  const Texts e3m2 = Names(28, kFloat, kFloat, kFloat6E3M2);
  EXPECT_EQ(e3m2.size(), 4u * 4u);
  // One reading comes before a pair that explains the same.
  EXPECT_EQ(e3m2[6], "QL-28:zero_sign_dropped");
  EXPECT_EQ(e3m2[7], "QL-20a:zero_point_added+QL-24:zero_point_ignored");
  EXPECT_EQ(Names(23, kFloat, kFloat, kFloat4E2M1)[6], "QL-26:zero_sign_dropped");
  // Without a P nothing can be added in it: 4 + 3 for the zero point.
  EXPECT_EQ(Names(21, kInt32, kInt32, kFloat8E5M2).size(), (4u + 3u) * 3u);
}

TEST(ReadingCombinations, NamesAreUniqueAndCanonicalIsFirst) {
  int visited = 0;
  for (const int since : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
      for (const DataType scale : {kFloat, kFloat16, kBfloat16, kInt32, kFloat8E8M0}) {
        for (const DataType y : AllDataTypes()) {
          for (const int64_t precision : {0, 1, 10, 11, 16}) {
            const Texts names = Names(since, x, scale, y, precision);
            ASSERT_EQ(names[0], "canonical");
            ASSERT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
                      names.size());
            ++visited;
          }
        }
      }
    }
  }
  EXPECT_EQ(visited, 8 * 4 * 5 * 22 * 5);
}

// The cells below, with the magnitudes of scales at which readings part.
struct ReadingsCell {
  int since_version;
  DataType x, y_scale, y;
  int least_exponent, greatest_exponent;  // of y_scale
};

// A product of y_scale and a rounding boundary of some target, or next to it.
Question DirectedQuestion(const ReadingsCell& cell, std::mt19937_64& random) {
  const int exponents = cell.greatest_exponent - cell.least_exponent + 1;
  const int exponent = cell.least_exponent + static_cast<int>(random() % exponents);
  double scale =
      std::ldexp(1 + static_cast<double>(random() % (1 << 30)) * 0x1p-30, exponent);
  if (cell.y_scale == kInt32) scale = std::floor(scale);
  if (random() % 16 == 0 && cell.y_scale != kFloat8E8M0) scale = -scale;
  // Ties: multiples of 1/2 for integers; odd multiples of small powers of two.
  double tie = static_cast<double>(random() % 64) / 2 + 0.5;
  if (IsFloatingPoint(cell.y)) {
    tie = std::ldexp(static_cast<double>(random() % 16) + 1,
                     static_cast<int>(random() % 32) - 20);
  }
  if (random() % 2) tie = -tie;
  uint64_t x = CodeOf(cell.x, scale * tie);
  if (cell.y_scale == kInt32 && random() % 2) {
    // The other way round, for x of few digits: an integer next to x / tie.
    const double wanted =
        std::ldexp(static_cast<double>(random() % 256 + 1), exponent - 4);
    x = CodeOf(cell.x, wanted);
    scale = std::floor(wanted / tie) + static_cast<double>(random() % 16) - 8;
  }
  switch (random() % 32) {
    case 0:
      x = CodeOf(cell.x, INFINITY);
      break;
    case 1:
      x = CodeOf(cell.x, -0.0);
      break;
    default:
      break;
  }
  for (uint64_t step = random() % 3; step > 0 && !IsNan(FormatOf(cell.x), x); --step) {
    x = random() % 2 ? NextUp(FormatOf(cell.x), x) : NextDown(FormatOf(cell.x), x);
  }
  Question question{.since_version = cell.since_version,
                    .x_type = cell.x,
                    .x = x,
                    .scale_type = cell.y_scale,
                    .scale = CodeOf(cell.y_scale, scale),
                    .y_type = cell.y};
  if (IsFloatingPoint(cell.y) && random() % 3 != 0) {
    const double zero_point = static_cast<double>(random() % 32) - 16;
    switch (random() % 5) {
      case 0:
        question.zero_point = CodeOf(cell.y, zero_point);
        break;
      case 2:
        question.zero_point =
            CodeOf(cell.y, FormatOf(cell.y).has_negative_zero ? -0.0 : 0);
        break;
      case 1:
        question.zero_point = 1;
        break;  // the smallest
      default:
        question.zero_point = 0;
        break;
    }
  }
  return question;
}

TEST(ReadingCombinations, EachPairDiffersSomewhere) {
  const ReadingsCell cells[] = {
      {13, kFloat, kFloat, kInt8, -3, 3},
      {13, kInt32, kFloat, kInt8, 20, 27},
      {21, kFloat16, kFloat16, kUint8, -3, 3},
      {21, kBfloat16, kBfloat16, kInt4, -3, 3},
      {21, kInt32, kInt32, kUint8, 20, 30},
      {21, kInt32, kInt32, kFloat8E5M2, 20, 30},
      {23, kInt32, kInt32, kInt8, 20, 30},
      {23, kBfloat16, kInt32, kInt8, 20, 30},
      {23, kFloat16, kInt32, kInt8, 10, 18},
      {23, kFloat, kInt32, kUint4, 20, 30},
      {23, kFloat, kFloat16, kInt8, -3, 3},
      {23, kInt32, kFloat, kUint8, 20, 27},
      {23, kFloat, kFloat, kFloat8E4M3FN, -3, 3},
      {23, kFloat, kFloat, kFloat8E5M2FNUZ, -3, 3},
      {23, kFloat, kFloat, kFloat4E2M1, -3, 3},
      {28, kFloat, kFloat, kFloat6E2M3, -3, 3},
      {28, kFloat, kFloat, kFloat6E3M2, -3, 3},
      {24, kFloat16, kFloat8E8M0, kInt8, -26, 20},
      {24, kFloat16, kFloat8E8M0, kFloat8E5M2, -26, 20},
      {24, kBfloat16, kFloat8E8M0, kUint16, -30, 30},
  };
  constexpr int kQuestions = 100000;
  std::mt19937_64 random(3);
  for (const ReadingsCell& cell : cells) {
    const std::vector<QuantizeLinearReadings> combinations =
        ReadingCombinations(cell.since_version, cell.x, cell.y_scale, cell.y, 0);
    std::set<std::pair<size_t, size_t>> alike;
    for (size_t i = 0; i < combinations.size(); ++i) {
      for (size_t j = i + 1; j < combinations.size(); ++j) alike.emplace(i, j);
    }
    for (int count = 0; count < kQuestions && !alike.empty(); ++count) {
      Question question = DirectedQuestion(cell, random);
      std::vector<ElementAnswer> answers;
      for (const QuantizeLinearReadings& readings : combinations) {
        question.readings = readings;
        answers.push_back(Ask(question));
      }
      if (answers[0].freedom == Freedom::kAnyCode) continue;
      std::erase_if(alike, [&](const std::pair<size_t, size_t>& pair) {
        return answers[pair.first].code != answers[pair.second].code;
      });
    }
    for (const auto& [i, j] : alike) {
      ADD_FAILURE() << cell.since_version << " " << DataTypeName(cell.x) << " "
                    << DataTypeName(cell.y_scale) << " " << DataTypeName(cell.y) << ": "
                    << ReadingsName(combinations[i], cell.since_version, cell.x,
                                    cell.y_scale, cell.y)
                    << " and "
                    << ReadingsName(combinations[j], cell.since_version, cell.x,
                                    cell.y_scale, cell.y);
    }
  }
}

// The questions at which combinations part that are redundant for other types.
TEST(ReadingCombinations, ReadingsThatPartAtOneQuestion_AreBothOffered) {
  struct Row {
    const char* what;
    Question question;
    QuantizeLinearReadings one, other;
  };
  const Row rows[] = {
      // 2^-17 + 2^-27: above a tie of E5M2; FLOAT16 has no 2^-27 there.
      {"QL-07, quotient subnormal in FLOAT16",
       {.since_version = 24,
        .x_type = kFloat16,
        .x = CodeOf(kFloat16, 1 + 0x1p-10),
        .scale_type = kFloat8E8M0,
        .scale = CodeOf(kFloat8E8M0, 0x1p17),
        .y_type = kFloat8E5M2},
       {},
       {.quotient = Quotient::kXTypeDivisionUnconverted}},
      // 1/16 + 2^-24 and a little is 1/16 + 2^-24 in FLOAT. One more is above a tie of
      // E2M3, and the tie in FLOAT.
      {"QL-06 and QL-24, the sum of a quotient in FLOAT",
       {.since_version = 28,
        .x_type = kFloat16,
        .x = CodeOf(kFloat16, 65504),
        .scale_type = kInt32,
        .scale = 16 * 65504 - 1,
        .y_type = kFloat6E2M3,
        .zero_point = CodeOf(kFloat6E2M3, 1)},
       {},
       {.quotient = Quotient::kF32Quotient,
        .float_zero_point = FloatZeroPoint::kAddedInP}},
      // -2^-140 is a FLOAT, and no BFLOAT16: only -0 + 0 loses its sign.
      {"QL-07 and QL-20a, quotient zero in BFLOAT16",
       {.since_version = 24,
        .x_type = kBfloat16,
        .x = CodeOf(kBfloat16, -0x1p-13),
        .scale_type = kFloat8E8M0,
        .scale = CodeOf(kFloat8E8M0, 0x1p127),
        .y_type = kFloat8E5M2,
        .zero_point = 0},
       {.zero_point_added = true},
       {.quotient = Quotient::kXTypeDivision, .zero_point_added = true}},
  };
  for (const Row& row : rows) {
    Question question = row.question;
    question.readings = row.one;
    const uint32_t one = Ask(question).code;
    question.readings = row.other;
    EXPECT_NE(one, Ask(question).code) << row.what;
    const Texts names = Names(question.since_version, question.x_type,
                              question.scale_type, question.y_type);
    for (const QuantizeLinearReadings& readings : {row.one, row.other}) {
      const std::string name =
          ReadingsName(readings, question.since_version, question.x_type,
                       question.scale_type, question.y_type);
      EXPECT_EQ(std::count(names.begin(), names.end(), name), 1)
          << row.what << ": " << name;
    }
  }
}

TEST(ReadingsLeftOut, AreNamedWithWhatTheyAreHere) {
  const ReadingLeftOut f32_is_exact{{"QL-06", "f32_quotient"}};
  const ReadingLeftOut x_is_f32{{"QL-06", "x_type_division"},
                                Reading{"QL-06", "f32_quotient"}};
  const ReadingLeftOut x_is_canonical{{"QL-07", "x_type_division"}};
  const ReadingLeftOut f64_is_f32{{"QL-04", "f64_division"},
                                  Reading{"QL-04", "f32_quotient"}};
  const struct {
    int since_version;
    DataType x, y_scale, y;
    std::vector<ReadingLeftOut> left_out;
  } rows[] = {
      {21, kFloat, kFloat, kInt8, {}},
      {21, kFloat16, kFloat16, kInt8, {f64_is_f32}},
      {21, kFloat16, kFloat16, kInt16, {}},
      {21, kBfloat16, kBfloat16, kUint16, {f64_is_f32}},
      {19, kBfloat16, kBfloat16, kFloat8E5M2, {}},
      {23, kFloat16, kInt32, kInt8, {f32_is_exact}},
      {23, kFloat16, kInt32, kFloat8E5M2, {}},
      {23, kFloat, kInt32, kInt8, {x_is_f32}},
      {23, kInt32, kInt32, kInt8, {}},
      {24, kInt32, kFloat8E8M0, kInt8, {}},
      {24, kFloat, kFloat8E8M0, kInt8, {x_is_canonical}},
      {24, kBfloat16, kFloat8E8M0, kInt8, {x_is_canonical}},
      {24, kFloat16, kFloat8E8M0, kInt8, {x_is_canonical}},  // with QL-09
      {24, kFloat16, kFloat8E8M0, kFloat8E5M2, {}},
      {28, kFloat16, kInt32, kFloat6E3M2, {f32_is_exact}},  // with QL-09
      {28, kFloat, kInt32, kFloat6E2M3, {x_is_f32}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(ReadingsLeftOut(row.since_version, row.x, row.y_scale, row.y), row.left_out)
        << DataTypeName(row.x) << " " << DataTypeName(row.y_scale) << " "
        << DataTypeName(row.y);
  }
}

// What ReadingCombinations leaves out as the same function.
TEST(ReadingCombinations, RedundantReadings_NeverDiffer) {
  struct Row {
    ReadingsCell cell;
    QuantizeLinearReadings one, other;
  };
  const QuantizeLinearReadings canonical;
  const Row rows[] = {
      {{23, kFloat, kFloat, kFloat4E2M1, -3, 3},
       {.zero_sign_dropped = true},
       {.zero_point_added = true,
        .missing_zero_point_added = true,
        .zero_sign_dropped = true}},
      {{21, kFloat16, kFloat16, kUint8, -3, 3},
       {.quotient = Quotient::kF32Quotient},
       {.quotient = Quotient::kF64Division}},
      {{21, kBfloat16, kBfloat16, kInt16, -3, 3},
       {.quotient = Quotient::kF32Quotient},
       {.quotient = Quotient::kF64Division}},
      {{23, kFloat16, kInt32, kInt8, 0, 20},
       canonical,
       {.quotient = Quotient::kF32Quotient}},
      {{23, kFloat16, kInt32, kUint16, 0, 20},
       canonical,
       {.quotient = Quotient::kF32QuotientUnconverted}},
      {{23, kFloat16, kInt32, kFloat4E2M1, 0, 20},
       canonical,
       {.quotient = Quotient::kF32Quotient}},
      {{28, kFloat16, kInt32, kFloat6E2M3, 0, 22},
       canonical,
       {.quotient = Quotient::kF32Quotient}},
      {{28, kFloat16, kInt32, kFloat6E3M2, 0, 22},
       canonical,
       {.quotient = Quotient::kF32Quotient}},
      {{28, kFloat16, kInt32, kFloat6E3M2, 0, 30},
       {.quotient = Quotient::kF32Quotient,
        .float_zero_point = FloatZeroPoint::kAddedInP},
       {.quotient = Quotient::kF32QuotientUnconverted,
        .float_zero_point = FloatZeroPoint::kAddedInP}},
      {{28, kFloat16, kFloat8E8M0, kFloat6E2M3, -30, 20},
       canonical,
       {.quotient = Quotient::kXTypeDivisionUnconverted}},
      {{28, kFloat16, kFloat8E8M0, kFloat6E3M2, -30, 20},
       canonical,
       {.quotient = Quotient::kXTypeDivisionUnconverted}},
      {{24, kBfloat16, kFloat8E8M0, kInt16, -30, 30},
       canonical,
       {.quotient = Quotient::kXTypeDivision}},
      {{24, kBfloat16, kFloat8E8M0, kFloat8E5M2, -30, 30},
       canonical,
       {.quotient = Quotient::kXTypeDivision}},
      {{24, kFloat16, kFloat8E8M0, kUint16, -30, 20},
       canonical,
       {.quotient = Quotient::kXTypeDivisionUnconverted}},
      {{24, kFloat16, kFloat8E8M0, kFloat8E4M3FNUZ, -30, 20},
       canonical,
       {.quotient = Quotient::kXTypeDivisionUnconverted}},
      {{23, kFloat, kFloat, kFloat4E2M1, -3, 3},
       {.zero_sign_dropped = true},
       {.zero_point_added = true, .zero_sign_dropped = true}},
  };
  std::mt19937_64 random(5);
  int64_t visited = 0;
  for (const Row& row : rows) {
    for (int i = 0; i < 20000; ++i, ++visited) {
      Question question = DirectedQuestion(row.cell, random);
      question.readings = row.one;
      const ElementAnswer one = Ask(question);
      question.readings = row.other;
      const ElementAnswer other = Ask(question);
      ASSERT_EQ(one.code, other.code) << question.x << " " << question.scale;
    }
  }
  EXPECT_EQ(visited, std::ssize(rows) * 20000);
}

}  // namespace
}  // namespace qconform
