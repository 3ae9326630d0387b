#include "cases/generators/quantize_linear_values.h"

#include <algorithm>
#include <numeric>

namespace qconform {

Stride::Stride(uint32_t count, CounterRng& rng) : count_(count), step_(1), at_(rng.Below(count)) {
  if (count < 3) return;
  step_ = count / 3 + rng.Below(count / 3);
  while (std::gcd(step_, count) != 1) ++step_;
}

BoundaryWindow HoldableBoundaries(const QuantizeLinearQuestion& question,
                                  const QuantizeLinearChannel& channel) {
  const RoundingBoundaries& boundaries = question.boundaries;
  BoundaryWindow window{0, boundaries.count()};
  if (question.y.kind != NumberKind::kInteger || question.p == nullptr) return window;
  // Halves exist in P below 2^mantissa_bits.
  const int64_t limit = int64_t{1} << std::min(question.p->mantissa_bits, 40);
  // The boundary of index 0, rounded up: boundaries lie one apart.
  const ExactValue lowest = boundaries.At(0, channel.zero_point);
  const int64_t magnitude = static_cast<int64_t>(lowest.significand) / 2;
  const int64_t first = lowest.negative ? -magnitude : magnitude + 1;
  if (first < -limit) window.first = -limit - first;
  window.count = std::min(boundaries.count(), limit - first) - window.first;
  return window;
}

uint64_t SteppedX(const QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel,
                  const ExactValue& quotient, int steps) {
  const Unrounded target = Multiply(channel.divisor, quotient);
  const NumberFormat* p = question.p;
  const bool narrow = p != nullptr && p->type != question.x.type &&
                      (question.x.kind == NumberKind::kInteger ||
                       p->mantissa_bits < question.x.mantissa_bits);
  if (!narrow) {
    return Step(question.x, RoundNearest(question.x, target), steps);
  }
  const uint64_t stepped = Step(*p, RoundNearest(*p, target), steps);
  return RoundNearest(question.x, ToUnrounded(Decode(*p, stepped)));
}

uint64_t SpreadX(QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel) {
  const BoundaryWindow window = HoldableBoundaries(question, channel);
  const auto index =
      window.first + question.rng.Below(static_cast<uint32_t>(window.count));
  const ExactValue boundary = question.boundaries.At(index, channel.zero_point);
  switch (question.rng.Below(4)) {
    case 0: return SteppedX(question, channel, boundary, 0);
    case 1: return SteppedX(question, channel, boundary, question.rng.OneIn(2) ? 1 : -1);
    default: break;
  }
  // A few percent beside it.
  ExactValue beside = boundary;
  if (beside.value_class == ValueClass::kFinite) {
    beside.significand = beside.significand * 64 + question.rng.Below(9);
    beside.exponent -= 6;
  }
  return question.XNear(channel, beside);
}

}  // namespace qconform
