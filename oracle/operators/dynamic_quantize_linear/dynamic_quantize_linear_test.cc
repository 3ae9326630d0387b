// DYN-01 to DYN-09: values. Where scales are not powers of two, expected codes come from
// rational arithmetic (Python's fractions) that rounds as the formulas say; the others
// are worked out on paper.
#include "oracle/operators/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "oracle/core/testing/codes_of_values.h"

namespace qconform::dynamic_quantize_linear {
namespace {

using Codes = std::vector<uint32_t>;
using NoRange = Readings::NoRange;
using Scale = Readings::Scale;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();  // 2^-149

struct Quantized {
  Answer y;
  ElementAnswer scale;
  ElementAnswer zero_point;

  Codes codes() const {
    Codes codes;
    for (const ElementAnswer& element : y.elements) codes.push_back(element.code);
    return codes;
  }
};

Quantized QuantizeTensor(const Tensor& x, const Readings& readings = {}) {
  const auto answers =
      EvaluateDynamicQuantizeLinear({.since_version = 11, .x = x.view()}, readings);
  if (!answers.ok()) {
    ADD_FAILURE() << answers.error().message;
    return {};
  }
  EXPECT_EQ(answers->size(), 3u);
  EXPECT_EQ((*answers)[0].type, DataType::kUint8);
  EXPECT_EQ((*answers)[1].type, DataType::kFloat);
  EXPECT_EQ((*answers)[2].type, DataType::kUint8);
  for (const size_t scalar : {1, 2}) {
    EXPECT_EQ((*answers)[scalar].shape, Shape());
    EXPECT_EQ((*answers)[scalar].elements.size(), 1u);
  }
  return {(*answers)[0], (*answers)[1].elements.at(0), (*answers)[2].elements.at(0)};
}

Quantized Quantize(const std::vector<float>& x, const Readings& readings = {}) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, {static_cast<int64_t>(x.size())});
  for (size_t i = 0; i < x.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), FloatBits(x[i]));
  }
  return QuantizeTensor(tensor, readings);
}

// The inputs of ONNX's three node tests.
TEST(DynamicQuantizeLinear, NodeTests) {
  const Quantized both = Quantize({0, 2, -3, -2.5F, 1.34F, 0.5F});
  EXPECT_EQ(both.scale.code, 0x3ca0a0a1u);
  EXPECT_EQ(both.zero_point.code, 153u);
  EXPECT_EQ(both.codes(), (Codes{153, 255, 0, 26, 221, 179}));
  const Quantized negative = Quantize({-1, -2.1F, -1.3F, -2.5F, -3.34F, -4});
  EXPECT_EQ(negative.scale.code, 0x3c808081u);
  EXPECT_EQ(negative.zero_point.code, 255u);
  EXPECT_EQ(negative.codes(), (Codes{191, 121, 172, 96, 42, 0}));
  const Quantized positive =
      Quantize({1, 2.1F, 1.3F, 2.5F, 3.34F, 4, 1.5F, 2.6F, 3.9F, 4, 3, 2.345F});
  EXPECT_EQ(positive.scale.code, 0x3c808081u);
  EXPECT_EQ(positive.zero_point.code, 0u);
  EXPECT_EQ(positive.codes(),
            (Codes{64, 134, 83, 159, 213, 255, 96, 166, 249, 255, 191, 149}));
  for (const ElementAnswer& element : positive.y.elements) {
    EXPECT_EQ(element.tier, Tier::kRegular);
    EXPECT_EQ(element.freedom, Freedom::kNone);
  }
  EXPECT_EQ(positive.scale.tier, Tier::kRegular);
  EXPECT_NE(positive.scale.features & kFeatureInexact, 0);
}

