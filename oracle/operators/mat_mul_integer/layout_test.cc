// MI-04 to MI-08: which models MatMulInteger knows.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

namespace qconform::mat_mul_integer {
namespace {

using enum DataType;
using Kind = ModelValidity::Kind;

struct Model {
  Shape a{2, 3};
  Shape b{3, 4};
  std::optional<Shape> a_zero_point{};
  std::optional<Shape> b_zero_point{};
  DataType a_type = kUint8;
  DataType b_type = kInt8;
  std::optional<DataType> a_zero_point_type{};
  std::optional<DataType> b_zero_point_type{};
  int since_version = 10;
};

struct ModelRow {
  const char* what;
  Model model;
};

// Owns the tensors of a model.
class Made {
 public:
  explicit Made(const Model& model)
      : a_(Tensor::Zeros(model.a_type, model.a)),
        b_(Tensor::Zeros(model.b_type, model.b)),
        problem_{.since_version = model.since_version, .a = a_.view(), .b = b_.view()} {
    if (model.a_zero_point) {
      a_zero_point_ = Tensor::Zeros(model.a_zero_point_type.value_or(model.a_type),
                                    *model.a_zero_point);
      problem_.a_zero_point = a_zero_point_.view();
    }
    if (model.b_zero_point) {
      b_zero_point_ = Tensor::Zeros(model.b_zero_point_type.value_or(model.b_type),
                                    *model.b_zero_point);
      problem_.b_zero_point = b_zero_point_.view();
    }
  }
  Made(const Made&) = delete;

  const Problem& problem() const { return problem_; }

