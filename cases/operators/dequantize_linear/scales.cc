// Scales and x that are directed at ties of y.
#include <algorithm>
#include <bit>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

// Few x have ties with a given scale: so many are tried.
constexpr int kTries = 3;
constexpr int kWideTries = 6;

// The canonical product, before it is rounded to y.
Unrounded ProductOf(const DequantizeLinearQuestion& question, const ProductWay& way,
                    const DequantizeLinearChannel& channel, uint64_t x_code) {
  Unrounded difference = DifferenceOf(question, channel, x_code);
  if (way.difference != DataType::kUndefined) {
    difference = ToUnrounded(RoundTo(FormatOf(way.difference), difference));
  }
  ExactValue scale = channel.scale;
  if (way.scale != DataType::kUndefined) {
    scale = RoundTo(FormatOf(way.scale), ToUnrounded(scale));
  }
  return MultiplyWide(difference, scale);
}

// Returns an x whose difference makes a product at or near a tie, if differences have
// enough bits for that.
uint64_t WideX(DequantizeLinearQuestion& question, const ProductWay& way,
               const DequantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  const int precision = PrecisionOf(question.y);
  int most = question.x.bits;
  if (question.x.is_signed && channel.zero_point.value_class == ValueClass::kZero) --most;
  if (question.y.type == DataType::kFloat16) most = std::min(most, 16);
  // Differences that y holds are multiplied as they are.
  if (rng.OneIn(2)) most = std::min(most, precision);
  ExactValue scale = channel.scale;
  if (way.scale != DataType::kUndefined) {
    scale = RoundTo(FormatOf(way.scale), ToUnrounded(scale));
  }
  if (scale.value_class != ValueClass::kFinite) return question.AnyX();
  uint64_t difference = 0;
  if (!rng.OneIn(3)) {
    difference = FactorOfTie(OddPart(scale), most, precision, rng);
    const int room = most - static_cast<int>(std::bit_width(difference));
    difference <<= rng.Below(static_cast<uint32_t>(room + 1));
  }
  if (difference == 0) {
    difference = FactorBesideTie(OddPart(scale), most - static_cast<int>(rng.Below(2)),
                                 precision, 24, rng);
  }
  if (difference == 0) return question.AnyX();
  ExactValue value = Dyadic(static_cast<int64_t>(difference), 0);
  const ExactValue& zero_point = channel.zero_point;
  const bool down = zero_point.value_class == ValueClass::kFinite && !zero_point.negative;
  const bool up = zero_point.value_class == ValueClass::kFinite && zero_point.negative;
  value.negative = down || (!up && question.x.is_signed && rng.OneIn(2));
  return question.XOfDifference(channel, value);
}

}  // namespace

uint64_t DirectedX(DequantizeLinearQuestion& question,
                   const DequantizeLinearChannel& channel) {
  if (channel.scale.value_class != ValueClass::kFinite) return question.AnyX();
  const PreparedFormat& y = Prepared(question.y);
  const ProductWay way = CanonicalWay(question);
  const bool wide = question.x.bits >= 16 && !question.rng.OneIn(3);
  uint64_t code = 0;
  const int tries = wide ? kWideTries : kTries;
  for (int i = 0; i < tries; ++i) {
    code = wide ? WideX(question, way, channel) : question.AnyX();
    const Rounded rounded = y.to_precision(ProductOf(question, way, channel, code));
    if (rounded.tie() || rounded.near_tie()) break;
    if (!wide && i > 0 && rounded.inexact()) break;
  }
  return code;
}

namespace {

// Sets an element to an x whose product is rounded, or not zero where none is rounded.
// Returns whether there is one.
bool SetTailX(DequantizeLinearQuestion& question, int64_t index) {
  constexpr int kTailTries = 24;
  const ProductWay way = CanonicalWay(question);
  const PreparedFormat& y = Prepared(question.y);
  const bool rounds = CanRound(question);
  const DequantizeLinearChannel& channel = question.ChannelOf(index);
  const NumberFormat& half = FormatOf(DataType::kFloat16);
  for (int tries = 0; tries < kTailTries; ++tries) {
    const uint64_t code = question.AnyX();
    // Larger differences are of another tier.
    if (question.y.type == half.type &&
        RoundTo(half, DifferenceOf(question, channel, code)).value_class !=
            ValueClass::kFinite) {
      continue;
    }
    const Unrounded product = ProductOf(question, way, channel, code);
    const Rounded rounded = y.to_precision(product);
    if (product.value_class != ValueClass::kFinite || rounded.overflow) continue;
    if (rounded.units == 0) continue;
    const bool shows =
        !rounds || rounded.code != y.to_precision_toward_zero(product).code;
    // Where none of the first few is rounded, there may be none.
    if (shows || tries == kTailTries / 2) {
      question.x_codes[static_cast<size_t>(index)] = static_cast<uint32_t>(code);
    }
    if (shows) return true;
  }
  return false;
}

}  // namespace

void FinishTail(DequantizeLinearQuestion& question) {
  constexpr int64_t kTail = 3;
  const int64_t count = question.layout.element_count;
  for (int64_t i = std::max<int64_t>(count - kTail, 0); i < count; ++i) {
    const DequantizeLinearChannel& channel = question.ChannelOf(i);
    if (channel.scale.value_class != ValueClass::kFinite) continue;
    if (SetTailX(question, i) || question.x.bits > 2) continue;
    // Of two bits only a difference of 3 is no power of two.
    question.SetChannel(question.layout.ChannelOf(i), channel.scale_code,
                        question.ZeroPoint(ZeroPointFamily::kLow));
    SetTailX(question, i);
  }
}

uint64_t ScaleOfTies(DequantizeLinearQuestion& question, uint64_t zero_point_code) {
  CounterRng& rng = question.rng;
  const int exponent = question.ScaleExponent();
  if (question.x_scale.kind == NumberKind::kPowerOfTwo) {
    return question.ScaleAt(DequantizeScale::kPowerOfTwo, exponent);
  }
  const DequantizeLinearChannel channel = question.Channel(
      question.ScaleAt(DequantizeScale::kPowerOfTwo, exponent), zero_point_code);
  const int wanted = PrecisionOf(question.y) + 1;
  const int most = std::min(PrecisionOf(question.x_scale), PrecisionOf(question.y));
  // The largest of some odd parts: smaller ones have ties with its scale, too.
  constexpr int kHubs = 12;
  uint64_t hub = 1;
  if (question.x.bits >= 16) {
    hub = rng.Below(1u << rng.Between(3, std::min(wanted - 3, 14))) | 3;
  }
  for (int i = 0; i < kHubs && (i < 4 || hub < 3) && question.x.bits < 16; ++i) {
    const Unrounded difference = DifferenceOf(question, channel, question.AnyX());
    if (difference.value_class != ValueClass::kFinite) continue;
    const uint64_t odd = OddPart(RoundTo(FormatOf(DataType::kDouble), difference));
    if (static_cast<int>(std::bit_width(odd)) <= wanted - 2) hub = std::max(hub, odd);
  }
  const uint64_t factor = FactorOfTie(hub, most, wanted - 1, rng);
  if (factor == 0) return question.ScaleAt(DequantizeScale::kFull, exponent);
  const auto bits = static_cast<int>(std::bit_width(factor));
  return question.NearestScale(
      ToUnrounded(Dyadic(static_cast<int64_t>(factor), exponent - bits + 1)));
}

}  // namespace qconform::generators
