// CI-01 to CI-08: values. Expected numbers are ONNX's node tests, or worked out on paper
// from the differences that stand next to them.
#include "oracle/operators/conv_integer/conv_integer.h"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/core/testing/codes_of_values.h"

namespace qconform::conv_integer {
namespace {

using enum DataType;
using List = std::vector<int64_t>;

struct Tensors {
  Tensor x, w;
  std::optional<Tensor> x_zero_point{}, w_zero_point{};
  ConvolutionAttributes attributes{};

  Problem problem() const {
    Problem problem{
        .since_version = 10, .attributes = attributes, .x = x.view(), .w = w.view()};
    if (x_zero_point) problem.x_zero_point = x_zero_point->view();
    if (w_zero_point) problem.w_zero_point = w_zero_point->view();
    return problem;
  }
};

Answer Evaluate(const Tensors& tensors) {
  Result<Answer> answer = EvaluateConvInteger(tensors.problem());
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().message;
    return {};
  }
  EXPECT_EQ(answer->type, kInt32);
  EXPECT_EQ(answer->elements.size(), static_cast<size_t>(*ElementCount(answer->shape)));
  return *std::move(answer);
}

List ValuesOf(const Answer& answer) {
  List values;
  for (const ElementAnswer& element : answer.elements) {
    values.push_back(static_cast<int32_t>(element.code));
  }
  return values;
}

// A tensor of the values `first`, `first` + 1, ...
Tensor Counting(DataType type, const Shape& shape, int first = 0) {
  std::vector<double> values(static_cast<size_t>(*ElementCount(shape)));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = first + static_cast<double>(i);
  }
  return TensorOf(type, shape, values);
}

Tensor Constant(DataType type, const Shape& shape, double value) {
  return TensorOf(type, shape,
                  std::vector<double>(static_cast<size_t>(*ElementCount(shape)), value));
}

// test_convinteger_without_padding and test_convinteger_with_padding.
TEST(ConvInteger, NodeTests) {
  const Tensor x = Counting(kUint8, {1, 1, 3, 3}, 2);
  const Tensor zero_point = TensorOf(kUint8, {}, {1});
  const Answer without = Evaluate(
      {.x = x, .w = Constant(kUint8, {1, 1, 2, 2}, 1), .x_zero_point = zero_point});
  EXPECT_EQ(without.shape, (Shape{1, 1, 2, 2}));
  EXPECT_EQ(ValuesOf(without), (List{12, 16, 24, 28}));

  const Answer with = Evaluate({.x = x,
                                .w = Constant(kUint8, {2, 1, 2, 2}, 1),
                                .x_zero_point = zero_point,
                                .w_zero_point = TensorOf(kUint8, {2}, {0, 1}),
                                .attributes = {.pads = List{1, 1, 1, 1}}});
  EXPECT_EQ(with.shape, (Shape{1, 2, 4, 4}));
  List expected{1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15, 17, 9};
  expected.resize(32);
  EXPECT_EQ(ValuesOf(with), expected);
  for (const ElementAnswer& element : with.elements) {
    EXPECT_EQ(element.tier, Tier::kRegular);
    EXPECT_EQ(element.freedom, Freedom::kNone);
    EXPECT_TRUE(element.features & kFeatureZeroPoint);
  }
}

// 255 and -255 are the largest differences of all types.
TEST(ConvInteger, AllTypes_AtTheirEnds) {
  for (const DataType x : {kUint8, kInt8}) {
    for (const DataType w : {kUint8, kInt8}) {
      const double x_low = x == kInt8 ? -128 : 0;
      const double w_low = w == kInt8 ? -128 : 0;
      const Answer y = Evaluate({.x = TensorOf(x, {1, 1, 2}, {x_low, x_low + 255}),
                                 .w = TensorOf(w, {1, 1, 1}, {w_low}),
                                 .x_zero_point = TensorOf(x, {}, {x_low}),
                                 .w_zero_point = TensorOf(w, {}, {w_low + 255})});
      EXPECT_EQ(ValuesOf(y), (List{0, -65025}));
    }
  }
}

TEST(ConvInteger, PairsOfProducts_NeedMoreThan16Bits) {
  const Answer y = Evaluate({.x = Constant(kUint8, {1, 1, 2}, 255),
                             .w = TensorOf(kInt8, {2, 1, 2}, {127, 127, -128, -128})});
  EXPECT_EQ(ValuesOf(y), (List{64770, -65280}));
  EXPECT_EQ(y.elements[0].features, 0);
}