 private:
  Tensor a_, b_, a_zero_point_, b_zero_point_;
  Problem problem_;
};

TEST(MatMulIntegerModels, Mi04AndMi08_AreLegal) {
  const ModelRow rows[] = {
      {"no zero points", {}},
      {"scalars", {.a_zero_point = Shape{}, .b_zero_point = Shape{}}},
      {"[1]", {.a_zero_point = Shape{1}, .b_zero_point = Shape{1}}},
      {"[M] and [N]", {.a_zero_point = Shape{2}, .b_zero_point = Shape{4}}},
      {"[M,1] and [1,N]", {.a_zero_point = Shape{2, 1}, .b_zero_point = Shape{1, 4}}},
      {"[...,M,1] and [...,1,N]",
       {.a = {5, 2, 3},
        .b = {5, 3, 4},
        .a_zero_point = Shape{5, 2, 1},
        .b_zero_point = Shape{5, 1, 4}}},
      {"the operand's own batch, not Y's",
       {.a = {1, 2, 3}, .b = {5, 3, 4}, .a_zero_point = Shape{1, 2, 1}}},
      {"M = K", {.a = {3, 3}, .a_zero_point = Shape{3}}},
      {"N = K", {.b = {3, 3}, .b_zero_point = Shape{3}}},
      {"[1] for M = 1", {.a = {1, 3}, .a_zero_point = Shape{1}}},
      {"vectors", {.a = {3}, .b = {3}}},
      {"scalars of vectors",
       {.a = {3}, .b = {3}, .a_zero_point = Shape{}, .b_zero_point = Shape{1}}},
      {"one row, [1,1]", {.a = {1, 3}, .a_zero_point = Shape{1, 1}}},
      {"no rows", {.a = {0, 3}, .a_zero_point = Shape{0}}},
  };
  for (const ModelRow& row : rows) {
    const Made made(row.model);
    const ModelValidity validity = Resolve(made.problem()).validation;
    EXPECT_EQ(validity.kind, Kind::kValid) << row.what << ": " << validity.reason;
    EXPECT_TRUE(EvaluateMatMulInteger(made.problem()).ok()) << row.what;
  }
}

TEST(MatMulIntegerModels, Mi05_IsOpenAndAnswered) {
  const ModelRow rows[] = {
      {"[M] for rank 3", {.a = {5, 2, 3}, .a_zero_point = Shape{2}}},
      {"[N] for rank 3", {.b = {5, 3, 4}, .b_zero_point = Shape{4}}},
      {"no batch dimensions", {.a = {5, 2, 3}, .a_zero_point = Shape{2, 1}}},
      {"batch dimensions of 1", {.b = {5, 3, 4}, .b_zero_point = Shape{1, 1, 4}}},
      {"rows of 1", {.a_zero_point = Shape{1, 1}}},
      {"columns of 1", {.b_zero_point = Shape{1, 1}}},
      {"a vector and [1,1]", {.a = {3}, .a_zero_point = Shape{1, 1}}},
      {"one value of rank 3", {.b_zero_point = Shape{1, 1, 1}}},
  };
  for (const ModelRow& row : rows) {
    const Made made(row.model);
    const ModelValidity validity = Resolve(made.problem()).validation;
    EXPECT_EQ(validity.kind, Kind::kOpen) << row.what;
    EXPECT_EQ(validity.clause, "MI-05") << row.what;
    const auto answer = EvaluateMatMulInteger(made.problem());
    ASSERT_TRUE(answer.ok()) << row.what << ": " << answer.error().message;
    EXPECT_EQ(answer->elements.at(0).freedom, Freedom::kNone) << row.what;
  }
}

TEST(MatMulIntegerModels, ZeroPointsByOtherThanLines_LeaveYFree) {
  const ModelRow rows[] = {
      {"[1,K]", {.a_zero_point = Shape{1, 3}}},
      {"[K,1]", {.b_zero_point = Shape{3, 1}}},
      {"[M,K]", {.a_zero_point = Shape{2, 3}}},
      {"[K] next to M", {.a_zero_point = Shape{3}}},
      {"a vector of a 1-D A", {.a = {3}, .a_zero_point = Shape{3}}},
      {"a vector of a 1-D B", {.b = {3}, .b_zero_point = Shape{3}}},
  };
  for (const ModelRow& row : rows) {
    const Made made(row.model);
    const ModelValidity validity = Resolve(made.problem()).validation;
    EXPECT_EQ(validity.kind, Kind::kOpen) << row.what;
    EXPECT_EQ(validity.clause, "MI-05") << row.what;
    const auto answer = EvaluateMatMulInteger(made.problem());
    ASSERT_TRUE(answer.ok()) << row.what << ": " << answer.error().message;
    for (const ElementAnswer& element : answer->elements) {
      EXPECT_EQ(element.freedom, Freedom::kAnyCode) << row.what;
    }
  }
}

TEST(MatMulIntegerModels, Mi07_IsInvalidAndRefused) {
  const ModelRow rows[] = {
      {"A of rank 0", {.a = {}}},
      {"B of rank 0", {.b = {}}},
      {"K does not match", {.b = {4, 4}}},
      {"K of a vector does not match", {.b = {2}}},
      {"batches do not broadcast", {.a = {2, 2, 3}, .b = {5, 3, 4}}},
      {"INT16 A", {.a_type = kInt16}},
      {"INT32 B", {.b_type = kInt32}},
      {"float8 A", {.a_type = kFloat8E4M3FN}},
      {"UINT4 B", {.b_type = kUint4}},
      {"zero point of another type",
       {.a_zero_point = Shape{}, .a_zero_point_type = kInt8}},
      {"zero point of B's other type",
       {.b_zero_point = Shape{}, .b_zero_point_type = kUint8}},
      {"INT32 zero point", {.b_zero_point = Shape{}, .b_zero_point_type = kInt32}},
      {"too many rows", {.a_zero_point = Shape{5}}},
      {"too few columns", {.b_zero_point = Shape{2}}},
      {"[N,1]", {.b_zero_point = Shape{4, 1}}},
      {"[1,M]", {.a_zero_point = Shape{1, 2}}},
      {"Y's batch", {.a = {1, 2, 3}, .b = {5, 3, 4}, .a_zero_point = Shape{5, 2, 1}}},
      {"more batch dimensions", {.a_zero_point = Shape{1, 2, 1}}},
      {"an empty zero point", {.a_zero_point = Shape{0}}},
      {"no such definition", {.since_version = 9}},
  };
  for (const ModelRow& row : rows) {
    const Made made(row.model);
    const ModelValidity validity = Resolve(made.problem()).validation;
    EXPECT_EQ(validity.kind, Kind::kInvalid) << row.what;
    EXPECT_EQ(validity.clause, "MI-07") << row.what;
    const auto answer = EvaluateMatMulInteger(made.problem());
    ASSERT_FALSE(answer.ok()) << row.what;
    EXPECT_NE(answer.error().message.find("MatMulInteger, MI-07: "), std::string::npos)
        << answer.error().message;
  }
}

// Tensors without a byte, whose rows or results would fill any memory.
TEST(MatMulIntegerModels, HugeDimensionsNextToZeros_AreRefused) {
  constexpr int64_t kHuge = int64_t{1} << 50;
  for (const ModelRow& row : {ModelRow{"Y", {.a = {kHuge, 0}, .b = {0, 2}}},
                              ModelRow{"batch", {.a = {kHuge, 0, 4}, .b = {1, 4, 5}}}}) {
    const Made made(row.model);
    const ModelValidity validity = Resolve(made.problem()).validation;
    EXPECT_EQ(validity.kind, Kind::kInvalid) << row.what;
    EXPECT_NE(validity.reason.find("2^28"), std::string::npos) << validity.reason;
  }
}

}  // namespace
}  // namespace qconform::mat_mul_integer
