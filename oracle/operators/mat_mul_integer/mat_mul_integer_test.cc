// MI-01 to MI-06 and MI-08: values. Expected numbers are worked out on paper; the
// differences that they come from stand next to them.
#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/core/testing/codes_of_values.h"

namespace qconform::mat_mul_integer {
namespace {

using enum DataType;
using Values = std::vector<int64_t>;

Answer Evaluate(const Tensor& a, const Tensor& b,
                const std::optional<Tensor>& a_zero_point = {},
                const std::optional<Tensor>& b_zero_point = {}) {
  Problem problem{.since_version = 10, .a = a.view(), .b = b.view()};
  if (a_zero_point) problem.a_zero_point = a_zero_point->view();
  if (b_zero_point) problem.b_zero_point = b_zero_point->view();
  Result<Answer> answer = EvaluateMatMulInteger(problem);
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  EXPECT_EQ(answer->type, kInt32);
  EXPECT_EQ(answer->elements.size(), static_cast<size_t>(*ElementCount(answer->shape)));
  return *std::move(answer);
}

Values ValuesOf(const Answer& answer) {
  Values values;
  for (const ElementAnswer& element : answer.elements) {
    values.push_back(static_cast<int32_t>(element.code));
  }
  return values;
}

// A tensor of the values 0, 1, 2, ...
Tensor Counting(DataType type, const Shape& shape) {
  std::vector<double> values(static_cast<size_t>(*ElementCount(shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return TensorOf(type, shape, values);
}

// The values of ONNX's node test test_matmulinteger.
TEST(MatMulInteger, TwoMatrices) {
  const Answer y =
      Evaluate(TensorOf(kUint8, {4, 3}, {11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0}),
               TensorOf(kUint8, {3, 2}, {1, 4, 2, 5, 3, 6}), TensorOf(kUint8, {1}, {12}),
               TensorOf(kUint8, {1}, {0}));
  EXPECT_EQ(y.shape, (Shape{4, 2}));
  EXPECT_EQ(ValuesOf(y), (Values{-38, -83, -44, -98, -50, -113, -56, -128}));
  for (const ElementAnswer& element : y.elements) {
    EXPECT_EQ(element.tier, Tier::kRegular);
    EXPECT_EQ(element.freedom, Freedom::kNone);
    EXPECT_EQ(element.features, kFeatureZeroPoint);
  }
}

TEST(MatMulInteger, AllTypes_AtTheirEnds) {
  for (const DataType a_type : {kInt8, kUint8}) {
    for (const DataType b_type : {kInt8, kUint8}) {
      const double a_low = a_type == kInt8 ? -128 : 0;
      const double b_low = b_type == kInt8 ? -128 : 0;
      const Tensor a = TensorOf(a_type, {1, 2}, {a_low, a_low + 255});
      const Tensor b = TensorOf(b_type, {2, 2},
                                {b_low, b_low + 255,  //
                                 b_low + 255, b_low});
      const auto y = [&](double a_zero, double b_zero) {
        return ValuesOf(Evaluate(a, b, TensorOf(a_type, {}, {a_low + a_zero}),
                                 TensorOf(b_type, {}, {b_low + b_zero})));
      };
      SCOPED_TRACE(std::string(DataTypeName(a_type)) + " " +
                   std::string(DataTypeName(b_type)));
      // (0, 255) x ((0, 255), (255, 0))
      EXPECT_EQ(y(0, 0), (Values{65025, 0}));
      // (-255, 0) x ((-255, 0), (0, -255))
      EXPECT_EQ(y(255, 255), (Values{65025, 0}));
      // (-255, 0) x ((0, 255), (255, 0))
      EXPECT_EQ(y(255, 0), (Values{0, -65025}));
      // (0, 255) x ((-255, 0), (0, -255))
      EXPECT_EQ(y(0, 255), (Values{0, -65025}));
      // (-1, 254) x ((-254, 1), (1, -254)): 254 + 254, -1 - 64516
      EXPECT_EQ(y(1, 254), (Values{508, -64517}));
    }
  }
}

TEST(MatMulInteger, PairsOfProducts_NeedMoreThan16Bits) {
  EXPECT_EQ(ValuesOf(Evaluate(TensorOf(kUint8, {1, 2}, {255, 255}),
                              TensorOf(kInt8, {2, 2}, {127, -128, 127, -128}))),
            (Values{2 * 255 * 127, -2 * 255 * 128}));
  EXPECT_EQ(ValuesOf(Evaluate(TensorOf(kInt8, {1, 2}, {-128, -128}),
                              TensorOf(kInt8, {2, 1}, {-128, -128}))),
            (Values{32768}));
}

// Operands count 0, 1, 2, ...; the products of a row and a column are written out.
TEST(MatMulInteger, ShapesAreNumpyMatmuls) {
  struct Row {
    Shape a, b, y;
    Values values;
  };
  const Row rows[] = {
      {{3}, {3}, {}, {5}},                         // 0 + 1 + 4
      {{3}, {3, 2}, {2}, {10, 13}},                // 0 + 2 + 8, 0 + 3 + 10
      {{2, 3}, {3}, {2}, {5, 14}},                 // 0 + 4 + 10
      {{1, 2}, {2, 3}, {1, 3}, {3, 4, 5}},         // 0 + 3, 0 + 4, 0 + 5
      {{2, 1}, {1, 2}, {2, 2}, {0, 0, 0, 1}},      //
      {{2, 1, 2}, {2, 1}, {2, 1, 1}, {1, 3}},      // (0, 1), (2, 3) x (0, 1)
      {{1, 2}, {2, 2, 1}, {2, 1, 1}, {1, 3}},      //
      {{2}, {2, 2, 1}, {2, 1}, {1, 3}},            //
      {{2, 1, 2}, {2}, {2, 1}, {1, 3}},            //
      {{2, 1, 2}, {2, 2, 1}, {2, 1, 1}, {1, 13}},  // (2, 3) x (2, 3)
      {{2, 1, 1, 2}, {3, 2, 1}, {2, 3, 1, 1}, {1, 3, 5, 3, 13, 23}},
      {{1, 3, 1, 1}, {2, 1, 1, 1}, {2, 3, 1, 1}, {0, 0, 0, 0, 1, 2}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(ShapeToString(row.a) + " x " + ShapeToString(row.b));
    const Answer y = Evaluate(Counting(kUint8, row.a), Counting(kInt8, row.b));
    EXPECT_EQ(y.shape, row.y);
    EXPECT_EQ(ValuesOf(y), row.values);
  }
}

// Differences ((0, 1), (1, 2)) by row and ((0, -1), (2, 1)) by column. M = K = N: with
// zero points along K, A would be ((0, 0), (2, 2)).
TEST(MatMulInteger, ZeroPointsByRowAndByColumn) {
  const Tensor a = TensorOf(kUint8, {2, 2}, {1, 2, 3, 4});
  const Tensor b = TensorOf(kInt8, {2, 2}, {5, 6, 7, 8});
  const Values expected{2, 1, 4, 1};
  for (const Shape& by_row : {Shape{2}, Shape{2, 1}}) {
    for (const Shape& by_column : {Shape{2}, Shape{1, 2}}) {
      EXPECT_EQ(ValuesOf(Evaluate(a, b, TensorOf(kUint8, by_row, {1, 2}),
                                  TensorOf(kInt8, by_column, {5, 7}))),
                expected);
    }
  }
  // ((0, 1), (1, 2)) x ((5, 6), (7, 8)): 7, 8, 5 + 14, 6 + 16
  EXPECT_EQ(ValuesOf(Evaluate(a, b, TensorOf(kUint8, {2}, {1, 2}))),
            (Values{7, 8, 19, 22}));
  // ((1, 2), (3, 4)) x ((0, -1), (2, 1)): 4, -1 + 2, 8, -3 + 4
  EXPECT_EQ(ValuesOf(Evaluate(a, b, {}, TensorOf(kInt8, {2}, {5, 7}))),
            (Values{4, 1, 8, 1}));
}

TEST(MatMulInteger, AbsentZeroPoints_AreZero) {
  const Tensor a = TensorOf(kInt8, {1, 2}, {-3, 5});
  const Tensor b = TensorOf(kUint8, {2, 1}, {7, 11});
  EXPECT_EQ(ValuesOf(Evaluate(a, b)), (Values{34}));  // -21 + 55
  EXPECT_EQ(ValuesOf(Evaluate(a, b, TensorOf(kInt8, {}, {0}), TensorOf(kUint8, {}, {0}))),
            (Values{34}));
  EXPECT_EQ(ValuesOf(Evaluate(a, b, TensorOf(kInt8, {}, {1}))),
            (Values{16}));  // -28 + 44
  EXPECT_EQ(ValuesOf(Evaluate(a, b, {}, TensorOf(kUint8, {}, {1}))),
            (Values{32}));  // -18 + 50
}

TEST(MatMulInteger, ZeroPointsOfBatchesThatBroadcast) {
  // A: (0, 1) and (1, 2); B: ((0, -1), (2, 1)), once for both.
  const Answer y = Evaluate(
      TensorOf(kUint8, {2, 1, 2}, {1, 2, 3, 4}), TensorOf(kInt8, {1, 2, 2}, {5, 6, 7, 8}),
      TensorOf(kUint8, {2, 1, 1}, {1, 2}), TensorOf(kInt8, {1, 1, 2}, {5, 7}));
  EXPECT_EQ(y.shape, (Shape{2, 1, 2}));
  EXPECT_EQ(ValuesOf(y), (Values{2, 1, 4, 1}));
  // A: (0, 1), once for both; B: (0, 2) and (-1, 1).
  EXPECT_EQ(
      ValuesOf(Evaluate(
          TensorOf(kUint8, {1, 1, 2}, {1, 2}), TensorOf(kInt8, {2, 2, 1}, {5, 7, 6, 8}),
          TensorOf(kUint8, {1, 1, 1}, {1}), TensorOf(kInt8, {2, 1, 1}, {5, 7}))),
      (Values{2, 1}));
}

TEST(MatMulInteger, EmptyDimensions_GiveZeroOrNothing) {
  const Tensor a_zero = TensorOf(kUint8, {}, {9});
  const Tensor b_zero = TensorOf(kInt8, {}, {-9});
  const auto evaluate = [&](Shape a, Shape b) {
    return Evaluate(Tensor::Zeros(kUint8, std::move(a)),
                    Tensor::Zeros(kInt8, std::move(b)), a_zero, b_zero);
  };
  const Answer zeros = evaluate({2, 0}, {0, 3});
  EXPECT_EQ(zeros.shape, (Shape{2, 3}));
  EXPECT_EQ(ValuesOf(zeros), Values(6, 0));
  EXPECT_NE(zeros.elements[0].features & kFeatureZeroResult, 0);
  EXPECT_EQ(ValuesOf(evaluate({0}, {0})), Values{0});
  EXPECT_EQ(evaluate({0, 2}, {2, 3}).shape, (Shape{0, 3}));
  EXPECT_EQ(evaluate({2, 2}, {2, 0}).shape, (Shape{2, 0}));
  EXPECT_EQ(evaluate({0, 2, 2}, {1, 2, 3}).shape, (Shape{0, 2, 3}));
  EXPECT_EQ(evaluate({0, 0}, {0, 0}).shape, (Shape{0, 0}));
}

// 33025 * 255 * 255 = 2147450625; 2^31 - 1 is that and 33022 = 255 * 129 + 127.
TEST(MatMulInteger, SumsBeyondInt32_AreModuloAndFree) {
  const auto sum = [](bool negative, double last) {
    std::vector<double> a(33025, 255);
    std::vector<double> b(33025, 255);
    a.insert(a.end(), {255, last});
    b.insert(b.end(), {129, 1});
    // The same magnitudes, from below their zero point.
    if (negative) {
      for (double& value : a) value = 255 - value;
    }
    const auto k = static_cast<int64_t>(a.size());
    const Answer y = Evaluate(TensorOf(kUint8, {1, k}, a), TensorOf(kUint8, {k, 1}, b),
                              TensorOf(kUint8, {}, {negative ? 255.0 : 0.0}));
    return y.elements.at(0);
  };
  const ElementAnswer largest = sum(false, 127);
  EXPECT_EQ(largest.code, 0x7fffffffu);
  EXPECT_EQ(largest.freedom, Freedom::kNone);
  EXPECT_EQ(largest.tier, Tier::kRegular);
  const ElementAnswer beyond = sum(false, 128);
  EXPECT_EQ(beyond.code, 0x80000000u);
  EXPECT_EQ(beyond.freedom, Freedom::kAnyCode);
  EXPECT_EQ(beyond.tier, Tier::kAccumulatorOverflow);
  const ElementAnswer smallest = sum(true, 128);
  EXPECT_EQ(smallest.code, 0x80000000u);
  EXPECT_EQ(smallest.freedom, Freedom::kNone);
  const ElementAnswer below = sum(true, 129);
  EXPECT_EQ(below.code, 0x7fffffffu);
  EXPECT_EQ(below.freedom, Freedom::kAnyCode);
}

}  // namespace
}  // namespace qconform::mat_mul_integer