// The range is rounded first. By f32((max - min) / 255) the scales are one unit more and
// one less; 4.0 * f32(1 / 255) and the like are no readings.
TEST(DynamicQuantizeLinear, Scale_IsRoundedTwice) {
  EXPECT_EQ(Quantize({FloatFromBits(0x401f767c), FloatFromBits(0xc03de5c1)}).scale.code,
            0x3caf5d7bu);
  EXPECT_EQ(Quantize({FloatFromBits(0x3f9a4bbd), FloatFromBits(0xc01a656b)}).scale.code,
            0x3c6873beu);
  // 0x3c1ab268 by f32(max * f32(1 / 255)).
  EXPECT_EQ(Quantize({FloatFromBits(0x401a17b5)}).scale.code, 0x3c1ab267u);
  // 510 / 255.
  EXPECT_EQ(Quantize({257, -253}).scale.code, FloatBits(2));
}

TEST(DynamicQuantizeLinear, FusedRange_IsRoundedOnce) {
  const Readings fused{.scale = Scale::kFusedRange};
  const Quantized up =
      Quantize({FloatFromBits(0x401f767c), FloatFromBits(0xc03de5c1)}, fused);
  EXPECT_EQ(up.scale.code, 0x3caf5d7cu);
  EXPECT_EQ(up.zero_point.code, 139u);
  EXPECT_EQ(up.codes(), (Codes{255, 0}));
  EXPECT_EQ(
      Quantize({FloatFromBits(0x3f9a4bbd), FloatFromBits(0xc01a656b)}, fused).scale.code,
      0x3c6873bdu);
  EXPECT_EQ(Quantize({257, -253}, fused).scale.code, FloatBits(2));
  // The smallest min moves a quotient that is no tie by nothing.
  EXPECT_EQ(Quantize({510, -kTiny}, fused).scale.code, FloatBits(2));
}

// The exact quotients lie 2^-53 and less, relatively, from a tie of FLOAT.
TEST(DynamicQuantizeLinear, FusedRangeInDouble_IsRoundedThroughDouble) {
  struct Row {
    uint32_t max, min, canonical, exact, in_double;
  };
  for (const Row& row :
       {Row{0x4f94feeb, 0xbf7ffffe, 0x4b95947f, 0x4b95947f, 0x4b959480},
        Row{0x4fab567a, 0xc0e00001, 0x4bac027c, 0x4bac027d, 0x4bac027c},
        Row{0x4fee6d22, 0xc0400001, 0x4bef5c7e, 0x4bef5c7f, 0x4bef5c7e}}) {
    const std::vector<float> x{FloatFromBits(row.max), FloatFromBits(row.min)};
    EXPECT_EQ(Quantize(x).scale.code, row.canonical);
    EXPECT_EQ(Quantize(x, {.scale = Scale::kFusedRange}).scale.code, row.exact);
    EXPECT_EQ(Quantize(x, {.scale = Scale::kFusedRangeInDouble}).scale.code,
              row.in_double);
  }
}

// Scales 2: 253 / 2 = 126.5, 255 / 2 = 127.5, 254 / 2 = 127.
TEST(DynamicQuantizeLinear, ZeroPoint_TiesToEven) {
  const Quantized down = Quantize({-253, 257});
  EXPECT_EQ(down.zero_point.code, 126u);
  EXPECT_NE(down.zero_point.features & kFeatureTie, 0);
  EXPECT_EQ(Quantize({-255, 255}).zero_point.code, 128u);
  const Quantized whole = Quantize({-254, 256});
  EXPECT_EQ(whole.zero_point.code, 127u);
  EXPECT_EQ(whole.zero_point.features & kFeatureTie, 0);
}

