// Both ends of the range, far beyond them, and zero points that move them.
#include <algorithm>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"
#include "cases/operators/quantize_linear/wrong_quotients.h"

namespace qconform::generators {
namespace {

// Where conversions to narrower and wider integers end or wrap.
constexpr int kWrapExponents[] = {15, 16, 24, 31, 32, 33, 53, 62, 63, 64, 65, 100};

// Returns a quotient at the low or the high end.
ExactValue NearEnd(const QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel, bool high, uint32_t distance) {
  const int64_t last = question.boundaries.count() - 1;
  const int64_t index = std::min<int64_t>(distance, last);
  return question.boundaries.At(high ? last - index : index, channel.zero_point);
}

// Returns a quotient beyond the range that a wrapped conversion would bring
// back into it.
ExactValue FarBeyond(QuantizeLinearQuestion& question,
                     const QuantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  const int64_t sign = rng.OneIn(2) ? -1 : 1;
  if (question.y.kind != NumberKind::kInteger) {
    ExactValue end = Decode(question.y, LargestFinite(question.y));
    end.negative = sign < 0;
    end.significand = end.significand * 64 + rng.Below(256);
    end.exponent += -6 + static_cast<int>(rng.Below(3));
    return end;
  }
  const int64_t width = int64_t{1} << question.y.bits;
  const int64_t code = rng.Between(-3, width + 3);
  int64_t zero_point = 0;
  if (channel.zero_point.value_class == ValueClass::kFinite) {
    zero_point = ToInteger(question.y, channel.zero_point_code);
  }
  if (rng.OneIn(2))
    return Dyadic(sign * (width * rng.Between(1, 3) + code) - zero_point, 0);
  const int exponent = rng.Pick(kWrapExponents);
  if (exponent > 40) return Dyadic(sign * (64 + rng.Between(-1, 1)), exponent - 6);
  return Dyadic(sign * ((int64_t{1} << exponent) + code - 2) - zero_point, 0);
}

// Returns a scale so small that quotients reach far beyond the range.
uint64_t SmallScale(QuantizeLinearQuestion& question) {
  const NumberFormat& scale = question.y_scale;
  // FLOAT16 ends so early that a larger scale leaves wide targets out of reach.
  const bool short_range = LargestExponent(question.x) < 16 ||
                           (question.p != nullptr && LargestExponent(*question.p) < 16);
  if (scale.kind == NumberKind::kInteger) {
    return !short_range && question.rng.OneIn(2) ? 2 : 1;
  }
  int low = std::max(SmallestExponent(scale) + 1,
                     question.x.kind == NumberKind::kInteger ? -12 : -60);
  for (const NumberFormat* format : question.tier_formats()) {
    low = std::max(low, SmallestExponent(*format) + 1);
  }
  return question.ScaleAt(ScaleFamily::kFewBits, static_cast<int>(question.rng.Between(
                                                     low, std::min(low + 30, 0))));
}

// Gives a channel its zero point, with a scale and an x (its anchor) for which
// it matters that the sum is rounded once (QL-24).
void SetFloatZeroPoint(QuantizeLinearQuestion& question, int64_t channel,
                       uint64_t zero_point) {
  constexpr int kTries = 20;
  const uint64_t scale = question.channels[static_cast<size_t>(channel)].scale_code;
  question.SetChannel(channel, scale, zero_point);
  const QuantizeLinearChannel& made = question.channels[static_cast<size_t>(channel)];
  if (made.zero_point.value_class != ValueClass::kFinite) return;
  CounterRng& rng = question.rng;
  for (int i = 0; i < kTries; ++i) {
    const auto count = static_cast<uint32_t>(question.boundaries.count());
    const ExactValue quotient = question.boundaries.At(rng.Below(count), made.zero_point);
    if (quotient.value_class != ValueClass::kFinite) continue;
    uint64_t anchor = 0;
    const int exponent = question.ScaleExponent();
    const uint64_t tried = question.ReciprocalScale(exponent, quotient, anchor);
    question.SetChannel(channel, tried, zero_point, anchor);
    const auto differs = [&](uint64_t x_code) {
      return CanonicalCode(question, made, x_code) !=
             AddedInPCode(question, made, x_code);
    };
    if (differs(anchor)) return;
    // A scale of its own, and the x nearest to it.
    const uint64_t other = question.ScaleAt(ScaleFamily::kFull, exponent);
    question.SetChannel(channel, other, zero_point);
    const uint64_t x_code =
        SteppedX(question, made, quotient, static_cast<int>(rng.Below(3)) - 1);
    question.SetChannel(channel, other, zero_point, x_code);
    if (differs(x_code)) return;
  }
  question.SetChannel(channel, scale, zero_point);
}

// Values to which IEEE 754 says how a zero point is added: NaN, an infinity, a zero of
// either sign.
uint64_t SpecialX(QuantizeLinearQuestion& question) {
  const NumberFormat& x = question.x;
  const uint64_t codes[] = {CanonicalNan(x), Infinity(x, false), 0};
  const uint64_t code = question.rng.Pick(codes);
  return question.rng.OneIn(2) ? Negated(x, code) : code;
}

// A quotient that is larger than the largest finite code, and rounds back to it.
ExactValue JustBeyond(const NumberFormat& y) {
  ExactValue value = Decode(y, LargestFinite(y));
  value.significand = 4 * value.significand + 1;
  value.exponent -= 2;
  return value;
}

}  // namespace

void FillSaturation(QuantizeLinearQuestion& question) {
  using enum ScaleFamily;
  using enum ZeroPointFamily;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 1, many ? 320 : 200);
  question.SetChannels({kFull, kFewBits, kPowerOfTwo}, {kLow, kHigh, kZero, kOdd});
  // Every other scale is a small one.
  for (int64_t c = (question.index + 1) % 2; c < question.layout.channel_count; c += 2) {
    question.SetScale(c, SmallScale(question));
  }

