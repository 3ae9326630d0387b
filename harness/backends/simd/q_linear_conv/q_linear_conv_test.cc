// QLinearConv of every target against exact rationals.
#include "harness/backends/simd/q_linear_conv/q_linear_conv.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "harness/backends/simd/convolution/testing/questions.h"
#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {
namespace {

using enum DataType;

struct Question {
  ConvolutionQuestion sums;
  float x_scale = 1, y_scale = 1;
  std::vector<float> w_scale;
  DataType y_type = kUint8;
  uint8_t y_zero_point = 0;
  std::vector<int32_t> bias;  // none, or one for each channel

  int64_t channels() const { return sums.w.shape[0]; }

  uint8_t CodeOf(int32_t sum, int64_t channel) const {
    const mpq_class v =
        mpq_class(sum) * mpq_class(x_scale) *
        mpq_class(w_scale[w_scale.size() == 1 ? 0 : static_cast<size_t>(channel)]) /
        mpq_class(y_scale);
    mpz_class rounded;
    const mpq_class up = v + mpq_class(1, 2);
    mpz_fdiv_q(rounded.get_mpz_t(), up.get_num_mpz_t(), up.get_den_mpz_t());
    const bool is_tie = up.get_den() == 1;
    if (is_tie && mpz_odd_p(rounded.get_mpz_t()) != 0) rounded -= 1;
    const bool is_signed = y_type == kInt8;
    const int zero_point =
        is_signed ? static_cast<int8_t>(y_zero_point) : int{y_zero_point};
    rounded += zero_point;
    const mpz_class low = is_signed ? -128 : 0;
    const mpz_class high = is_signed ? 127 : 255;
    const mpz_class code = std::clamp(rounded, low, high);
    return static_cast<uint8_t>(code.get_si());
  }

  std::vector<uint8_t> Expected() const {
    std::vector<uint8_t> codes;
    const std::vector<int32_t> all = SumsOf(sums);
    const Shape shape = ShapeOfY(sums);
    int64_t pixels = 1;
    for (size_t i = 2; i < shape.size(); ++i) pixels *= shape[i];
    for (size_t i = 0; i < all.size(); ++i) {
      const int64_t channel = static_cast<int64_t>(i) / pixels % channels();
      auto sum = static_cast<uint32_t>(all[i]);
      if (!bias.empty()) sum += static_cast<uint32_t>(bias[static_cast<size_t>(channel)]);
      codes.push_back(CodeOf(static_cast<int32_t>(sum), channel));
    }
    return codes;
  }
};

Tensor FloatTensor(Shape shape, const std::vector<float>& values) {
  Tensor tensor = Tensor::Zeros(kFloat, std::move(shape));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

void ExpectRight(Question question) {
  ConvolutionQuestion& q = question.sums;
  const int64_t channels = question.channels();
  if (q.x_zero_point.type == kUndefined) q.x_zero_point = Tensor::Zeros(q.x.type, {});
  const Shape of_w = question.w_scale.size() == 1 ? Shape{} : Shape{channels};
  if (q.w_zero_point.type == kUndefined ||
      static_cast<int64_t>(q.w_zero_point.data.size()) != *ElementCount(of_w)) {
    q.w_zero_point = Tensor::Zeros(q.w.type, of_w);
  }
  const Tensor x_scale = FloatTensor(q.x_zero_point.shape, {question.x_scale});
  const Tensor w_scale = FloatTensor(q.w_zero_point.shape, question.w_scale);
  const Tensor y_scale = FloatTensor({}, {question.y_scale});
  Tensor y_zero_point = Tensor::Zeros(question.y_type, {});
  y_zero_point.data[0] = static_cast<std::byte>(question.y_zero_point);
  Tensor bias = Tensor::Zeros(kInt32, {channels});
  if (!question.bias.empty()) {
    std::memcpy(bias.data.data(), question.bias.data(), bias.data.size());
  }
  QLinearConvArgs args = {q.x.view(),     x_scale.view(),      q.x_zero_point.view(),
                          q.w.view(),     w_scale.view(),      q.w_zero_point.view(),
                          y_scale.view(), y_zero_point.view(), {}};
  if (!question.bias.empty()) args.bias = bias.view();
  const auto resolved = ResolveQLinearConv(q.attributes, args);
  ASSERT_TRUE(std::holds_alternative<ConvolutionGeometry>(resolved))
      << q.Name() << ": " << std::get<Refusal>(resolved).reason;
  const auto& geometry = std::get<ConvolutionGeometry>(resolved);
  const std::vector<uint8_t> expected = question.Expected();
  for (const Target& target : SupportedTargets()) {
    for (const bool dot_product : {false, true}) {
      for (const int threads : {1, 2}) {
        const ProductOptions options = {
            .target = target.bit, .threads = threads, .dot_product = dot_product};
        const auto packed = PackedWeights::Pack(q.w.view(), options);
        ASSERT_TRUE(packed) << packed.error().message;
        for (const PackedWeights* w :
             {static_cast<const PackedWeights*>(nullptr), &*packed}) {
          Tensor y = Tensor::Zeros(question.y_type, geometry.YShape());
          const Status done = QLinearConv(geometry, args, w, y.mutable_view(), options);
          ASSERT_TRUE(done) << done.error().message;
          ASSERT_EQ(y.data.size(), expected.size());
          ASSERT_TRUE(expected.empty() ||
                      std::memcmp(y.data.data(), expected.data(), expected.size()) == 0)
              << target.name << " " << dot_product << " " << q.Name();
        }
      }
    }
  }
}

TEST(QLinearConv, EveryTarget_RoundsTheExactQuotientOnce) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    Question question;
    question.sums = RandomConvolution(random);
    const int64_t depth =
        static_cast<int64_t>(question.sums.w.data.size()) / question.channels();
    // Most of y is within its range; powers of two make ties.
    const bool ties = random.Below(3) == 0;
    const auto scale = [&] {
      if (ties) return std::ldexp(1.0F, static_cast<int>(random.Below(5)) - 4);
      return 0.01F * (1 + static_cast<float>(random.Below(1 << 20)) * 0x1p-20F);
    };
    question.x_scale = scale();
    question.w_scale = {scale()};
    if (random.Below(2) == 0) {
      question.w_scale.resize(static_cast<size_t>(question.channels()));
      for (float& each : question.w_scale) each = scale();
    }
    question.y_scale = ties ? (random.Below(2) == 0 ? 3 : 1) *
                                  std::ldexp(1.0F, static_cast<int>(random.Below(6)) + 2)
                            : scale() * std::sqrt(static_cast<float>(depth)) * 0.6F;
    question.y_type = random.Below(2) == 0 ? kUint8 : kInt8;
    question.y_zero_point = static_cast<uint8_t>(random.Next());
    if (random.Below(2) == 0) {
      for (int64_t c = 0; c < question.channels(); ++c) {
        question.bias.push_back(random.Below(8) == 0
                                    ? (random.Below(2) == 0 ? INT32_MIN : INT32_MAX)
                                    : static_cast<int32_t>(random.Below(20001) - 10000));
      }
    }
    ExpectRight(question);
  }
}