// The range [-127, 128] has scale 1 and zero point 127: 0.5 + 127 would be rounded to
// 128.
TEST(DynamicQuantizeLinear, Y_TiesToEvenBeforeTheZeroPoint) {
  const Quantized odd = Quantize({-127, 128, 0.5F, 1.5F, 2.5F, -0.5F, -1.5F, 0.75F});
  EXPECT_EQ(odd.scale.code, FloatBits(1));
  EXPECT_EQ(odd.zero_point.code, 127u);
  EXPECT_EQ(odd.codes(), (Codes{0, 255, 127, 129, 129, 127, 125, 128}));
  EXPECT_NE(odd.y.elements[2].features & kFeatureTie, 0);
  // [-253, 257]: scale 2, zero point 126, and so 256.5 / 2 + 126 = 254.25.
  EXPECT_EQ(Quantize({-253, 257, 256.5F}).codes(), (Codes{0, 254, 254}));
  // [-255, 255]: scale 2, zero point 128, and so 127.5 + 128 saturates.
  EXPECT_EQ(Quantize({-255, 255, 253}).codes(), (Codes{0, 255, 254}));
}

// By x * f32(1 / y_scale) the first x would have the second code.
TEST(DynamicQuantizeLinear, Y_IsDividedNotMultiplied) {
  struct Row {
    uint32_t x, max, y;
  };
  for (const Row& row :
       {Row{0x3f75300a, 0x3fdb60e0, 142}, Row{0x3fda332f, 0x402f860b, 158},
        Row{0x3f62fa8e, 0x3f850e77, 217}}) {
    EXPECT_EQ(Quantize({FloatFromBits(row.x), FloatFromBits(row.max)}).codes(),
              (Codes{row.y, 255}));
  }
}

TEST(DynamicQuantizeLinear, OneSign_IncludesZero) {
  const Quantized three = Quantize({3});
  EXPECT_EQ(three.scale.code, 0x3c40c0c1u);  // 0.011764706
  EXPECT_EQ(three.zero_point.code, 0u);
  EXPECT_EQ(three.codes(), Codes{255});
  const Quantized minus_three = Quantize({-3});
  EXPECT_EQ(minus_three.scale.code, 0x3c40c0c1u);
  EXPECT_EQ(minus_three.zero_point.code, 255u);
  EXPECT_EQ(minus_three.codes(), Codes{0});
  // All equal, and all above 0: 510 / 2, 256 / 2.
  EXPECT_EQ(Quantize({510, 510, 510}).codes(), (Codes{255, 255, 255}));
  EXPECT_EQ(Quantize({510, 256}).codes(), (Codes{255, 128}));
  EXPECT_EQ(Quantize({-510, -256}).codes(), (Codes{0, 127}));
}

TEST(DynamicQuantizeLinear, AllZeros_HaveThreeReadings) {
  const Quantized canonical = Quantize({0, 0});
  EXPECT_EQ(canonical.scale.code, 0u);
  EXPECT_EQ(canonical.scale.freedom, Freedom::kNone);
  EXPECT_FALSE(canonical.scale.zero_sign_is_free);
  EXPECT_EQ(canonical.zero_point.code, 0u);
  EXPECT_EQ(canonical.zero_point.freedom, Freedom::kAnyCode);
  EXPECT_EQ(canonical.codes(), (Codes{0, 0}));
  EXPECT_EQ(canonical.y.elements[1].freedom, Freedom::kAnyCode);
  EXPECT_TRUE(Quantize({0, -0.0F}).scale.zero_sign_is_free);
  const struct {
    NoRange reading;
    uint32_t scale;
  } rows[] = {{NoRange::kOne255th, 0x3b808081}, {NoRange::kOne, 0x3f800000}};
  for (const auto& [reading, scale] : rows) {
    for (const Scale other :
         {Scale::kCanonical, Scale::kFusedRange, Scale::kFusedRangeInDouble}) {
      const Quantized by = Quantize({0, -0.0F}, {other, reading});
      EXPECT_EQ(by.scale.code, scale);
      EXPECT_FALSE(by.scale.zero_sign_is_free);
      EXPECT_EQ(by.zero_point.code, 0u);
      EXPECT_EQ(by.zero_point.freedom, Freedom::kNone);
      EXPECT_EQ(by.codes(), (Codes{0, 0}));
      EXPECT_EQ(by.y.elements[0].freedom, Freedom::kNone);
      EXPECT_EQ(by.y.elements[0].tier, Tier::kDegenerateScale);
    }
  }
  // The readings are of zeros only.
  EXPECT_EQ(Quantize({3, 0}, {.no_range = NoRange::kOne}).scale.code, 0x3c40c0c1u);
}

