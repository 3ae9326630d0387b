// Scales and x that are directed at ties of y.
#include <algorithm>
#include <bit>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

// Few x have ties with a given scale: so many are tried.
constexpr int kTries = 3;

// The odd part of a finite value other than 0.
uint64_t OddPart(const ExactValue& value) {
  return value.significand >> std::countr_zero(value.significand);
}

// Returns an x whose difference makes a product near a tie, if differences have enough
// bits for that.
uint64_t WideX(DequantizeLinearQuestion& question,
               const DequantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  const int bits = question.x.type == DataType::kInt32 ? 31 : question.x.bits;
  const uint64_t difference =
      DifferenceBesideTie(OddPart(channel.scale), bits - static_cast<int>(rng.Below(3)),
                          PrecisionOf(question.y), rng.Between(-3, 3), rng);
  if (difference == 0) return question.AnyX();
  const ExactValue value = Dyadic(static_cast<int64_t>(difference), 0);
  const ExactValue zero_point = channel.zero_point;
  const bool down = zero_point.value_class == ValueClass::kFinite && !zero_point.negative;
  ExactValue signed_value = value;
  signed_value.negative = down || (question.x.is_signed && rng.OneIn(2));
  return question.XOfDifference(channel, signed_value);
}

}  // namespace

uint64_t DirectedX(DequantizeLinearQuestion& question,
                   const DequantizeLinearChannel& channel) {
  if (channel.scale.value_class != ValueClass::kFinite) return question.AnyX();
  const PreparedFormat& y = Prepared(question.y);
  uint64_t code = 0;
  for (int i = 0; i < kTries; ++i) {
    const bool wide = question.x.bits >= 16 && !question.rng.OneIn(3);
    code = wide ? WideX(question, channel) : question.AnyX();
    const Rounded rounded = y.to_precision(
        MultiplyWide(DifferenceOf(question, channel, code), channel.scale));
    if (rounded.tie() || rounded.near_tie() || (i > 0 && rounded.inexact())) break;
  }
  return code;
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
  // The largest of a few odd parts: smaller ones have ties with its scale, too.
  uint64_t hub = 1;
  for (int i = 0; i < 4; ++i) {
    const Unrounded difference = DifferenceOf(question, channel, question.AnyX());
    if (difference.value_class != ValueClass::kFinite) continue;
    const uint64_t odd = OddPart(RoundTo(FormatOf(DataType::kDouble), difference));
    if (static_cast<int>(std::bit_width(odd)) <= wanted - 2) hub = std::max(hub, odd);
  }
  const int bits = std::max(wanted - static_cast<int>(std::bit_width(hub)), 2);
  if (bits > most) return question.ScaleAt(DequantizeScale::kFull, exponent);
  const uint64_t top = uint64_t{1} << (bits - 1);
  const uint64_t factor = top | (rng.Next32() & (top - 1)) | 1;
  return question.NearestScale(
      ToUnrounded(Dyadic(static_cast<int64_t>(factor), exponent - bits + 1)));
}

}  // namespace qconform::generators
