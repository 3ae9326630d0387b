// MM-20, MM-02: what matrix products become whose operands are dequantized first.
#include "oracle/requantization/reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "oracle/core/target.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;

double ValueOf(DataType type, uint64_t code) {
  const ExactValue value = Decode(FormatOf(type), code);
  double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  if (value.value_class == ValueClass::kInfinity) magnitude = INFINITY;
  if (value.value_class == ValueClass::kNan) return NAN;
  return value.negative ? -magnitude : magnitude;
}

// Rounds to a float type of at most 24 digits; results of one double operation on two of
// these are rounded correctly so.
double RoundTo(DataType f, double value) {
  if (f == kFloat) return static_cast<float>(value);
  return ValueOf(f, CodeOf(f, value));
}

// The elements of a dequantized operand, in F, in which the zero point is subtracted or
// not.
std::vector<double> Dequantized(DataType f, const Tensor& tensor,
                                const Tensor& zero_point, const Tensor& scale,
                                bool subtracts_in_f = false) {
  std::vector<double> values;
  const double zero = ValueOf(zero_point.type, ReadCode(zero_point.view(), 0));
  const double factor = ValueOf(scale.type, ReadCode(scale.view(), 0));
  for (const uint64_t code : ReadCodes(tensor.view())) {
    const double difference = ValueOf(tensor.type, code) - zero;
    values.push_back(
        RoundTo(f, (subtracts_in_f ? RoundTo(f, difference) : difference) * factor));
  }
  return values;
}

// Sums in several orders: forwards, backwards, by signs apart, and in double.
std::vector<double> SumsOf(DataType f, const std::vector<double>& a,
                           const std::vector<double>& b) {
  std::vector<double> terms;
  for (size_t i = 0; i < a.size(); ++i) terms.push_back(RoundTo(f, a[i] * b[i]));
  double forwards = 0, backwards = 0, up = 0, down = 0, wide = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    forwards = RoundTo(f, forwards + terms[i]);
    backwards = RoundTo(f, backwards + terms[terms.size() - 1 - i]);
    (terms[i] < 0 ? down : up) = RoundTo(f, (terms[i] < 0 ? down : up) + terms[i]);
    wide += a[i] * b[i];
  }
  return {forwards, backwards, RoundTo(f, up + down), RoundTo(f, wide)};
}

uint64_t CodeFor(const MatMulTensors& tensors, double v) {
  const Target target(tensors.y_zero_point.type,
                      ParametersOf({}, tensors.a_scale.type).target, kUndefined);
  ElementAnswer answer;
  const Tensor value = ScalarCode(kDouble, CodeOf(kDouble, v));
  target.Round(ToUnrounded(Decode(FormatOf(kDouble), ReadCode(value.view(), 0))),
               target.PrepareZeroPoint(ReadCode(tensors.y_zero_point.view(), 0)), answer);
  return answer.code;
}

bool Holds(const Answer& answer, uint64_t code) {
  const ElementAnswer& element = answer.elements[0];
  const NumberFormat& format = FormatOf(answer.type);
  if (code == element.code || element.freedom == Freedom::kAnyCode) return true;
  if (element.zero_sign_is_free && IsZero(format, code)) return true;
  if (element.freedom == Freedom::kAnyNan && IsNan(format, code)) return true;
  const CodeBounds& bounds = answer.bounds[0];
  return bounds.arising.Hold(answer.type, code) ||
         IsWithin(answer.type, code, bounds.low, bounds.high);
}

// A scale of any magnitude, rarely of a special value.
double AnyScale(std::mt19937_64& random, DataType type) {
  switch (random() % 12) {
    case 0:
      return 0;
    case 1:
      return INFINITY;
    case 2:
      return -1.5;
    case 3:
      return random() % 4 == 0 ? NAN : 1;
    default: {
      const int range = type == kFloat16 ? 24 : 148;
      const int exponent = static_cast<int>(random() % (2 * range)) - range;
      return std::ldexp(1 + static_cast<double>(random() % 64) / 64, exponent);
    }
  }
}