TEST(DynamicQuantizeLinear, NanOrNoElements_LeaveAllFree) {
  for (const std::vector<float>& x :
       {std::vector<float>{1, kNan, -kInfinity}, std::vector<float>{}}) {
    const Quantized free = Quantize(x);
    EXPECT_EQ(free.y.shape, Shape{static_cast<int64_t>(x.size())});
    EXPECT_EQ(free.scale.freedom, Freedom::kAnyCode);
    EXPECT_EQ(free.zero_point.freedom, Freedom::kAnyCode);
    EXPECT_EQ(free.zero_point.tier, Tier::kDegenerateScale);
    for (const ElementAnswer& element : free.y.elements) {
      EXPECT_EQ(element.freedom, Freedom::kAnyCode);
      EXPECT_EQ(element.tier, Tier::kDegenerateScale);
    }
  }
}

TEST(DynamicQuantizeLinear, InfiniteScale) {
  const Quantized above = Quantize({-7, kInfinity, 1e38F});
  EXPECT_EQ(above.scale.code, 0x7f800000u);
  EXPECT_EQ(above.scale.freedom, Freedom::kNone);
  EXPECT_EQ(above.scale.tier, Tier::kDegenerateScale);
  EXPECT_EQ(above.zero_point.code, 0u);
  EXPECT_EQ(above.zero_point.freedom, Freedom::kNone);
  EXPECT_EQ(above.codes(), (Codes{0, 0, 0}));
  EXPECT_EQ(above.y.elements[0].freedom, Freedom::kNone);
  EXPECT_EQ(above.y.elements[1].freedom, Freedom::kAnyCode);
  EXPECT_EQ(above.y.elements[2].freedom, Freedom::kNone);

  const Quantized below = Quantize({7, -kInfinity});
  EXPECT_EQ(below.scale.code, 0x7f800000u);
  EXPECT_EQ(below.zero_point.freedom, Freedom::kAnyCode);
  EXPECT_EQ(below.y.elements[0].freedom, Freedom::kSameCode);
  EXPECT_EQ(below.y.elements[1].freedom, Freedom::kAnyCode);
  ASSERT_TRUE(below.y.same_code_as.has_value());
  EXPECT_EQ(below.y.same_code_as->output, 2u);
  EXPECT_FALSE(above.y.same_code_as.has_value());

  // A range that FLOAT does not hold; by the fused readings the scale is 2 * largest /
  // 255.
  const Quantized range = Quantize({kLargest, -kLargest});
  EXPECT_EQ(range.scale.code, 0x7f800000u);
  EXPECT_EQ(range.zero_point.code, 0u);
  EXPECT_EQ(range.codes(), (Codes{0, 0}));
  for (const Scale fused : {Scale::kFusedRange, Scale::kFusedRangeInDouble}) {
    const Quantized by = Quantize({kLargest, -kLargest}, {.scale = fused});
    EXPECT_EQ(by.scale.code, 0x7c008080u);
    EXPECT_EQ(by.scale.tier, Tier::kDegenerateScale);
    EXPECT_EQ(by.zero_point.code, 128u);
    EXPECT_EQ(by.codes(), (Codes{255, 0}));
    EXPECT_EQ(Quantize({1, kInfinity}, {.scale = fused}).scale.code, 0x7f800000u);
  }
}

