// QL-30 to QL-34: types, attributes, shapes; which scale an element has.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "oracle/operators/quantize_linear/testing/test_support.h"

namespace qconform {
namespace {

using enum DataType;
using Kind = ModelValidity::Kind;

struct Model {
  int since_version = 21;
  Shape x{};
  Shape y_scale{};
  std::optional<Shape> y_zero_point{};
  QuantizeLinearAttributes attributes{};
  DataType x_type = kFloat;
  DataType scale_type = kFloat;
  DataType y_type = kUint8;
};

// Tensors of the model's shapes; the views live as long as it does.
struct Tensors {
  explicit Tensors(const Model& model)
      : x(Tensor::Zeros(model.x_type, model.x)),
        y_scale(Tensor::Zeros(model.scale_type, model.y_scale)),
        problem{.since_version = model.since_version,
                .x = x.view(),
                .y_scale = y_scale.view(),
                .attributes = model.attributes} {
    if (model.y_zero_point) {
      y_zero_point = Tensor::Zeros(model.y_type, *model.y_zero_point);
      problem.y_zero_point = y_zero_point.view();
    }
  }
  Tensor x, y_scale, y_zero_point;
  QuantizeLinearProblem problem;
};

// --- which scale -------------------------------------------------------------

// Asks with x = 1 everywhere and the scale number i equal to 1 / (i + 1): the
// quotient of FLOATs is i + 1 to within 2^-20, so y is the scale's number + 1.
std::vector<int64_t> ScaleNumbers(const Model& model) {
  const auto x_count = static_cast<size_t>(*ElementCount(model.x));
  const auto scale_count = static_cast<size_t>(*ElementCount(model.y_scale));
  std::vector<double> scales;
  for (size_t i = 0; i < scale_count; ++i) {
    scales.push_back(static_cast<double>(1.0f / static_cast<float>(i + 1)));
  }
  const Tensor x = TensorOf(kFloat, model.x, std::vector<double>(x_count, 1.0));
  const Tensor y_scale = TensorOf(kFloat, model.y_scale, scales);
  QuantizeLinearProblem problem{.since_version = model.since_version,
                                .x = x.view(),
                                .y_scale = y_scale.view(),
                                .attributes = model.attributes};
  if (model.since_version >= 21)
    problem.attributes.output_dtype = static_cast<int>(kUint16);
  const Result<Answer> answer = EvaluateQuantizeLinear(problem);
  std::vector<int64_t> numbers;
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return numbers;
  }
  EXPECT_EQ(answer->shape, model.x);
  for (const ElementAnswer& element : answer->elements) {
    numbers.push_back(static_cast<int64_t>(element.code) - 1);
  }
  return numbers;
}

// The same with x = 0 and zero point number i equal to i.
std::vector<int64_t> ZeroPointNumbers(const Model& model) {
  const auto count = static_cast<size_t>(*ElementCount(*model.y_zero_point));
  const auto scale_count = static_cast<size_t>(*ElementCount(model.y_scale));
  std::vector<double> zero_points;
  for (size_t i = 0; i < count; ++i) zero_points.push_back(static_cast<double>(i));
  const Tensor x = Tensor::Zeros(kFloat, model.x);
  const Tensor y_scale =
      TensorOf(kFloat, model.y_scale, std::vector<double>(scale_count, 1.0));
  const Tensor zero_point = TensorOf(kUint8, *model.y_zero_point, zero_points);
  const Result<Answer> answer =
      EvaluateQuantizeLinear({.since_version = model.since_version,
                              .x = x.view(),
                              .y_scale = y_scale.view(),
                              .y_zero_point = zero_point.view(),
                              .attributes = model.attributes});
  std::vector<int64_t> numbers;
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return numbers;
  }
  for (const ElementAnswer& element : answer->elements) {
    numbers.push_back(static_cast<int64_t>(element.code));
  }
  return numbers;
}

