// Where products, scales and differences leave the normal range of y: subnormal products,
// both ends of the range, scales that y's type does not hold, and degenerate scales.
#include <algorithm>
#include <vector>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

using enum ZeroPointFamily;

void StartRange(DequantizeLinearQuestion& question, int64_t elements) {
  question.SetDirectedLayout(question.index, elements);
  question.SetChannels({DequantizeScale::kFewBits, DequantizeScale::kFull},
                       {kLow, kZero, kOdd, kMiddle});
}

// Keeps an exponent inside the normal range of x_scale. 2^-127 is degenerate for
// FLOAT8E8M0.
int WithinScale(const DequantizeLinearQuestion& question, int exponent) {
  const NumberFormat& scale = question.x_scale;
  const int least = SmallestExponent(scale) + (scale.kind == NumberKind::kPowerOfTwo);
  return std::clamp(exponent, least, LargestExponent(scale));
}

// A difference of the channel that is not zero: an x, and the exponent of its difference.
uint64_t SomeX(DequantizeLinearQuestion& question, const DequantizeLinearChannel& channel,
               ExactValue& difference) {
  for (int i = 0; i < 8; ++i) {
    const uint64_t code = question.AnyX();
    const Unrounded exact = DifferenceOf(question, channel, code);
    difference = RoundTo(FormatOf(DataType::kDouble), exact);
    if (difference.value_class == ValueClass::kFinite) return code;
  }
  difference = Dyadic(1, 0);
  return 0;
}

// The scale with which this difference gives the product, where x_scale has it.
uint64_t ScaleFor(const DequantizeLinearQuestion& question, const ExactValue& difference,
                  const ExactValue& product, int steps) {
  ExactValue positive = difference;
  positive.negative = false;
  const NumberFormat& format = question.x_scale;
  const uint64_t code = question.NearestScale(Divide(product, positive));
  if (format.kind == NumberKind::kPowerOfTwo) {
    return static_cast<uint64_t>(std::clamp(static_cast<int>(code) + steps, 1, 254));
  }
  const uint64_t stepped = Step(format, code, steps);
  const uint64_t least = SmallestNormal(format);
  return std::clamp(stepped, least, LargestFinite(format));
}

// Where a finite y ends: halfway from its largest value to the next power of two.
ExactValue OverflowTie(const NumberFormat& y) {
  const ExactValue largest = Decode(y, LargestFinite(y));
  ExactValue tie = largest;
  tie.significand = tie.significand * 2 + 1;
  tie.exponent -= 1;
  return tie;
}

}  // namespace

void FillSubnormal(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  StartRange(question, many ? 200 : 110);
  CounterRng& rng = question.rng;
  const NumberFormat& y = question.y;
  const int least = SmallestExponent(y);
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    DequantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    ExactValue difference;
    const uint64_t code = SomeX(question, channel, difference);
    const int turn = static_cast<int>(c) + question.index;
    // A product of a few units of the smallest values of y, often halfway between two; a
    // scale that is subnormal in y; one that is so by itself, where no other is.
    const auto odd = static_cast<int64_t>((rng.Next32() & 0x3F) | 1);
    const ExactValue product = Dyadic(odd, least - y.mantissa_bits - 1);
    uint64_t scale = 0;
    if (turn % 3 == 0) {
      scale = ScaleFor(question, difference, product, static_cast<int>(rng.Below(3)) - 1);
    } else if (turn % 3 == 1 || SmallestExponent(question.x_scale) < least - 1) {
      const auto below = static_cast<int>(rng.Between(1, y.mantissa_bits));
      scale =
          question.ScaleAt(DequantizeScale::kFull, WithinScale(question, least - below));
    } else if (question.x_scale.kind == NumberKind::kPowerOfTwo) {
      scale = 0;
    } else {
      const uint64_t normal = SmallestNormal(question.x_scale);
      scale = 1 + rng.Below(static_cast<uint32_t>(normal / 3));
    }
    question.SetScale(c, scale);
    question.channels[static_cast<size_t>(c)].anchor = static_cast<uint32_t>(code);
  }
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    const uint32_t choice = rng.Below(6);
    if (choice == 0) return uint64_t{*channel.anchor};
    if (choice == 1 || !question.has_integer_x()) return question.AnyX();
    // Small differences: large ones are normal.
    const auto bits = static_cast<uint32_t>(std::min(question.x.bits, 12));
    const auto magnitude =
        static_cast<int64_t>(1 + rng.Below(rng.OneIn(2) ? 3 : 1u << rng.Below(bits)));
    const ExactValue difference = Dyadic(rng.OneIn(2) ? magnitude : -magnitude, 0);
    return question.XOfDifference(channel, difference);
  });
}

void FillRangeEnds(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  StartRange(question, many ? 200 : 110);
  CounterRng& rng = question.rng;
  const NumberFormat& y = question.y;
  const ExactValue top = OverflowTie(y);
  const ExactValue bottom = Dyadic(1, SmallestExponent(y) - y.mantissa_bits - 1);
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    DequantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    ExactValue difference;
    const uint64_t code = SomeX(question, channel, difference);
    const int turn = static_cast<int>(c) + question.index;
    const int steps = static_cast<int>(rng.Below(5)) - 2;
    uint64_t scale = 0;
    switch (turn % 4) {
      case 0:
        scale = ScaleFor(question, difference, top, steps);
        break;
      case 1:
        scale = ScaleFor(question, difference, bottom, steps);
        break;
      case 2:
        scale = question.ScaleAt(
            DequantizeScale::kFull,
            WithinScale(question, std::min(LargestExponent(question.x_scale),
                                           LargestExponent(question.y))));
        break;
      default:
        scale =
            question.ScaleAt(DequantizeScale::kFull,
                             WithinScale(question, SmallestExponent(question.x_scale)));
        break;
    }
    question.SetScale(c, scale);
    question.channels[static_cast<size_t>(c)].anchor = static_cast<uint32_t>(code);
  }
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    if (rng.OneIn(2)) return question.AnyX();
    // The anchor, and differences next to it and to its negative.
    const Unrounded exact = DifferenceOf(question, channel, *channel.anchor);
    ExactValue difference = RoundTo(FormatOf(DataType::kDouble), exact);
    if (rng.OneIn(2)) difference.negative = !difference.negative;
    const uint64_t code = question.XOfDifference(channel, difference);
    if (IsNan(question.x, code)) return code;
    return Step(question.x, code, static_cast<int>(rng.Below(3)) - 1);
  });
}