// 127 / 255 of the smallest subnormal is rounded to 0, 128 / 255 to 1.
TEST(DynamicQuantizeLinear, ScaleThatUnderflows) {
  const Quantized positive = Quantize({127 * kTiny, 0});
  EXPECT_EQ(positive.scale.code, 0u);
  EXPECT_EQ(positive.scale.freedom, Freedom::kNone);
  EXPECT_FALSE(positive.scale.zero_sign_is_free);
  EXPECT_EQ(positive.scale.tier, Tier::kDegenerateScale);
  EXPECT_EQ(positive.zero_point.freedom, Freedom::kAnyCode);
  EXPECT_EQ(positive.codes(), (Codes{255, 0}));
  EXPECT_EQ(positive.y.elements[0].freedom, Freedom::kNone);
  EXPECT_EQ(positive.y.elements[1].freedom, Freedom::kAnyCode);
  const Quantized both = Quantize({kTiny, -kTiny, 0});
  EXPECT_EQ(both.scale.code, 0u);
  EXPECT_EQ(both.zero_point.code, 255u);
  EXPECT_EQ(both.zero_point.freedom, Freedom::kNone);
  EXPECT_EQ(both.codes(), (Codes{255, 0, 0}));
  EXPECT_EQ(both.y.elements[1].freedom, Freedom::kNone);
  EXPECT_EQ(both.y.elements[2].freedom, Freedom::kAnyCode);
  EXPECT_EQ(Quantize({128 * kTiny}).scale.code, 1u);
}

// In units of 2^-149: 400 / 255 is rounded to 2, 300 / 2 = 150, 7 / 2 = 3.5.
TEST(DynamicQuantizeLinear, SubnormalScale) {
  const Quantized y = Quantize({300 * kTiny, -100 * kTiny, 7 * kTiny});
  EXPECT_EQ(y.scale.code, 2u);
  EXPECT_EQ(y.zero_point.code, 50u);
  EXPECT_EQ(y.codes(), (Codes{200, 0, 54}));
  EXPECT_EQ(y.scale.tier, Tier::kDegenerateScale);
  EXPECT_EQ(y.y.elements[0].tier, Tier::kDegenerateScale);
  EXPECT_EQ(y.zero_point.tier, Tier::kDegenerateScale);
}

TEST(DynamicQuantizeLinear, TiersOfSubnormals) {
  // x that is subnormal, and x whose quotient is: 2^-120 / 2^7.
  const Quantized some = Quantize({255 * 128.0F, 7 * kTiny, 0x1p-120F, 5});
  EXPECT_EQ(some.scale.tier, Tier::kRegular);
  EXPECT_EQ(some.zero_point.tier, Tier::kRegular);
  EXPECT_EQ(some.y.elements[0].tier, Tier::kRegular);
  EXPECT_EQ(some.y.elements[1].tier, Tier::kSubnormal);
  EXPECT_EQ(some.y.elements[2].tier, Tier::kSubnormal);
  EXPECT_EQ(some.y.elements[3].tier, Tier::kRegular);
  // The quotient of min is subnormal.
  const Quantized zero_point = Quantize({255 * 128.0F, -0x1p-120F});
  EXPECT_EQ(zero_point.scale.tier, Tier::kRegular);
  EXPECT_EQ(zero_point.zero_point.tier, Tier::kSubnormal);
  EXPECT_EQ(zero_point.y.elements[0].tier, Tier::kRegular);
  // An end of the range that is subnormal belongs to everything.
  const Quantized end = Quantize({0x1p-118F, -0x1p-127F});
  EXPECT_EQ(end.scale.tier, Tier::kSubnormal);
  EXPECT_EQ(end.zero_point.tier, Tier::kSubnormal);
  EXPECT_EQ(end.y.elements[0].tier, Tier::kSubnormal);
}

TEST(DynamicQuantizeLinear, Shapes) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{2, 1, 3}, Shape{0, 7}}) {
    EXPECT_EQ(QuantizeTensor(Tensor::Zeros(DataType::kFloat, shape)).y.shape, shape);
  }
  EXPECT_EQ(QuantizeTensor(TensorOf(DataType::kFloat, {}, {3})).codes(), Codes{255});
}

}  // namespace
}  // namespace qconform::dynamic_quantize_linear