  CounterRng& rng = question.rng;
  question.FillX([&](int64_t i, const QuantizeLinearChannel& channel) {
    const uint32_t choice = rng.Below(8);
    uint64_t code = 0;
    if (choice < 5) {
      const ExactValue end = NearEnd(question, channel, choice % 2 == 0, rng.Below(8));
      code = SteppedX(question, channel, end, static_cast<int>(rng.Below(3)) - 1);
    } else if (choice < 7) {
      code = question.XNear(channel, FarBeyond(question, channel));
    } else {
      code = LargestFinite(question.x);
      if (question.x.has_infinity && rng.OneIn(2)) code = Infinity(question.x, false);
      if (rng.OneIn(2)) code = Negated(question.x, code);
    }
    if (HasNan(question.y.type) && i % 16 == 5) {
      code = question.XNear(channel, JustBeyond(question.y));
    }
    return code;
  });
}

void FillZeroPoints(QuantizeLinearQuestion& question) {
  using enum ScaleFamily;
  using enum ZeroPointFamily;
  const bool integer = question.y.kind == NumberKind::kInteger;
  const bool many = !question.is_per_tensor();
  const int64_t all = std::min<int64_t>(question.boundaries.count() + 30, 330);
  const int64_t elements = std::max<int64_t>(all, many ? 320 : 64);
  question.SetDirectedLayout(question.index + 2, elements);
  if (many && 8 % question.y.bits != 0 && question.y.bits < 8 && question.index >= 2) {
    // Some zero points are left after groups of four, which fill three bytes.
    for (int next = 3; next < 9 && question.layout.channel_count % 4 == 0; ++next) {
      question.SetDirectedLayout(question.index + next, elements);
    }
  }
  question.SetChannels({kFewBits, kFull, kPowerOfTwo},
                       {kLow, kHigh, kOdd, kMiddle, kAny});
  if (!integer) {
    const std::span<const uint64_t> zero_points = FloatZeroPoints(question.y);
    for (int64_t c = 0; c < question.layout.channel_count; ++c) {
      const size_t turn = static_cast<size_t>(c + question.index) % zero_points.size();
      SetFloatZeroPoint(question, c, zero_points[turn]);
    }
  }

  Stride order(static_cast<uint32_t>(all), question.rng);
  question.FillX([&](int64_t i, const QuantizeLinearChannel& channel) {
    if (channel.anchor != 0 && i % 16 == 0) return channel.anchor;
    if (!integer && question.x.has_infinity && i % 16 == 7) return SpecialX(question);
    const BoundaryWindow& window = channel.holdable;
    const uint32_t slot = order.Next();
    int64_t index = window.first + slot % window.count;
    if (window.count > all) {
      // Wide targets: a third at each end, a third anywhere.
      const int64_t last = window.first + window.count - 1;
      index =
          slot % 3 == 0 ? window.first + slot / 3 % 20
          : slot % 3 == 1
              ? last - slot / 3 % 20
              : window.first + question.rng.Below(static_cast<uint32_t>(window.count));
    }
    const ExactValue boundary = question.boundaries.At(index, channel.zero_point);
    const int steps = question.rng.OneIn(2) ? 0 : question.rng.OneIn(2) ? 1 : -1;
    return SteppedX(question, channel, boundary, steps);
  });
}

}  // namespace qconform::generators