using Numbers = std::vector<int64_t>;

TEST(Granularity, PerTensor_AllRanks) {  // QL-31, QL-32
  Shape shape;
  for (int rank = 0; rank <= 9; ++rank) {
    const Numbers zeros(static_cast<size_t>(*ElementCount(shape)), 0);
    EXPECT_EQ(ScaleNumbers({.since_version = 10, .x = shape}), zeros) << rank;
    EXPECT_EQ(ScaleNumbers({.x = shape}), zeros) << rank;
    shape.push_back(rank % 2 == 0 ? 2 : 3);
  }
}

TEST(Granularity, PerAxis_EveryAxisFromBothEnds) {  // QL-31
  const Shape shape{2, 3, 4};
  const Numbers by_axis[] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
      {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
      {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
  };
  for (const int since : {13, 19, 21, 25}) {
    for (int64_t axis = 0; axis < 3; ++axis) {
      const Shape scale{shape[static_cast<size_t>(axis)]};
      for (const int64_t given : {axis, axis - 3}) {
        const Model model{.since_version = since,
                          .x = shape,
                          .y_scale = scale,
                          .y_zero_point = scale,
                          .attributes = {.axis = given}};
        EXPECT_EQ(ScaleNumbers(model), by_axis[axis]) << since << " " << given;
        EXPECT_EQ(ZeroPointNumbers(model), by_axis[axis]) << since << " " << given;
      }
    }
    // The default axis is 1.
    EXPECT_EQ(ScaleNumbers({.since_version = since, .x = shape, .y_scale = {3}}),
              by_axis[1]);
  }
}

TEST(Granularity, PerAxisOfRank1_Since13And19) {  // QL-32
  for (const int since : {13, 19}) {
    for (const int64_t axis : {0, -1}) {
      const Model model{
          .since_version = since, .x = {4}, .y_scale = {4}, .attributes = {.axis = axis}};
      EXPECT_EQ(ScaleNumbers(model), (Numbers{0, 1, 2, 3}));
      EXPECT_EQ(Validate(Tensors(model).problem).kind, Kind::kValid);
    }
  }
}

TEST(Granularity, Blocked_PartialLastBlock) {  // QL-31
  // Axis 1 of 5 in blocks of 2: scales 0 0 1 1 2 per row.
  const Model last{.x = {2, 5},
                   .y_scale = {2, 3},
                   .y_zero_point = Shape{2, 3},
                   .attributes = {.axis = 1, .block_size = 2}};
  const Numbers expected{0, 0, 1, 1, 2, 3, 3, 4, 4, 5};
  EXPECT_EQ(ScaleNumbers(last), expected);
  EXPECT_EQ(ZeroPointNumbers(last), expected);
  EXPECT_EQ(Validate(Tensors(last).problem).kind, Kind::kValid);

  // Axis 0 of 5 in blocks of 3, two columns: scales (0 1) x 3, (2 3) x 2.
  const Model first{
      .x = {5, 2}, .y_scale = {2, 2}, .attributes = {.axis = -2, .block_size = 3}};
  EXPECT_EQ(ScaleNumbers(first), (Numbers{0, 1, 0, 1, 0, 1, 2, 3, 2, 3}));

  // The middle axis of three: [2, 3, 2] in blocks of 2.
  const Model middle{
      .x = {2, 3, 2}, .y_scale = {2, 2, 2}, .attributes = {.axis = 1, .block_size = 2}};
  EXPECT_EQ(ScaleNumbers(middle), (Numbers{0, 1, 0, 1, 2, 3, 4, 5, 4, 5, 6, 7}));
}

TEST(Granularity, BlockedOfOneAndOfAll) {  // QL-32
  // block_size 1: a scale for each element.
  EXPECT_EQ(
      ScaleNumbers(
          {.x = {2, 3}, .y_scale = {2, 3}, .attributes = {.axis = 1, .block_size = 1}}),
      (Numbers{0, 1, 2, 3, 4, 5}));
  // One block, also larger than the axis.
  for (const int64_t block : {3, 100}) {
    const Model model{
        .x = {2, 3}, .y_scale = {2, 1}, .attributes = {.axis = 1, .block_size = block}};
    EXPECT_EQ(ScaleNumbers(model), (Numbers{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(Validate(Tensors(model).problem).kind, Kind::kValid);
  }
}

TEST(Granularity, Rank8_BlockedAndPerAxis) {
  const Shape shape{1, 2, 1, 3, 1, 2, 1, 2};
  const Numbers numbers = ScaleNumbers({.x = shape,
                                        .y_scale = {1, 2, 1, 2, 1, 2, 1, 2},
                                        .attributes = {.axis = 3, .block_size = 2}});
  ASSERT_EQ(numbers.size(), 24u);
  for (int64_t i = 0; i < 24; ++i) {
    // Dimensions of more than one: [2, 3, 2, 2], the 3 in blocks of 2.
    const int64_t inner = i % 4, axis = i / 4 % 3, outer = i / 12;
    EXPECT_EQ(numbers[static_cast<size_t>(i)], (outer * 2 + axis / 2) * 4 + inner) << i;
  }
  const Numbers per_axis =
      ScaleNumbers({.x = shape, .y_scale = {2}, .attributes = {.axis = -7}});
  for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(per_axis[static_cast<size_t>(i)], i / 12);
}

TEST(Granularity, EmptyTensors_AreLegal) {  // QL-32
  const Model models[] = {
      {.x = {0}},
      {.x = {2, 0, 3}},
      {.x = {2, 0, 3}, .y_scale = {0}, .attributes = {.axis = 1}},
      {.x = {0, 3}, .y_scale = {3}, .attributes = {.axis = 1}},
      {.x = {0, 3}, .y_scale = {0, 2}, .attributes = {.axis = 1, .block_size = 2}},
      {.x = {3, 0}, .y_scale = {3, 0}, .attributes = {.axis = 1, .block_size = 2}},
      // Nothing of these has a byte, and nothing may go through the rows.
      {.x = {int64_t{1} << 50, 0}, .y_scale = {0}, .attributes = {.axis = 1}},
      {.x = {int64_t{1} << 50, 0},
       .y_scale = {int64_t{1} << 50, 0},
       .attributes = {.axis = 1, .block_size = 2}},
  };
  for (const Model& model : models) {
    const Tensors tensors(model);
    EXPECT_EQ(Validate(tensors.problem).kind, Kind::kValid)
        << Validate(tensors.problem).reason;
    const Result<Answer> answer = EvaluateQuantizeLinear(tensors.problem);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->shape, model.x);
    EXPECT_TRUE(answer->elements.empty());
  }
}

TEST(Granularity, SubByteTensors_AreReadElementByElement) {  // QL-50
  // Zero points 1 to 5 packed as nibbles.
  const Tensor x = Tensor::Zeros(kFloat, {2, 5});
  const Tensor scale = TensorOf(kFloat, {5}, {1, 1, 1, 1, 1});
  Tensor zero_point = Tensor::Zeros(kUint4, {5});
  zero_point.data = {std::byte{0x21}, std::byte{0x43}, std::byte{0x05}};
  const Result<Answer> answer =
      EvaluateQuantizeLinear({.since_version = 21,
                              .x = x.view(),
                              .y_scale = scale.view(),
                              .y_zero_point = zero_point.view()});
  ASSERT_TRUE(answer.ok());
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(answer->elements[i].code, i % 5 + 1);

  // QL-52. The same with six bits: 1 to 5 are subnormals of FLOAT6E2M3.
  Tensor small = Tensor::Zeros(kFloat6E2M3, {5});
  small.data = {std::byte{0x81}, std::byte{0x30}, std::byte{0x10}, std::byte{0x05}};
  const Result<Answer> sums = EvaluateQuantizeLinear({.since_version = 28,
                                                      .x = x.view(),
                                                      .y_scale = scale.view(),
                                                      .y_zero_point = small.view()});
  ASSERT_TRUE(sums.ok());
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(sums->elements[i].code, i % 5 + 1);
}

// --- the output type ----------------------------------------------------------

TEST(OutputType, FollowsQl30) {
  struct Row {
    std::optional<DataType> zero_point;
    int64_t output_dtype;
    DataType y;
  };
  const Row rows[] = {
      {std::nullopt, 0, kUint8},
      {std::nullopt, 21, kUint4},      // output_dtype alone
      {kInt8, 0, kInt8},               // y_zero_point alone
      {kFloat8E5M2, 19, kFloat8E5M2},  // both, the same
  };
  for (const Row& row : rows) {
    const Tensor x = Tensor::Zeros(kFloat, {});
    const Tensor scale = TensorOf(kFloat, {}, {1});
    const Tensor zero_point = Tensor::Zeros(row.zero_point.value_or(kUint8), {});
    QuantizeLinearProblem problem{.since_version = 21,
                                  .x = x.view(),
                                  .y_scale = scale.view(),
                                  .attributes = {.output_dtype = row.output_dtype}};
    if (row.zero_point) problem.y_zero_point = zero_point.view();
    const Result<Answer> answer = EvaluateQuantizeLinear(problem);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->type, row.y);
  }
}

// --- open and invalid models ----------------------------------------------------

struct ModelRow {
  const char* what;
  Model model;
};

TEST(Validate, Ql32_IsLegal) {
  const ModelRow rows[] = {
      {"rank 0, scalar scale", {}},
      {"rank 1, scalar scale", {.x = {3}}},
      {"rank 1 and an axis in range", {.x = {3}, .attributes = {.axis = 0}}},
      {"[1] scale where D_axis is 1", {.x = {2, 1}, .y_scale = {1}}},
      {"since 10, per tensor",
       {.since_version = 10, .x = {2, 3}, .y_zero_point = Shape{}}},
      {"precision DOUBLE", {.since_version = 23, .attributes = {.precision = 11}}},
  };
  for (const ModelRow& row : rows) {
    const ModelValidity validation = Validate(Tensors(row.model).problem);
    EXPECT_EQ(validation.kind, Kind::kValid) << row.what << ": " << validation.reason;
    EXPECT_TRUE(validation.reason.empty());
  }
}

TEST(Validate, Ql33_IsOpenAndAnsweredWithThePlainMeaning) {
  struct Row {
    const char* what;
    Model model;
    Numbers scales;
  };
  const Row rows[] = {
      {"[1] scale for a tensor", {.x = {2, 2}, .y_scale = {1}}, {0, 0, 0, 0}},
      {"[1] scale for a scalar", {.x = {}, .y_scale = {1}}, {0}},
      {"[1] scale for a vector of 1", {.x = {1}, .y_scale = {1}}, {0}},
      {"axis out of range, scalar scale",
       {.x = {2, 2}, .attributes = {.axis = 2}},
       {0, 0, 0, 0}},
      {"rank 0 with an axis", {.x = {}, .attributes = {.axis = 0}}, {0}},
      {"rank 1 with axis 1", {.x = {2}, .attributes = {.axis = 1}}, {0, 0}},
      {"since 21: rank 1, scale [D0]",
       {.x = {3}, .y_scale = {3}, .attributes = {.axis = 0}},
       {0, 1, 2}},
      {"since 21: the same, default axis", {.x = {3}, .y_scale = {3}}, {0, 1, 2}},
      {"rank 1 in blocks",
       {.x = {5}, .y_scale = {3}, .attributes = {.axis = 0, .block_size = 2}},
       {0, 0, 1, 1, 2}},
      {"rank 1, block_size and scale [D0]",
       {.x = {3}, .y_scale = {3}, .attributes = {.block_size = 2}},
       {0, 1, 2}},
      {"1-D scale of length D_axis with block_size",
       {.x = {2, 3}, .y_scale = {3}, .attributes = {.block_size = 2}},
       {0, 1, 2, 0, 1, 2}},
      {"block_size with a scalar scale",
       {.x = {2}, .attributes = {.block_size = 2}},
       {0, 0}},
      {"negative block_size, scalar scale",
       {.x = {2}, .attributes = {.block_size = -1}},
       {0, 0}},
      {"negative block_size, 1-D scale",
       {.x = {2, 2}, .y_scale = {2}, .attributes = {.block_size = -1}},
       {0, 1, 0, 1}},
      {"block_size above ceil(D/(S-1))-1: the third block is not used",
       {.x = {1, 4}, .y_scale = {1, 3}, .attributes = {.block_size = 2}},
       {0, 0, 1, 1}},
      {"the same in two rows: each has three scales",
       {.x = {2, 4}, .y_scale = {2, 3}, .attributes = {.block_size = 2}},
       {0, 0, 1, 1, 3, 3, 4, 4}},
      {"S = 1 with D = 0",
       {.x = {2, 0}, .y_scale = {2, 1}, .attributes = {.block_size = 2}},
       {}},
      {"since 10: 1-D scale",
       {.since_version = 10, .x = {2, 3}, .y_scale = {3}},
       {0, 1, 2, 0, 1, 2}},
      {"since 13: rank 1, scale [D0], axis 1",
       {.since_version = 13, .x = {2}, .y_scale = {2}},
       {0, 1}},
  };
  for (const Row& row : rows) {
    const ModelValidity validation = Validate(Tensors(row.model).problem);
    EXPECT_EQ(validation.kind, Kind::kOpen) << row.what << ": " << validation.reason;
    EXPECT_EQ(validation.clause, "QL-33") << row.what;
    EXPECT_FALSE(validation.reason.empty()) << row.what;
    EXPECT_EQ(ScaleNumbers(row.model), row.scales) << row.what;
  }
}

TEST(Validate, Ql33_ZeroPointOfAnotherShape) {
  const Model rows[] = {
      {.x = {2, 2}, .y_scale = {}, .y_zero_point = Shape{1}},
      {.x = {2, 2}, .y_scale = {1}, .y_zero_point = Shape{}},
      {.x = {2, 2}, .y_scale = {2}, .y_zero_point = Shape{}},
  };
  for (const Model& model : rows) {
    const Tensors tensors(model);
    EXPECT_EQ(Validate(tensors.problem).clause, "QL-33");
    EXPECT_EQ(Validate(tensors.problem).kind, Kind::kOpen);
    EXPECT_TRUE(EvaluateQuantizeLinear(tensors.problem).ok());
  }
}

TEST(Validate, Ql33_OneZeroPointForAllScales_CountsForAll) {
  const Tensor x = Tensor::Zeros(kFloat, {2, 3});
  const Tensor y_scale = TensorOf(kFloat, {3}, {1, 2, 3});
  const Tensor zero_point = TensorOf(kUint8, {}, {7});
  const Result<Answer> answer =
      EvaluateQuantizeLinear({.since_version = 21,
                              .x = x.view(),
                              .y_scale = y_scale.view(),
                              .y_zero_point = zero_point.view()});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->elements.size(), 6u);
  for (const ElementAnswer& element : answer->elements) EXPECT_EQ(element.code, 7u);
}

TEST(Validate, SeveralOpenThings_TheFirstNamesTheModel) {
  const Tensors saturate({.x = {2, 2}, .y_scale = {1}, .attributes = {.saturate = 2}});
  EXPECT_EQ(Validate(saturate.problem).clause, "QL-14");
  // What is invalid outranks it.
  const Tensors invalid({.x = {2, 3}, .y_scale = {2}, .attributes = {.saturate = 2}});
  EXPECT_EQ(Validate(invalid.problem).clause, "QL-34");
}

TEST(Validate, OutputDtypeBesideAnyOtherZeroPoint_IsInvalid) {  // QL-30, QL-34
  const DataType outputs[] = {
      kUint8,      kInt8,           kUint16,     kInt16,        kUint4,
      kInt4,       kUint2,          kInt2,       kFloat8E4M3FN, kFloat8E4M3FNUZ,
      kFloat8E5M2, kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3,   kFloat6E3M2};
  int visited = 0;
  for (const DataType zero_point : outputs) {
    for (const DataType output : outputs) {
      const Tensors tensors({.since_version = 28,
                             .y_zero_point = Shape{},
                             .attributes = {.output_dtype = static_cast<int64_t>(output)},
                             .y_type = zero_point});
      EXPECT_EQ(Validate(tensors.problem).kind == Kind::kValid, output == zero_point)
          << DataTypeName(output) << " " << DataTypeName(zero_point);
      ++visited;
    }
  }
  EXPECT_EQ(visited, 15 * 15);
}

TEST(Validate, OtherOpenAttributes_NameTheirClause) {
  const Tensors saturate({.attributes = {.saturate = 2}});
  EXPECT_EQ(Validate(saturate.problem).clause, "QL-14");
  EXPECT_TRUE(EvaluateQuantizeLinear(saturate.problem).ok());
  const Tensors precision({.since_version = 23, .attributes = {.precision = 17}});
  EXPECT_EQ(Validate(precision.problem).clause, "QL-08");
  EXPECT_TRUE(EvaluateQuantizeLinear(precision.problem).ok());
}

TEST(Validate, Ql34_IsInvalidAndRefused) {
  const ModelRow rows[] = {
      {"axis above the range", {.x = {2, 3}, .y_scale = {3}, .attributes = {.axis = 2}}},
      {"axis below the range", {.x = {2, 3}, .y_scale = {3}, .attributes = {.axis = -3}}},
      {"axis out of range, blocked",
       {.x = {2, 3}, .y_scale = {2, 3}, .attributes = {.axis = 2, .block_size = 1}}},
      {"1-D scale of another length", {.x = {2, 3}, .y_scale = {2}}},
      {"1-D scale for a scalar", {.x = {}, .y_scale = {2}}},
      {"rank 1 and another length", {.x = {4}, .y_scale = {2}}},
      {"rank 1 in blocks, too few",
       {.x = {5}, .y_scale = {2}, .attributes = {.axis = 0, .block_size = 2}}},
      {"blocked scale of another rank",
       {.x = {2, 3}, .y_scale = {2, 3, 1}, .attributes = {.block_size = 1}}},
      {"blocked scale that differs off the axis",
       {.x = {2, 4}, .y_scale = {1, 2}, .attributes = {.axis = 1, .block_size = 2}}},
      {"too few blocks",
       {.x = {2, 5}, .y_scale = {2, 2}, .attributes = {.block_size = 2}}},
      {"no blocks at all",
       {.x = {2, 5}, .y_scale = {2, 0}, .attributes = {.block_size = 2}}},
      {"2-D scale with block_size 0", {.x = {2, 4}, .y_scale = {2, 2}}},
      {"2-D scale with a negative block_size",
       {.x = {2, 4}, .y_scale = {2, 2}, .attributes = {.block_size = -2}}},
      {"2-D scale before 21", {.since_version = 19, .x = {2, 4}, .y_scale = {2, 2}}},
      {"zero point longer than the scale",
       {.x = {2, 3}, .y_scale = {3}, .y_zero_point = Shape{2}}},
      {"zero point of shape [1], longer scale",
       {.x = {2, 3}, .y_scale = {3}, .y_zero_point = Shape{1}}},
      {"zero point vector, scalar scale", {.x = {2, 3}, .y_zero_point = Shape{3}}},
      {"zero point scalar, blocked scale",
       {.x = {2, 4},
        .y_scale = {2, 2},
        .y_zero_point = Shape{},
        .attributes = {.block_size = 2}}},
      {"output_dtype is not the zero point's",
       {.y_zero_point = Shape{}, .attributes = {.output_dtype = 3}}},
      {"output_dtype outside the types", {.attributes = {.output_dtype = 1}}},
      {"output_dtype FLOAT4E2M1 in 21", {.attributes = {.output_dtype = 23}}},
      {"output_dtype UINT2 in 24",
       {.since_version = 24, .attributes = {.output_dtype = 25}}},
      {"output_dtype FLOAT6E2M3 in 25",
       {.since_version = 25, .attributes = {.output_dtype = 27}}},
      {"FLOAT6E3M2 zero point in 25",
       {.since_version = 25, .y_zero_point = Shape{}, .y_type = kFloat6E3M2}},
      {"since_version 27, which is 25", {.since_version = 27}},
      {"output_dtype unknown", {.attributes = {.output_dtype = 1000}}},
      {"axis in 10", {.since_version = 10, .attributes = {.axis = 0}}},
      {"saturate in 13", {.since_version = 13, .attributes = {.saturate = 0}}},
      {"block_size in 19", {.since_version = 19, .attributes = {.block_size = 2}}},
      {"output_dtype in 19", {.since_version = 19, .attributes = {.output_dtype = 2}}},
      {"precision in 21", {.attributes = {.precision = 1}}},
      {"FLOAT16 x in 13", {.since_version = 13, .x_type = kFloat16}},
      {"DOUBLE x", {.since_version = 25, .x_type = kDouble}},
      {"scale of another type in 21", {.x_type = kFloat16}},
      {"INT32 scale in 13",
       {.since_version = 13, .x_type = kInt32, .scale_type = kInt32}},
      {"FLOAT8E8M0 scale in 23", {.since_version = 23, .scale_type = kFloat8E8M0}},
      {"INT16 zero point in 19",
       {.since_version = 19, .y_zero_point = Shape{}, .y_type = kInt16}},
      {"float8 zero point in 13",
       {.since_version = 13, .y_zero_point = Shape{}, .y_type = kFloat8E5M2}},
      {"no such since_version", {.since_version = 22}},
  };
  for (const ModelRow& row : rows) {
    const Tensors tensors(row.model);
    const ModelValidity validation = Validate(tensors.problem);
    EXPECT_EQ(validation.kind, Kind::kInvalid) << row.what;
    EXPECT_EQ(validation.clause, "QL-34") << row.what;
    EXPECT_FALSE(validation.reason.empty()) << row.what;
    const Result<Answer> answer = EvaluateQuantizeLinear(tensors.problem);
    ASSERT_FALSE(answer.ok()) << row.what;
    EXPECT_NE(answer.error().message.find("QL-34"), std::string::npos);
  }
}

TEST(Validate, TensorsWhoseBytesDoNotFit_AreInvalid) {
  const Tensor scale = TensorOf(kFloat, {}, {1});
  const std::array<int64_t, 1> shape{4};
  const std::array<std::byte, 15> bytes{};
  const ModelValidity validation = Validate(
      {.since_version = 21, .x = {kFloat, shape, bytes}, .y_scale = scale.view()});
  EXPECT_EQ(validation.kind, Kind::kInvalid);
  EXPECT_EQ(validation.reason, "x has 15 bytes: its type and shape need 16");
  const std::array<int64_t, 2> huge{int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_EQ(
      Validate({.since_version = 21, .x = {kFloat, huge, bytes}, .y_scale = scale.view()})
          .kind,
      Kind::kInvalid);
}

}  // namespace
}  // namespace qconform
