// The contested tiers of G-02: subnormals, conversions out of range, degenerate
// scales. Each reaches its tier in every cell that has it.
#include <algorithm>
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

// Returns the boundary that is the `distance`-th from zero, of either sign.
ExactValue NearZero(const QuantizeLinearQuestion& question,
                    const QuantizeLinearChannel& channel, uint32_t distance) {
  const int64_t side =
      distance % 2 == 0 ? distance / 2 : -1 - static_cast<int64_t>(distance / 2);
  if (question.y.kind == NumberKind::kInteger) return Dyadic(2 * side + 1, -1);
  const int64_t count = question.boundaries.count();
  const int64_t index = std::clamp<int64_t>(count / 2 + side, 0, count - 1);
  return question.boundaries.At(index, channel.zero_point);
}

void StartTier(QuantizeLinearQuestion& question, int64_t elements) {
  using enum ZeroPointFamily;
  question.SetDirectedLayout(question.index, elements);
  question.SetChannels({ScaleFamily::kFewBits, ScaleFamily::kFull},
                       {kOdd, kZero, kMiddle});
}

// Where a scale must lie so that something is subnormal.
enum class SubnormalKind : uint8_t {
  kX,         // x = scale * (a few codes) is subnormal
  kScale,     // the scale is normal, but not in P
  kQuotient,  // the scale is huge: x / scale is subnormal in P
};

uint64_t ScaleFor(QuantizeLinearQuestion& question, SubnormalKind kind) {
  const NumberFormat& scale = question.y_scale;
  CounterRng& rng = question.rng;
  int least = SmallestExponent(scale);
  if (scale.kind == NumberKind::kPowerOfTwo) ++least;  // 2^-127 is degenerate
  int least_in_p = least;
  int most = LargestExponent(scale) - 1;
  for (const NumberFormat* format : question.tier_formats()) {
    least_in_p = std::max(least_in_p, SmallestExponent(*format));
    most = std::min(most, LargestExponent(*format) - 1);
  }
  switch (kind) {
    case SubnormalKind::kX: {
      // The largest scale with which x = scale * codes is still subnormal, and
      // smaller ones, which reach more codes.
      int top = least_in_p + 1;
      if (question.x.kind == NumberKind::kFloat) {
        int subnormal = SmallestExponent(question.x);
        for (const NumberFormat* format : question.tier_formats()) {
          subnormal = std::max(subnormal, SmallestExponent(*format));
        }
        top = std::max(top, std::min(subnormal, most));
      }
      const int depth = std::min(top - least_in_p, question.y.bits);
      return question.ScaleAt(
          ScaleFamily::kFewBits,
          top - static_cast<int>(rng.Below(static_cast<uint32_t>(depth + 1))));
    }
    case SubnormalKind::kScale: {
      if (least >= least_in_p) return ScaleFor(question, SubnormalKind::kX);
      const int exponent =
          std::max(least, least_in_p - 3 - static_cast<int>(rng.Below(7)));
      return rng.OneIn(3) ? question.ScaleAt(ScaleFamily::kFewBits, exponent)
                          : question.RoundedUpScale(exponent);
    }
    case SubnormalKind::kQuotient:
      break;
  }
  // The smallest integer x is 1: only the largest scales will do.
  const int top = question.x.kind == NumberKind::kInteger ? most + 1 : most;
  return question.ScaleAt(ScaleFamily::kFull, top - static_cast<int>(rng.Below(2)));
}

// Returns an x whose quotient lies below the normal range of P.
uint64_t TinyQuotientX(QuantizeLinearQuestion& question,
                       const QuantizeLinearChannel& channel) {
  int least = SmallestExponent(FormatOf(DataType::kFloat));
  if (!question.tier_formats().empty())
    least = SmallestExponent(*question.tier_formats().back());
  const int depth = static_cast<int>(question.rng.Below(12));
  const int64_t significand = question.rng.Between(65, 127) | 1;
  const ExactValue quotient =
      Dyadic(question.rng.OneIn(2) ? -significand : significand, least - 7 - depth);
  const uint64_t code = question.XNear(channel, quotient);
  return code != 0 ? code : 1 + question.rng.Below(4);  // where none is small enough
}

}  // namespace

