// Undirected values: uniform bit patterns, and codes spread over the range.
#include <algorithm>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

constexpr ZeroPointFamily kZeroPoints[] = {ZeroPointFamily::kAny, ZeroPointFamily::kZero,
                                           ZeroPointFamily::kMiddle};

}  // namespace

void FillRandomBits(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull};
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 3, many ? 300 : 200);
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  // Every other scale from anywhere in its type's range.
  for (int64_t c = (question.index + 1) % 2; c < question.layout.channel_count; c += 2) {
    const NumberFormat& scale = question.y_scale;
    const int low = scale.kind == NumberKind::kInteger ? 0 : SmallestExponent(scale) + 1;
    const auto exponent =
        static_cast<int>(question.rng.Between(low, LargestExponent(scale) - 1));
    question.SetChannel(c, question.ScaleAt(ScaleFamily::kFull, exponent),
                        question.channels[static_cast<size_t>(c)].zero_point_code);
  }
  const uint32_t mask = question.x.bits == 32 ? ~0u : 0xFFFFu;
  for (uint32_t& code : question.x_codes) code = question.rng.Next32() & mask;
}

void FillRandomScaled(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull, ScaleFamily::kReciprocal,
                                     ScaleFamily::kFewBits};
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 4, many ? 420 : 320);
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  // Magnitudes of quotients: from well below the first boundary to just above
  // the last, each binade as likely as another.
  const bool integer = question.y.kind == NumberKind::kInteger;
  const int low = integer ? -2 : FloorLog2(question.y, SmallestPositive(question.y)) - 2;
  const int high = integer ? question.y.bits : LargestExponent(question.y) + 1;
  for (int64_t i = 0; i < question.layout.element_count; ++i) {
    const uint32_t draw = question.rng.Next32();
    const int64_t significand = (draw >> 1) | 0x40000000;
    const ExactValue quotient =
        Dyadic((draw & 1) != 0 ? -significand : significand,
               static_cast<int>(question.rng.Between(low, high)) - 30);
    question.x_codes[static_cast<size_t>(i)] =
        static_cast<uint32_t>(question.XNear(question.ChannelOf(i), quotient));
  }
}

void FillNanNeighbours(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull, ScaleFamily::kFewBits};
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, many ? 240 : 120);
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  CounterRng& rng = question.rng;
  const bool float_x = question.x.kind == NumberKind::kFloat;
  // Integers x make NaN as 0/0, and by a scale that is NaN.
  if (!float_x) {
    const NumberFormat& scale = question.y_scale;
    const bool has_nan = scale.nan != NanEncoding::kNone;
    const bool has_zero = scale.kind != NumberKind::kPowerOfTwo;
    const uint64_t made = has_nan && (many || !has_zero) ? CanonicalNan(scale) : 0;
    for (int64_t c = 0; c < question.layout.channel_count; c += 3) {
      question.SetChannel(c, made,
                          question.channels[static_cast<size_t>(c)].zero_point_code);
    }
  }
  for (int64_t i = 0; i < question.layout.element_count; ++i) {
    uint64_t code = 0;
    if (!rng.OneIn(3)) {
      code = SpreadX(question, question.ChannelOf(i));
    } else if (float_x) {
      // Quiet or signalling.
      code = rng.OneIn(2) ? CanonicalNan(question.x) : Infinity(question.x, false) | 1;
      if (rng.OneIn(2)) code = Negated(question.x, code);
    }
    question.x_codes[static_cast<size_t>(i)] = static_cast<uint32_t>(code);
  }
}

void FillRangeEnds(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull};
  const NumberFormat& scale = question.y_scale;
  const bool many = !question.is_per_tensor();
  if (many) {
    question.SetDirectedLayout(question.index + 1, 240);
  } else {
    question.SetLayout(PerTensorLayout({90 + question.index % 2}));
  }
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));
  int least = SmallestExponent(scale);
  if (scale.kind == NumberKind::kPowerOfTwo) ++least;  // 2^-127 is degenerate
  if (scale.kind == NumberKind::kInteger) least = 0;
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const bool top = (c + question.index) % 2 == 0;
    question.SetChannel(
        c, question.ScaleAt(ScaleFamily::kFull, top ? LargestExponent(scale) : least),
        question.channels[static_cast<size_t>(c)].zero_point_code);
  }
  SpreadAllX(question);
  // At the end, where a byte of codes may be half full, quotients beyond all integers.
  const auto last = question.x_codes.rbegin();
  const uint64_t largest = LargestFinite(question.x);
  last[0] = static_cast<uint32_t>(largest);
  last[1] = static_cast<uint32_t>(Negated(question.x, largest));
}

}  // namespace qconform::generators
