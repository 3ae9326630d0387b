// Sums at and next to the points where the result of requantization changes, and where
// two ways to requantize differ.
#include <algorithm>
#include <array>

#include "cases/convolution/values.h"
#include "cases/operators/q_linear_conv/generators.h"
#include "cases/requantization/nearest_ties.h"

namespace qconform::generators {
namespace {

using Family = ScaleFamily;

DirectedWindows Directed(QLinearConvQuestion& question, int turn) {
  int64_t segment = 0;
  ConvolutionSizes sizes = DirectedConvolution(turn, segment);
  return DirectedWindows(question, std::move(sizes), segment,
                         static_cast<uint32_t>(question.index));
}

// A bias of about half of what sums reach, and a zero point at the other end of y's range
// for sums of one sign.
void SetBiasAndZeroPoint(QLinearConvQuestion& question, const DirectedWindows& windows) {
  question.SetBias(int64_t{1} << std::max(windows.sum_exponent() - 2, 0));
  if (!windows.can_be_negative()) {
    question.SetYZeroPoint(-128);
  } else if (!windows.can_be_positive()) {
    question.SetYZeroPoint(255);
  } else {
    question.y_zero_point = question.AnyCode();
  }
}

void ChooseTotal(const QLinearConvQuestion& question, DirectedWindows& windows, int64_t n,
                 int64_t m, int64_t p, Int128 wanted) {
  constexpr Int128 kFar = Int128{1} << 40;
  const auto total = static_cast<int64_t>(std::clamp(wanted, -kFar, kFar));
  windows.Choose(n, m, p, total - question.bias[static_cast<size_t>(m)]);
}

}  // namespace

void FillQLinearConvBoundaries(QLinearConvQuestion& question) {
  constexpr std::array<std::array<Family, 3>, 4> kFamilies{
      {{Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kFewBits},
       {Family::kFull, Family::kFull, Family::kFull},
       {Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo},
       {Family::kFewBits, Family::kFewBits, Family::kPowerOfTwo}}};
  DirectedWindows windows = Directed(question, question.index);
  SetBiasAndZeroPoint(question, windows);
  const auto& [x, w, y] =
      kFamilies[static_cast<size_t>(question.index) % kFamilies.size()];
  question.SetScales(x, w, y, windows.sum_exponent(), 8);
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const Int128 wanted =
        SumFor(question.requantization(), question.ScalesOf(m), question.AnyBoundary());
    ChooseTotal(question, windows, n, m, p, wanted + question.rng.Between(-1, 1));
  });
}

void FillQLinearConvTies(QLinearConvQuestion& question) {
  DirectedWindows windows = Directed(question, question.index + 3);
  SetBiasAndZeroPoint(question, windows);
  // Odd: added before a tie is rounded it changes which code is even. Ties lie on both
  // sides of 0, of v and of what is rounded.
  const int64_t zero_point = !windows.can_be_negative()   ? IntegerMin(question.y) + 1
                             : !windows.can_be_positive() ? IntegerMax(question.y)
                             : question.y.is_signed ? 2 * question.rng.Between(-9, 9) + 1
                                                    : 101;
  question.SetYZeroPoint(zero_point);
  question.SetScales(Family::kPowerOfTwo, Family::kPowerOfTwo, Family::kPowerOfTwo,
                     windows.sum_exponent(), 8);
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    ChooseTotal(
        question, windows, n, m, p,
        SumFor(question.requantization(), question.ScalesOf(m), question.AnyBoundary()));
  });
}

namespace {

// `turn` chooses the tie.
void FillNearestTies(QLinearConvQuestion& question, int turn) {
  constexpr int kScale = -30;  // x_scale and w_scale lie in [2^-7, 2^-6)
  int64_t segment = 0;
  question.SetSizes(DirectedConvolution(question.index, segment));
  question.SetZeroPoints(static_cast<uint32_t>(question.index));
  // Sums can have either sign.
  question.x_zero_point =
      NearestCode(question.x_type, question.x_type == DataType::kInt8 ? -3 : 100);
  DirectedWindows windows(question, segment);
  question.SetBias(1000);
  question.SetYZeroPoint(-128);
  const NearestTie& tie = NearestTies()[static_cast<size_t>(turn) % NearestTies().size()];
  const auto code = [&](int64_t significand, int exponent) {
    return RoundNearest(question.scale, ToUnrounded(Dyadic(significand, exponent)));
  };
  question.x_scale = code(tie.a, kScale);
  question.w_scales.assign(question.w_zero_points.size(), code(tie.b, kScale));
  question.y_scale = code(tie.y, 2 * kScale + kNearestTieBits + 1);
  int64_t element = 0;
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    // Neighbours, so that not all are the same.
    const int64_t next = element++ % 3 == 0 ? 0 : question.rng.Between(-9, 9);
    ChooseTotal(question, windows, n, m, p, tie.sum + next);
  });
}