namespace {

// Scales at which their conversion to y begins to overflow, or to give zero, in turn;
// empty if y holds all scales.
std::vector<uint64_t> ScalesAtBordersOf(const NumberFormat& y,
                                        const NumberFormat& scale) {
  std::vector<uint64_t> codes;
  // The `step`-th scale from a value; of FLOAT8E8M0, that many binades from it.
  const auto add = [&](const ExactValue& value, int step) {
    if (scale.kind == NumberKind::kPowerOfTwo) {
      codes.push_back(
          static_cast<uint64_t>(std::clamp(FloorLog2(value) + step + 127, 1, 254)));
      return;
    }
    const uint64_t near = Step(scale, RoundNearest(scale, ToUnrounded(value)), step);
    if (near >= SmallestNormal(scale)) codes.push_back(near);
  };
  const bool overflows = LargestExponent(scale) >= LargestExponent(y);
  const bool underflows = SmallestExponent(scale) < SmallestExponent(y);
  const ExactValue half_smallest = Dyadic(1, SmallestExponent(y) - y.mantissa_bits - 1);
  for (const int step : {0, -1, 1}) {
    if (underflows) add(half_smallest, step);
    if (overflows) add(OverflowTie(y), step);
  }
  if (underflows) add(Dyadic(1, SmallestExponent(y)), -1);
  if (LargestExponent(scale) > LargestExponent(y)) {
    add(Dyadic(3, LargestExponent(y) + 3), 0);
  }
  if (SmallestExponent(scale) < SmallestExponent(y) - 30) {
    add(Dyadic(5, SmallestExponent(y) - 30), 0);
  }
  return codes;
}

}  // namespace

void FillConversionRange(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  StartRange(question, many ? 200 : 110);
  CounterRng& rng = question.rng;
  const std::vector<uint64_t> borders = ScalesAtBordersOf(question.y, question.x_scale);
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const int turn = static_cast<int>(c) + question.index;
    if (borders.empty() || (many && turn % 5 == 4)) continue;
    const auto place = static_cast<size_t>(turn);
    question.SetScale(c, borders[place % borders.size()]);
  }
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    const uint32_t choice = rng.Below(4);
    if (choice == 0 || !question.has_integer_x()) return question.AnyX();
    // FLOAT16 ends at 65519; and small differences, with scales that are large.
    if (choice == 1 && question.x.bits >= 16) {
      const int64_t magnitude = rng.Between(65500, 65540);
      return question.XOfDifference(channel,
                                    Dyadic(rng.OneIn(2) ? magnitude : -magnitude, 0));
    }
    const auto magnitude = static_cast<int64_t>(1 + rng.Below(9));
    return question.XOfDifference(channel,
                                  Dyadic(rng.OneIn(2) ? magnitude : -magnitude, 0));
  });
}

namespace {

std::vector<uint64_t> DegenerateScales(const NumberFormat& scale) {
  if (scale.kind == NumberKind::kPowerOfTwo) return {0xFF, 0x00, 0xFE, 0x01};
  const uint64_t sign = uint64_t{1} << (scale.bits - 1);
  const uint64_t infinity = Infinity(scale, false);
  const uint64_t negative = RoundNearest(scale, ToUnrounded(Dyadic(-11, -4))) |
                            (scale.mantissa_bits > 10 ? 1 : 0);
  return {sign,  // -0
          negative,
          CanonicalNan(scale),
          infinity,
          SmallestNormal(scale) - 1,
          0,
          infinity | sign,
          sign | (SmallestNormal(scale) / 3),
          infinity | 1 | sign,  // NaN, signalling
          1,
          RoundNearest(scale, ToUnrounded(Dyadic(-3, 4)))};
}

}  // namespace

int DegenerateScaleCount(DataType scale) {
  return static_cast<int>(DegenerateScales(FormatOf(scale)).size());
}

void FillDegenerate(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  StartRange(question, many ? 240 : 60);
  CounterRng& rng = question.rng;
  const std::vector<uint64_t> scales = DegenerateScales(question.x_scale);
  const int64_t channels = question.layout.channel_count;
  for (int64_t c = 0; c < channels; ++c) {
    const auto turn = static_cast<size_t>(c + question.index);
    if (many && turn % 4 == 3) continue;
    const size_t place = many ? turn - turn / 4 : turn;
    question.SetScale(c, scales[place % scales.size()]);
  }
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    if (!rng.OneIn(3)) return question.AnyX();
    // Differences of zero have a sign of their own (DQ-10).
    if (question.has_integer_x()) return channel.zero_point_code;
    const NumberFormat& x = question.x;
    const uint64_t zeros[] = {0, x.has_negative_zero ? Negated(x, 0) : 0};
    return rng.Pick(zeros);
  });
}

}  // namespace qconform::generators
