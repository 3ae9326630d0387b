#include "cases/operators/quantize_linear/values.h"

#include <algorithm>

namespace qconform::generators {

uint64_t SteppedX(const QuantizeLinearQuestion& question,
                  const QuantizeLinearChannel& channel, const ExactValue& quotient,
                  int steps) {
  const Unrounded target = Multiply(channel.divisor, quotient);
  const NumberFormat* p = question.p;
  const bool narrow = p != nullptr && p->type != question.x.type &&
                      (question.x.kind == NumberKind::kInteger ||
                       p->mantissa_bits < question.x.mantissa_bits);
  if (!narrow) {
    return Step(question.x, RoundNearest(question.x, target), steps);
  }
  const uint64_t stepped = Step(*p, RoundNearest(*p, target), steps);
  return RoundNearest(question.x, ToUnrounded(Prepared(*p).decode(stepped)));
}

uint64_t AnchoredX(QuantizeLinearQuestion& question,
                   const QuantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  ExactValue multiple = Prepared(question.x).decode(channel.anchor);
  if (question.y.kind == NumberKind::kInteger) {
    // Odd multiples of k + 1/2 are such again.
    const uint32_t width =
        rng.Below(static_cast<uint32_t>(std::min(question.y.bits, 12)));
    multiple.significand *= (rng.Below(1u << width) << 1) | 1;
  } else {
    const int span = LargestExponent(question.y) - SmallestExponent(question.y);
    multiple.exponent += static_cast<int>(rng.Between(-span, span));
  }
  multiple.negative = rng.OneIn(2);
  return RoundNearest(question.x, ToUnrounded(multiple));
}

uint64_t SpreadX(QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel) {
  // Nothing can be directed at a divisor that is no number, or zero.
  if (channel.divisor.value_class != ValueClass::kFinite) {
    return question.rng.Pick(SpecialCodes(question.x));
  }
  const BoundaryWindow& window = channel.holdable;
  const auto index =
      window.first + question.rng.Below(static_cast<uint32_t>(window.count));
  const ExactValue boundary = question.boundaries.At(index, channel.zero_point);
  const uint32_t choice = question.rng.Below(4);
  if (choice < 2 && channel.anchor != 0 && question.rng.OneIn(2)) {
    return AnchoredX(question, channel);
  }
  switch (choice) {
    case 0:
      return SteppedX(question, channel, boundary, 0);
    case 1:
      return SteppedX(question, channel, boundary, question.rng.OneIn(2) ? 1 : -1);
    default:
      break;
  }
  // A few percent from it.
  ExactValue beside = boundary;
  if (beside.value_class == ValueClass::kFinite) {
    beside.significand = beside.significand * 64 + question.rng.Below(9);
    beside.exponent -= 6;
  }
  return question.XNear(channel, beside);
}

void SpreadAllX(QuantizeLinearQuestion& question) {
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    return SpreadX(question, channel);
  });
}

}  // namespace qconform::generators
