#include "cases/operators/quantize_linear/question.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace qconform::generators {
namespace {

// Odd significands, small enough that products with all tie numerators of 8-bit
// targets are exact in most types.
constexpr std::array<int64_t, 16> kFewBits{3,  5,  7,  11, 13, 9,  15, 21,
                                           27, 29, 31, 41, 47, 49, 61, 63};
// Twice the boundary that a reciprocal scale is made for.
constexpr std::array<int64_t, 8> kOddDivisors{3, 5, 7, 9, 11, 13, 15, 25};

// A window of exponents, both ends included.
struct Window {
  int low;
  int high;
};

// Returns the part of `window` inside `by`, or its end that is nearest to it.
Window Narrowed(Window window, Window by) {
  return {std::clamp(by.low, window.low, window.high),
          std::clamp(by.high, window.low, window.high)};
}

}  // namespace

QuantizeLinearQuestion::QuantizeLinearQuestion(const Cell& cell_in,
                                               const QuantizeLinearVariant& variant_in,
                                               int index_in, CounterRng rng_in)
    : cell(cell_in),
      granularity(GranularityOf(cell_in)),
      variant(variant_in),
      index(index_in),
      x(FormatOf(cell_in.types[0])),
      y_scale(FormatOf(cell_in.types[1])),
      y(FormatOf(cell_in.types[2])),
      p(QuotientType(cell_in, variant_in) == DataType::kUndefined
            ? nullptr
            : &FormatOf(QuotientType(cell_in, variant_in))),
      boundaries(RoundingBoundaries::Of(cell_in.types[2])),
      rng(rng_in) {
  const bool float_x = x.kind == NumberKind::kFloat;
  if (p != nullptr) tier_formats_.push_back(p);
  if (p == nullptr && float_x) tier_formats_.push_back(&FormatOf(DataType::kFloat));
  const int p_bits = p == nullptr ? 31 : p->mantissa_bits;
  const bool fine_scale =
      y_scale.kind == NumberKind::kInteger || y_scale.mantissa_bits > 12;
  x_is_coarse_ =
      fine_scale && (float_x ? x.mantissa_bits < p_bits : p == nullptr || p_bits > 20);
  const bool open =
      variant.precision == DataType::kUndefined && y_scale.kind != NumberKind::kFloat;
  if (open && float_x && x.type != DataType::kFloat) tier_formats_.push_back(&x);
}

void QuantizeLinearQuestion::SetLayout(ChannelLayout chosen) {
  layout = std::move(chosen);
  channels.assign(static_cast<size_t>(layout.channel_count), {});
  x_codes.assign(static_cast<size_t>(layout.element_count), 0);
}

void QuantizeLinearQuestion::SetDirectedLayout(int kind, int64_t elements) {
  SetLayout(DirectedLayout(granularity, kind, elements, tail, rng));
}

QuantizeLinearChannel QuantizeLinearQuestion::Channel(uint64_t scale_code,
                                                      uint64_t zero_point_code) const {
  QuantizeLinearChannel channel;
  channel.scale_code = scale_code;
  channel.scale = Prepared(y_scale).decode(scale_code);
  channel.divisor = channel.scale;
  if (p != nullptr && p->type != y_scale.type) {
    channel.divisor = RoundTo(*p, ToUnrounded(channel.scale));
  }
  channel.prepared_divisor = Divisor(channel.divisor);
  if (variant.zero_point == ZeroPointForm::kPresent) {
    channel.zero_point_code = zero_point_code;
    channel.zero_point = Prepared(y).decode(zero_point_code);
  }
  channel.holdable = HoldableBoundaries(channel);
  return channel;
}

void QuantizeLinearQuestion::SetChannel(int64_t channel, uint64_t scale_code,
                                        uint64_t zero_point_code, uint64_t anchor) {
  QuantizeLinearChannel& made = channels[static_cast<size_t>(channel)];
  made = Channel(scale_code, zero_point_code);
  made.anchor = anchor;
}

void QuantizeLinearQuestion::SetScale(int64_t channel, uint64_t scale_code) {
  SetChannel(channel, scale_code, channels[static_cast<size_t>(channel)].zero_point_code);
}

void QuantizeLinearQuestion::SetChannels(
    std::initializer_list<ScaleFamily> scales,
    std::initializer_list<ZeroPointFamily> zero_points) {
  for (int64_t c = 0; c < layout.channel_count; ++c) {
    const auto turn = static_cast<size_t>(c) + static_cast<size_t>(index);
    ScaleFamily family = scales.begin()[turn % scales.size()];
    if (x_is_coarse_ && family == ScaleFamily::kFull && !rng.OneIn(3)) {
      family = ScaleFamily::kReciprocal;
    }
    uint64_t anchor = 0;
    const uint64_t scale = family == ScaleFamily::kReciprocal
                               ? ReciprocalScale(ScaleExponent(), anchor)
                               : ScaleCode(family);
    SetChannel(c, scale, ZeroPointCode(zero_points.begin()[turn % zero_points.size()]),
               anchor);
  }
}

