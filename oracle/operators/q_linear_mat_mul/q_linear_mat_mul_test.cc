// QLinearMatMul: shapes, accumulators, targets (MM-01 to MM-12).
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Numbers = std::vector<int64_t>;

// --- shapes -------------------------------------------------------------------

std::vector<double> Range(int64_t count) {
  std::vector<double> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(MatMulShapes, FollowNumpyMatmul) {  // MM-01
  struct Row {
    const char* what;
    Shape a, b, y;
    Numbers codes;
  };
  // a and b hold 1, 2, 3, ...
  const Row rows[] = {
      {"matrix by matrix", {2, 3}, {3, 2}, {2, 2}, {22, 28, 49, 64}},
      {"vector by vector", {3}, {3}, {}, {14}},
      {"vector by matrix", {2}, {2, 3}, {3}, {9, 12, 15}},
      {"matrix by vector", {2, 3}, {3}, {2}, {14, 32}},
      {"stack by matrix", {2, 1, 2}, {2, 1}, {2, 1, 1}, {5, 11}},
      {"matrix by stack", {1, 2}, {2, 2, 1}, {2, 1, 1}, {5, 11}},
      {"stacks that broadcast",
       {2, 1, 1, 1},
       {3, 1, 1},
       {2, 3, 1, 1},
       {1, 2, 3, 2, 4, 6}},
      {"vector by stack", {1}, {2, 1, 2}, {2, 2}, {1, 2, 3, 4}},
      {"stack by vector", {2, 2, 1}, {1}, {2, 2}, {1, 2, 3, 4}},
  };
  for (const Row& row : rows) {
    const MatMulTensors tensors = MatMulOf(kUint8, row.a, Range(*ElementCount(row.a)),
                                           kInt8, row.b, Range(*ElementCount(row.b)));
    EXPECT_EQ(Validate(tensors.problem()).kind, ModelValidity::Kind::kValid) << row.what;
    const Answer answer = Evaluate(tensors);
    EXPECT_EQ(answer.shape, row.y) << row.what;
    EXPECT_EQ(Codes(answer), row.codes) << row.what;
  }
}

TEST(MatMulShapes, RowsOfAAndColumnsOfB_HaveTheirScales) {  // MM-04
  // All products are 1, so y = a_scale[row] * b_scale[column]; M = K = N as well.
  for (const int64_t k : {1, 2, 3}) {
    const auto ones = [](int64_t count) {
      return std::vector<double>(static_cast<size_t>(count), 1.0);
    };
    std::vector<double> a = ones(2 * k);
    // Only the first term counts: the others are zero.
    for (size_t i = 0; i < a.size(); ++i) a[i] = i % static_cast<size_t>(k) == 0 ? 1 : 0;
    MatMulTensors tensors = MatMulOf(kUint8, {2, k}, a, kInt8, {k, 3}, ones(3 * k));
    for (const bool trailing : {false, true}) {
      tensors.a_scale = TensorOf(kFloat, trailing ? Shape{2, 1} : Shape{2}, {2, 3});
      tensors.a_zero_point = Tensor::Zeros(kUint8, tensors.a_scale.shape);
      tensors.b_scale = TensorOf(kFloat, trailing ? Shape{1, 3} : Shape{3}, {5, 7, 11});
      tensors.b_zero_point = Tensor::Zeros(kInt8, tensors.b_scale.shape);
      EXPECT_EQ(Validate(tensors.problem()).kind, ModelValidity::Kind::kValid);
      EXPECT_EQ(Codes(Evaluate(tensors)), (Numbers{10, 14, 22, 15, 21, 33}));
    }
  }
  // Zero points by row and by column: (1 - row)(1 - column).
  MatMulTensors tensors = MatMulOf(kInt8, {2, 1}, {1, 1}, kInt8, {1, 3}, {1, 1, 1});
  tensors.a_scale = TensorOf(kFloat, {2}, {1, 1});
  tensors.a_zero_point = TensorOf(kInt8, {2}, {2, -1});
  tensors.b_scale = TensorOf(kFloat, {3}, {1, 1, 1});
  tensors.b_zero_point = TensorOf(kInt8, {3}, {0, 3, -4});
  EXPECT_EQ(Codes(Evaluate(tensors)), (Numbers{-1, 2, -5, 2, -4, 10}));
  // In a stack: [2,1,1] for two matrices of one row.
  MatMulTensors stack = MatMulOf(kInt8, {2, 1, 1}, {1, 1}, kInt8, {1, 1}, {1});
  stack.a_scale = TensorOf(kFloat, {2, 1, 1}, {2, 3});
  stack.a_zero_point = Tensor::Zeros(kInt8, {2, 1, 1});
  EXPECT_EQ(Validate(stack.problem()).kind, ModelValidity::Kind::kValid);
  EXPECT_EQ(Codes(Evaluate(stack)), (Numbers{2, 3}));
}

// --- accumulators ----------------------------------------------------------------

TEST(MatMulAccumulator, IntegerProducts_AreExact) {  // MM-01
  struct Row {
    double a, a_zero_point, b, b_zero_point;
    int64_t c;  // of two such products
  };
  const Row rows[] = {
      {255, 0, 127, 0, 64770},      // above INT16 twice over
      {0, 255, -128, 127, 130050},  // -255 * -255
      {255, 0, -128, 0, -65280},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors =
        MatMulOf(kUint8, {1, 2}, {row.a, row.a}, kInt8, {2, 1}, {row.b, row.b});
    tensors.a_zero_point = TensorOf(kUint8, {}, {row.a_zero_point});
    tensors.b_zero_point = TensorOf(kInt8, {}, {row.b_zero_point});
    SetScales(tensors, kFloat, 1, 1, 1024);
    EXPECT_EQ(Codes(Evaluate(tensors)),
              (Numbers{std::lrint(static_cast<double>(row.c) / 1024)}));
  }
}

TEST(MatMulAccumulator, RandomMatrices_AgreeWithASimpleSum) {  // MM-01
  std::mt19937_64 random(17);
  int visited = 0;
  for (int round = 0; round < 200; ++round) {
    const auto m = static_cast<int64_t>(random() % 5),
               n = static_cast<int64_t>(random() % 5),
               k = static_cast<int64_t>(random() % 20);
    std::vector<double> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n));
    for (double& value : a) value = static_cast<double>(random() % 256);
    for (double& value : b) value = static_cast<double>(random() % 256) - 128;
    MatMulTensors tensors = MatMulOf(kUint8, {m, k}, a, kInt8, {k, n}, b, kUint8);
    const double a_zero = static_cast<double>(random() % 256);
    const double b_zero = static_cast<double>(random() % 256) - 128;
    tensors.a_zero_point = TensorOf(kUint8, {}, {a_zero});
    tensors.b_zero_point = TensorOf(kInt8, {}, {b_zero});
    tensors.y_zero_point = TensorOf(kUint8, {}, {99});
    SetScales(tensors, kFloat, 0.5, 0.25, 512);
    const Numbers codes = Codes(Evaluate(tensors));
    ASSERT_EQ(codes.size(), static_cast<size_t>(m * n));
    for (int64_t i = 0; i < m * n; ++i, ++visited) {
      double c = 0;
      for (int64_t t = 0; t < k; ++t) {
        c += (a[static_cast<size_t>(i / n * k + t)] - a_zero) *
             (b[static_cast<size_t>(t * n + i % n)] - b_zero);
      }
      const double y = std::nearbyint(c / 4096) + 99;
      ASSERT_EQ(codes[static_cast<size_t>(i)],
                std::lrint(std::fmin(std::fmax(y, 0), 255)));
    }
  }
  EXPECT_GT(visited, 500);
}

