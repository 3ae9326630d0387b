// MM-04 to MM-07: which models QLinearMatMul knows.
#include <gtest/gtest.h>

#include <string>

#include "oracle/operators/q_linear_mat_mul/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Kind = ModelValidity::Kind;

struct Shapes {
  Shape a{2, 3};
  Shape b{3, 4};
  Shape a_scale{};
  Shape b_scale{};
  Shape y_scale{};
  // The shape of the scale where not given.
  std::optional<Shape> a_zero_point{};
  std::optional<Shape> b_zero_point{};
  std::optional<Shape> y_zero_point{};
};

struct ShapesRow {
  const char* what;
  Shapes shapes;
};

MatMulTensors Make(const Shapes& shapes) {
  MatMulTensors tensors;
  tensors.a = Tensor::Zeros(kUint8, shapes.a);
  tensors.b = Tensor::Zeros(kInt8, shapes.b);
  const auto ones = [](const Shape& shape) {
    return TensorOf(kFloat, shape,
                    std::vector<double>(static_cast<size_t>(*ElementCount(shape)), 1.0));
  };
  tensors.a_scale = ones(shapes.a_scale);
  tensors.b_scale = ones(shapes.b_scale);
  tensors.y_scale = ones(shapes.y_scale);
  tensors.a_zero_point =
      Tensor::Zeros(kUint8, shapes.a_zero_point.value_or(shapes.a_scale));
  tensors.b_zero_point =
      Tensor::Zeros(kInt8, shapes.b_zero_point.value_or(shapes.b_scale));
  tensors.y_zero_point =
      Tensor::Zeros(kInt8, shapes.y_zero_point.value_or(shapes.y_scale));
  return tensors;
}

// Tensors without a byte, whose rows or results would fill any memory.
TEST(MatMulValidate, HugeDimensionsBesideZeros_AreRefused) {
  constexpr int64_t kHuge = int64_t{1} << 50;
  constexpr int64_t kLarge = int64_t{1} << 28;
  const ShapesRow rows[] = {
      {"y", {.a = {kLarge, 0}, .b = {0, 2}}},
      {"batch", {.a = {kHuge, 0, 4}, .b = {1, 4, 5}}},
      {"rows of a", {.a = {kLarge, 2, 0}, .b = {0, 0}}},
      {"columns of b", {.a = {0, 0}, .b = {2, 0, kLarge}}},
      {"a batch that broadcasts", {.a = {kLarge, 1, 0, 4}, .b = {1, kLarge, 4, 0}}},
  };
  for (const auto& [what, shapes] : rows) {
    const MatMulTensors tensors = Make(shapes);
    EXPECT_EQ(Validate(tensors.problem()).kind, Kind::kInvalid) << what;
    const auto answer = EvaluateQLinearMatMul(tensors.problem());
    ASSERT_FALSE(answer.ok()) << what;
    EXPECT_NE(answer.error().message.find("2^28"), std::string::npos)
        << what << ": " << answer.error().message;
  }
}

TEST(MatMulValidate, Mm04_IsLegal) {
  const ShapesRow rows[] = {
      {"per tensor", {}},
      {"per tensor as [1]", {.a_scale = {1}, .b_scale = {1}, .y_scale = {1}}},
      {"[M] and [N]", {.a_scale = {2}, .b_scale = {4}}},
      {"[M,1] and [1,N]", {.a_scale = {2, 1}, .b_scale = {1, 4}}},
      {"[...,M,1] and [...,1,N]",
       {.a = {5, 2, 3}, .b = {5, 3, 4}, .a_scale = {5, 2, 1}, .b_scale = {5, 1, 4}}},
      {"the operand's own batch, not y's",
       {.a = {1, 2, 3}, .b = {5, 3, 4}, .a_scale = {1, 2, 1}}},
      {"M = K: still rows", {.a = {3, 3}, .a_scale = {3}}},
      {"N = K: still columns", {.b = {3, 3}, .b_scale = {3}}},
      {"vectors per tensor", {.a = {3}, .b = {3}}},
      {"an empty batch beside one of 1", {.a = {1, 2, 3}, .b = {0, 3, 4}}},
      {"one of 1 beside an empty batch", {.a = {0, 2, 3}, .b = {1, 3, 4}}},
      {"vectors per tensor as [1]", {.a = {3}, .b = {3}, .a_scale = {1}, .b_scale = {1}}},
  };
  for (const ShapesRow& row : rows) {
    const MatMulTensors tensors = Make(row.shapes);
    const ModelValidity validation = Validate(tensors.problem());
    EXPECT_EQ(validation.kind, Kind::kValid) << row.what << ": " << validation.reason;
    EXPECT_TRUE(EvaluateQLinearMatMul(tensors.problem()).ok()) << row.what;
  }
}

