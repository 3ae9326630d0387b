// The judge's QLinearMatMul against answers worked out by hand.
#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"

namespace qconform::exact {
namespace {

constexpr uint64_t kOne = 0x3f800000;  // FLOAT

Codes Scalar(int type, uint64_t code) { return {type, {}, {code}}; }

// All scales 1, all zero points 0.
QLinearMatMulInput Plain(Codes a, Codes b, int y_type) {
  QLinearMatMulInput input;
  input.a_scale = input.b_scale = input.y_scale = Scalar(kFloat, kOne);
  input.a_zero_point = Scalar(a.type, 0);
  input.b_zero_point = Scalar(b.type, 0);
  input.y_zero_point = Scalar(y_type, 0);
  input.a = std::move(a);
  input.b = std::move(b);
  return input;
}

std::vector<uint64_t> CodesOf(const Answer& answer) {
  std::vector<uint64_t> codes;
  for (const Element& element : answer.elements) codes.push_back(element.code);
  return codes;
}

TEST(ExactQLinearMatMul, Integers_SumExactlyAndRoundHalfEven) {
  QLinearMatMulInput input =
      Plain({kUint8, {2, 2}, {1, 2, 3, 4}}, {kInt8, {2, 2}, {5, 0xff, 7, 8}}, kInt8);
  // [1 2; 3 4] x [5 -1; 7 8] = [19 15; 43 29].
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{19, 15, 43, 29}));
  input.y_scale = Scalar(kFloat, 0x40000000);  // halves: 9.5 7.5 21.5 14.5
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{10, 8, 22, 14}));
  input.y_zero_point = Scalar(kInt8, 1);  // MM-03: round first
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{11, 9, 23, 15}));
  input.a_zero_point = Scalar(kUint8, 4);  // A = [-3 -2; -1 0]
  input.y_scale = Scalar(kFloat, kOne);
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{0xe4, 0xf4, 0xfc, 2}));
}

TEST(ExactQLinearMatMul, ScalesOfRowsAndColumns_WhereMAndNAreK) {
  QLinearMatMulInput input =
      Plain({kUint8, {2, 2}, {1, 1, 1, 1}}, {kUint8, {2, 2}, {10, 20, 10, 20}}, kUint8);
  input.a_scale = {kFloat, {2}, {kOne, 0x40000000}};  // rows: 1, 2
  input.a_zero_point = {kUint8, {2}, {0, 0}};
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{20, 40, 40, 80}));
  input.b_scale = {kFloat, {1, 2}, {kOne, 0x40400000}};  // columns: 1, 3
  input.b_zero_point = {kUint8, {1, 2}, {0, 10}};
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{20, 60, 40, 120}));
  input.a_scale.shape = input.a_zero_point.shape = {2, 1};
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{20, 60, 40, 120}));
}

TEST(ExactQLinearMatMul, Batches_BroadcastAndHaveTheirOwnScales) {
  QLinearMatMulInput input =
      Plain({kUint8, {2, 1, 1, 1}, {1, 2}}, {kUint8, {3, 1, 1}, {1, 10, 100}}, kUint8);
  EXPECT_EQ(CodesOf(QLinearMatMul(input)),
            (std::vector<uint64_t>{1, 10, 100, 2, 20, 200}));
  input.a_scale = {kFloat, {2, 1, 1, 1}, {kOne, 0x3f000000}};
  input.a_zero_point = {kUint8, {2, 1, 1, 1}, {0, 0}};
  input.b_scale = {kFloat, {3, 1, 1}, {kOne, 0x40000000, kOne}};
  input.b_zero_point = {kUint8, {3, 1, 1}, {0, 0, 50}};
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{1, 20, 50, 1, 20, 50}));
}

TEST(ExactQLinearMatMul, EmptyDimensions) {
  const QLinearMatMulInput no_terms = [] {
    QLinearMatMulInput input = Plain({kUint8, {2, 0}, {}}, {kUint8, {0, 1}, {}}, kUint8);
    input.y_zero_point = Scalar(kUint8, 7);
    return input;
  }();
  EXPECT_EQ(CodesOf(QLinearMatMul(no_terms)), (std::vector<uint64_t>{7, 7}));  // MM-01
  const Answer no_rows = QLinearMatMul(
      Plain({kUint8, {0, 2}, {}}, {kUint8, {2, 3}, {1, 2, 3, 4, 5, 6}}, kUint8));
  EXPECT_EQ(no_rows.shape, (std::vector<int64_t>{0, 3}));
  EXPECT_TRUE(no_rows.elements.empty());
}

