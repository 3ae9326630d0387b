// What is a valid model: the oracle and ResolveQuantizeLinear read QL-30 to
// QL-34 each on their own, and must agree.

#include <gtest/gtest.h>

#include <variant>

#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"

namespace qconform::simd {
namespace {

bool Resolves(const QuantizeLinearQuestion& q) {
  std::optional<TensorView> zero_point;
  if (q.y_zero_point) zero_point = q.y_zero_point->view();
  return std::holds_alternative<QuantizeLinearArgs>(ResolveQuantizeLinear(
      q.since_version, q.attributes, q.x.view(), q.y_scale.view(), zero_point));
}

// Every small shape of x, scale and zero point with every axis and block size.
TEST(ResolveQuantizeLinear, EverySmallModel_IsRefusedExactlyWhereInvalid) {
  const std::vector<Shape> shapes = {{},     {0},       {1},       {2},
                                     {3},    {1, 1},    {2, 3},    {2, 1},
                                     {3, 0}, {2, 3, 1}, {1, 3, 2}, {2, 2}};
  int64_t models = 0;
  int64_t invalid = 0;
  int reported = 0;
  for (const int since_version : {10, 13, 21, 25}) {
    for (const Shape& x : shapes) {
      for (const Shape& scale : shapes) {
        for (int zero_point = -1; zero_point < 3; ++zero_point) {
          for (int axis = -4; axis < 4; ++axis) {
            for (int64_t block_size = -1; block_size < 4; ++block_size) {
              QuantizeLinearQuestion q;
              q.since_version = since_version;
              q.x = Tensor::Zeros(DataType::kFloat, x);
              q.y_scale = Tensor::Zeros(DataType::kFloat, scale);
              const Shape shape = zero_point == 0   ? scale
                                  : zero_point == 1 ? Shape{}
                                                    : Shape{1};
              if (zero_point >= 0) q.y_zero_point = Tensor::Zeros(DataType::kInt8, shape);
              if (axis != -4) q.attributes.axis = axis;
              q.attributes.block_size = block_size;
              const ModelValidity validation = Validate(q.Problem());
              const bool valid = validation.kind != ModelValidity::Kind::kInvalid;
              ++models;
              if (!valid) ++invalid;
              if (Resolves(q) != valid && ++reported < 20) {
                ADD_FAILURE() << q.Name() << ": the oracle says "
                              << (valid ? "valid" : "invalid") << " " << validation.clause
                              << " " << validation.reason;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(models, 4 * 12 * 12 * 4 * 8 * 5);
  EXPECT_GT(invalid, models / 4);
}

TEST(ResolveQuantizeLinear, EveryTripleOfTypes_IsRefusedExactlyWhereInvalid) {
  int64_t valid = 0;
  for (const int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const DataType x : AllDataTypes()) {
      for (const DataType scale : AllDataTypes()) {
        for (const DataType y : AllDataTypes()) {
          QuantizeLinearQuestion q;
          q.since_version = since_version;
          q.x = Tensor::Zeros(x, {2, 2});
          q.y_scale = Tensor::Zeros(scale, {});
          q.y_zero_point = Tensor::Zeros(y, {});
          const bool expected =
              Validate(q.Problem()).kind != ModelValidity::Kind::kInvalid;
          EXPECT_EQ(Resolves(q), expected) << q.Name();
          if (expected) ++valid;
        }
      }
    }
  }
  // Per tensor cells: 4 + 4 + 24 + 40 + 176 + 220 + 260 + 300.
  EXPECT_EQ(valid, 1028);
}

TEST(ResolveQuantizeLinear, AttributesOfLaterVersions_AreRefused) {
  const auto question = [](int since_version) {
    QuantizeLinearQuestion q;
    q.since_version = since_version;
    q.x = Tensor::Zeros(DataType::kFloat, {2, 3});
    q.y_scale = Tensor::Zeros(DataType::kFloat, {});
    return q;
  };
  for (const int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    QuantizeLinearQuestion q = question(since_version);
    EXPECT_TRUE(Resolves(q));
    q.attributes.axis = 0;
    EXPECT_EQ(Resolves(q), since_version >= 13);
    q = question(since_version);
    q.attributes.saturate = 0;
    EXPECT_EQ(Resolves(q), since_version >= 19);
    q = question(since_version);
    q.attributes.output_dtype = static_cast<int64_t>(DataType::kInt8);
    EXPECT_EQ(Resolves(q), since_version >= 21);
    q = question(since_version);
    q.attributes.precision = static_cast<int64_t>(DataType::kDouble);
    EXPECT_EQ(Resolves(q), since_version >= 23);
    q = question(since_version);
    q.attributes.output_dtype = static_cast<int64_t>(DataType::kFloat16);
    EXPECT_FALSE(Resolves(q));
    q = question(since_version);
    q.attributes.output_dtype = 12345;
    EXPECT_FALSE(Resolves(q));
    q.attributes.output_dtype = static_cast<int64_t>(DataType::kUint8);
    q.y_zero_point = Tensor::Zeros(DataType::kInt8, {});
    EXPECT_FALSE(Resolves(q));
  }
}

}  // namespace
}  // namespace qconform::simd
