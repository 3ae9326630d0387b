// QLinearMatMul on every target against the oracle: codes, shapes, and what is
// refused.

#include <gtest/gtest.h>

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "harness/backends/simd/q_linear_mat_mul/testing/mat_mul.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::simd {
namespace {

using enum DataType;

QLinearMatMulProblem ProblemOf(const QLinearMatMulArgs& args, int since_version) {
  return {since_version,     args.a,       args.a_scale,
          args.a_zero_point, args.b,       args.b_scale,
          args.b_zero_point, args.y_scale, args.y_zero_point};
}

// Canonical codes are asked of free elements too.
void Ask(const MatMulQuestion& question) {
  QLinearMatMulReadings readings;
  if (question.requantization == Requantization::kF32Multiplier) {
    readings.requantization = QLinearMatMulReadings::Requantization::kF32Multiplier;
  }
  const auto answer = EvaluateQLinearMatMul(ProblemOf(question.Args(), 21), readings);
  ASSERT_TRUE(answer) << question.Name() << ": " << answer.error().message;
  std::vector<uint8_t> expected;
  for (const ElementAnswer& element : answer->elements) {
    expected.push_back(static_cast<uint8_t>(element.code));
  }
  EXPECT_EQ(*QLinearMatMulOutputShape(question.Args()), answer->shape);
  for (const Target& target : SupportedTargets()) {
    ASSERT_EQ(MatMulDifference(question, expected, target, {}, false), "");
  }
}

Shape RandomShape(Dice& dice, int64_t most_rank) {
  Shape shape(static_cast<size_t>(dice.Below(most_rank + 1)));
  for (int64_t& size : shape) size = dice.Below(12) == 0 ? 0 : 1 + dice.Below(3);
  return shape;
}

// --gtest_random_seed=N asks other questions.
TEST(QLinearMatMul, RandomQuestions_AreAnsweredAsTheOracleDoes) {
  Dice dice(1 + static_cast<uint64_t>(GTEST_FLAG_GET(random_seed)));
  const std::vector<MatMulTypes> types = AllMatMulTypes();
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    MatMulLayout layout;
    const int64_t k = dice.Below(30);
    layout.a = {1 + dice.Below(9), k};
    layout.b = {k, 1 + dice.Below(40)};
    for (int64_t rank = dice.Below(3); rank > 0; --rank) {
      const int64_t size = 1 + dice.Below(3);
      if (dice.Below(3) != 0) layout.a.insert(layout.a.begin(), dice.Below(2) ? size : 1);
      if (dice.Below(3) != 0) layout.b.insert(layout.b.begin(), dice.Below(2) ? size : 1);
      if (!QLinearMatMulOutputShape({{kInt8, layout.a, {}},
                                     {kFloat, {}, {}},
                                     {kInt8, {}, {}},
                                     {kInt8, layout.b, {}},
                                     {kFloat, {}, {}},
                                     {kInt8, {}, {}},
                                     {kFloat, {}, {}},
                                     {kInt8, {}, {}}})) {
        layout.a = {3, k};
      }
    }
    layout.a_lines = static_cast<Lines>(dice.Below(3));
    layout.b_lines = static_cast<Lines>(dice.Below(3));
    layout.scales = static_cast<ScaleKind>(dice.Below(4));
    layout.extreme = dice.Below(6) == 0;
    MatMulQuestion question = MakeMatMulQuestion(dice.Pick(types), layout, dice);
    if (dice.Below(3) == 0) question.requantization = Requantization::kF32Multiplier;
    Ask(question);
  }
}

TEST(CheckQLinearMatMul, RandomModels_AreRefusedWhereTheOracleSaysInvalid) {
  Dice dice(2);
  const std::vector<std::byte> zeros(4096);
  int accepted = 0;
  int refused = 0;
  int open = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Mostly matching shapes, one of which is then drawn anew.
    const int64_t k = 1 + dice.Below(3);
    Shape a = RandomShape(dice, 3);
    a.push_back(k);
    Shape b = RandomShape(dice, 2);
    b.insert(b.end() - (b.empty() ? 0 : 1), k);
    Shape shapes[6];  // scale and zero point of a, b, y
    for (int p = 0; p < 4; ++p) {
      const Shape& operand = p < 2 ? a : b;
      switch (dice.Below(5)) {
        case 0:
          shapes[p] = {1};
          break;
        case 1:
          if (operand.size() >= 2)
            shapes[p] = {operand[operand.size() - (p < 2 ? 2 : 1)]};
          break;
        case 2:
          shapes[p] = operand;
          if (operand.size() >= 2) shapes[p][operand.size() - (p < 2 ? 1 : 2)] = 1;
          break;
        case 3:
          if (dice.Below(4) == 0) shapes[p] = RandomShape(dice, 4);
          break;
        default:
          break;
      }
    }
    if (dice.Below(8) == 0) shapes[4] = RandomShape(dice, 2);
    if (dice.Below(8) == 0) shapes[5] = RandomShape(dice, 2);
    if (dice.Below(20) == 0) a = RandomShape(dice, 3);
    QLinearMatMulArgs args = {{kInt8, a, {}},          {kFloat, shapes[0], {}},
                              {kInt8, shapes[1], {}},  {kUint8, b, {}},
                              {kFloat, shapes[2], {}}, {kUint8, shapes[3], {}},
                              {kFloat, shapes[4], {}}, {kInt8, shapes[5], {}}};
    TensorView* const operands[] = {&args.a,       &args.a_scale,     &args.a_zero_point,
                                    &args.b,       &args.b_scale,     &args.b_zero_point,
                                    &args.y_scale, &args.y_zero_point};
    if (dice.Below(8) == 0) {
      const std::vector<DataType> types = {kFloat, kFloat16,      kBfloat16, kUint8,
                                           kInt8,  kFloat8E4M3FN, kInt16,    kUndefined};
      operands[dice.Below(8)]->type = dice.Pick(types);
    }
    for (TensorView* operand : operands) {
      const auto count = ElementCount(operand->shape);
      if (operand->type == kUndefined || !count) continue;
      operand->data = std::span(zeros).first(PackedByteSize(operand->type, *count));
    }
    const int since_version = dice.Below(4) == 0 ? 10 : 21;
    const auto refusal = CheckQLinearMatMul(since_version, args);
    const ModelValidity oracle = Validate(ProblemOf(args, since_version));
    const std::string what =
        ShapeToString(a) + ShapeToString(shapes[0]) + ShapeToString(shapes[1]) +
        ShapeToString(b) + ShapeToString(shapes[2]) + ShapeToString(shapes[3]) +
        ShapeToString(shapes[4]) + ShapeToString(shapes[5]) + ": oracle " +
        oracle.clause + " " + oracle.reason + ", here " +
        (refusal ? refusal->clause + " " + refusal->reason : "");
    switch (oracle.kind) {
      case ModelValidity::Kind::kValid:
        ++accepted;
        ASSERT_FALSE(refusal) << what;
        break;
      case ModelValidity::Kind::kOpen:
        ++open;
        ASSERT_TRUE(!refusal || refusal->kind == Refusal::Kind::kUnsupported) << what;
        break;
      case ModelValidity::Kind::kInvalid:
        ++refused;
        ASSERT_TRUE(refusal) << what;
        break;
    }
  }
  EXPECT_GT(accepted, 10'000);
  EXPECT_GT(refused, 10'000);
  EXPECT_GT(open, 10'000);
}

}  // namespace
}  // namespace qconform::simd