// Sums so large that C * x_scale is rounded in DOUBLE: which scale comes first decides
// whether the chain of DOUBLE operations ends at a tie or below it. With the significands
// A, B and Y of the scales, C A B = d Y 2^46 + s, d odd and |s| < 2^22; the code above
// d / 2 is the even one. Only B makes such sums of few products.
void FillChainOrders(QLinearConvQuestion& question, int turn) {
  static constexpr NearestTie kTies[] = {{15372317, 15944315, 9876946, 1108751039},
                                         {12028673, 15934699, 10832087, 1475381273}};
  constexpr int kScale = -30;
  const NearestTie& tie = kTies[turn % 2];
  int64_t segment = 0;
  question.SetSizes(DirectedConvolution(question.index, segment));
  question.SetZeroPoints(static_cast<uint32_t>(question.index));
  DirectedWindows windows(question, segment);
  question.SetBias(100);
  for (int32_t& bias : question.bias) bias += static_cast<int32_t>(tie.sum);
  question.SetYZeroPoint(-128);
  const auto code = [&](int64_t significand, int exponent) {
    return RoundNearest(question.scale, ToUnrounded(Dyadic(significand, exponent)));
  };
  question.x_scale = code(tie.a, kScale);
  question.w_scales.assign(question.w_zero_points.size(), code(tie.b, kScale));
  question.y_scale = code(tie.y, 2 * kScale + 47);
  int64_t element = 0;
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const int64_t next = element++ % 3 == 0 ? 0 : question.rng.Between(-90, 90);
    ChooseTotal(question, windows, n, m, p, tie.sum + next);
  });
}

}  // namespace

void FillQLinearConvReadings(QLinearConvQuestion& question) {
  if (question.index % 4 == 3) {
    const bool has_bias = question.bias_form == BiasForm::kPresent;
    const int turn = question.index / 4;
    return turn % 2 == 1 && has_bias ? FillChainOrders(question, turn / 2)
                                     : FillNearestTies(question, turn);
  }
  constexpr int kTries = 6;
  DirectedWindows windows = Directed(question, question.index + 5);
  SetBiasAndZeroPoint(question, windows);
  // Added to v before it is rounded, any other zero point costs v some of its last bits.
  if (question.index % 3 == 1) question.SetYZeroPoint(0);
  question.SetScales(Family::kFull, Family::kFull, Family::kFull, windows.sum_exponent(),
                     8);
  CounterRng& rng = question.rng;
  const Requantization requantization = question.requantization();

  // A sum in reach and a boundary for each scale of w.
  for (size_t m = 0; m < question.w_scales.size(); ++m) {
    const RequantizationScales scales = question.ScalesOf(static_cast<int64_t>(m));
    const ExactValue target = question.AnyBoundary();
    if (target.value_class != ValueClass::kFinite) continue;
    const Int128 near = SumFor(requantization, scales, target);
    const auto sum = static_cast<int64_t>(near < 0 ? -near : near);
    if (sum > 0) {
      question.w_scales[m] = AimedScale(requantization, question.w_scales[m], scales.a,
                                        scales.y, target, sum);
    }
  }

  // Sums that tell two ways from each other; all pairs take turns.
  const auto code_by = [&](const RequantizationScales& scales, Int128 total,
                           uint32_t way) {
    if (way == kWrongRequantizations) return ExactCode(requantization, scales, total);
    return WrongCode(requantization, scales, total,
                     static_cast<WrongRequantization>(way));
  };
  auto turn = static_cast<uint32_t>(question.index);
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const RequantizationScales scales = question.ScalesOf(m);
    const uint32_t one = turn % kWrongRequantizations;
    const uint32_t other =
        (one + 1 + turn / kWrongRequantizations) % (kWrongRequantizations + 1);
    ++turn;
    for (int tries = 0; tries < kTries; ++tries) {
      const Int128 wanted =
          SumFor(requantization, scales, question.AnyBoundary()) + rng.Between(-1, 1);
      ChooseTotal(question, windows, n, m, p, wanted);
      const Int128 total = question.Total(n, m, p);
      if (code_by(scales, total, one) != code_by(scales, total, other)) break;
    }
  });
}

void FillQLinearConvSaturation(QLinearConvQuestion& question) {
  DirectedWindows windows = Directed(question, question.index + 1);
  SetBiasAndZeroPoint(question, windows);
  // The largest sums lie 2^4 (2^24, with a small y_scale) beyond the range.
  const int beyond = question.index % 2 == 0 ? 4 : 24;
  question.SetScales(Family::kFull, Family::kFewBits, Family::kFull,
                     windows.sum_exponent(), 8 + beyond);
  CounterRng& rng = question.rng;
  const ExactValue zero_point = Prepared(question.y).decode(question.y_zero_point);
  question.ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const int64_t last = question.boundaries.count() - 1;
    const int64_t distance = rng.Below(6);
    ExactValue target =
        question.boundaries.At(rng.OneIn(2) ? last - distance : distance, zero_point);
    // Far beyond, where conversions to narrow integers wrap.
    if (rng.OneIn(2)) target.exponent += static_cast<int>(rng.Below(33));
    const Int128 wanted = SumFor(question.requantization(), question.ScalesOf(m), target);
    ChooseTotal(question, windows, n, m, p, wanted + rng.Between(-1, 1));
  });
}

}  // namespace qconform::generators
