// Requantization at and beside the boundaries between codes: where fast
// arithmetic cannot decide, and the repair in integers has to.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/backends/simd/q_linear_mat_mul/testing/codes.h"
#include "harness/backends/simd/q_linear_mat_mul/testing/mat_mul.h"

namespace qconform::simd {
namespace {

using enum DataType;

Tensor Codes(DataType type, Shape shape, const std::vector<int>& values) {
  Tensor t = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    t.data[i] = static_cast<std::byte>(values[i]);
  return t;
}

Tensor Scales(Shape shape, const std::vector<double>& values) {
  Tensor t = Tensor::Zeros(kFloat, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i) {
    SetScale(&t, static_cast<int64_t>(i), values[i]);
  }
  return t;
}

// Rows whose products with `columns` equal columns are C = 0, 1, ..., 127 * 256.
MatMulQuestion EverySum(DataType y, int y_zero_point, int64_t columns) {
  constexpr int kRows = 127 * 256;
  std::vector<int> a;
  for (int c = 0; c < kRows; ++c) {
    a.push_back(c / 127);
    a.push_back(c % 127);
  }
  std::vector<int> b(static_cast<size_t>(columns), 127);
  b.resize(2 * static_cast<size_t>(columns), 1);
  MatMulQuestion q;
  q.a = Codes(kUint8, {kRows, 2}, a);
  q.b = Codes(kInt8, {2, columns}, b);
  q.a_zero_point = Codes(kUint8, {}, {0});
  q.b_zero_point = Codes(kInt8, {}, {0});
  q.y_zero_point = Codes(y, {}, {y_zero_point});
  q.a_scale = Scales({}, {1.0});
  return q;
}

// Asks every target; returns the repairs of the best target, with dot products.
int64_t Ask(const MatMulQuestion& q) {
  const std::vector<uint8_t> expected = ExpectedCodes(q);
  int64_t repaired = -1;
  for (const Target& target : SupportedTargets()) {
    QLinearMatMulStats stats;
    QLinearMatMulOptions options;
    options.stats = &stats;
    EXPECT_EQ(MatMulDifference(q, expected, target, options, false), "");
    if (repaired < 0) repaired = stats.repaired;
  }
  return repaired;
}

TEST(Requantization, EverySumByManyScales_IsExact) {
  Dice dice(1);
  constexpr int64_t kColumns = 6;
  for (const DataType y : {kUint8, kInt8, kFloat8E4M3FN, kFloat8E5M2FNUZ}) {
    for (const bool row_scales : {false, true}) {
      // A float8 zero point of about 1: larger ones swallow small v.
      const auto zero_point = static_cast<int>(IsInteger(y) ? dice.Below(128) : 0x38);
      MatMulQuestion q = EverySum(y, zero_point, kColumns);
      std::vector<double> scales;
      for (int i = 0; i < kColumns; ++i) {
        const double significand = 1 + static_cast<double>(dice.Below(1 << 23)) * 0x1p-23;
        scales.push_back(significand * (i % 2 == 0 ? 0x1p-8 : -0x1p-8));
      }
      q.b_scale = Scales({kColumns}, scales);
      q.y_scale = Scales({}, {1 + static_cast<double>(dice.Below(1 << 23)) * 0x1p-23});
      if (row_scales) {
        const int64_t rows = q.a.shape[0];
        q.a_scale = Tensor::Zeros(kFloat, {rows});
        for (int64_t i = 0; i < rows; ++i) {
          SetScale(&q.a_scale, i, 1 + static_cast<double>(dice.Below(1 << 23)) * 0x1p-23);
        }
      }
      const int64_t repaired = Ask(q);
      const int64_t elements = q.a.shape[0] * kColumns;
      // Four in 2^13; the intervals of float8 are narrower.
      if (IsInteger(y)) {
        EXPECT_GT(repaired, 0);
      }
      EXPECT_LT(repaired, elements / 1000);
    }
  }
}

// y_scale = 3 * 2^e: each sixth sum is a tie, and no multiplier is exact.
TEST(Requantization, TiesOfAnInexactMultiplier_AreAllRepaired) {
  for (const int zero_point : {0, 1, 100}) {
    MatMulQuestion q = EverySum(kUint8, zero_point, 3);
    q.b_scale = Scales({3}, {1, -1, 0.25});
    q.y_scale = Scales({}, {6});
    const int64_t repaired = Ask(q);
    // C / 6 = k + 1/2, within the range of codes.
    const int64_t ties = 255 - zero_point + zero_point + (255 - zero_point);
    EXPECT_GE(repaired, ties);
    EXPECT_LT(repaired, ties + 200);
  }
}

// Powers of two: exact products, one rounding, nothing to repair.
TEST(Requantization, TiesOfAnExactMultiplier_NeedNoRepair) {
  for (const DataType y : {kUint8, kInt8}) {
    for (const int zero_point : {0, 3, 127}) {
      MatMulQuestion q = EverySum(y, zero_point, 4);
      q.b_scale = Scales({4}, {0.5, -0.5, 0x1p-7, -0x1.8p-8});
      q.y_scale = Scales({}, {1});
      EXPECT_EQ(Ask(q), 0);
    }
  }
}

// An exact multiplier with sums beyond 2^24, which FLOAT rounds.
TEST(Requantization, LargeSumsOfAnExactMultiplier_Saturate) {
  constexpr int64_t kK = 1 << 10;
  for (const int low : {1, 2, 127}) {
    MatMulQuestion q;
    q.a = Codes(kUint8, {2, kK}, std::vector<int>(2 * kK, 255));
    q.b = Codes(kInt8, {kK, 2}, std::vector<int>(2 * kK, low));
    q.a_zero_point = Codes(kUint8, {}, {0});
    q.b_zero_point = Codes(kInt8, {}, {0});
    q.y_zero_point = Codes(kUint8, {}, {7});
    q.a_scale = Scales({}, {1});
    q.b_scale = Scales({2}, {0x1p-15, -0x1p-15});
    q.y_scale = Scales({}, {1});
    EXPECT_EQ(Ask(q), 0);
  }
}

// Inverse of odd-or-coprime x modulo n, by Euclid; 0 where there is none.
int64_t Inverse(int64_t x, int64_t n) {
  int64_t a = x % n, b = n, u = 1, v = 0;
  while (a != 0) {
    const int64_t quotient = b / a;
    std::swap(a, b);
    std::swap(u, v);
    a -= quotient * b;
    u -= quotient * v;
  }
  return b == 1 ? (v % n + n) % n : 0;
}

// C * A = (2k+1) * Y * 2^t +- 1: v lies beside the tie k + 1/2 by one part in C * A,
// about 2^40. Neither FLOAT nor FLOAT twice over tells which side.
TEST(Requantization, SumsBesideATie_FallOnTheirSide) {
  Dice dice(2);
  int found = 0;
  int64_t repaired = 0;
  for (int i = 0; i < 20'000 && found < 1500; ++i) {
    const int x = static_cast<int>(1 + dice.Below(255));
    const int z = static_cast<int>(1 + dice.Below(127));
    const int64_t c = int64_t{x} * z;
    // FLOAT8E4M3FN: k + 1/2 lies between two codes, for k = 8 to 15.
    const DataType y = dice.Pick(std::vector{kUint8, kInt8, kFloat8E4M3FN});
    const int64_t k = !IsInteger(y)        ? 8 + dice.Below(8)
                      : dice.Below(8) == 0 ? dice.Below(8)
                                           : dice.Below(255);
    const int64_t odd = 2 * k + 1;
    const int side = dice.Below(2) == 0 ? 1 : -1;
    // Powers of two that put A into [2^23, 2^24).
    int t = 0;
    while (std::ldexp(static_cast<double>(odd), 23 + t) <
           std::ldexp(static_cast<double>(c), 23)) {
      ++t;
    }
    const int64_t step = odd << t;
    if (std::gcd(step, c) != 1) continue;
    const int64_t residue = (-side * Inverse(step % c, c) % c + c) % c;
    const int64_t significand =
        residue +
        c * ((int64_t{1} << 23) / c + 1 + dice.Below(((int64_t{1} << 23) / c) + 1) / 2);
    if (significand >= 1 << 24) continue;
    const int64_t product = step * significand + side;
    ASSERT_EQ(product % c, 0);
    const int64_t a = product / c;
    if (a < 1 << 23 || a >= 1 << 24) continue;
    ++found;
    // v = C a 2^-(t+1) / significand.
    MatMulQuestion q;
    q.a = Codes(kUint8, {1, 1}, {x});
    q.b = Codes(kInt8, {1, 1}, {z});
    q.a_zero_point = Codes(kUint8, {}, {0});
    q.b_zero_point = Codes(kInt8, {}, {0});
    q.y_zero_point = Codes(y, {},
                           {y == kUint8  ? static_cast<int>(dice.Below(255 - k))
                            : y == kInt8 ? 128
                                         : 0});
    q.a_scale = Scales({}, {static_cast<double>(a)});
    q.b_scale = Scales({}, {std::ldexp(1.0, -t - 1)});
    q.y_scale = Scales({}, {static_cast<double>(significand)});
    repaired += Ask(q);
  }
  EXPECT_EQ(found, 1500);
  EXPECT_EQ(repaired, found);
}

}  // namespace
}  // namespace qconform::simd