TEST(ConvInteger, AbsentZeroPoints_AreZero) {
  const Tensor x = TensorOf(kInt8, {1, 1, 2}, {-3, 4});
  const Tensor w = TensorOf(kInt8, {1, 1, 2}, {5, 6});
  EXPECT_EQ(ValuesOf(Evaluate({.x = x, .w = w})), List{9});  // -15 + 24
  // (-3 - 1) * 5 + (4 - 1) * 6, and -3 * (5 - 2) + 4 * (6 - 2)
  EXPECT_EQ(
      ValuesOf(Evaluate({.x = x, .w = w, .x_zero_point = TensorOf(kInt8, {}, {1})})),
      List{-2});
  EXPECT_EQ(
      ValuesOf(Evaluate({.x = x, .w = w, .w_zero_point = TensorOf(kInt8, {}, {2})})),
      List{7});
}

// 33026 * 65025 = 2^31 + 32002.
TEST(ConvInteger, SumsBeyondInt32_AreModuloAndFree) {
  const Tensors tensors{.x = Constant(kUint8, {1, 1, 33026}, 255),
                        .w = Constant(kUint8, {1, 1, 33026}, 255)};
  const Answer y = Evaluate(tensors);
  EXPECT_EQ(ValuesOf(y), List{-2147483648 + 32002});
  EXPECT_EQ(y.elements[0].tier, Tier::kAccumulatorOverflow);
  EXPECT_EQ(y.elements[0].freedom, Freedom::kAnyCode);
  const auto saturated =
      EvaluateConvInteger(tensors.problem(), Accumulator::kSaturating32);
  EXPECT_EQ(ValuesOf(*saturated), List{2147483647});

  const Answer inside = Evaluate({.x = Constant(kUint8, {1, 1, 33025}, 255),
                                  .w = Constant(kUint8, {1, 1, 33025}, 255)});
  EXPECT_EQ(ValuesOf(inside), List{2147450625});
  EXPECT_EQ(inside.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(inside.elements[0].freedom, Freedom::kNone);
}

// One element, 5 - 3, under each place of the kernel.
TEST(ConvInteger, PaddedPositions_ContributeNothing) {
  const Answer y = Evaluate({.x = TensorOf(kUint8, {1, 1, 1}, {5}),
                             .w = TensorOf(kUint8, {1, 1, 3}, {1, 2, 3}),
                             .x_zero_point = TensorOf(kUint8, {}, {3}),
                             .attributes = {.pads = List{3, 2}}});
  EXPECT_EQ(ValuesOf(y), (List{0, 6, 4, 2}));
}

TEST(ConvInteger, ZeroPointsByOutputChannel) {
  const Answer y = Evaluate({.x = TensorOf(kUint8, {1, 1, 2}, {1, 2}),
                             .w = TensorOf(kUint8, {2, 1, 1}, {5, 7}),
                             .w_zero_point = TensorOf(kUint8, {2}, {1, 4})});
  EXPECT_EQ(y.shape, (Shape{1, 2, 2}));
  EXPECT_EQ(ValuesOf(y), (List{4, 8, 3, 6}));
}

// The corners of a cube of 0 to 26: 0 2 6 8, 18 20 24 26.
TEST(ConvInteger, ThreeSpatialAxes) {
  const Answer y = Evaluate({.x = Counting(kUint8, {1, 1, 3, 3, 3}),
                             .w = Constant(kInt8, {1, 1, 2, 2, 2}, 1),
                             .attributes = {.dilations = List{2, 2, 2}}});
  EXPECT_EQ(y.shape, (Shape{1, 1, 1, 1, 1}));
  EXPECT_EQ(ValuesOf(y), List{104});
}

TEST(ConvInteger, AutoPad) {
  Tensors tensors{.x = Counting(kUint8, {1, 1, 5}, 1),
                  .w = TensorOf(kUint8, {1, 1, 4}, {1, 2, 4, 8})};
  tensors.attributes.auto_pad = "VALID";
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{49, 64}));  // 1 + 4 + 12 + 32
  tensors.attributes.auto_pad = "SAME_UPPER";              // one before, two after
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{34, 49, 64, 31, 14}));
  tensors.attributes.auto_pad = "SAME_LOWER";  // two before, one after
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{20, 34, 49, 64, 31}));
  tensors.attributes.pads = List{0, 0};  // pads count, where both are given
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{49, 64}));
}

TEST(ConvInteger, GroupsHaveTheirOwnChannels) {
  // Two groups of two channels; M = C / group, so zero points of the channels of a group
  // would fit, too: 1 * (1 - 1) + 2 * (10 - 1), 3 * (100 - 2) + 4 * (200 - 2).
  const Answer two = Evaluate({.x = TensorOf(kUint8, {1, 4, 1}, {1, 2, 3, 4}),
                               .w = TensorOf(kUint8, {2, 2, 1}, {1, 10, 100, 200}),
                               .w_zero_point = TensorOf(kUint8, {2}, {1, 2}),
                               .attributes = {.group = 2}});
  EXPECT_EQ(ValuesOf(two), (List{18, 1086}));
  // Depthwise with two kernels a channel, stride 2 and dilation 2, on two batches:
  // (x[0] + 10 x[2]) w, x[2] + 10 x[4] of each channel.
  const Answer each =
      Evaluate({.x = Counting(kUint8, {2, 2, 5}),
                .w = TensorOf(kInt8, {4, 1, 2}, {1, 10, -1, -10, 2, 20, 1, 10}),
                .attributes = {.dilations = List{2}, .group = 2, .strides = List{2}}});
  EXPECT_EQ(each.shape, (Shape{2, 4, 2}));
  EXPECT_EQ(ValuesOf(each), (List{20, 42, -20, -42, 150, 194, 75, 97,  //
                                  130, 152, -130, -152, 370, 414, 185, 207}));
}