TEST(MatMulAccumulator, EmptyDimensions_GiveZeroOrNothing) {  // MM-01
  MatMulTensors tensors = MatMulOf(kUint8, {2, 0}, {}, kInt8, {0, 2}, {});
  tensors.y_zero_point = TensorOf(kInt8, {}, {-7});
  EXPECT_EQ(Codes(Evaluate(tensors)), (Numbers{-7, -7, -7, -7}));
  const Answer no_rows = Evaluate(MatMulOf(kUint8, {0, 3}, {}, kInt8, {3, 2}, Range(6)));
  EXPECT_EQ(no_rows.shape, (Shape{0, 2}));
  EXPECT_TRUE(no_rows.elements.empty());
  const Answer no_batch =
      Evaluate(MatMulOf(kUint8, {0, 1, 2}, {}, kInt8, {2, 1}, {1, 2}));
  EXPECT_EQ(no_batch.shape, (Shape{0, 1, 1}));
  // Scales by line of what is not there.
  MatMulTensors lines = MatMulOf(kUint8, {0, 3}, {}, kInt8, {3, 2}, Range(6));
  lines.a_scale = Tensor::Zeros(kFloat, {0});
  lines.a_zero_point = Tensor::Zeros(kUint8, {0});
  EXPECT_TRUE(Evaluate(lines).elements.empty());
}

