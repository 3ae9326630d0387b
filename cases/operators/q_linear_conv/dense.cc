// Scales and B for sums that other generators choose, degenerate scales, and what B does.
#include <algorithm>
#include <bit>
#include <limits>

#include "cases/convolution/generators.h"
#include "cases/convolution/values.h"
#include "cases/operators/q_linear_conv/generators.h"

namespace qconform::generators {
namespace {

using Family = ScaleFamily;

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt32Min = std::numeric_limits<int32_t>::min();

int64_t LargestSum(const ConvolutionQuestion& question) {
  int64_t largest = 1;
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const int64_t sum = question.Sum(n, m, p);
    largest = std::max(largest, sum < 0 ? -sum : sum);
  });
  return largest;
}

}  // namespace

void FinishQLinearConv(QLinearConvQuestion& question, std::string_view generator) {
  // Products of 1 and 2, and results that are not rounded: every product that is left
  // out, taken twice or taken from elsewhere shows.
  const bool is_small = generator == "long_sums";
  const bool becomes_small =
      question.index % 2 == 1 &&
      (generator == "windows" || generator == "padding" || generator == "groups" ||
       generator == "equal_sizes" || generator == "channels" || generator == "sizes" ||
       generator == "random");
  // The pairs of auto_pad's list are SAME_UPPER and SAME_LOWER of the same sizes.
  const bool by_pairs = generator == "auto_pad" && question.index / 2 % 2 == 1;
  if (is_small || becomes_small || by_pairs) {
    if (!is_small) FillSmallProducts(question);
    question.SetBias(is_small ? 9 : 40);
    question.SetWholeScales();
    return;
  }
  question.SetBias(std::min(LargestSum(question), kInt32Max) / 2);
  question.FitScales(Family::kFull, question.index % 6 == 4);
}

void FillQLinearConvBias(QLinearConvQuestion& question) {
  CounterRng& rng = question.rng;
  static const ConvolutionSizes kSizes[kQLinearConvBiases] = {
      {1, 1, 3, 6, {4, 5}, {2, 3}},
      {2, 2, 2, 4, {7}, {3}},
      {1, 1, 2, 9, {5, 4}, {3, 3}, {}, {}, {1, 1, 1, 1}},
      {1, 5, 1, 1, {4, 6}, {3, 2}},
      {1, 1, 4, 7, {3, 5}, {1, 1}},
      {1, 1, 2, 5, {3, 3, 3}, {2, 1, 2}}};
  question.SetSizes(kSizes[question.index % kQLinearConvBiases]);
  question.SetZeroPoints(static_cast<uint32_t>(question.index) + 2);
  question.FillAny();
  const int64_t largest = LargestSum(question);
  question.bias.assign(static_cast<size_t>(question.geometry.m()), 0);
  const auto last = static_cast<int64_t>(question.bias.size()) - 1;
  const auto set = [&](int64_t m, int64_t value) {
    question.bias[static_cast<size_t>(m)] =
        static_cast<int32_t>(std::clamp(value, kInt32Min, kInt32Max));
  };
  int64_t largest_total = kInt32Max;
  for (int64_t m = 0; m <= last; ++m) {
    switch (question.index % kQLinearConvBiases) {
      case 0:  // the ends of INT32, as far as sums leave room, and both of them
      case 1:
        set(m, m % 2 == 0 ? kInt32Max - largest - rng.Between(0, 1)
                          : kInt32Min + largest + rng.Between(0, 1));
        break;
      case 2:  // odd and beyond 2^24, which FLOAT does not hold
        set(m, (rng.OneIn(2) ? 1 : -1) *
                   ((int64_t{1} << (25 + m % 5)) + 1 + 2 * rng.Between(0, 1'000'000)));
        break;
      case 3:  // what cancels one of the sums
        set(m,
            -question.Sum(
                0, m, rng.Below(static_cast<uint32_t>(question.geometry.positions()))));
        break;
      case 4:  // the ends of INT32 themselves, against sums of the other sign: below
        break;
      default:  // much larger than sums
        set(m, rng.Between(-64, 64) * largest);
    }
  }
  switch (question.index % kQLinearConvBiases) {
    case 3:
      largest_total = largest;
      break;
    case 4:
      // Products of one sign: x is at least its zero point, and w at least or at most.
      question.x_zero_point = question.EndOf(question.x_type, false);
      for (size_t i = 0; i < question.w_zero_points.size(); ++i) {
        question.w_zero_points[i] =
            question.EndOf(question.w_type, (i + question.rng.Below(2)) % 2 == 0);
      }
      for (int64_t m = 0; m <= last; ++m) {
        set(m, question.WZero(m) > 0 ? kInt32Max : kInt32Min);
      }
      break;
    case 5:
      largest_total = 65 * largest;
      break;
    default:
      break;
  }
  const int exponent =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(largest_total))) - 1;
  question.SetScales(Family::kFull, Family::kFull, Family::kFull, exponent, 6);
  question.SetYZeroPoint(question.y.is_signed ? rng.Between(-9, 9)
                                              : rng.Between(119, 137));
}