TEST(ResolveQLinearConv, InvalidOperands_AreRefused) {
  const Shape x = {1, 4, 5, 5}, w = {6, 2, 3, 3}, none = {}, six = {6}, five = {5};
  const QLinearConvArgs good = {
      {kUint8, x, {}},    {kFloat, none, {}}, {kUint8, none, {}},
      {kInt8, w, {}},     {kFloat, six, {}},  {kInt8, six, {}},
      {kFloat, none, {}}, {kInt8, none, {}},  {kInt32, six, {}}};
  const auto reason = [](const QLinearConvArgs& args) -> std::string {
    const auto resolved = ResolveQLinearConv({.group = 2}, args);
    const auto* refusal = std::get_if<Refusal>(&resolved);
    if (refusal == nullptr) return "";
    EXPECT_EQ(refusal->clause, "QC-09");
    EXPECT_EQ(refusal->kind, Refusal::Kind::kInvalid);
    return refusal->reason;
  };
  EXPECT_EQ(reason(good), "");
  QLinearConvArgs args = good;
  args.bias = {};
  EXPECT_EQ(reason(args), "");
  args.bias = {kInt32, five, {}};
  EXPECT_TRUE(reason(args).starts_with("B: expected INT32 of shape [6]"));
  args = good;
  args.x_zero_point.type = kInt8;
  EXPECT_TRUE(reason(args).starts_with("x_zero_point: expected"));
  args = good;
  args.w_scale.shape = none;
  EXPECT_TRUE(reason(args).starts_with("w_zero_point: expected the shape of w_scale"));
  args = good;
  args.w_scale.shape = five;
  EXPECT_TRUE(reason(args).starts_with("w_scale: expected one element or a vector of 6"));
  args = good;
  args.y_scale.type = kUndefined;
  EXPECT_TRUE(reason(args).starts_with("y_scale: expected FLOAT, got"));
  args = good;
  args.y_zero_point.type = kInt32;
  EXPECT_TRUE(reason(args).starts_with("y_zero_point: expected UINT8 or INT8"));
}

}  // namespace
}  // namespace qconform::simd