// --- models ------------------------------------------------------------------------

ModelValidity ValidityOf(const Tensors& tensors) {
  return Resolve(tensors.problem()).validity;
}

TEST(ConvIntegerModels, Ci03_IsOpenAndAnswered) {
  Tensors tensors{.x = TensorOf(kUint8, {1, 1, 2}, {1, 2}),
                  .w = TensorOf(kUint8, {2, 1, 1}, {5, 7})};
  tensors.x_zero_point = TensorOf(kUint8, {1}, {1});
  EXPECT_EQ(ValidityOf(tensors).clause, "CI-03");
  EXPECT_EQ(ValidityOf(tensors).kind, ModelValidity::Kind::kOpen);
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{0, 5, 0, 7}));
  tensors.x_zero_point = {};
  tensors.w_zero_point = TensorOf(kUint8, {1}, {4});
  EXPECT_EQ(ValidityOf(tensors).clause, "CI-03");
  EXPECT_EQ(ValuesOf(Evaluate(tensors)), (List{1, 2, 3, 6}));
  // [1] is [M] where M = 1.
  tensors.w = TensorOf(kUint8, {1, 1, 1}, {5});
  EXPECT_EQ(ValidityOf(tensors).kind, ModelValidity::Kind::kValid);
}

TEST(ConvIntegerModels, Ci06_IsInvalid) {
  const Tensors legal{.x = Counting(kUint8, {1, 1, 2}), .w = Counting(kInt8, {2, 1, 1})};
  EXPECT_EQ(ValidityOf(legal).kind, ModelValidity::Kind::kValid);
  std::vector<Tensors> wrong(14, legal);
  wrong[0].x = Counting(kInt16, {1, 1, 2});
  wrong[1].w = Counting(kInt4, {2, 1, 1});
  wrong[2].x_zero_point = TensorOf(kInt8, {}, {0});
  wrong[3].w_zero_point = TensorOf(kUint8, {}, {0});
  wrong[4].x_zero_point = TensorOf(kUint8, {2}, {0, 0});
  wrong[5].w_zero_point = TensorOf(kInt8, {3}, {0, 0, 0});
  wrong[6].w_zero_point = TensorOf(kInt8, {2, 1}, {0, 0});
  wrong[7].x = Counting(kUint8, {1, 2});
  wrong[8].attributes.group = 3;
  wrong[9].attributes.auto_pad = "same_upper";
  wrong[10].x_zero_point = TensorOf(kUint8, {1, 1}, {0});
  wrong[11].w_zero_point = TensorOf(kInt8, {0}, {});
  wrong[12].x = {};
  wrong[13].w = {};
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(ValidityOf(wrong[i]).kind, ModelValidity::Kind::kInvalid) << i;
    EXPECT_EQ(ValidityOf(wrong[i]).clause, "CI-06") << i;
    EXPECT_FALSE(EvaluateConvInteger(wrong[i].problem()).ok()) << i;
  }
  Problem other = legal.problem();
  other.since_version = 11;
  EXPECT_EQ(Resolve(other).validity.kind, ModelValidity::Kind::kInvalid);
}

TEST(ConvIntegerModels, Ci07_IsOpenAndAnswered) {
  const Tensors rows[] = {
      {.x = Counting(kUint8, {1, 1, 2}), .w = Counting(kInt8, {2, 1, 3})},
      {.x = Counting(kUint8, {0, 1, 2}), .w = Counting(kInt8, {2, 1, 1})},
      {.x = Counting(kUint8, {1, 1, 2}), .w = Counting(kInt8, {0, 1, 1})},
      {.x = Counting(kUint8, {1, 0, 2}), .w = Counting(kInt8, {2, 0, 1})}};
  for (const Tensors& tensors : rows) {
    EXPECT_EQ(ValidityOf(tensors).clause, "CI-07");
    EXPECT_EQ(ValidityOf(tensors).kind, ModelValidity::Kind::kOpen);
  }
  EXPECT_EQ(Evaluate(rows[0]).shape, (Shape{1, 2, 0}));
  EXPECT_EQ(Evaluate(rows[1]).shape, (Shape{0, 2, 2}));
  EXPECT_EQ(Evaluate(rows[2]).shape, (Shape{1, 0, 2}));
  EXPECT_EQ(ValuesOf(Evaluate(rows[3])), (List{0, 0, 0, 0}));
}

}  // namespace
}  // namespace qconform::conv_integer