// Returns an exponent of two for the scale: quotients over the whole range of y,
// and x, y_scale and P within their normal ranges, as far as all this is
// possible at once.
int QuantizeLinearQuestion::ScaleExponent() {
  int low = SmallestExponent(x);
  int high = LargestExponent(x);
  Window scales{SmallestExponent(y_scale) + 1, LargestExponent(y_scale) - 1};
  if (p != nullptr) {
    low = std::max(low, SmallestExponent(*p));
    high = std::min(high, LargestExponent(*p));
    scales = Narrowed(scales, {SmallestExponent(*p) + 1, LargestExponent(*p) - 1});
  }
  // The smallest and the largest boundary of the target.
  const bool integer = y.kind == NumberKind::kInteger;
  low -= integer ? -1 : FloorLog2(y, SmallestPositive(y)) - 1;
  high -= integer ? y.bits + 1 : LargestExponent(y) + 2;
  // Integers x can lie halfway between two multiples of an even scale only.
  if (x.kind == NumberKind::kInteger) low = std::max(low, 1);
  if (low > high) std::swap(low, high);
  Window window = Narrowed(scales, {low, high});
  // Most scales are ordinary ones. Integers have their detail in large values.
  if (x.kind == NumberKind::kInteger) {
    if (rng.OneIn(2)) window.low = (window.low + window.high) / 2;
    if (rng.OneIn(y.bits > 8 ? 2 : 4)) {
      window = Narrowed(scales, {window.high, window.high + 12});
    }
  } else if (!rng.OneIn(3)) {
    window = Narrowed(
        window, y_scale.kind == NumberKind::kInteger ? Window{8, 28} : Window{-8, 8});
  }
  return static_cast<int>(rng.Between(window.low, window.high));
}

uint64_t QuantizeLinearQuestion::ReciprocalScale(int exponent, uint64_t& anchor) {
  // Those that lie within the codes of narrow types come first.
  const uint32_t divisors = y.bits == 2 ? 3 : static_cast<uint32_t>(kOddDivisors.size());
  ExactValue boundary = Dyadic(kOddDivisors[rng.Below(divisors)], -1);
  if (y.kind != NumberKind::kInteger) {
    const int64_t half = boundaries.count() / 2;
    boundary = boundaries.At(half + rng.Below(static_cast<uint32_t>(half)), {});
  }
  return ReciprocalScale(exponent, boundary, anchor);
}

uint64_t QuantizeLinearQuestion::ReciprocalScale(int exponent, const ExactValue& quotient,
                                                 uint64_t& anchor) {
  const int x_exponent =
      std::clamp(exponent + FloorLog2(quotient), SmallestExponent(x), LargestExponent(x));
  ExactValue dividend = Dyadic(1, x_exponent);
  dividend.negative = quotient.negative;
  anchor = RoundNearest(x, ToUnrounded(dividend));
  if (y_scale.kind == NumberKind::kPowerOfTwo) {
    return ScaleAt(ScaleFamily::kPowerOfTwo, exponent);
  }
  return RoundNearest(y_scale, Divide(dividend, quotient));
}

uint64_t QuantizeLinearQuestion::RoundedUpScale(int exponent) {
  constexpr int kTries = 8;
  uint64_t code = 0;
  for (int i = 0; i < kTries; ++i) {
    code = ScaleAt(ScaleFamily::kFull, exponent);
    if (p == nullptr || y_scale.kind == NumberKind::kPowerOfTwo) break;
    const Unrounded scale = ToUnrounded(Prepared(y_scale).decode(code));
    const PreparedFormat& to = Prepared(*p);
    if (to.to_precision(scale).code != to.to_precision_toward_zero(scale).code) break;
  }
  return code;
}

uint64_t QuantizeLinearQuestion::ScaleAt(ScaleFamily family, int exponent) {
  if (y_scale.kind == NumberKind::kPowerOfTwo) {
    return static_cast<uint64_t>(exponent - SmallestExponent(y_scale));
  }
  const bool integer = y_scale.kind == NumberKind::kInteger;
  // The lowest bit of the significand: integers x want even scales.
  const int lowest = x.kind == NumberKind::kInteger ? 1 : integer ? 0 : -2000;
  const auto nearest = [&](const Unrounded& value) {
    return RoundNearest(y_scale, value);
  };
  switch (family) {
    case ScaleFamily::kPowerOfTwo:
      return nearest(ToUnrounded(Dyadic(1, exponent)));
    case ScaleFamily::kFewBits: {
      const int64_t odd = rng.Pick(kFewBits);
      const int width = static_cast<int>(std::bit_width(static_cast<uint64_t>(odd)));
      return nearest(ToUnrounded(Dyadic(odd, std::max(exponent - width + 1, lowest))));
    }
    case ScaleFamily::kFull: {
      const int bits = integer ? std::max(exponent, 2) : y_scale.mantissa_bits;
      const int64_t low_bits =
          static_cast<int64_t>(rng.Next32() & ((uint64_t{1} << bits) - 1)) | 1;
      return nearest(ToUnrounded(
          Dyadic((int64_t{1} << bits) | low_bits, integer ? 0 : exponent - bits)));
    }
    case ScaleFamily::kReciprocal: {
      uint64_t anchor = 0;
      return ReciprocalScale(exponent, anchor);
    }
    case ScaleFamily::kNearPowerOfTwo:
      break;
  }
  const uint64_t code =
      nearest(ToUnrounded(Dyadic(1, std::max(exponent, integer ? 2 : exponent))));
  return rng.OneIn(2) ? NextUp(y_scale, code) : NextDown(y_scale, code);
}

BoundaryWindow QuantizeLinearQuestion::HoldableBoundaries(
    const QuantizeLinearChannel& channel) const {
  BoundaryWindow window{0, boundaries.count()};
  if (y.kind != NumberKind::kInteger || p == nullptr) return window;
  // Halves exist in P below 2^mantissa_bits.
  const int64_t limit = int64_t{1} << std::min(p->mantissa_bits, 40);
  // The boundary of index 0, rounded up: boundaries lie one apart.
  const ExactValue lowest = boundaries.At(0, channel.zero_point);
  const int64_t magnitude = static_cast<int64_t>(lowest.significand) / 2;
  const int64_t first = lowest.negative ? -magnitude : magnitude + 1;
  if (first < -limit) window.first = -limit - first;
  window.count = std::min(boundaries.count(), limit - first) - window.first;
  return window;
}

}  // namespace qconform::generators
