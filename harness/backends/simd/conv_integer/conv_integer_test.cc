// ConvInteger of every target against plain loops.
#include "harness/backends/simd/conv_integer/conv_integer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "harness/backends/simd/convolution/testing/questions.h"
#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {
namespace {

using enum DataType;

ConvIntegerArgs ArgsOf(const ConvolutionQuestion& q) {
  ConvIntegerArgs args;
  args.x = q.x.view();
  args.w = q.w.view();
  if (q.x_zero_point.type != kUndefined) args.x_zero_point = q.x_zero_point.view();
  if (q.w_zero_point.type != kUndefined) args.w_zero_point = q.w_zero_point.view();
  return args;
}

void ExpectRight(const ConvolutionQuestion& q) {
  const ConvIntegerArgs args = ArgsOf(q);
  const auto resolved = ResolveConvInteger(q.attributes, args);
  ASSERT_TRUE(std::holds_alternative<ConvolutionGeometry>(resolved))
      << q.Name() << ": " << std::get<Refusal>(resolved).reason;
  const auto& geometry = std::get<ConvolutionGeometry>(resolved);
  ASSERT_EQ(geometry.YShape(), ShapeOfY(q)) << q.Name();
  const std::vector<int32_t> expected = SumsOf(q);
  for (const Target& target : SupportedTargets()) {
    for (const bool dot_product : {false, true}) {
      for (const int threads : {1, 2}) {
        const ProductOptions options = {
            .target = target.bit, .threads = threads, .dot_product = dot_product};
        const auto packed = PackedWeights::Pack(q.w.view(), options);
        ASSERT_TRUE(packed) << packed.error().message;
        for (const PackedWeights* w :
             {static_cast<const PackedWeights*>(nullptr), &*packed}) {
          Tensor y = Tensor::Zeros(kInt32, geometry.YShape());
          const Status done = ConvInteger(geometry, args, w, y.mutable_view(), options);
          ASSERT_TRUE(done) << done.error().message;
          ASSERT_EQ(y.data.size(), expected.size() * sizeof(int32_t)) << q.Name();
          ASSERT_TRUE(expected.empty() ||
                      std::memcmp(y.data.data(), expected.data(), y.data.size()) == 0)
              << target.name << " " << dot_product << " " << q.Name();
        }
      }
    }
  }
}

TEST(ConvInteger, EveryTarget_GivesTheExactSums) {
  Random random(1);
  for (int i = 0; i < 600; ++i) ExpectRight(RandomConvolution(random));
}

TEST(ConvInteger, DeepSums_AreTakenInPieces) {
  Random random(2);
  ConvolutionQuestion q = RandomConvolution(random);
  q.x = Tensor::Zeros(kUint8, {1, 600, 5, 6});
  q.w = Tensor::Zeros(kInt8, {9, 600, 3, 3});
  for (Tensor* of : {&q.x, &q.w}) {
    for (std::byte& byte : of->data) byte = static_cast<std::byte>(random.Next());
  }
  q.x_zero_point = {};
  q.w_zero_point = {};
  q.attributes = {};
  q.attributes.auto_pad = "SAME_UPPER";
  ExpectRight(q);
}

struct Forms {
  DataType x_type = kUint8, w_type = kInt8, x_zero_type = kUndefined,
           w_zero_type = kUndefined;
  Shape x = {1, 4, 5, 5}, w = {6, 2, 3, 3}, x_zero = {}, w_zero = {};
  ConvolutionAttributes attributes = {.group = 2};

  std::variant<ConvolutionGeometry, Refusal> Resolve() const {
    return ResolveConvInteger(attributes, {{x_type, x, {}},
                                           {w_type, w, {}},
                                           {x_zero_type, x_zero, {}},
                                           {w_zero_type, w_zero, {}}});
  }
};

void ExpectRefused(const Forms& forms, const char* clause, const char* reason) {
  const auto resolved = forms.Resolve();
  ASSERT_TRUE(std::holds_alternative<Refusal>(resolved)) << reason;
  const auto& refusal = std::get<Refusal>(resolved);
  EXPECT_EQ(refusal.kind, Refusal::Kind::kInvalid);
  EXPECT_EQ(refusal.clause, clause);
  EXPECT_NE(refusal.reason.find(reason), std::string::npos) << refusal.reason;
}

TEST(ResolveConvInteger, InvalidNodes_AreRefused) {
  using Numbers = std::vector<int64_t>;
  EXPECT_TRUE(std::holds_alternative<ConvolutionGeometry>(Forms{}.Resolve()));
  ExpectRefused({.x_type = kFloat}, "CI-06", "x: expected UINT8 or INT8");
  ExpectRefused({.w_type = kUndefined}, "CI-06", "w: expected");
  ExpectRefused({.x_zero_type = kInt8}, "CI-06", "x_zero_point: expected");
  ExpectRefused({.x_zero_type = kUint8, .x_zero = {4}}, "CI-03", "one element, got");
  ExpectRefused({.w_zero_type = kInt8, .w_zero = {3}}, "CI-03", "or a vector of 6");
  ExpectRefused({.x = {4, 5}, .w = {6, 2}}, "CI-06", "rank 3 or more");
  ExpectRefused({.w = {6, 2, 3}}, "CI-06", "one rank");
  ExpectRefused({.w = {6, 2, 0, 3}}, "CI-06", "at least 1 element");
  ExpectRefused({.w = {5, 2, 3, 3}}, "CI-06", "multiple of group");
  ExpectRefused({.w = {6, 3, 3, 3}}, "CI-06", "second dimension");
  ExpectRefused({.attributes = {.group = 0}}, "CI-06", "group: expected");
  ExpectRefused({.attributes = {.group = 2, .strides = Numbers{1, 0}}}, "CI-06",
                "strides: expected 2 numbers from 1 on");
  ExpectRefused({.attributes = {.group = 2, .dilations = Numbers{1}}}, "CI-06",
                "dilations: expected 2 numbers");
  ExpectRefused({.attributes = {.group = 2, .pads = Numbers{0, 0, 0, -1}}}, "CI-06",
                "pads: expected 4 numbers from 0 on");
  ExpectRefused({.attributes = {.group = 2, .kernel_shape = Numbers{3, 2}}}, "CI-06",
                "kernel_shape: expected that of w");
  ExpectRefused({.attributes = {.auto_pad = "SAME", .group = 2}}, "CI-06", "auto_pad");
  ExpectRefused(
      {.attributes = {.auto_pad = "VALID", .group = 2, .pads = Numbers{1, 0, 0, 0}}},
      "CI-06", "beside auto_pad");
}

TEST(ResolveConvInteger, AutoPad_PutsTheOddOneAtTheEndOrAtTheBeginning) {
  Forms forms = {.x = {1, 4, 5, 6}, .w = {6, 2, 2, 3}};
  forms.attributes.auto_pad = "SAME_UPPER";
  forms.attributes.dilations = {3, 1};
  const auto upper = std::get<ConvolutionGeometry>(forms.Resolve());
  EXPECT_EQ(upper.pads, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(upper.out, (std::vector<int64_t>{5, 6}));
  forms.attributes.auto_pad = "SAME_LOWER";
  const auto lower = std::get<ConvolutionGeometry>(forms.Resolve());
  EXPECT_EQ(lower.pads, (std::vector<int64_t>{2, 1}));
}

}  // namespace
}  // namespace qconform::simd
