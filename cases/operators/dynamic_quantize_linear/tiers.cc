// Ranges at the ends of FLOAT, subnormal ones, those that are nothing, and values that
// are no numbers.
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {
namespace {

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kSmallestNormal = 0x00800000;

void FillAny(DynamicQuantizeQuestion& question) {
  for (uint32_t& code : question.x) code = question.AnyWithin();
}

int64_t SomeLength(CounterRng& rng, int64_t most) { return rng.Between(1, most); }

}  // namespace

// All elements are equal, or zeros of both signs.
void FillDynamicConstant(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const uint32_t any = question.FullFloat(static_cast<int>(rng.Between(-30, 30)));
  const uint32_t kValues[] = {0,
                              kOne,
                              NegatedFloat(any),
                              kMinusZero,
                              0,  // of both signs
                              0,
                              any,
                              kLargest,
                              NegatedFloat(kLargest),
                              1,
                              kSmallestNormal,
                              FloatCode(3, 0),
                              FloatCode(-3, 0),
                              kMinusZero,
                              FloatCode(255, 0),
                              0};
  static_assert(std::size(kValues) == kDynamicConstant);
  const int index = question.index % kDynamicConstant;
  question.SetLength(
      index == 5 || index == 13 || index == 11 || index == 12 ? 1 : SomeLength(rng, 70));
  if (index == 15) question.SetShape({2, 3, 17});
  std::ranges::fill(question.x, kValues[index]);
  if (index != 4) return;
  for (uint32_t& code : question.x) code = rng.OneIn(2) ? kMinusZero : 0;
}

// Scales that are subnormal or underflow, and subnormal x beside others.
void FillDynamicSubnormal(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  question.SetLength(SomeLength(rng, 90) + 2);
  const auto small = [&](int64_t low, int64_t high) {
    return static_cast<uint32_t>(rng.Between(low, high));
  };
  const auto negated = [](uint32_t code) { return NegatedFloat(code); };
  switch (question.index < 16 ? question.index % 8 : question.index) {
    case 16:  // 382 / 255 is rounded down to 1, so that the zero point would be 382
      question.SetRange(negated(382), 0);
      break;
    case 17:
      question.SetRange(negated(637), 0);
      break;
    case 0:  // (max - min) / 255 is below half of the smallest FLOAT
      question.SetRange(negated(small(1, 60)), small(1, 67));
      break;
    case 1:  // and above, by as little as can be
      question.SetRange(negated(small(60, 64)), 128 - 60);
      break;
    case 2:
      question.SetRange(question.index < 8 ? 0 : kMinusZero, small(1, 127));
      break;
    case 3:
      question.SetRange(negated(small(1, 127)), question.index < 8 ? kMinusZero : 0);
      break;
    case 4:
      question.SetRange(negated(small(200, 100'000)), small(200, 100'000));
      break;
    case 5:  // x is normal, and the scale is not
      question.SetAnyRange(RangeKind::kBothSigns, -124 + static_cast<int>(rng.Below(4)));
      break;
    case 6:  // the scale is about the smallest normal value
      question.SetRange(
          FloatCode(-127, -126),
          StepFloat(FloatCode(128, -126), static_cast<int>(rng.Between(-2, 1))));
      break;
    default:  // the scale is normal, some x are not
      question.SetAnyRange(RangeKind::kBothSigns, -117);
      break;
  }
  question.Fill();
  if (question.index < 16 && question.index % 8 == 7) {
    for (uint32_t& code : question.x) {
      if (rng.OneIn(3))
        code = small(0, kSmallestNormal - 1) | (rng.Next32() & kMinusZero);
    }
  }
  // The zero points of a scale that is 0 depend on whether min is below 0, y on x.
  for (uint32_t& code : question.x) {
    if (rng.OneIn(8)) code = rng.OneIn(2) ? 0 : kMinusZero;
  }
  question.PutEnds();
}

// Ranges that overflow, and their neighbours that do not.
void FillDynamicRangeEnds(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  question.SetLength(SomeLength(rng, 60) + 2);
  const uint32_t minus_largest = NegatedFloat(kLargest);
  // Half of the distance between the largest FLOATs: with it the sum is a tie that
  // becomes infinite.
  const uint32_t half_step = FloatCode(1, 103);
  switch (question.index % 8) {
    case 0:
      question.SetRange(minus_largest, kLargest);
      break;
    case 1:
      question.SetRange(NegatedFloat(half_step), kLargest);
      break;
    case 2:
      question.SetRange(NegatedFloat(StepFloat(half_step, -1)), kLargest);
      break;
    case 3:
      question.SetRange(minus_largest, half_step);
      break;
    case 4:
      question.SetRange(minus_largest, StepFloat(half_step, -1));
      break;
    case 5:  // 2^128 exactly
      question.SetRange(FloatCode(-1, 127), FloatCode(1, 127));
      break;
    case 6:
      question.SetRange(FloatCode(-3, 125), kLargest);
      break;
    default:
      question.SetRange(FloatCode(-1, 126), question.FullFloat(126));
      break;
  }
  if (question.scale().value_class == ValueClass::kFinite) {
    question.Fill();
  } else {
    FillAny(question);
  }
  for (uint32_t& code : question.x) {
    if (rng.OneIn(10)) code = rng.OneIn(2) ? 0 : kMinusZero;
  }
  question.PutEnds();
}

// NaN and infinite x among finite ones, at the places where kernels begin and end.
void FillDynamicSpecials(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const int what = question.index % 8;
  question.SetLength(what < 6 ? rng.Between(1, 80) : rng.Between(1, 20));
  question.SetAnyRange(question.KindByTurn(question.index),
                       static_cast<int>(rng.Between(-8, 8)));
  question.Fill();
  question.PutEnds();
  const int64_t last = question.size() - 1;
  const int64_t places[] = {0, last, last / 2, std::min<int64_t>(last, 17)};
  const auto place = static_cast<size_t>(places[question.index / 8 % 4]);
  const auto nan = [&] {
    return kInfinity | (rng.Next32() & kMinusZero) | 1 | (rng.Next32() & 0x7FFFFF);
  };
  const uint32_t minus_infinity = NegatedFloat(kInfinity);
  switch (what) {
    case 0:
      question.x[place] = nan();
      break;
    case 1:
      question.x[place] = kInfinity;
      break;
    case 2:
      question.x[place] = minus_infinity;
      break;
    case 3:
      question.x[place] = kInfinity;
      question.x[static_cast<size_t>(last) - place] = minus_infinity;
      break;
    case 4:
      question.x[place] = nan();
      question.x[static_cast<size_t>(last) - place] =
          rng.OneIn(2) ? kInfinity : minus_infinity;
      break;
    case 5:
      for (uint32_t& code : question.x) {
        if (rng.OneIn(3)) code = kInfinity;
      }
      question.x[place] = kInfinity;
      break;
    case 6:
      for (uint32_t& code : question.x) code = nan();
      break;
    default:
      std::ranges::fill(question.x,
                        question.index / 8 % 2 == 0 ? kInfinity : minus_infinity);
      break;
  }
}

}  // namespace qconform::generators
