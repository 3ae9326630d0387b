// DynamicQuantizeLinear of every target against plain loops.
#include "harness/backends/simd/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/testing/random.h"

namespace qconform::simd {
namespace {

using enum DataType;

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Outputs {
  std::vector<uint8_t> y;
  float scale = 0;
  uint8_t zero_point = 0;
};

// The definition, with a true division. No NaN may come of it.
Outputs Expected(const std::vector<float>& x) {
  Outputs out;
  float least = 0, most = 0;
  for (const float v : x) {
    least = std::min(least, v);
    most = std::max(most, v);
  }
  out.y.resize(x.size());
  if (least == most) return out;
  const float width = most - least;
  out.scale = width / 255.0F;
  const float zero_point = 0.0F - least / out.scale;
  out.zero_point =
      static_cast<uint8_t>(std::nearbyint(std::clamp(zero_point, 0.0F, 255.0F)));
  for (size_t i = 0; i < x.size(); ++i) {
    const float q = std::nearbyint(std::clamp(x[i] / out.scale, -1000.0F, 1000.0F));
    out.y[i] = static_cast<uint8_t>(
        std::clamp(static_cast<int>(q) + int{out.zero_point}, 0, 255));
  }
  return out;
}

Outputs OutputsOf(const std::vector<float>& x,
                  const DynamicQuantizeLinearOptions& options) {
  const Shape shape = {static_cast<int64_t>(x.size())};
  Tensor scale = Tensor::Zeros(kFloat, {});
  Tensor zero_point = Tensor::Zeros(kUint8, {});
  Tensor y = Tensor::Zeros(kUint8, shape);
  const Status done = DynamicQuantizeLinear(
      {kFloat, shape, std::as_bytes(std::span(x))},
      {y.mutable_view(), scale.mutable_view(), zero_point.mutable_view()}, options);
  EXPECT_TRUE(done) << done.error().message;
  Outputs out;
  std::memcpy(&out.scale, scale.data.data(), sizeof out.scale);
  out.zero_point = std::to_integer<uint8_t>(zero_point.data[0]);
  for (const std::byte byte : y.data) out.y.push_back(std::to_integer<uint8_t>(byte));
  return out;
}

void ExpectSame(const std::vector<float>& x, const Outputs& expected) {
  for (const Target& target : SupportedTargets()) {
    for (const int threads : {1, 3}) {
      const Outputs out = OutputsOf(x, {.target = target.bit, .threads = threads});
      ASSERT_EQ(std::bit_cast<uint32_t>(out.scale),
                std::bit_cast<uint32_t>(expected.scale))
          << target.name;
      ASSERT_EQ(out.zero_point, expected.zero_point) << target.name;
      ASSERT_EQ(out.y, expected.y) << target.name << " " << x.size();
    }
  }
}

TEST(DynamicQuantizeLinear, AnySize_GivesTheDefinition) {
  Random random(1);
  for (const size_t n : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 127u, 1000u, 70001u}) {
    for (const float offset : {-2.0F, -0.5F, 0.0F, 1.0F}) {
      std::vector<float> x(n);
      for (float& v : x) {
        v = static_cast<float>(random.Below(1 << 24)) * 0x1p-23F + offset;
      }
      ExpectSame(x, Expected(x));
    }
  }
}

// Both neighbours of each boundary between codes.
TEST(DynamicQuantizeLinear, QuotientsNextToBoundaries_AreRoundedAsDivisionDoes) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const auto exponent = static_cast<int>(random.Below(180)) - 110;
    const float width =
        std::ldexp(1.0F + static_cast<float>(random.Below(1 << 23)) * 0x1p-23F, exponent);
    const float least = i % 3 == 0 ? 0.0F
                        : i % 3 == 1
                            ? -width
                            : -width * static_cast<float>(random.Below(100)) / 99;
    const float most = width + least;
    const float scale = (most - least) / 255.0F;
    std::vector<float> x = {least, most, 0.0F};
    for (int k = -255; k <= 255; ++k) {
      const float boundary = (static_cast<float>(k) + 0.5F) * scale;
      for (const float v :
           {std::nextafter(boundary, -kInf), boundary, std::nextafter(boundary, kInf)}) {
        if (v >= least && v <= most) x.push_back(v);
      }
    }
    ExpectSame(x, Expected(x));
  }
}

TEST(DynamicQuantizeLinear, LargeTensors_AreWrittenPastTheCaches) {
  std::vector<float> x((size_t{4} << 20) + 77);
  Random random(3);
  for (float& v : x) v = static_cast<float>(random.Below(20001) - 7000);
  ExpectSame(x, Expected(x));
}