TEST(MatMulValidate, Mm05AndMm06_AreOpenAndAnswered) {
  struct OpenRow {
    const char* what;
    const char* clause;
    Shapes shapes;
  };
  const OpenRow rows[] = {
      {"y by row", "MM-05", {.y_scale = {2}}},
      {"y by row, [M,1]", "MM-05", {.y_scale = {2, 1}}},
      {"[M] for rank 3", "MM-06", {.a = {5, 2, 3}, .a_scale = {2}}},
      {"[N] for rank 3", "MM-06", {.b = {5, 3, 4}, .b_scale = {4}}},
      {"missing batch dimensions", "MM-06", {.a = {5, 2, 3}, .a_scale = {2, 1}}},
      {"broadcast batch dimensions", "MM-06", {.a = {5, 2, 3}, .a_scale = {1, 2, 1}}},
      {"broadcast rows", "MM-06", {.a_scale = {1, 1}}},
      {"scalar scale, [1] zero point", "MM-06", {.a_zero_point = Shape{1}}},
      {"[1] scale, scalar zero point",
       "MM-06",
       {.b_scale = {1}, .b_zero_point = Shape{}}},
      {"vector scale, scalar zero point",
       "MM-06",
       {.a_scale = {2}, .a_zero_point = Shape{}}},
      {"y: scalar scale, [1] zero point", "MM-06", {.y_zero_point = Shape{1}}},
  };
  for (const OpenRow& row : rows) {
    const MatMulTensors tensors = Make(row.shapes);
    const ModelValidity validation = Validate(tensors.problem());
    EXPECT_EQ(validation.kind, Kind::kOpen) << row.what << ": " << validation.reason;
    EXPECT_EQ(validation.clause, row.clause) << row.what;
    EXPECT_FALSE(validation.reason.empty()) << row.what;
    const Result<Answer> answer = EvaluateQLinearMatMul(tensors.problem());
    EXPECT_TRUE(answer.ok()) << row.what;
  }
}

TEST(MatMulValidate, Mm05_YByRow_UsesTheRowsScale) {
  MatMulTensors tensors = MatMulOf(kUint8, {2, 1}, {60, 60}, kInt8, {1, 2}, {1, 2});
  tensors.y_scale = TensorOf(kFloat, {2}, {2, 3});
  tensors.y_zero_point = TensorOf(kInt8, {2}, {1, -1});
  EXPECT_EQ(Codes(Evaluate(tensors)), (std::vector<int64_t>{31, 61, 19, 39}));
}

TEST(MatMulValidate, Mm07_IsInvalidAndRefused) {
  const ShapesRow rows[] = {
      {"rank 0", {.a = {}}},
      {"rank 0 on the right", {.b = {}}},
      {"K does not match", {.b = {2, 4}}},
      {"K of vectors does not match", {.a = {3}, .b = {2}}},
      {"batches that do not broadcast", {.a = {2, 2, 3}, .b = {3, 3, 4}}},
      {"vector of wrong length for a", {.a_scale = {3}}},
      {"vector of wrong length for b", {.b_scale = {3}}},
      {"a by column", {.a_scale = {1, 3}}},
      {"b by row", {.b_scale = {3, 1}}},
      {"a by element", {.a_scale = {2, 3}}},
      {"batch of a scale that is not the operand's",
       {.a = {5, 2, 3}, .a_scale = {4, 2, 1}}},
      {"batch of a scale beyond the operand's", {.a_scale = {5, 2, 1}}},
      {"vector scale for a 1-D operand", {.a = {3}, .a_scale = {3}}},
      {"[1,1] for a 1-D operand", {.a = {3}, .a_scale = {1, 1}}},
      {"[1,1] for a 1-D b", {.b = {3}, .b_scale = {1, 1}}},
      {"[1,1] for y where a is 1-D", {.a = {3}, .y_scale = {1, 1}}},
      {"vector zero point, scalar scale", {.a_zero_point = Shape{2}}},
      {"zero point of another form", {.a_scale = {2}, .a_zero_point = Shape{2, 1}}},
      {"y by column", {.y_scale = {1, 4}}},
  };
  for (const ShapesRow& row : rows) {
    const MatMulTensors tensors = Make(row.shapes);
    const ModelValidity validation = Validate(tensors.problem());
    EXPECT_EQ(validation.kind, Kind::kInvalid) << row.what;
    EXPECT_EQ(validation.clause, "MM-07") << row.what;
    EXPECT_FALSE(validation.reason.empty()) << row.what;
    const Result<Answer> answer = EvaluateQLinearMatMul(tensors.problem());
    ASSERT_FALSE(answer.ok()) << row.what;
    EXPECT_NE(answer.error().message.find("MM-07"), std::string::npos);
  }
}

TEST(MatMulValidate, Mm07_TypesAreRefused) {
  const auto expect_invalid = [](const char* what, const MatMulTensors& tensors) {
    EXPECT_EQ(Validate(tensors.problem()).kind, Kind::kInvalid) << what;
    EXPECT_EQ(Validate(tensors.problem()).clause, "MM-07") << what;
  };
  MatMulTensors tensors;
  tensors.b_scale = TensorOf(kFloat16, {}, {1});
  expect_invalid("scales of two types", tensors);
  tensors = {};
  tensors.y_scale = TensorOf(kBfloat16, {}, {1});
  expect_invalid("y_scale of another type", tensors);
  tensors = {};
  tensors.a_zero_point = Tensor::Zeros(kInt8, {});
  expect_invalid("zero point of another type than its tensor", tensors);
  tensors = MatMulOf(kFloat8E4M3FN, {1, 1}, {1}, kInt8, {1, 1}, {1});
  tensors.since_version = 10;
  expect_invalid("float8 in 10", tensors);
  tensors = {};
  tensors.since_version = 10;
  SetScales(tensors, kFloat16, 1, 1, 1);
  expect_invalid("FLOAT16 scales in 10", tensors);
  tensors = MatMulOf(kInt16, {1, 1}, {1}, kInt8, {1, 1}, {1});
  expect_invalid("INT16", tensors);
  tensors = {};
  tensors.since_version = 13;
  expect_invalid("no such since_version", tensors);
  tensors = {};
  QLinearMatMulProblem problem = tensors.problem();
  problem.y_zero_point = {};
  EXPECT_EQ(Validate(problem).kind, Kind::kInvalid);
  EXPECT_EQ(Validate(problem).reason,
            "y_zero_point is missing: all eight inputs are required");
}

}  // namespace
}  // namespace qconform
