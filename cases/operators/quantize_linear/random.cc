// Undirected values: uniform bit patterns, and codes spread over the range.

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

constexpr auto kZeroPoints = {ZeroPointFamily::kAny, ZeroPointFamily::kZero,
                              ZeroPointFamily::kMiddle};

}  // namespace

void FillRandomBits(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 3, many ? 300 : 200);
  question.SetChannels({ScaleFamily::kFull}, kZeroPoints);
  // Every other scale from anywhere in its type's range.
  for (int64_t c = (question.index + 1) % 2; c < question.layout.channel_count; c += 2) {
    const NumberFormat& scale = question.y_scale;
    const int low = scale.kind == NumberKind::kInteger ? 0 : SmallestExponent(scale) + 1;
    const auto exponent =
        static_cast<int>(question.rng.Between(low, LargestExponent(scale) - 1));
    question.SetScale(c, question.ScaleAt(ScaleFamily::kFull, exponent));
  }
  const uint32_t mask = question.x.bits == 32 ? ~0u : 0xFFFFu;
  for (uint32_t& code : question.x_codes) code = question.rng.Next32() & mask;
}

void FillRandomScaled(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 4, many ? 420 : 320);
  question.SetChannels(
      {ScaleFamily::kFull, ScaleFamily::kReciprocal, ScaleFamily::kFewBits}, kZeroPoints);
  // Magnitudes of quotients: from well below the first boundary to just above
  // the last, each binade as likely as another.
  const bool integer = question.y.kind == NumberKind::kInteger;
  const int low = integer ? -2 : FloorLog2(question.y, SmallestPositive(question.y)) - 2;
  const int high = integer ? question.y.bits : LargestExponent(question.y) + 1;
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    const uint32_t draw = question.rng.Next32();
    const int64_t significand = (draw >> 1) | 0x40000000;
    const ExactValue quotient =
        Dyadic((draw & 1) != 0 ? -significand : significand,
               static_cast<int>(question.rng.Between(low, high)) - 30);
    return question.XNear(channel, quotient);
  });
}

void FillNanNeighbours(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, many ? 240 : 120);
  question.SetChannels({ScaleFamily::kFull, ScaleFamily::kFewBits}, kZeroPoints);
  CounterRng& rng = question.rng;
  const bool float_x = question.x.kind == NumberKind::kFloat;
  // Integers x make NaN as 0/0, and by a scale that is NaN.
  if (!float_x) {
    const NumberFormat& scale = question.y_scale;
    const bool has_nan = scale.nan != NanEncoding::kNone;
    const bool has_zero = scale.kind != NumberKind::kPowerOfTwo;
    const uint64_t made = has_nan && (many || !has_zero) ? CanonicalNan(scale) : 0;
    for (int64_t c = 0; c < question.layout.channel_count; c += 3) {
      question.SetScale(c, made);
    }
  }
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    if (!rng.OneIn(3)) return SpreadX(question, channel);
    if (!float_x) return uint64_t{0};
    // Quiet or signalling.
    const uint64_t code =
        rng.OneIn(2) ? CanonicalNan(question.x) : Infinity(question.x, false) | 1;
    return rng.OneIn(2) ? Negated(question.x, code) : code;
  });
}

void FillRangeEnds(QuantizeLinearQuestion& question) {
  const NumberFormat& scale = question.y_scale;
  const bool many = !question.is_per_tensor();
  if (many) {
    question.SetDirectedLayout(question.index + 1, 240);
  } else {
    question.SetLayout(PerTensorLayout({90 + question.index % 2}));
  }
  question.SetChannels({ScaleFamily::kFull}, kZeroPoints);
  int least = SmallestExponent(scale);
  if (scale.kind == NumberKind::kPowerOfTwo) ++least;  // 2^-127 is degenerate
  if (scale.kind == NumberKind::kInteger) least = 0;
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const bool top = (c + question.index) % 2 == 0;
    question.SetScale(
        c, question.ScaleAt(ScaleFamily::kFull, top ? LargestExponent(scale) : least));
  }
  SpreadAllX(question);
  // At the end, where a byte of codes may be half full, quotients beyond all integers.
  const auto last = question.x_codes.rbegin();
  const uint64_t largest = LargestFinite(question.x);
  last[0] = static_cast<uint32_t>(largest);
  last[1] = static_cast<uint32_t>(Negated(question.x, largest));
}

}  // namespace qconform::generators