TEST(DynamicQuantizeLinear, ZerosOnly_GiveZeros) {
  for (const std::vector<float>& x :
       {std::vector<float>{}, {0.0F}, {-0.0F, 0.0F}, {-0.0F}}) {
    ExpectSame(x, {std::vector<uint8_t>(x.size()), 0, 0});
  }
}

TEST(DynamicQuantizeLinear, OneElement_HasARangeWithZero) {
  ExpectSame({3}, {{255}, 0.011764706F, 0});
  ExpectSame({-3}, {{0}, 0.011764706F, 255});
}

TEST(DynamicQuantizeLinear, ZeroPointBetweenTwoIntegers_IsTheEvenOne) {
  ExpectSame({-253, 257}, {{0, 254}, 2, 126});
  ExpectSame({-255, 255}, {{0, 255}, 2, 128});
}

TEST(DynamicQuantizeLinear, SubnormalRange_IsNotFlushed) {
  for (const float unit : {0x1p-149F, 0x1p-140F, 0x1p-126F, 0x1p-101F}) {
    std::vector<float> x;
    for (int i = -700; i < 1000; ++i) x.push_back(static_cast<float>(i) * unit);
    ExpectSame(x, Expected(x));
  }
}

TEST(DynamicQuantizeLinear, ScaleThatUnderflowsToZero_GivesTheEndsOfTheRange) {
  const float tiny = 0x1p-149F;
  for (const Target& target : SupportedTargets()) {
    const Outputs out = OutputsOf({-tiny, tiny, 0}, {.target = target.bit});
    EXPECT_EQ(std::bit_cast<uint32_t>(out.scale), 0u);
    EXPECT_EQ(out.zero_point, 255);
    EXPECT_EQ(out.y[0], 0);
    EXPECT_EQ(out.y[1], 255);
    EXPECT_EQ(OutputsOf({tiny}, {.target = target.bit}).y[0], 255);
  }
}

TEST(DynamicQuantizeLinear, InfiniteScale_MakesFiniteElementsTheZeroPoint) {
  for (const Target& target : SupportedTargets()) {
    const DynamicQuantizeLinearOptions options = {.target = target.bit};
    Outputs out = OutputsOf({-3e38F, 3e38F, 1, 0}, options);
    EXPECT_EQ(out.scale, kInf);
    EXPECT_EQ(out.zero_point, 0);
    EXPECT_EQ(out.y, std::vector<uint8_t>(4));
    out = OutputsOf({-5, kInf, 5}, options);
    EXPECT_EQ(out.scale, kInf);
    EXPECT_EQ(out.zero_point, 0);
    EXPECT_EQ(out.y[0], 0);
    EXPECT_EQ(out.y[2], 0);
    out = OutputsOf({-kInf, 5, -7}, options);
    EXPECT_EQ(out.scale, kInf);
    EXPECT_EQ(out.y[1], out.zero_point);
    EXPECT_EQ(out.y[2], out.zero_point);
  }
}

TEST(DynamicQuantizeLinear, Scalar_IsLegal) {
  const Tensor x = Tensor::Zeros(kFloat, {});
  Tensor y = Tensor::Zeros(kUint8, {});
  Tensor scale = Tensor::Zeros(kFloat, {});
  Tensor zero_point = Tensor::Zeros(kUint8, {});
  EXPECT_TRUE(DynamicQuantizeLinear(
      x.view(), {y.mutable_view(), scale.mutable_view(), zero_point.mutable_view()}));
}

TEST(DynamicQuantizeLinear, WrongTensors_AreErrors) {
  const Tensor x = Tensor::Zeros(kFloat, {4});
  Tensor y = Tensor::Zeros(kUint8, {4});
  Tensor scale = Tensor::Zeros(kFloat, {});
  Tensor zero_point = Tensor::Zeros(kUint8, {});
  Tensor vector = Tensor::Zeros(kFloat, {1});
  Tensor signed_y = Tensor::Zeros(kInt8, {4});
  const auto message = [&](Tensor& to, Tensor& to_scale) {
    const Status done = DynamicQuantizeLinear(
        x.view(),
        {to.mutable_view(), to_scale.mutable_view(), zero_point.mutable_view()});
    return done ? "" : done.error().message;
  };
  EXPECT_EQ(message(y, scale), "");
  EXPECT_EQ(message(signed_y, scale),
            "y: expected UINT8 of shape [4], got INT8 of shape [4]");
  EXPECT_TRUE(message(y, vector).starts_with("y_scale: expected FLOAT"));
}

}  // namespace
}  // namespace qconform::simd
