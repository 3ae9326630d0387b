// MM-02, MM-10: the bounds of sums that are rounded.
#include "oracle/requantization/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;

// Random float8 operands [1,K] x [K,1], values of similar size.
MatMulTensors RandomFloat8(std::mt19937_64& random, DataType type, int64_t k,
                           DataType y) {
  std::vector<double> a, b;
  for (int64_t i = 0; i < k; ++i) {
    a.push_back(static_cast<double>(random() % 64) - 31.5);
    b.push_back(static_cast<double>(random() % 64) - 31.5);
  }
  return MatMulOf(type, {1, k}, a, type, {k, 1}, b, y);
}

float ValueAt(const Tensor& tensor, int64_t i) {
  const ExactValue value = Decode(FormatOf(tensor.type), ReadCode(tensor.view(), i));
  const double magnitude =
      std::ldexp(static_cast<double>(value.significand), value.exponent);
  return static_cast<float>(value.negative ? -magnitude : magnitude);
}

TEST(MatMulBounds, Float8_HoldAnyOrderOfFloatSums) {  // MM-10
  std::mt19937_64 random(41);
  int visited = 0;
  int wide = 0;
  for (; visited < 400; ++visited) {
    const DataType type = visited % 2 == 0 ? kFloat8E4M3FN : kFloat8E5M2;
    const auto k = static_cast<int64_t>(random() % 60 + 1);
    MatMulTensors tensors = RandomFloat8(random, type, k, kInt8);
    const float a_scale = 1 + static_cast<float>(random() % 1000) / 1000;
    const float b_scale = 1 + static_cast<float>(random() % 1000) / 1000;
    const float y_scale = 100 + static_cast<float>(random() % 1000) / 1000;
    SetScales(tensors, kFloat, a_scale, b_scale, y_scale);
    const Answer answer = Evaluate(tensors, {}, MatMulBounds::kMm10);
    ASSERT_EQ(answer.bounds.size(), 1u);
    const CodeBounds& bounds = answer.bounds[0];
    wide += bounds.low != bounds.high;
    // Forwards, backwards, and dequantized first.
    float forwards = 0, backwards = 0, dequantized = 0;
    for (int64_t i = 0; i < k; ++i) {
      forwards += ValueAt(tensors.a, i) * ValueAt(tensors.b, i);
      backwards += ValueAt(tensors.a, k - 1 - i) * ValueAt(tensors.b, k - 1 - i);
      dequantized +=
          (ValueAt(tensors.a, i) * a_scale) * (ValueAt(tensors.b, i) * b_scale);
    }
    const float answers[] = {forwards * ((a_scale * b_scale) / y_scale),
                             (backwards * a_scale * b_scale) / y_scale,
                             dequantized / y_scale};
    for (const float v : answers) {
      const double y = std::fmin(std::fmax(std::nearbyint(v), -128), 127);
      ASSERT_TRUE(IsWithin(kInt8, CodeOf(kInt8, y), bounds.low, bounds.high)) << v;
    }
    ASSERT_TRUE(IsWithin(kInt8, bounds.low, bounds.wider_low, bounds.wider_high));
    ASSERT_TRUE(IsWithin(kInt8, bounds.high, bounds.wider_low, bounds.wider_high));
  }
  EXPECT_EQ(visited, 400);
  EXPECT_LT(wide, 20);  // the bound is narrow: most elements have one code
}

TEST(MatMulBounds, FloatMatMul_HoldsTheMachinesAnswers) {  // MM-02
  std::mt19937_64 random(43);
  int visited = 0;
  for (; visited < 400; ++visited) {
    const auto k = static_cast<int64_t>(random() % 100 + 1);
    std::vector<double> a, b;
    for (int64_t i = 0; i < k; ++i) {
      a.push_back(static_cast<double>(random() % 256));
      b.push_back(static_cast<double>(random() % 256) - 128);
    }
    MatMulTensors tensors = MatMulOf(kUint8, {1, k}, a, kInt8, {k, 1}, b);
    const float a_scale = 1 + static_cast<float>(random() % 1000) / 1000;
    const float b_scale = 1 + static_cast<float>(random() % 1000) / 1000;
    const float y_scale = 3000 + static_cast<float>(random() % 1000) / 1000;
    SetScales(tensors, kFloat, a_scale, b_scale, y_scale);
    const Answer answer = Evaluate(tensors, {}, MatMulBounds::kAll);
    ASSERT_EQ(answer.bounds.size(), 1u);
    float sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      sum += (static_cast<float>(a[i]) * a_scale) * (static_cast<float>(b[i]) * b_scale);
    }
    const double y = std::fmin(std::fmax(std::nearbyint(sum / y_scale), -128), 127);
    ASSERT_TRUE(
        IsWithin(kInt8, CodeOf(kInt8, y), answer.bounds[0].low, answer.bounds[0].high));
    // Integer operands have no such bound by MM-10, and no reduced precision.
    ASSERT_EQ(answer.bounds[0].wider_low, answer.bounds[0].low);
    ASSERT_EQ(answer.bounds[0].wider_high, answer.bounds[0].high);
    ASSERT_TRUE(Evaluate(tensors, {}, MatMulBounds::kMm10).bounds.empty());
  }
  EXPECT_EQ(visited, 400);
}