TEST(ExactQLinearMatMul, SumsBeyondInt32_Wrap) {
  // 33026 products of 255 * 255: 2147515650, above 2^31 - 1.
  const int64_t k = 33026;
  const auto count = static_cast<size_t>(k);
  QLinearMatMulInput input =
      Plain({kUint8, {1, k}, std::vector<uint64_t>(count, 255)},
            {kUint8, {k, 1}, std::vector<uint64_t>(count, 255)}, kUint8);
  const Accumulator c = Accumulate(input).at(0);
  EXPECT_TRUE(c.overflows);
  EXPECT_EQ(c.c.number, mpq_class(33026L * 65025L - 4294967296L));
  EXPECT_EQ(c.magnitude, mpq_class(33026L * 65025L));
  const Element element = QLinearMatMul(input).elements.at(0);
  EXPECT_EQ(element.code, 0u);
  EXPECT_EQ(element.tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(element.freedom, Freedom::kAnyCode);
}

TEST(ExactQLinearMatMul, Readings_DifferWhereFloatRounds) {
  // C = 25, a = 0.1f, b = 1, y = 1: the exact v is 25 * 0x1.99999ap-4, just
  // above 2.5; in FLOAT the product is 2.5.
  QLinearMatMulInput input = Plain({kUint8, {1, 1}, {5}}, {kUint8, {1, 1}, {5}}, kUint8);
  input.a_scale = Scalar(kFloat, 0x3dcccccd);
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{3}));
  for (Requantization reading :
       {Requantization::kF32Multiplier, Requantization::kF32DequantizeQuantize,
        Requantization::kF32CombinedDequantizeQuantize}) {
    EXPECT_EQ(CodesOf(QLinearMatMul(input, {{.requantization = reading}})),
              (std::vector<uint64_t>{2}));
  }
  for (Requantization reading :
       {Requantization::kF64Product, Requantization::kF64Chain}) {
    EXPECT_EQ(CodesOf(QLinearMatMul(input, {{.requantization = reading}})),
              (std::vector<uint64_t>{3}));
  }
  // A FLOAT16 multiplier: the product of two 11-digit scales has 11 digits.
  input.a_scale = input.b_scale = Scalar(kFloat16, 0x2e66);
  input.y_scale = Scalar(kFloat16, 0x3c00);
  const Value m = RoundToPrecision(
      GetFormat(kFloat16), Value::Number(mpq_class(1638 * 1638) * PowerOfTwo(-28)));
  const Value tenth = ValueOf(GetFormat(kFloat16), 0x2e66);
  EXPECT_EQ(Requantize(Value::Number(64), {kFloat16, tenth, tenth, Value::Number(1)},
                       {.requantization = Requantization::kScaleTypeMultiplier})
                .number,
            m.number * 64);
}

// MM-02: the text does not say which scale C meets first.
TEST(ExactQLinearMatMul, EitherScaleMayComeFirst) {
  const QLinearMatMulReadings a_first = {
      {.requantization = Requantization::kF32DequantizeQuantize}};
  QLinearMatMulReadings b_first = a_first;
  b_first.b_scale_first = true;
  QLinearMatMulInput input =
      Plain({kUint8, {1, 1}, {121}}, {kUint8, {1, 1}, {1}}, kUint8);
  // (121 * 1.5409...) * 0.5443... is 101.5 in FLOAT, and the other way 101.49999.
  input.a_scale = Scalar(kFloat, 0x3fc53ea2);
  input.b_scale = Scalar(kFloat, 0x3f0b5b1c);
  EXPECT_EQ(CodesOf(QLinearMatMul(input, a_first)), (std::vector<uint64_t>{102}));
  EXPECT_EQ(CodesOf(QLinearMatMul(input, b_first)), (std::vector<uint64_t>{101}));
  // 2^10 * 2^118 is beyond FLOAT, 2^10 * 2^-100 is not. The tier stays regular.
  input = Plain({kUint8, {1, 1}, {32}}, {kUint8, {1, 1}, {32}}, kUint8);
  input.a_scale = Scalar(kFloat, (127 - 100) << 23);
  input.b_scale = Scalar(kFloat, (127 + 118) << 23);
  input.y_scale = Scalar(kFloat, (127 + 27) << 23);
  EXPECT_EQ(CodesOf(QLinearMatMul(input)), (std::vector<uint64_t>{2}));
  EXPECT_EQ(CodesOf(QLinearMatMul(input, a_first)), (std::vector<uint64_t>{2}));
  EXPECT_EQ(CodesOf(QLinearMatMul(input, b_first)), (std::vector<uint64_t>{255}));
  EXPECT_EQ(QLinearMatMul(input).elements.at(0).tier, Tier::kRegular);
  // Then 0 * Inf: C a_scale is 0 here, and C b_scale an infinity.
  input.a_scale = Scalar(kFloat, 0);
  EXPECT_EQ(QLinearMatMul(input, a_first).elements.at(0).freedom, Freedom::kNone);
  EXPECT_EQ(QLinearMatMul(input, b_first).elements.at(0).freedom, Freedom::kAnyCode);
  // FLOAT chains and DOUBLE chains have both orders, multipliers have three.
  int64_t chains = 0, b_first_chains = 0;
  for (const QLinearMatMulReadings& readings : AllowedReadings(kFloat, kUint8)) {
    const bool is_chain =
        readings.requantization == Requantization::kF32DequantizeQuantize ||
        readings.requantization == Requantization::kF64Chain;
    chains += is_chain ? 1 : 0;
    b_first_chains += readings.b_scale_first ? 1 : 0;
    EXPECT_TRUE(is_chain || !readings.b_scale_first);
  }
  EXPECT_EQ(chains, 4);
  EXPECT_EQ(b_first_chains, 2);
}

