// QC-04 and QC-08: the bounds hold what floating-point convolutions make.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "oracle/core/answer.h"
#include "oracle/operators/q_linear_conv/testing/test_support.h"

namespace qconform::q_linear_conv {
namespace {

using enum DataType;

constexpr int kTerms = 12;

// One window of kTerms elements, with a bias.
struct Question {
  std::vector<double> x, w;
  double x_zero_point = 0;
  double w_zero_point = 0;
  double y_zero_point = 0;
  double bias = 0;
  float a = 1, b = 1, y = 1;

  Tensors tensors() const {
    Tensors tensors;
    tensors.x = TensorOf(kUint8, {1, 3, 4}, x);
    tensors.w = TensorOf(kInt8, {1, 3, 4}, w);
    tensors.x_zero_point = TensorOf(kUint8, {}, {x_zero_point});
    tensors.w_zero_point = TensorOf(kInt8, {}, {w_zero_point});
    tensors.y_zero_point = TensorOf(kInt8, {}, {y_zero_point});
    tensors.bias = TensorOf(kInt32, {1}, {bias});
    SetScales(tensors, a, b, y);
    return tensors;
  }

  // The quotient v in FLOAT; the products are summed in this order, the bias at `place`.
  float MachineV(const std::vector<size_t>& order, size_t place) const {
    const float scaled_bias = static_cast<float>(bias) * (a * b);
    float sum = 0;
    for (size_t i = 0; i <= order.size(); ++i) {
      if (i == place) sum += scaled_bias;
      if (i == order.size()) break;
      const size_t k = order[i];
      sum += static_cast<float>(x[k] - x_zero_point) * a *
             (static_cast<float>(w[k] - w_zero_point) * b);
    }
    return sum / y;
  }
};

Question RandomQuestion(std::mt19937_64& random) {
  const auto value = [&random](int low, int count) {
    return static_cast<double>(low +
                               static_cast<int>(random() % static_cast<uint64_t>(count)));
  };
  Question question;
  for (int k = 0; k < kTerms; ++k) {
    question.x.push_back(value(0, 256));
    question.w.push_back(value(-128, 256));
  }
  question.x_zero_point = value(0, 256);
  question.w_zero_point = value(-128, 256);
  question.y_zero_point = value(-128, 256);
  question.bias = value(-100000, 200001);
  const auto scale = [&random] {
    return 1 + static_cast<float>(random() % (1 << 23)) * 0x1p-23F;
  };
  question.a = scale() * 0x1p-7F;
  question.b = scale() * 0x1p-7F;
  double sum = question.bias;
  for (size_t k = 0; k < kTerms; ++k) {
    sum +=
        (question.x[k] - question.x_zero_point) * (question.w[k] - question.w_zero_point);
  }
  // v is close to a half of an odd number, where the last bits decide.
  const double half = value(-100, 200) + 0.5;
  question.y = static_cast<float>(std::abs(sum * question.a * question.b / half));
  if (!(question.y > 0x1p-40F)) question.y = 1;
  return question;
}

int64_t CodeOfV(double v, double zero_point, Rounding rounding) {
  double code = 0;
  switch (rounding) {
    case Rounding::kCanonical:
      code = std::nearbyint(v) + zero_point;
      break;
    case Rounding::kTiesAway:
      code = std::round(v) + zero_point;
      break;
    case Rounding::kTiesUp:
      code = std::floor(v) + (v - std::floor(v) >= 0.5 ? 1 : 0) + zero_point;
      break;
    case Rounding::kZeroPointFirst:
      code = std::nearbyint(static_cast<float>(v) + static_cast<float>(zero_point));
      break;
    case Rounding::kZeroPointFirstAway:
      code = std::round(static_cast<float>(v) + static_cast<float>(zero_point));
      break;
  }
  return static_cast<int64_t>(std::clamp(code, -128.0, 127.0));
}

TEST(QLinearConvBounds, FloatConv_HoldsTheMachinesAnswers) {
  std::mt19937_64 random(52);
  int wide = 0, other = 0;
  std::vector<size_t> order(kTerms);
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  for (int i = 0; i < 1500; ++i) {
    const Question question = RandomQuestion(random);
    const Tensors tensors = question.tensors();
    for (const Rounding rounding : kAllRoundings) {
      const Answer canonical = Evaluate(tensors, {.rounding = rounding});
      const Answer answer =
          Evaluate(tensors, {.rounding = rounding, .bounds = Bounds::kFloatConv});
      ASSERT_EQ(answer.bounds.size(), 1u);
      const CodeBounds& bounds = answer.bounds[0];
      EXPECT_EQ(answer.elements[0].tier, Tier::kRegular);
      wide += bounds.low != bounds.high;
      ASSERT_TRUE(IsWithin(kInt8, canonical.elements[0].code, bounds.low, bounds.high));
      for (int repeat = 0; repeat < 4; ++repeat) {
        std::shuffle(order.begin(), order.end(), random);
        const float v = question.MachineV(order, random() % (order.size() + 1));
        const int64_t code = CodeOfV(v, question.y_zero_point, rounding);
        other += code != ToInteger(FormatOf(kInt8), canonical.elements[0].code);
        ASSERT_TRUE(IsWithin(kInt8, CodeOf(kInt8, static_cast<double>(code)), bounds.low,
                             bounds.high))
            << i << " " << v;
      }
    }
  }
  // Otherwise the bounds were not asked for anything.
  EXPECT_GT(wide, 500);
  EXPECT_GT(other, 100);
}

// Scales that are powers of two, small sums: no FLOAT operation rounds anything.
TEST(QLinearConvBounds, FloatConv_IsExactWhereNothingIsRounded) {
  Tensors tensors;
  tensors.x = TensorOf(kUint8, {1, 1, 2}, {100, 3});
  tensors.w = TensorOf(kInt8, {1, 1, 2}, {5, -1});
  tensors.bias = TensorOf(kInt32, {1}, {8});
  SetScales(tensors, 0.5, 0.25, 2);    // (500 - 3 + 8) / 16 = 31.5625
  for (const int bias : {8, 7, -1}) {  // 31.5625, 31.5, 31
    tensors.bias = TensorOf(kInt32, {1}, {static_cast<double>(bias)});
    const Answer answer = Evaluate(tensors, {.bounds = Bounds::kFloatConv});
    EXPECT_EQ(answer.bounds[0].low, answer.bounds[0].high) << bias;
    EXPECT_EQ(answer.bounds[0].low, answer.elements[0].code);
  }
  // A bias that FLOAT does not hold may go to either side of the tie.
  tensors.bias = TensorOf(kInt32, {1}, {16777217.0});
  tensors.x = TensorOf(kUint8, {1, 1, 2}, {0, 0});
  SetScales(tensors, 1, 1, 0x1p20);  // 16.00000095
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), List{16});
  SetScales(tensors, 1, 1, 33554434.0 / 15);  // 7.5 and a little less
  const Answer answer = Evaluate(tensors, {.bounds = Bounds::kFloatConv});
  EXPECT_NE(answer.bounds[0].low, answer.bounds[0].high);
}