TEST(MatMulAccumulator, BeyondInt32_IsModuloAndFree) {  // MM-01b
  struct Row {
    int64_t c;
    bool overflows;
    int64_t modulo;  // the C that is seen
  };
  const Row rows[] = {
      {2147483647, false, 2147483647},       {2147483648, true, -2147483648LL},
      {-2147483648LL, false, -2147483648LL}, {-2147483649LL, true, 2147483647},
      {4294967296 + 256, true, 256},         {4294967296, true, 0},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(row.c);
    SetScales(tensors, kFloat, 1, 1, 0x1p25);
    const Answer answer = Evaluate(tensors);
    const ElementAnswer& element = answer.elements[0];
    EXPECT_EQ(element.tier == Tier::kAccumulatorOverflow, row.overflows) << row.c;
    EXPECT_EQ(element.freedom, row.overflows ? Freedom::kAnyCode : Freedom::kNone)
        << row.c;
    EXPECT_EQ(Codes(answer)[0],
              std::lrint(std::ldexp(static_cast<double>(row.modulo), -25)))
        << row.c;
  }
  MatMulTensors tensors = ProductOf(4294967296 + 256);
  SetScales(tensors, kFloat, 1, 1, 0x1p26);
  const Accumulator others[] = {Accumulator::kWide, Accumulator::kSaturating32};
  const int64_t expected[] = {64, 32};
  for (int i = 0; i < 2; ++i) {
    const Result<Answer> answer =
        EvaluateQLinearMatMulWith(tensors.problem(), {.accumulator = others[i]});
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(Codes(*answer)[0], expected[i]);
  }
  // -2^31 * 1.5 / 2^31 is a tie, to -2; one more would not be.
  tensors = ProductOf(-2147483648LL - 1000);
  SetScales(tensors, kFloat, 1.5, 1, 0x1p31);
  const Result<Answer> lowest = EvaluateQLinearMatMulWith(
      tensors.problem(), {.accumulator = Accumulator::kSaturating32});
  ASSERT_TRUE(lowest.ok());
  EXPECT_EQ(Codes(*lowest)[0], -2);
}