// MM-02: where FLOAT holds every sum, whatever the order, a tie is a tie.
TEST(MatMulBounds, FloatMatMul_IsRoundedWhereFloatHasNotTheBitsAlone) {
  std::mt19937_64 random(59);
  int visited = 0;
  int ties = 0;
  int wide = 0;
  for (; visited < 2000; ++visited) {
    const auto k = static_cast<int64_t>(random() % 16 + 1);
    std::vector<double> a, b;
    for (int64_t i = 0; i < k; ++i) {
      a.push_back(static_cast<double>(random() % 16));
      b.push_back(static_cast<double>(random() % 16) - 8);
    }
    MatMulTensors tensors = MatMulOf(kUint8, {1, k}, a, kInt8, {k, 1}, b);
    const bool power = visited % 2 == 0;
    const float a_scale = std::ldexp(visited % 4 < 2 ? 1.0f : 3.0f, -4);
    const float b_scale = std::ldexp(visited % 8 < 4 ? 1.0f : 5.0f, 3);
    const float y_scale = power ? 0x1p3f : 0x1.8p3f;
    SetScales(tensors, kFloat, a_scale, b_scale, y_scale);
    const Answer answer = Evaluate(tensors, {}, MatMulBounds::kAll);
    ASSERT_EQ(answer.bounds.size(), 1u);
    const CodeBounds& bounds = answer.bounds[0];
    float forwards = 0, backwards = 0;
    for (int64_t i = 0; i < k; ++i) {
      const auto term = [&](int64_t at) {
        const auto place = static_cast<size_t>(at);
        return static_cast<float>(a[place]) * a_scale *
               (static_cast<float>(b[place]) * b_scale);
      };
      forwards += term(i);
      backwards += term(k - 1 - i);
    }
    for (const float sum : {forwards, backwards}) {
      const double y = std::fmin(std::fmax(std::nearbyint(sum / y_scale), -128), 127);
      ASSERT_TRUE(IsWithin(kInt8, CodeOf(kInt8, y), bounds.low, bounds.high));
    }
    wide += bounds.low != bounds.high;
    if (!power) continue;
    ASSERT_EQ(bounds.low, bounds.high);
    ASSERT_EQ(bounds.low, answer.elements[0].code);
    const double v = static_cast<double>(forwards) / y_scale;
    ties += std::fabs(v - std::nearbyint(v)) == 0.5;
  }
  EXPECT_EQ(visited, 2000);
  EXPECT_GT(ties, 0);
  EXPECT_GT(wide, 0) << "ties by another y_scale may be rounded either way";
}

TEST(MatMulBounds, Canonical_LiesInside) {  // MM-10
  std::mt19937_64 random(47);
  int visited = 0;
  for (const DataType type :
       {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ}) {
    for (const DataType y :
         {kUint8, kInt8, kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2}) {
      for (int i = 0; i < 100; ++i, ++visited) {
        MatMulTensors tensors = RandomFloat8(random, type, 1 + i % 7, y);
        for (std::byte& byte : tensors.a.data) byte = static_cast<std::byte>(random());
        tensors.y_zero_point = ScalarCode(y, random() % 256);
        SetScales(tensors, kFloat, 0.3, 0.7, 0.9);
        const Answer answer = Evaluate(tensors, {}, MatMulBounds::kMm10);
        const ElementAnswer& element = answer.elements[0];
        const CodeBounds& bounds = answer.bounds[0];
        ASSERT_TRUE(IsWithin(y, element.code, bounds.low, bounds.high));
        ASSERT_TRUE(IsWithin(y, element.code, bounds.wider_low, bounds.wider_high));
      }
    }
  }
  EXPECT_EQ(visited, 2000);
}

TEST(MatMulBounds, WhatLiesWithin) {  // MM-10
  struct Row {
    const char* what;
    double code, low, high;
    bool within;
  };
  const Row rows[] = {
      {"inside", 1.5, 1, 2, true},
      {"the low end", 1, 1, 2, true},
      {"the high end", 2, 1, 2, true},
      {"below", 0.9375, 1, 2, false},
      {"above", 2.25, 1, 2, false},
      {"-0 is 0", -0.0, 0, 1, true},
      {"negative", -1.5, -2, -1, true},
      {"NaN for a number", NAN, 1, 2, false},
      {"a number for NaN", 1, NAN, NAN, false},
      {"NaN for NaN", NAN, NAN, NAN, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(IsWithin(kFloat8E4M3FN, CodeOf(kFloat8E4M3FN, row.code),
                       CodeOf(kFloat8E4M3FN, row.low), CodeOf(kFloat8E4M3FN, row.high)),
              row.within)
        << row.what;
  }
}

TEST(MatMulBounds, SumNextToATie_HasBothCodes) {  // MM-10
  // C = 2.5 exactly, from 1000 terms of both signs: FLOAT sums may miss it.
  std::vector<double> a(1000, 1.25), b(1000, 1.0);
  for (size_t i = 0; i < 998; ++i) b[i] = i % 2 == 0 ? 1 : -1;
  MatMulTensors tensors =
      MatMulOf(kFloat8E4M3FN, {1, 1000}, a, kFloat8E4M3FN, {1000, 1}, b);
  const Answer answer = Evaluate(tensors, {}, MatMulBounds::kMm10);
  EXPECT_EQ(answer.elements[0].code, 2u);
  EXPECT_EQ(answer.bounds[0].low, 2u);
  EXPECT_EQ(answer.bounds[0].high, 3u);
  // 1000 * 2^-10 * 1250 is far more than the range.
  EXPECT_EQ(answer.bounds[0].wider_low, 0x80u);
  EXPECT_EQ(answer.bounds[0].wider_high, 0x7Fu);
}

}  // namespace
}  // namespace qconform