MatMulTensors AnyQuestion(std::mt19937_64& random, DataType scale) {
  static constexpr DataType kOperands[] = {kInt8, kUint8, kFloat8E4M3FN, kFloat8E5M2};
  static constexpr DataType kTargets[] = {kInt8, kUint8, kFloat8E4M3FNUZ, kFloat8E5M2};
  const auto k = static_cast<int64_t>(random() % 6 + 1);
  const DataType type = kOperands[random() % 4];
  std::vector<double> a, b;
  for (int64_t i = 0; i < k; ++i) {
    a.push_back(static_cast<double>(random() % 8) * (random() % 2 ? 1 : 0.25));
    b.push_back(static_cast<double>(random() % 8) - (random() % 2 ? 4 : 0));
  }
  MatMulTensors tensors =
      MatMulOf(type, {1, k}, a, kInt8, {k, 1}, b, kTargets[random() % 4]);
  if (random() % 2) tensors.a_zero_point = TensorOf(type, {}, {1});
  const double a_scale = AnyScale(random, scale), b_scale = AnyScale(random, scale);
  // Often so that v is neither 0 nor beyond the range of y.
  double y_scale = AnyScale(random, scale);
  const double fitting = a_scale * b_scale / static_cast<double>(random() % 8 + 1);
  if (random() % 3 && std::isfinite(fitting) && fitting != 0) y_scale = fitting;
  SetScales(tensors, scale, a_scale, b_scale, y_scale);
  return tensors;
}

TEST(MatMulReach, HoldsWhatTheMachineMakesOfAnyScales) {  // MM-20
  std::mt19937_64 random(71);
  int arisen = 0;  // that neither the canonical answer nor the bound holds
  int visited = 0;
  for (; visited < 60000; ++visited) {
    const MatMulTensors tensors = AnyQuestion(random, kFloat);
    const Answer answer = Evaluate(tensors, {}, MatMulBounds::kAll);
    const auto a = Dequantized(kFloat, tensors.a, tensors.a_zero_point, tensors.a_scale);
    const auto b = Dequantized(kFloat, tensors.b, tensors.b_zero_point, tensors.b_scale);
    const double y = ValueOf(kFloat, ReadCode(tensors.y_scale.view(), 0));
    for (const double sum : SumsOf(kFloat, a, b)) {
      const uint64_t code = CodeFor(tensors, RoundTo(kFloat, sum / y));
      ASSERT_TRUE(Holds(answer, code))
          << visited << ": " << DataTypeName(answer.type) << " " << code << ", canonical "
          << answer.elements[0].code << ", sum " << sum << " / " << y;
      Answer without = answer;
      without.bounds[0].arising = {};
      arisen += Holds(without, code) ? 0 : 1;
    }
  }
  EXPECT_GT(arisen, visited / 100);
}

TEST(MatMulReach, ScaleTypeMatMul_HoldsWhatHalfTypesMake) {  // MM-02
  std::mt19937_64 random(73);
  int visited = 0;
  int narrow = 0;  // elements that hold one code
  for (; visited < 20000; ++visited) {
    const DataType f = visited % 2 ? kFloat16 : kBfloat16;
    const MatMulTensors tensors = AnyQuestion(random, f);
    const auto a = Dequantized(f, tensors.a, tensors.a_zero_point, tensors.a_scale);
    const auto b = Dequantized(f, tensors.b, tensors.b_zero_point, tensors.b_scale);
    const auto a_in_type =
        Dequantized(f, tensors.a, tensors.a_zero_point, tensors.a_scale, true);
    const auto b_in_type =
        Dequantized(f, tensors.b, tensors.b_zero_point, tensors.b_scale, true);
    const double y = ValueOf(f, ReadCode(tensors.y_scale.view(), 0));
    const struct {
      MatMulBounds bounds;
      DataType sum, quotient;
    } kSteps[] = {{MatMulBounds::kScaleType, kFloat, kFloat},
                  {MatMulBounds::kScaleTypeSum, f, kFloat},
                  {MatMulBounds::kScaleTypeQuotient, kFloat, f},
                  {MatMulBounds::kScaleTypeSumAndQuotient, f, f}};
    for (const auto& steps : kSteps) {
      const Answer answer = Evaluate(tensors, {}, steps.bounds);
      std::vector<double> sums = SumsOf(kFloat, a, b);
      for (const double sum : SumsOf(kFloat, a_in_type, b_in_type)) sums.push_back(sum);
      for (const double sum : sums) {
        const double v = RoundTo(steps.quotient, RoundTo(steps.sum, sum) / y);
        const uint64_t code = CodeFor(tensors, v);
        const bool any = answer.elements[0].freedom == Freedom::kAnyCode;
        ASSERT_TRUE(any || answer.bounds[0].arising.Hold(answer.type, code))
            << visited << ": " << DataTypeName(answer.type) << " " << code
            << ", canonical " << answer.elements[0].code << ", sum " << sum << " / " << y;
      }
      const ArisingCodes& codes = answer.bounds[0].arising;
      narrow += codes.finite && codes.low == codes.high;
    }
  }
  EXPECT_GT(narrow, 2 * visited);
}