void FillSubnormal(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  StartTier(question, many ? 200 : 110);
  const int64_t channels = question.layout.channel_count;
  for (int64_t c = 0; c < channels; ++c) {
    // Tails lie in the last channel, so it has the scale that shows most.
    constexpr SubnormalKind kKinds[] = {SubnormalKind::kX, SubnormalKind::kScale,
                                        SubnormalKind::kQuotient};
    const int64_t turn = many ? channels - c : question.index;
    const bool float_x = question.x.kind == NumberKind::kFloat;
    question.SetScale(
        c, ScaleFor(question, float_x ? kKinds[turn % 3] : SubnormalKind::kQuotient));
  }
  CounterRng& rng = question.rng;
  const uint32_t mantissa = (1u << std::max(question.x.mantissa_bits, 1)) - 1;
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    const uint32_t choice = rng.Below(question.x.kind == NumberKind::kFloat ? 8 : 2);
    if (choice == 0) return TinyQuotientX(question, channel);
    if (choice == 1) {
      const uint64_t code = rng.Next32() & mantissa;  // any subnormal, where x is a float
      return rng.OneIn(2) ? Negated(question.x, code) : code;
    }
    const uint32_t distance = rng.Below(1 + rng.Below(40));
    const ExactValue boundary = NearZero(question, channel, distance);
    const int steps = static_cast<int>(rng.Below(3)) - 1;
    // With every bit of x, or with those that P holds.
    return rng.OneIn(2) ? Step(question.x, question.XNear(channel, boundary), steps)
                        : SteppedX(question, channel, boundary, steps);
  });
}

namespace {

// A format that conversions go to and whose range is narrower than that of what
// is converted.
const NumberFormat* NarrowerThan(const QuantizeLinearQuestion& question,
                                 const NumberFormat& from) {
  for (const NumberFormat* format : question.tier_formats()) {
    if (LeavesRange(from, *format)) return format;
  }
  return nullptr;
}

// Returns a scale that P cannot hold: too large, or too small.
uint64_t ScaleOutOf(QuantizeLinearQuestion& question, const NumberFormat& format,
                    bool large) {
  const NumberFormat& scale = question.y_scale;
  const int most = LargestExponent(format);
  const int least = FloorLog2(format, SmallestPositive(format));
  const bool can_be_large = LargestExponent(scale) > most;
  const bool can_be_small =
      scale.kind != NumberKind::kInteger && SmallestExponent(scale) < least - 1;
  if (!can_be_large && !can_be_small)
    return LargestFinite(scale);  // rounds up past the end
  if (can_be_large && (large || !can_be_small)) {
    const int exponent = most + 1 +
                         static_cast<int>(question.rng.Below(static_cast<uint32_t>(
                             std::min(LargestExponent(scale) - most, 8))));
    return question.ScaleAt(ScaleFamily::kFull, exponent);
  }
  const int exponent = least - 2 -
                       static_cast<int>(question.rng.Below(static_cast<uint32_t>(
                           std::min(least - 1 - SmallestExponent(scale), 8))));
  return question.ScaleAt(ScaleFamily::kFull, exponent);
}

// Returns an x about the points where converting it to `format` overflows or
// becomes zero.
uint64_t XOutOf(QuantizeLinearQuestion& question, const NumberFormat& format) {
  CounterRng& rng = question.rng;
  ExactValue edge = Decode(format, LargestFinite(format));
  const bool integer = question.x.kind == NumberKind::kInteger;
  if (!integer && rng.OneIn(4)) {
    edge = Decode(format, SmallestPositive(format));
    edge.significand = rng.OneIn(2) ? 1 : 3;
    --edge.exponent;
  } else if (!rng.OneIn(3)) {
    edge.significand = 2 * edge.significand + 1;  // halfway to the next of its grid
    --edge.exponent;
  }
  edge.negative = rng.OneIn(2);
  const uint64_t code = RoundNearest(question.x, ToUnrounded(edge));
  if (rng.OneIn(3)) {
    // Far beyond.
    const uint64_t far =
        rng.OneIn(2)
            ? LargestFinite(question.x)
            : RoundNearest(question.x, ToUnrounded(Dyadic(rng.Between(65, 127),
                                                          LargestExponent(format) - 5)));
    return edge.negative ? Negated(question.x, far) : far;
  }
  return Step(question.x, code, static_cast<int>(rng.Below(5)) - 2);
}

}  // namespace

