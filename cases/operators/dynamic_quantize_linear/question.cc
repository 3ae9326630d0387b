#include "cases/operators/dynamic_quantize_linear/question.h"

#include <cassert>

#include "cases/quantization/values.h"

namespace qconform::generators {
namespace {

constexpr uint32_t kBoundaries = 255;

}  // namespace

void DynamicQuantizeQuestion::SetShape(Shape x_shape) {
  shape = std::move(x_shape);
  x.assign(static_cast<size_t>(*ElementCount(shape)), 0);
}

void DynamicQuantizeQuestion::SetRange(uint32_t lowest, uint32_t highest) {
  assert(!IsBelow(highest, lowest));
  lowest_ = lowest;
  highest_ = highest;
  const FloatRange range = WithZero(lowest, highest);
  scale_ = BodyScale(range);
  zero_point_ = BodyZeroPoint(range, scale_);
}

void DynamicQuantizeQuestion::SetAnyRange(RangeKind kind, int exponent) {
  const uint32_t one = FullFloat(exponent);
  const uint32_t other = FullFloat(exponent - static_cast<int>(rng.Below(5)));
  switch (kind) {
    case RangeKind::kBothSigns:
      return rng.OneIn(2) ? SetRange(NegatedFloat(one), other)
                          : SetRange(NegatedFloat(other), one);
    case RangeKind::kPositive:
      return SetRange(FullFloat(exponent - 4), one);
    case RangeKind::kNegative:
      return SetRange(NegatedFloat(one), NegatedFloat(FullFloat(exponent - 4)));
  }
}

uint32_t DynamicQuantizeQuestion::FullFloat(int exponent) {
  const auto significand = static_cast<int64_t>(rng.Next32() >> 9 | 1u << 23 | 1u);
  return FloatCode(significand, exponent - 23);
}

uint32_t DynamicQuantizeQuestion::BesideBoundary(int code, int steps) const {
  const ExactValue halves = Dyadic(2 * (code - zero_point_) - 1, -1);
  const uint32_t chosen = StepFloat(FloatCode(Multiply(halves, scale_)), steps);
  if (IsBelow(chosen, lowest_)) return lowest_;
  return IsBelow(highest_, chosen) ? highest_ : chosen;
}

uint32_t DynamicQuantizeQuestion::AnyWithin(bool inner) {
  constexpr int kBits = 24;
  constexpr int64_t kOne = int64_t{1} << kBits;
  // lowest * (1 - share) + highest * share; inner: from 1/8 to 3/4.
  const int64_t share = inner ? rng.Between(kOne / 8, kOne / 4 * 3) : rng.Below(kOne);
  const Unrounded up = Multiply(FloatValue(highest_), Dyadic(share, -kBits));
  const Unrounded down = Multiply(FloatValue(lowest_), Dyadic(kOne - share, -kBits));
  return FloatCode(Add(up, ToExact(down)));
}

void DynamicQuantizeQuestion::Fill() {
  const bool has_boundaries = scale_.value_class == ValueClass::kFinite;
  Stride order(kBoundaries, rng);
  for (uint32_t& code : x) {
    if (!has_boundaries || rng.OneIn(6)) {
      code = AnyWithin();
    } else {
      const auto boundary = static_cast<int>(order.Next()) + 1;
      code = BesideBoundary(boundary, static_cast<int>(rng.Between(-2, 2)));
    }
  }
}

void DynamicQuantizeQuestion::FillInside() {
  for (uint32_t& code : x) code = AnyWithin(/*inner=*/true);
}

void DynamicQuantizeQuestion::PutEnds(int64_t lowest_at, int64_t highest_at) {
  x[static_cast<size_t>(lowest_at)] = lowest_;
  x[static_cast<size_t>(highest_at)] = highest_;
}

void DynamicQuantizeQuestion::PutEnds() {
  if (x.empty()) return;
  const auto count = static_cast<uint32_t>(x.size());
  const uint32_t lowest_at = rng.Below(count);
  const uint32_t apart = count < 2 ? 0 : 1 + rng.Below(count - 1);
  PutEnds(lowest_at, (lowest_at + apart) % count);
}

}  // namespace qconform::generators