TEST(ExactQLinearMatMul, Float8_SpecialOperandsAndZeros) {
  // E5M2: 0x7c is Inf, 0x3c is 1, 0xbc is -1.
  const auto code = [](std::vector<uint64_t> a, std::vector<uint64_t> b, int y_type) {
    const auto k = static_cast<int64_t>(a.size());
    return QLinearMatMul(
               Plain({kFloat8E5M2, {1, k}, a}, {kFloat8E5M2, {k, 1}, b}, y_type))
        .elements.at(0);
  };
  EXPECT_EQ(code({0x7c, 0x3c}, {0x3c, 0x3c}, kUint8).code, 255u);
  EXPECT_EQ(code({0x7c, 0x3c}, {0x3c, 0x3c}, kFloat8E5M2).code, 0x7bu);  // MM-11b
  EXPECT_EQ(code({0x7c, 0x7c}, {0x3c, 0xbc}, kUint8).freedom, Freedom::kAnyCode);
  EXPECT_EQ(code({0x7c}, {0x00}, kFloat8E4M3FN).freedom, Freedom::kAnyNan);
  const Element zero = code({0x3c, 0xbc}, {0x3c, 0x3c}, kFloat8E4M3FN);
  EXPECT_EQ(zero.code, 0u);
  EXPECT_EQ(zero.freedom, Freedom::kAnyZero);               // MM-12
  EXPECT_EQ(code({0xbc}, {0x01}, kFloat8E4M3FN).code, 0u);  // -2^-16 rounds to zero
}

TEST(ExactQLinearMatMul, Bounds_OfSumsInFloat) {
  EXPECT_EQ(Gamma(1), mpq_class(1, (1 << 24) - 1));
  // 1 * 448 + 0.5 * 448 = 672, and y_scale brings it near 2.5.
  QLinearMatMulInput input = Plain({kFloat8E4M3FN, {1, 2}, {0x38, 0x30}},
                                   {kFloat8E4M3FN, {2, 1}, {0x7e, 0x7e}}, kInt8);
  input.y_scale = Scalar(kFloat, 0x43860000);  // 268: 2.507
  const auto bounds = [&] {
    return Bounds(input, Accumulate(input), TargetReadings{}).at(0);
  };
  EXPECT_EQ(bounds().admissible.low, 3u);
  EXPECT_EQ(bounds().admissible.high, 3u);
  EXPECT_EQ(bounds().reduced.low, 3u);
  input.y_scale = Scalar(kFloat, 0x43866000);  // 268.75: 2.50047, within 2 * 2^-10
  EXPECT_EQ(bounds().admissible.low, 3u);
  EXPECT_EQ(bounds().reduced.low, 2u);
  input.y_scale = Scalar(kFloat, 0x43866666);  // 268.8 less 2^-17: a tie but for that
  EXPECT_EQ(bounds().admissible.low, 2u);
  EXPECT_EQ(bounds().admissible.high, 3u);
}

TEST(ExactQLinearMatMul, DegenerateScales) {
  const auto tier = [](uint64_t a, uint64_t b, uint64_t y, int type = kFloat) {
    QLinearMatMulInput input =
        Plain({kUint8, {1, 1}, {1}}, {kUint8, {1, 1}, {1}}, kUint8);
    input.a_scale = Scalar(type, a);
    input.b_scale = Scalar(type, b);
    input.y_scale = Scalar(type, y);
    return QLinearMatMul(input).elements.at(0).tier;
  };
  EXPECT_EQ(tier(kOne, kOne, kOne), Tier::kRegular);
  EXPECT_EQ(tier(kOne, kOne, 0), Tier::kDegenerateScale);
  EXPECT_EQ(tier(0xbf800000, kOne, kOne), Tier::kDegenerateScale);
  EXPECT_EQ(tier(kOne, 0x00000001, kOne), Tier::kDegenerateScale);
  EXPECT_EQ(tier(0x00800000, 0x00800000, kOne),
            Tier::kDegenerateScale);  // a*b underflows
  EXPECT_EQ(tier(0x00800000, kOne, 0x40000000),
            Tier::kDegenerateScale);  // m is subnormal
  EXPECT_EQ(tier(0x7f000000, 0x40800000, 0x40800000), Tier::kDegenerateScale);
  // FLOAT16: 2^-8 * 2^-8 is subnormal there.
  EXPECT_EQ(tier(0x1c00, 0x1c00, 0x1c00, kFloat16), Tier::kDegenerateScale);
  EXPECT_EQ(tier(0x2c00, 0x2c00, 0x3c00, kFloat16), Tier::kRegular);
}

}  // namespace
}  // namespace qconform::exact