TEST(MatMulAccumulator,
     BeyondInt32WithADegenerateScale_IsOfTheTierThatIsFree) {  // G-02, MM-01b
  MatMulTensors tensors = ProductOf(2147483648);
  SetScales(tensors, kFloat, -1, 1, 0x1p25);
  const ElementAnswer element = Evaluate(tensors).elements[0];
  EXPECT_EQ(element.tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(element.freedom, Freedom::kAnyCode);
}

TEST(MatMulAccumulator, Float8Products_AreExact) {  // MM-10
  struct Row {
    const char* what;
    DataType a_type, b_type;
    std::vector<double> a, b;
    double c;
  };
  const Row rows[] = {
      // 57344^2 - 57344^2 + 2^-32: all but the last term cancels.
      {"E5M2, from end to end",
       kFloat8E5M2,
       kFloat8E5M2,
       {57344, -57344, 0x1p-16},
       {57344, 57344, 0x1p-16},
       0x1p-32},
      {"E5M2FNUZ",
       kFloat8E5M2FNUZ,
       kFloat8E5M2FNUZ,
       {57344, 57344, 0x1p-17},
       {57344, -57344, 0x1p-17},
       0x1p-34},
      {"E4M3FN",
       kFloat8E4M3FN,
       kFloat8E4M3FN,
       {448, -448, 0x1p-9},
       {448, 448, 0x1p-9},
       0x1p-18},
      {"UINT8 by E5M2",
       kUint8,
       kFloat8E5M2,
       {255, 255, 1},
       {57344, -57344, 0x1p-16},
       0x1p-16},
      {"E4M3FNUZ by INT8",
       kFloat8E4M3FNUZ,
       kInt8,
       {240, 240, 0x1p-10},
       {127, -127, -128},
       -0x1p-3},
  };
  for (const Row& row : rows) {
    MatMulTensors tensors =
        MatMulOf(row.a_type, {1, 3}, row.a, row.b_type, {3, 1}, row.b, kFloat8E5M2);
    // b_scale brings C to 1.
    SetScales(tensors, kFloat, 1, std::fabs(1 / row.c), 1);
    const Answer answer = Evaluate(tensors);
    EXPECT_EQ(answer.elements[0].code, CodeOf(kFloat8E5M2, row.c < 0 ? -1 : 1))
        << row.what;
  }
}

TEST(MatMulAccumulator, Float8ZeroPoints_AreSubtractedExactly) {  // MM-10
  // (57344 - 2^-16) * 1 - 57344 * 1 = -2^-16: the difference has 32 digits.
  MatMulTensors tensors =
      MatMulOf(kFloat8E5M2, {1, 1}, {57344}, kFloat8E4M3FN, {1, 1}, {1}, kFloat8E5M2);
  tensors.a_zero_point = TensorOf(kFloat8E5M2, {}, {0x1p-16});
  EXPECT_EQ(Evaluate(tensors).elements[0].code, CodeOf(kFloat8E5M2, 57344));
  tensors.y_zero_point = TensorOf(kFloat8E5M2, {}, {-57344});
  EXPECT_EQ(Evaluate(tensors).elements[0].code, CodeOf(kFloat8E5M2, -0x1p-16));
}

TEST(MatMulAccumulator, SpecialValues_FollowIeee) {  // MM-11
  struct Row {
    const char* what;
    std::vector<double> a, b;
    double a_zero_point;
    double c;
  };
  const Row rows[] = {
      {"NaN", {NAN, 1}, {1, 1}, 0, NAN},
      {"NaN by zero", {NAN, 1}, {0, 1}, 0, NAN},
      {"Inf by zero", {INFINITY, 1}, {0, 1}, 0, NAN},
      {"Inf and -Inf", {INFINITY, INFINITY}, {1, -1}, 0, NAN},
      {"Inf wins over finite", {INFINITY, -57344}, {1, 57344}, 0, INFINITY},
      {"-Inf", {1, -INFINITY}, {1, 2}, 0, -INFINITY},
      {"Inf by Inf", {-INFINITY, 1}, {-INFINITY, 1}, 0, INFINITY},
      {"Inf - Inf in a - a_zero_point", {INFINITY, 1}, {1, 1}, INFINITY, NAN},
      {"finite - Inf", {1, 1}, {1, 1}, INFINITY, -INFINITY},
      {"NaN zero point", {1, 1}, {1, 1}, NAN, NAN},
  };
  for (const Row& row : rows) {
    for (const DataType y : {kInt8, kFloat8E5M2, kFloat8E4M3FN, kFloat8E4M3FNUZ}) {
      MatMulTensors tensors =
          MatMulOf(kFloat8E5M2, {1, 2}, row.a, kFloat8E5M2, {2, 1}, row.b, y);
      tensors.a_zero_point = TensorOf(kFloat8E5M2, {}, {row.a_zero_point});
      const ElementAnswer element = Evaluate(tensors).elements[0];
      const NumberFormat& format = FormatOf(y);
      if (std::isnan(row.c)) {
        const bool integer = y == kInt8;
        EXPECT_EQ(element.freedom, integer ? Freedom::kAnyCode : Freedom::kAnyNan)
            << row.what;
        EXPECT_EQ(element.code, integer ? 0x80 : CanonicalNan(format)) << row.what;
      } else {
        const bool negative = row.c < 0;
        uint64_t end = negative ? 0x80 : 0x7F;
        if (y != kInt8) end = LargestFinite(format) | (negative ? 0x80 : 0);
        if (y == kFloat8E4M3FNUZ) end = CanonicalNan(format);  // QL-22
        EXPECT_EQ(element.code, end) << row.what << " " << DataTypeName(y);
      }
    }
  }
}

// --- targets ---------------------------------------------------------------------

TEST(MatMulTarget, IntegerY_RoundsBeforeTheZeroPoint) {  // MM-03
  struct Row {
    double c;
    DataType y;
    double zero_point;
    int64_t code;
  };
  const Row rows[] = {
      {1, kUint8, 1, 1},     // 0.5 to 0, + 1; adding first: 1.5 to 2
      {3, kUint8, 1, 3},     // 1.5 to 2, + 1
      {-5, kInt8, 1, -1},    // -2.5 to -2
      {250, kInt8, 3, 127},  // 125 + 3
      {-3, kUint8, 1, 0},    // -2 + 1
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(static_cast<int64_t>(row.c), row.y);
    tensors.y_zero_point = TensorOf(row.y, {}, {row.zero_point});
    SetScales(tensors, kFloat, 1, 1, 2);
    EXPECT_EQ(Codes(Evaluate(tensors))[0], row.code) << row.c;
  }
}

TEST(MatMulTarget, Float8Y_IsRoundedOnceAndSaturates) {  // MM-03
  struct Row {
    int64_t c;
    double y_scale;
    DataType y;
    double zero_point;
    double value;
  };
  const Row rows[] = {
      {17, 16, kFloat8E4M3FN, 0, 1},       // 1.0625: a tie to 1
      {19, 16, kFloat8E4M3FN, 0, 1.25},    // 1.1875: a tie to 1.25
      {464, 1, kFloat8E4M3FN, 0, 448},     // a tie
      {100000, 1, kFloat8E4M3FN, 0, 448},  // saturates
      {-100000, 1, kFloat8E4M3FNUZ, 0, -240}, {2000000, 1, kFloat8E5M2, 0, 57344},
      {17, 16, kFloat8E4M3FN, 16, 18},  // 17.0625, once; 1 + 16 would be 16
  };
  for (const Row& row : rows) {
    MatMulTensors tensors = ProductOf(row.c, row.y);
    tensors.y_zero_point = TensorOf(row.y, {}, {row.zero_point});
    SetScales(tensors, kFloat, 1, 1, row.y_scale);
    EXPECT_EQ(Evaluate(tensors).elements[0].code, CodeOf(row.y, row.value)) << row.c;
  }
}

TEST(MatMulTarget, InfinityToE5m2_HasAReading) {  // MM-11b
  MatMulTensors tensors =
      MatMulOf(kFloat8E5M2, {1, 1}, {-INFINITY}, kInt8, {1, 1}, {1}, kFloat8E5M2);
  EXPECT_EQ(Evaluate(tensors).elements[0].code, 0xFBu);
  EXPECT_EQ(Evaluate(tensors, {.e5m2_infinity = true}).elements[0].code, 0xFCu);
  // Finite overflow saturates all the same.
  EXPECT_EQ(
      Evaluate(ProductOf(2000000, kFloat8E5M2), {.e5m2_infinity = true}).elements[0].code,
      0x7Bu);
  // QL-22 for the FNUZ formats.
  tensors.y_zero_point = Tensor::Zeros(kFloat8E5M2FNUZ, {});
  EXPECT_EQ(Evaluate(tensors).elements[0].code, 0x80u);
  EXPECT_EQ(Evaluate(tensors, {.fnuz_infinity_largest = true}).elements[0].code, 0xFFu);
}

TEST(MatMulTarget, ZeroFloat8Result_HasNoSign) {  // MM-12
  const MatMulTensors rows[] = {
      MatMulOf(kUint8, {1, 0}, {}, kInt8, {0, 1}, {}, kFloat8E4M3FN),          // K = 0
      MatMulOf(kInt8, {1, 2}, {1, 1}, kInt8, {2, 1}, {1, -1}, kFloat8E4M3FN),  // cancels
      ProductOf(0, kFloat8E5M2),
  };
  for (const MatMulTensors& tensors : rows) {
    EXPECT_EQ(Evaluate(tensors).elements[0].code, 0u);
    EXPECT_TRUE(Evaluate(tensors).elements[0].zero_sign_is_free);
  }
  MatMulTensors tiny = ProductOf(-1, kFloat8E4M3FN);
  SetScales(tiny, kFloat, 1, 1, 0x1p20);
  EXPECT_EQ(Evaluate(tiny).elements[0].code, 0u);
  EXPECT_TRUE(Evaluate(tiny).elements[0].zero_sign_is_free);
  EXPECT_FALSE(
      Evaluate(ProductOf(0)).elements[0].zero_sign_is_free);  // integers have one zero
}

TEST(MatMulTarget, Float8ZeroPoint_HasTheReadingsOfQl24) {  // MM-03
  // v = 1.0625 + 16: once 17.0625: 18; rounded first 1 + 16 = 17: 16.
  MatMulTensors tensors = ProductOf(17, kFloat8E4M3FN);
  tensors.y_zero_point = TensorOf(kFloat8E4M3FN, {}, {16});
  SetScales(tensors, kFloat, 1, 1, 16);
  const auto value = [&](FloatZeroPoint reading) {
    return Evaluate(tensors, {.float_zero_point = reading}).elements[0].code;
  };
  EXPECT_EQ(value(FloatZeroPoint::kCanonical), CodeOf(kFloat8E4M3FN, 18));
  EXPECT_EQ(value(FloatZeroPoint::kIgnored), CodeOf(kFloat8E4M3FN, 1));
  EXPECT_EQ(value(FloatZeroPoint::kRoundThenAdd), CodeOf(kFloat8E4M3FN, 16));
  // Added in FLOAT: 1 + 2^-23 + 16 is 17 there, a tie: 16; exactly it is above: 18.
  MatMulTensors small = ProductOf(1, kFloat8E4M3FN);
  small.y_zero_point = TensorOf(kFloat8E4M3FN, {}, {16});
  SetScales(small, kFloat, 1 + 0x1p-23, 1, 1);
  QLinearMatMulReadings readings{
      .requantization = QLinearMatMulReadings::Requantization::kF32Multiplier};
  EXPECT_EQ(Evaluate(small, readings).elements[0].code, CodeOf(kFloat8E4M3FN, 18));
  readings.float_zero_point = FloatZeroPoint::kAddedInP;
  EXPECT_EQ(Evaluate(small, readings).elements[0].code, CodeOf(kFloat8E4M3FN, 16));
}

}  // namespace
}  // namespace qconform