bool HasConversionRange(const QuantizeLinearQuestion& question) {
  return NarrowerThan(question, question.x) != nullptr ||
         NarrowerThan(question, question.y_scale) != nullptr;
}

void FillConversionRange(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  const NumberFormat* x_out = NarrowerThan(question, question.x);
  const NumberFormat* scale_out = NarrowerThan(question, question.y_scale);
  StartTier(question, many ? 160 : 90);
  CounterRng& rng = question.rng;
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const int64_t turn = c + question.index;
    if (scale_out != nullptr && (x_out == nullptr || turn % 3 != 0)) {
      question.SetScale(c, ScaleOutOf(question, *scale_out, turn % 2 == 1));
    } else if (x_out != nullptr) {
      // So large that the largest x of P is still within the codes of y.
      const int codes = question.y.kind == NumberKind::kInteger
                            ? question.y.bits - 1
                            : LargestExponent(question.y);
      const int exponent =
          std::min({LargestExponent(*x_out) - codes + 1,
                    LargestExponent(question.y_scale) - 1, LargestExponent(*x_out) - 1});
      question.SetScale(c, question.ScaleAt(ScaleFamily::kFull, exponent));
    }
  }
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) -> uint64_t {
    if (x_out != nullptr && !rng.OneIn(4)) return XOutOf(question, *x_out);
    if (rng.OneIn(3)) return rng.Pick(SpecialCodes(question.x));
    return SpreadX(question, channel);
  });
}

namespace {

// The degenerate scales of a type (QL-40), the most revealing first.
std::vector<uint64_t> DegenerateScales(QuantizeLinearQuestion& question) {
  const NumberFormat& scale = question.y_scale;
  CounterRng& rng = question.rng;
  const uint64_t ordinary = question.ScaleCode(ScaleFamily::kFull);
  switch (scale.kind) {
    case NumberKind::kPowerOfTwo:
      return {SmallestPositive(scale), CanonicalNan(scale)};
    case NumberKind::kInteger:
      return {Negated(scale, ordinary), 0, IntegerCode(scale, -1),
              IntegerCode(scale, IntegerMin(scale)),
              Negated(scale, question.ScaleCode(ScaleFamily::kFewBits))};
    case NumberKind::kFloat:
      break;
  }
  const uint64_t subnormals = SmallestNormal(scale) - 1;
  const uint64_t subnormal = 1 + rng.Below(static_cast<uint32_t>(subnormals));
  return {Negated(scale, ordinary),
          0,
          subnormal | (uint64_t{1} << (scale.mantissa_bits - 1)),
          CanonicalNan(scale),
          Infinity(scale, false),
          Negated(scale, 0),
          Negated(scale, question.ScaleCode(ScaleFamily::kFewBits)),
          subnormal >> rng.Below(static_cast<uint32_t>(scale.mantissa_bits)) | 1,
          Infinity(scale, true),
          Negated(scale, subnormal)};
}

}  // namespace

void FillDegenerate(QuantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  // Other indices are of other variants, asked the same in short.
  StartTier(question, !many ? 90 : question.index == 0 ? 300 : 160);
  const std::vector<uint64_t> scales = DegenerateScales(question);
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    // Ordinary channels between them must not notice.
    if (many && c % 5 == 4) continue;
    question.SetScale(c, scales[static_cast<size_t>(c + question.index) % scales.size()]);
  }
  CounterRng& rng = question.rng;
  const auto specials = SpecialCodes(question.x);
  // Divided by zero, the smallest x is as large as any.
  const uint64_t small[] = {0, Negated(question.x, 0), 1, Negated(question.x, 1)};
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    const bool directed = channel.divisor.value_class == ValueClass::kFinite;
    if (directed && !rng.OneIn(4)) return SpreadX(question, channel);
    return rng.OneIn(4) ? rng.Pick(small) : uint64_t{rng.Pick(specials)};
  });
}

}  // namespace qconform::generators