// A = -0.4375 + 24 has 9 digits, BFLOAT16 has 8: subtracted in BFLOAT16 it is 23.5.
TEST(MatMulReach, ScaleTypeMatMul_MaySubtractZeroPointsInTheScalesType) {  // MM-02
  MatMulTensors tensors =
      MatMulOf(kFloat8E5M2, {1, 1}, {-0.4375}, kFloat8E5M2FNUZ, {1, 1}, {-12}, kInt8);
  tensors.a_zero_point = TensorOf(kFloat8E5M2, {}, {-24});
  tensors.b_zero_point = TensorOf(kFloat8E5M2FNUZ, {}, {-0.5});
  tensors.y_zero_point = TensorOf(kInt8, {}, {127});
  SetScales(tensors, kBfloat16, 0.34375, 0.625, 0.470703125);
  const Answer answer = Evaluate(tensors, {}, MatMulBounds::kScaleType);
  EXPECT_EQ(answer.elements[0].code, 3u);
  EXPECT_TRUE(answer.bounds[0].arising.Hold(kInt8, 4));
  EXPECT_FALSE(answer.bounds[0].arising.Hold(kInt8, 5));
}

// What cannot leave the range is held to the canonical answer.
TEST(MatMulReach, ArisesOnlyWhereTheRangeIsLeft) {  // MM-20
  struct Row {
    const char* what;
    std::vector<double> a, b;
    double a_scale, b_scale, y_scale;
    std::vector<int> codes;  // of INT8, canonical first; empty: all
  };
  const Row rows[] = {
      {"an operand overflows", {3, 0}, {1, 1}, 0x1p127, 1, 0x1p127, {3, 127}},
      {"and meets zero", {3, 0}, {0, 1}, 0x1p127, 1, 0x1p127, {}},
      {"a product overflows", {3, 1}, {1, 1}, 0x1p100, 0x1p100, 0x1p127, {127}},
      {"both signs", {3, 3, 1}, {1, -1, 1}, 0x1p100, 0x1p100, 0x1p127, {}},
      {"one overflows upwards alone", {3, 0}, {1, 1}, 0x1p64, 0x1p63, 0x1p125, {12, 127}},
      {"a product underflows", {1, 0}, {1, 1}, 0x1p-100, 0x1p-60, 0, {}},
      {"an infinite scale, all of one sign", {3, 1}, {1, 1}, INFINITY, 1, 1, {127}},
      {"an infinite scale and both signs", {3, 1}, {1, -1}, INFINITY, 1, 1, {}},
      {"an infinite y_scale", {3, 1}, {1, 1}, 1, 1, INFINITY, {0}},
      {"zero y_scale", {3, 1}, {1, 1}, 1, 1, 0, {127}},
      {"subnormal scales that are exact", {3, 1}, {1, 1}, 0x1p-140, 1, 0x1p-140, {4}},
  };
  for (const Row& row : rows) {
    const auto k = static_cast<int64_t>(row.a.size());
    MatMulTensors tensors = MatMulOf(kInt8, {1, k}, row.a, kInt8, {k, 1}, row.b);
    SetScales(tensors, kFloat, row.a_scale, row.b_scale, row.y_scale);
    const Answer answer = Evaluate(tensors, {}, MatMulBounds::kAll);
    ASSERT_EQ(answer.elements[0].tier, Tier::kDegenerateScale) << row.what;
    for (int code = -128; code < 128; ++code) {
      const bool expected =
          row.codes.empty() || std::count(row.codes.begin(), row.codes.end(), code) != 0;
      EXPECT_EQ(Holds(answer, static_cast<uint8_t>(code)), expected)
          << row.what << " " << code;
    }
  }
}

// Nothing was added up: there is no operand that a scale could spoil.
TEST(MatMulReach, NoTerms_AreZeroWhateverTheScalesAre) {  // MM-20
  MatMulTensors tensors = MatMulOf(kInt8, {1, 0}, {}, kInt8, {0, 1}, {}, kFloat8E4M3FN);
  SetScales(tensors, kFloat, INFINITY, 1, 1);
  const Answer answer = Evaluate(tensors, {}, MatMulBounds::kAll);
  EXPECT_EQ(answer.elements[0].freedom, Freedom::kAnyNan);
  EXPECT_TRUE(Holds(answer, 0x00));
  EXPECT_FALSE(Holds(answer, 0x01));
}

}  // namespace
}  // namespace qconform