namespace {

enum class Degenerate : uint8_t {
  kZero,
  kNegative,
  kInfinite,
  kSubnormal,
  kNan,
  kNegativeZero
};
constexpr int kDegenerateKinds = 6;

uint64_t DegenerateCode(QLinearConvQuestion& question, Degenerate kind,
                        uint64_t ordinary) {
  const NumberFormat& scale = question.scale;
  switch (kind) {
    case Degenerate::kZero:
      return 0;
    case Degenerate::kNegative:
      return Negated(scale, ordinary);
    case Degenerate::kInfinite:
      return Infinity(scale, question.rng.OneIn(2));
    case Degenerate::kSubnormal:
      return SmallestNormal(scale) - 1 - question.rng.Below(9);
    case Degenerate::kNan:
      return CanonicalNan(scale);
    case Degenerate::kNegativeZero:
      return Negated(scale, 0);
  }
  return ordinary;
}

}  // namespace

void FillQLinearConvDegenerate(QLinearConvQuestion& question) {
  static const ConvolutionSizes kSizes[] = {
      {1, 1, 3, 13, {3, 4}, {2, 3}},
      {1, 2, 2, 6, {9}, {3}, {2}},
      {2, 7, 1, 2, {3, 4}, {2, 2}, {}, {}, {1, 0, 0, 1}}};
  CounterRng& rng = question.rng;
  question.SetSizes(kSizes[question.index % 3]);
  question.SetZeroPoints(static_cast<uint32_t>(question.index));
  question.FillAny();
  question.SetBias(LargestSum(question) / 2);
  question.FitScales(Family::kFull, false);
  // Room for either sign.
  question.SetYZeroPoint(question.y.is_signed ? 3 : 121);

  const auto kind = static_cast<Degenerate>(question.index / 3 % kDegenerateKinds);
  const NumberFormat& scale = question.scale;
  const int x = FloorLog2(scale, question.x_scale);
  const int w = FloorLog2(scale, question.w_scales[0]);
  const int y = FloorLog2(scale, question.y_scale);
  const auto ordinary = [&](int exponent) {
    return ScaleCode(scale, Family::kFull, exponent, rng);
  };
  const auto set_w = [&](int exponent) {
    for (uint64_t& code : question.w_scales) code = ordinary(exponent);
  };
  // Results would be in range if the degenerate scale were 1, so that an implementation
  // that takes it for 1 does not saturate; subnormal ones are divided by such.
  const bool is_subnormal = kind == Degenerate::kSubnormal;
  const bool keeps = kind == Degenerate::kNegative;
  const uint64_t small_y = SmallestNormal(scale) - 1 - rng.Below(1 << 18);
  const int small = FloorLog2(scale, small_y);
  switch (question.index % 3) {
    case 0:
      if (is_subnormal) {
        question.y_scale = small_y;
        set_w(x + w - y);
      } else if (!keeps) {
        set_w(x + w);
      }
      question.x_scale = DegenerateCode(question, kind, question.x_scale);
      break;
    case 1: {
      if (is_subnormal) {
        question.y_scale = small_y;
        question.x_scale = ordinary(x + w - y);
      } else if (!keeps) {
        question.x_scale = ordinary(x + w);
      }
      // Of a vector every other one, whatever kind it is.
      auto turn = static_cast<int>(kind);
      for (size_t m = 0; m < question.w_scales.size(); m += 2) {
        const auto each = static_cast<Degenerate>(turn++ % kDegenerateKinds);
        question.w_scales[m] = DegenerateCode(question, each, question.w_scales[m]);
      }
      break;
    }
    default:
      if (is_subnormal) {
        // The product of the other two is as small.
        question.x_scale = ordinary(small / 2);
        set_w(x + w - y + small - small / 2);
        question.y_scale = small_y;
        break;
      }
      if (!keeps) {
        question.x_scale = ordinary((x + w - y) / 2);
        set_w(x + w - y - (x + w - y) / 2);
      }
      question.y_scale = DegenerateCode(question, kind, question.y_scale);
      break;
  }
}

void FillQLinearConvOverflow(QLinearConvQuestion& question) {
  const bool is_negative = question.index % 2 == 1;
  FillConvolutionOverflow(question, is_negative);
  // Of the sums one is the end of INT32 itself.
  question.SetBias(0);
  if (question.bias_form == BiasForm::kPresent) {
    question.bias[0] = question.index / 2 % 2 == 0 ? 1 : -1;
  }
  question.SetScales(Family::kFull, Family::kFull, Family::kFull, 31, 7);
  question.SetYZeroPoint(is_negative ? 127 : 0);
}

}  // namespace qconform::generators
