// DQ-14, DQ-30 to DQ-36, DQ-50: types, attributes, shapes; which scale an element has.
#include "oracle/operators/dequantize_linear/layout.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "oracle/core/testing/dimensions_check.h"
#include "oracle/operators/dequantize_linear/testing/test_support.h"

namespace qconform::dequantize_linear {

const Operator& GetOperator();

namespace {

using enum DataType;
using Kind = ModelValidity::Kind;

struct Model {
  int since_version = 21;
  Shape x{};
  Shape x_scale{};
  std::optional<Shape> x_zero_point{};
  Attributes attributes{};
  DataType x_type = kUint8;
  DataType scale_type = kFloat;
  DataType zero_point_type = kUint8;
  uint64_t zero_point = 0;
};

// Tensors of the model's shapes; the views live as long as it does. Scale number i is i
// + 1.
struct Tensors {
  explicit Tensors(const Model& model)
      : x(Tensor::Zeros(model.x_type, model.x)),
        x_scale(Tensor::Zeros(model.scale_type, model.x_scale)),
        problem{.since_version = model.since_version,
                .x = x.view(),
                .x_scale = x_scale.view(),
                .attributes = model.attributes} {
    for (int64_t i = 0; i < ElementCount(model.x_scale).value_or(0); ++i) {
      WriteCode(x_scale.mutable_view(), i,
                CodeOf(model.scale_type, static_cast<double>(i + 1)));
    }
    if (model.x_zero_point) {
      x_zero_point = Tensor::Zeros(model.zero_point_type, *model.x_zero_point);
      if (model.zero_point != 0) {
        WriteCode(x_zero_point.mutable_view(), 0, model.zero_point);
      }
      problem.x_zero_point = x_zero_point.view();
    }
  }
  Tensor x, x_scale, x_zero_point;
  Problem problem;
};

using Numbers = std::vector<int>;

// Which scale each element has, from 1: y, with x = 1 everywhere.
Numbers ScaleNumbers(const Model& model) {
  Tensors tensors(model);
  for (int64_t i = 0; i < *ElementCount(model.x); ++i) {
    WriteCode(tensors.x.mutable_view(), i, 1);
  }
  const Result<Answer> answer = EvaluateDequantizeLinear(tensors.problem);
  Numbers numbers;
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return numbers;
  }
  EXPECT_EQ(answer->shape, model.x);
  for (const ElementAnswer& element : answer->elements) {
    numbers.push_back(static_cast<int>(FloatFromBits(element.code)));
  }
  return numbers;
}

ModelValidity ValidityOf(const Model& model) { return Validate(Tensors(model).problem); }

TEST(DequantizeGranularity, EveryAxisFromBothEnds) {  // DQ-33
  const Numbers by_axis[] = {
      {1, 1, 1, 1, 2, 2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2}};
  for (const int since : {13, 19, 21, 25}) {
    for (int64_t axis = 0; axis < 3; ++axis) {
      for (const int64_t given : {axis, axis - 3}) {
        EXPECT_EQ(ScaleNumbers({.since_version = since,
                                .x = {2, 2, 2},
                                .x_scale = {2},
                                .attributes = {.axis = given}}),
                  by_axis[axis])
            << since << " " << given;
      }
    }
    EXPECT_EQ(ScaleNumbers({.since_version = since, .x = {2, 2, 2}, .x_scale = {2}}),
              by_axis[1]);
  }
}

TEST(DequantizeGranularity, Blocks_LastOnePartial) {  // DQ-33
  // x = 9, s = zp = [1, 2, 3, 4], blocks of 2.
  Tensors tensors({.x = {8},
                   .x_scale = {4},
                   .x_zero_point = Shape{4},
                   .attributes = {.axis = 0, .block_size = 2}});
  for (int64_t i = 0; i < 8; ++i) WriteCode(tensors.x.mutable_view(), i, 9);
  for (int64_t i = 0; i < 4; ++i) {
    WriteCode(tensors.x_zero_point.mutable_view(), i, static_cast<uint64_t>(i + 1));
  }
  const auto answer = EvaluateDequantizeLinear(tensors.problem);
  ASSERT_TRUE(answer.ok());
  const float expected[] = {8, 8, 14, 14, 18, 18, 20, 20};
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(answer->elements[i].code, FloatBits(expected[i])) << i;
  }
  EXPECT_EQ(
      ScaleNumbers(
          {.x = {2, 5}, .x_scale = {2, 2}, .attributes = {.axis = 1, .block_size = 3}}),
      (Numbers{1, 1, 1, 2, 2, 3, 3, 3, 4, 4}));
  EXPECT_EQ(
      ScaleNumbers(
          {.x = {5, 2}, .x_scale = {2, 2}, .attributes = {.axis = -2, .block_size = 3}}),
      (Numbers{1, 2, 1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(DequantizeGranularity, EmptyTensorsAndScalars) {  // DQ-33
  Shape shape;
  for (int rank = 0; rank <= 8; ++rank) {
    const Numbers ones(static_cast<size_t>(*ElementCount(shape)), 1);
    EXPECT_EQ(ScaleNumbers({.since_version = 10, .x = shape}), ones) << rank;
    shape.push_back(rank % 2 == 0 ? 2 : 3);
  }
  EXPECT_EQ(ScaleNumbers({.x = {0}}), Numbers{});
  EXPECT_EQ(ScaleNumbers({.x = {2, 0, 3}, .x_scale = {3}, .attributes = {.axis = 2}}),
            Numbers{});
  EXPECT_EQ(
      ScaleNumbers(
          {.x = {0, 4}, .x_scale = {0, 2}, .attributes = {.axis = 1, .block_size = 2}}),
      Numbers{});
}

TEST(DequantizeGranularity, Rank1) {  // DQ-34
  for (const int64_t axis : {0, -1}) {
    for (const int since : {13, 19, 21, 23, 24, 25, 28}) {
      const Model model{
          .since_version = since, .x = {3}, .x_scale = {3}, .attributes = {.axis = axis}};
      EXPECT_EQ(ScaleNumbers(model), (Numbers{1, 2, 3}));
      const ModelValidity validity = ValidityOf(model);
      EXPECT_EQ(validity.kind, since == 19 ? Kind::kOpen : Kind::kValid) << since;
      EXPECT_EQ(validity.clause, since == 19 ? "DQ-34" : "");
      // Since 21 it may be refused.
      const Tensors tensors(model);
      const auto bound = GetOperator().Bind({{{"axis", axis}}}, since);
      const auto refusal =
          (*bound)->ReadingOfRefusal({tensors.x.view(), tensors.x_scale.view()});
      ASSERT_TRUE(refusal.ok());
      EXPECT_EQ(refusal->has_value(), since >= 21);
    }
    const Model blocked{
        .x = {5}, .x_scale = {3}, .attributes = {.axis = axis, .block_size = 2}};
    EXPECT_EQ(ScaleNumbers(blocked), (Numbers{1, 1, 2, 2, 3}));
    EXPECT_EQ(ValidityOf(blocked).kind, Kind::kValid);
  }
  // The default axis is out of range.
  for (const int since : {13, 21}) {
    EXPECT_EQ(ValidityOf({.since_version = since, .x = {3}, .x_scale = {3}}).clause,
              "DQ-34");
  }
  EXPECT_EQ(
      ValidityOf({.x = {5}, .x_scale = {3}, .attributes = {.block_size = 2}}).clause,
      "DQ-34");
}

TEST(DequantizeGranularity, PackedX_UnusedBitsDoNotMatter) {  // DQ-50
  struct Row {
    DataType type;
    std::vector<std::byte> zeros, ones;
    std::vector<double> values;
  };
  const auto bytes = [](std::initializer_list<int> values) {
    std::vector<std::byte> all;
    for (const int value : values) all.push_back(static_cast<std::byte>(value));
    return all;
  };
  // Rows of three elements; they do not start at a byte.
  const Row rows[] = {
      {kUint4, bytes({0x21, 0x43, 0x05}), bytes({0x21, 0x43, 0xf5}), {1, 2, 3, 4, 5}},
      {kInt4, bytes({0x87, 0x0f}), bytes({0x87, 0xff}), {7, -8, -1}},
      {kUint2, bytes({0xe4, 0x02}), bytes({0xe4, 0xfe}), {0, 1, 2, 3, 2}},
      {kInt2, bytes({0xe4, 0x02}), bytes({0xe4, 0xfe}), {0, 1, -2, -1, -2}},
      {kFloat4E2M1, bytes({0xf1, 0x07}), bytes({0xf1, 0x97}), {0.5, -6, 6}},
      // 0x08, 0x1f, 0x20, 0x21: 1, 7.5, -0, -0.125 as a stream of bits.
      {kFloat6E2M3,
       bytes({0xc8, 0x07, 0x86, 0x3f}),
       bytes({0xc8, 0x07, 0x86, 0xff}),
       {1, 7.5, -0.0, -0.125, -7.5}}};
  for (const Row& row : rows) {
    const auto count = static_cast<int64_t>(row.values.size());
    const Shape shape{1, count};
    const Tensor scale = ScalarCode(kFloat, FloatBits(1));
    for (const auto& data : {row.zeros, row.ones}) {
      const Problem problem{
          .since_version = 28, .x = {row.type, shape, data}, .x_scale = scale.view()};
      const auto answer = EvaluateDequantizeLinear(problem);
      ASSERT_TRUE(answer.ok()) << answer.error().message;
      for (size_t i = 0; i < row.values.size(); ++i) {
        EXPECT_EQ(answer->elements[i].code, CodeOf(kFloat, row.values[i]))
            << DataTypeName(row.type) << " " << i;
      }
    }
  }
}

TEST(DequantizeValidate, OutputType) {  // DQ-30, DQ-31, DQ-32
  const auto y = [](int since, DataType scale, int64_t output_dtype) {
    const Tensors tensors({.since_version = since,
                           .attributes = {.output_dtype = output_dtype},
                           .scale_type = scale});
    const Resolution resolution = Resolve(tensors.problem);
    return std::pair(resolution.layout.y, resolution.validity.clause);
  };
  EXPECT_EQ(y(10, kFloat, 0), std::pair(kFloat, std::string()));
  EXPECT_EQ(y(19, kFloat16, 0), std::pair(kFloat16, std::string()));
  EXPECT_EQ(y(23, kFloat16, 0), std::pair(kFloat16, std::string()));
  EXPECT_EQ(y(23, kFloat16, 1), std::pair(kFloat, std::string()));
  EXPECT_EQ(y(24, kFloat8E8M0, 16), std::pair(kBfloat16, std::string()));
  EXPECT_EQ(y(24, kFloat8E8M0, 0).second, "DQ-31");
  for (const int64_t number : {2, 3, 11, 24, 99, -1}) {
    EXPECT_EQ(y(23, kFloat, number).second, "DQ-32") << number;
  }
}

TEST(DequantizeValidate, ZeroPointOfAnotherShape) {  // DQ-14
  const std::pair<Shape, Shape> open[] = {{{}, {1}}, {{1}, {}}, {{3}, {}}};
  for (const auto& [scale, zero_point] : open) {
    const Model model{.x = {2, 3}, .x_scale = scale, .x_zero_point = zero_point};
    EXPECT_EQ(ValidityOf(model).kind, Kind::kOpen);
    EXPECT_EQ(ValidityOf(model).clause, "DQ-14");
    EXPECT_EQ(ScaleNumbers(model).size(), 6u);
  }
  const std::pair<Shape, Shape> invalid[] = {{{}, {3}}, {{3}, {1}}, {{3}, {2}}};
  for (const auto& [scale, zero_point] : invalid) {
    EXPECT_EQ(
        ValidityOf({.x = {2, 3}, .x_scale = scale, .x_zero_point = zero_point}).clause,
        "DQ-36");
  }
}

TEST(DequantizeValidate, Open) {  // DQ-34
  const Model models[] = {
      {.x = {2, 3}, .x_scale = {1}},
      {.x = {2, 3}, .attributes = {.axis = 2}},
      {.x = {2, 3}, .attributes = {.block_size = 2}},
      {.x = {2, 3}, .x_scale = {3}, .attributes = {.block_size = 2}},
      {.x = {2, 3}, .x_scale = {3}, .attributes = {.block_size = -1}},
      {.x = {2, 4}, .x_scale = {2, 3}, .attributes = {.block_size = 2}},
      {.since_version = 10, .x = {2, 3}, .x_scale = {3}},
  };
  for (const Model& model : models) {
    EXPECT_EQ(ValidityOf(model).kind, Kind::kOpen) << ValidityOf(model).reason;
    EXPECT_EQ(ValidityOf(model).clause, "DQ-34") << ValidityOf(model).reason;
    EXPECT_EQ(ScaleNumbers(model).size(), static_cast<size_t>(*ElementCount(model.x)));
  }
}

TEST(DequantizeValidate, Int32WithAZeroPoint_IsOpen) {  // DQ-06
  Model model{
      .x = {3}, .x_zero_point = Shape{}, .x_type = kInt32, .zero_point_type = kInt32};
  EXPECT_EQ(ValidityOf(model).kind, Kind::kValid);
  model.zero_point = 0x01000000;
  EXPECT_EQ(ValidityOf(model).kind, Kind::kOpen);
  EXPECT_EQ(ValidityOf(model).clause, "DQ-06");
}

TEST(DequantizeValidate, Invalid) {  // DQ-36
  const Model models[] = {
      {.since_version = 11},
      {.since_version = 10, .x = {2, 3}, .attributes = {.axis = 0}},
      {.since_version = 19, .x = {2, 3}, .attributes = {.block_size = 1}},
      {.since_version = 21, .x = {2}, .attributes = {.output_dtype = 1}},
      {.attributes = {.unknown = "saturate"}},
      {.x = {2, 3}, .x_scale = {2}},
      {.x = {2, 3}, .x_scale = {3}, .attributes = {.axis = 2}},
      {.x = {2, 3}, .x_scale = {2, 3}},
      {.x = {2, 4}, .x_scale = {2, 1}, .attributes = {.block_size = 2}},
      {.x = {2, 4}, .x_scale = {1, 2}, .attributes = {.block_size = 2}},
      {.x = {4}, .x_scale = {2, 2}, .attributes = {.block_size = 2}},
      {.since_version = 19, .x = {2, 3}, .x_scale = {2, 3}},
      {.x_zero_point = Shape{}, .zero_point_type = kInt8},
      {.since_version = 19, .x_type = kInt16},
      {.since_version = 21, .x_type = kFloat4E2M1},
      {.since_version = 24, .x_type = kInt2},
      {.since_version = 25, .x_type = kFloat6E2M3},
      {.since_version = 13, .scale_type = kFloat16},
      {.since_version = 23, .scale_type = kFloat8E8M0},
      {.x_type = kFloat},
      {.scale_type = kDouble},
  };
  for (const Model& model : models) {
    const ModelValidity validity = ValidityOf(model);
    EXPECT_EQ(validity.kind, Kind::kInvalid) << &model - models;
    EXPECT_EQ(validity.clause, "DQ-36") << validity.reason;
    EXPECT_FALSE(validity.reason.empty());
    EXPECT_FALSE(EvaluateDequantizeLinear(Tensors(model).problem).ok());
  }
  Tensors short_of_bytes({.x = {2, 3}});
  short_of_bytes.problem.x.data = short_of_bytes.problem.x.data.first(5);
  EXPECT_EQ(Validate(short_of_bytes.problem).clause, "DQ-36");
}

TEST(DequantizeLinearDimensions, AreThoseOfTheOperandsOfEachElement) {
  struct Row {
    Shape x, x_scale;
    int64_t axis = 1;
    int64_t block_size = 0;
  };
  const Row rows[] = {{{}, {}},
                      {{5}, {}},
                      {{5}, {5}, 0},
                      {{5}, {3}, 0, 2},
                      {{2, 3}, {2}, 0},
                      {{2, 3}, {3}, -1},
                      {{3, 3}, {3}, 0},
                      {{4, 7}, {4, 3}, 1, 3},
                      {{5, 4}, {2, 4}, -2, 3},
                      {{2, 5, 3}, {2, 3, 3}, 1, 2},
                      {{2, 0, 3}, {2, 0, 3}, 1, 2}};
  for (const Row& row : rows) {
    SCOPED_TRACE(ShapeToString(row.x) + " " + ShapeToString(row.x_scale));
    std::vector<Attribute> attributes{{"axis", row.axis}};
    if (row.block_size != 0) attributes.push_back({"block_size", row.block_size});
    const auto bound = GetOperator().Bind(attributes, 21);
    ASSERT_TRUE(bound.ok());
    const Tensor x = Numbered(kInt16, row.x);
    const Tensor x_scale = Numbered(kFloat, row.x_scale);
    ExpectDimensionsMatch(GetOperator(), **bound, {x, x_scale, Tensor{}});
    ExpectDimensionsMatch(GetOperator(), **bound,
                          {x, x_scale, Numbered(kInt16, row.x_scale)});
  }
}

}  // namespace
}  // namespace qconform::dequantize_linear
