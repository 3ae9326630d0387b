// The judge's MatMulInteger against answers worked out by hand.
#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;

Codes Bytes(int type, const Dims& shape, const std::vector<int>& values) {
  Codes codes{type, shape, {}};
  for (int value : values) codes.codes.push_back(static_cast<uint8_t>(value));
  return codes;
}

Codes Int8(const Dims& shape, const std::vector<int>& values) {
  return Bytes(kInt8, shape, values);
}

Codes Uint8(const Dims& shape, const std::vector<int>& values) {
  return Bytes(kUint8, shape, values);
}

std::vector<int32_t> SumsOf(const MatMulIntegerInput& input) {
  std::vector<int32_t> sums;
  for (const Element& element : MatMulInteger(input).elements) {
    sums.push_back(static_cast<int32_t>(static_cast<uint32_t>(element.code)));
  }
  return sums;
}

TEST(ExactMatMulInteger, Products_AreExact) {
  // [1 2; 3 4] x [5 -1; 7 8] = [5+14 -1+16; 15+28 -3+32].
  MatMulIntegerInput input{
      Uint8({2, 2}, {1, 2, 3, 4}), Int8({2, 2}, {5, -1, 7, 8}), {}, {}};
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{19, 15, 43, 29}));
  const Answer answer = MatMulInteger(input);
  EXPECT_EQ(answer.type, kInt32);
  EXPECT_EQ(answer.shape, (Dims{2, 2}));
  EXPECT_EQ(answer.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(answer.elements[0].freedom, Freedom::kNone);
}

// MI-03: pairs of 255 * 127 are beyond INT16.
TEST(ExactMatMulInteger, Pairs_DoNotSaturate) {
  const MatMulIntegerInput input{
      Uint8({1, 4}, {255, 255, 255, 255}), Int8({4, 1}, {127, 127, -128, 127}), {}, {}};
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{255 * (3 * 127 - 128)}));  // 64515
}

TEST(ExactMatMulInteger, ZeroPoints_AreSubtracted) {
  MatMulIntegerInput input{
      Uint8({2, 2}, {1, 2, 3, 4}), Int8({2, 2}, {5, -1, 7, 8}), {}, {}};
  input.a_zero_point = Uint8({}, {4});  // A = [-3 -2; -1 0]
  // [-15-14 3-16; -5 1].
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{-29, -13, -5, 1}));
  input.a_zero_point = Uint8({1}, {4});
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{-29, -13, -5, 1}));
  input.b_zero_point = Int8({}, {-1});  // B = [6 0; 8 9]
  // [-18-16 -18; -6 0].
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{-34, -18, -6, 0}));
  input.a_zero_point.reset();  // [1 2; 3 4] x [6 0; 8 9]
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{22, 18, 50, 36}));
}

// ONNX's node test test_matmulinteger.
TEST(ExactMatMulInteger, NodeTest) {
  MatMulIntegerInput input{Uint8({4, 3}, {11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0}),
                           Uint8({3, 2}, {1, 4, 2, 5, 3, 6}), Uint8({1}, {12}),
                           Uint8({1}, {0})};
  EXPECT_EQ(SumsOf(input),
            (std::vector<int32_t>{-38, -83, -44, -98, -50, -113, -56, -128}));
}

// MI-04: the zero points' differences show which one was taken.
TEST(ExactMatMulInteger, ZeroPoints_OfRowsAndColumns) {
  const Codes a = Int8({2, 2}, {10, 20, 30, 40});
  const Codes b = Int8({2, 2}, {1, 2, 3, 4});
  for (const Dims& rows : {Dims{2}, Dims{2, 1}}) {
    for (const Dims& columns : {Dims{2}, Dims{1, 2}}) {
      // A = [9 19; 23 33], B = [0 0; 2 2].
      const MatMulIntegerInput input{a, b, Int8(rows, {1, 7}), Int8(columns, {1, 2})};
      EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{38, 38, 66, 66}));
    }
  }
}

// MI-08: a is [2,1] batches of 1x1 and b [2] of them: 1x1 zero points by batch.
TEST(ExactMatMulInteger, ZeroPoints_HaveTheirOperandsBatches) {
  MatMulIntegerInput input{Int8({2, 1, 1, 1}, {10, 20}), Int8({2, 1, 1}, {3, 5}), {}, {}};
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{30, 50, 60, 100}));
  input.a_zero_point = Int8({2, 1, 1, 1}, {1, 2});  // 9, 18
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{27, 45, 54, 90}));
  input.b_zero_point = Int8({2, 1, 1}, {1, 2});  // 2, 3
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{18, 27, 36, 54}));
  EXPECT_EQ(MatMulInteger(input).shape, (Dims{2, 2, 1, 1}));
}

TEST(ExactMatMulInteger, Vectors) {
  const MatMulIntegerInput input{Int8({2}, {3, -4}), Int8({2}, {5, 6}), Int8({}, {1}),
                                 Int8({1}, {-1})};
  EXPECT_EQ(SumsOf(input), (std::vector<int32_t>{2 * 6 - 5 * 7}));
  EXPECT_EQ(MatMulInteger(input).shape, Dims{});
}

// MI-06.
TEST(ExactMatMulInteger, EmptyOperands) {
  const MatMulIntegerInput no_terms{Int8({2, 0}, {}), Int8({0, 1}, {}), Int8({2}, {5, 6}),
                                    Int8({}, {7})};
  EXPECT_EQ(SumsOf(no_terms), (std::vector<int32_t>{0, 0}));
  const MatMulIntegerInput no_rows{
      Int8({0, 2}, {}), Int8({2, 3}, {1, 2, 3, 4, 5, 6}), Int8({0}, {}), {}};
  EXPECT_EQ(MatMulInteger(no_rows).shape, (Dims{0, 3}));
  EXPECT_TRUE(MatMulInteger(no_rows).elements.empty());
}

// MI-02: 255 * 255 * 33025 = 2147450625 and 33022 more are the largest INT32.
TEST(ExactMatMulInteger, Sums_BeyondInt32) {
  const size_t k = 33026;
  MatMulIntegerInput input{Uint8({1, 33026}, std::vector<int>(k, 255)),
                           Uint8({33026, 1}, std::vector<int>(k, 255)),
                           {},
                           {}};
  input.a.codes.back() = 1;
  const auto last = [&](uint64_t code) {
    input.b.codes.back() = code;
    return MatMulInteger(input).elements.at(0);
  };
  EXPECT_EQ(last(255).code, 2147450880u);
  EXPECT_EQ(last(255).tier, Tier::kRegular);
  input.a.codes.back() = 130;  // 130 * 255 = 33150: 128 too many
  const Element beyond = last(255);
  EXPECT_EQ(beyond.code, 2147483775u);  // as INT32 it is negative
  EXPECT_EQ(beyond.tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(beyond.freedom, Freedom::kAnyCode);
  input.a.codes.back() = 129;  // 129 * 255 = 32895, 127 less than the largest
  EXPECT_EQ(last(255).tier, Tier::kRegular);
}

}  // namespace
}  // namespace qconform::exact