TEST(QLinearConvBounds, Unspecified_IsOneCodeUnlessVIsWhole) {
  struct Row {
    int64_t c;
    double y;
    int64_t low, value, high;
  };
  const Row rows[] = {
      {9, 4, 1, 2, 3},      // 2.25
      {10, 4, 1, 2, 3},     // 2.5: the next code is within one of 2
      {8, 4, 2, 2, 2},      // 2
      {-9, 4, -3, -2, -1},  //
      {1000, 3, 126, 127, 127}, {1000, 2, 127, 127, 127}, {-1001, 2, -128, -128, -127},
      {10, 3, 2, 3, 4},  // a quotient that ends nowhere
      {0, 3, 0, 0, 0},
  };
  for (const Row& row : rows) {
    Tensors tensors = TensorsOfSum(row.c);
    SetScales(tensors, 1, 1, row.y);
    const Answer answer = Evaluate(tensors, {.bounds = Bounds::kUnspecified});
    const auto value = [](uint32_t code) { return ToInteger(FormatOf(kInt8), code); };
    const CodeBounds& bounds = answer.bounds[0];
    EXPECT_EQ((List{value(bounds.wider_low), value(bounds.low), value(bounds.high),
                    value(bounds.wider_high)}),
              (List{row.low, row.value, row.value, row.high}))
        << row.c << " " << row.y;
  }
  // Nor is anything to be rounded of an infinity.
  Tensors tensors = TensorsOfSum(3);
  SetScales(tensors, 1, 1, 0);
  const Answer answer = Evaluate(tensors, {.bounds = Bounds::kUnspecified});
  EXPECT_EQ(answer.bounds[0].wider_low, 127u);
  EXPECT_EQ(answer.bounds[0].wider_high, 127u);
}

// Scales at which FLOAT overflows or underflows on the way.
TEST(QLinearConvBounds, FloatConv_HoldsWhatLeavesTheRange) {
  std::mt19937_64 random(53);
  std::vector<size_t> order(kTerms);
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  int degenerate = 0, other = 0;
  for (int i = 0; i < 3000; ++i) {
    Question question = RandomQuestion(random);
    const int a = static_cast<int>(random() % 200) - 100;
    const int b = static_cast<int>(random() % 200) - 100;
    question.a = std::ldexp(question.a, a);
    question.b = std::ldexp(question.b, b);
    question.y = std::ldexp(question.y, a + b + static_cast<int>(random() % 5) - 2);
    if (random() % 4 == 0) {
      // Products of both signs that overflow one by one would give NaN too often.
      for (double& value : question.w) value = std::abs(value);
      question.w_zero_point = -1;
      question.x_zero_point = 0;
      question.bias = std::abs(question.bias);
    }
    const Tensors tensors = question.tensors();
    const Answer answer = Evaluate(tensors, {.bounds = Bounds::kFloatConv});
    const CodeBounds& bounds = answer.bounds[0];
    const ElementAnswer& element = answer.elements[0];
    degenerate += element.tier == Tier::kDegenerateScale;
    if (element.freedom == Freedom::kAnyCode) continue;
    for (int repeat = 0; repeat < 4; ++repeat) {
      std::shuffle(order.begin(), order.end(), random);
      const float v = question.MachineV(order, random() % (order.size() + 1));
      if (std::isnan(v)) {
        ASSERT_TRUE(bounds.arising.nan) << i;
        continue;
      }
      const int64_t code = CodeOfV(v, question.y_zero_point, Rounding::kCanonical);
      const uint64_t bits = CodeOf(kInt8, static_cast<double>(code));
      other += bits != element.code;
      ASSERT_TRUE(IsWithin(kInt8, bits, bounds.low, bounds.high) ||
                  bounds.arising.Hold(kInt8, bits))
          << i << " " << v << " " << question.a << " " << question.b << " " << question.y
          << " " << question.bias;
    }
  }
  EXPECT_GT(degenerate, 500);
  EXPECT_GT(other, 500);
}

}  // namespace
}  // namespace qconform::q_linear_conv
