// Ranges of x that tell ways to compute scale and zero point apart.
#include <cstdint>
#include <utility>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {
namespace {

constexpr int kTries = 2000;

bool IsSame(const ExactValue& a, const ExactValue& b) {
  return FloatCode(ToUnrounded(a)) == FloatCode(ToUnrounded(b));
}

// Lengths that leave tails.
int64_t SomeLength(DynamicQuantizeQuestion& question) {
  return question.rng.Between(2, 90);
}

// An exponent of both ends of a range: most are those of activations.
int SomeExponent(CounterRng& rng) {
  return static_cast<int>(rng.OneIn(4) ? rng.Between(-90, 90) : rng.Between(-6, 8));
}

// Sets a range for which a DOUBLE that is rounded to FLOAT afterwards differs from the
// exact (max - min) / 255, rounded once.
//
// With a t of 25 bits, max = 255 t - 1 and min = -(1 - 2^-24),
//
//   (max - min) / 255 = t - 2^-24 / 255                                         (1)
//
// t is halfway between two FLOATs, and (1) lies below it. A DOUBLE does not hold the
// difference max - min = 255 t - 2^-24 and takes it for 255 t. max has 24 bits, as a
// FLOAT has, if 255 t = 1 modulo 512: t = 255 modulo 512. A tie is rounded up there.
void SetRangeOfRoundedDouble(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const int64_t t = 255 + 512 * rng.Between(int64_t{1} << 15, (int64_t{1} << 16) - 1);
  const auto exponent = static_cast<int>(rng.Between(-40, 10));
  const uint32_t greatest = FloatCode(255 * t - 1, exponent);
  const uint32_t least = FloatCode(-((int64_t{1} << 24) - 1), exponent - 24);
  if (rng.OneIn(2)) {
    question.SetRange(least, greatest);
  } else {
    question.SetRange(NegatedFloat(greatest), NegatedFloat(least));
  }
}

// Sets a range in which -min lies beside a multiple and a half of the scale.
void SetRangeBesideTie(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const ExactValue scale = FloatValue(question.FullFloat(SomeExponent(rng)));
  const ExactValue halves = Dyadic(2 * rng.Between(1, 253) + 1, -1);
  const uint32_t least =
      StepFloat(FloatCode(Multiply(halves, scale)), static_cast<int>(rng.Between(-2, 2)));
  const Unrounded whole = Multiply(Dyadic(255, 0), scale);
  ExactValue negated = FloatValue(least);
  negated.negative = true;
  const uint32_t greatest =
      StepFloat(FloatCode(Add(whole, negated)), static_cast<int>(rng.Between(-1, 1)));
  question.SetRange(NegatedFloat(least), greatest);
}

}  // namespace

void FillDynamicScales(DynamicQuantizeQuestion& question) {
  const auto formula = static_cast<WrongScale>(question.index % kWrongScales);
  if (formula == WrongScale::kDoubleRange) {
    SetRangeOfRoundedDouble(question);
  } else {
    for (int i = 0; i < kTries; ++i) {
      question.SetAnyRange(RangeKind::kBothSigns, SomeExponent(question.rng));
      const FloatRange range = WithZero(question.lowest(), question.highest());
      if (!IsSame(ScaleBy(formula, range), question.scale())) break;
    }
  }
  question.SetLength(SomeLength(question));
  question.Fill();
  question.PutEnds();
}

void FillDynamicZeroPoints(DynamicQuantizeQuestion& question) {
  const auto formula = static_cast<WrongZeroPoint>(question.index % kWrongZeroPoints);
  for (int i = 0; i < kTries; ++i) {
    SetRangeBesideTie(question);
    const FloatRange range = WithZero(question.lowest(), question.highest());
    const int wrong = ZeroPointBy(formula, range, question.scale());
    if (wrong != question.zero_point()) break;
  }
  question.SetLength(SomeLength(question));
  question.Fill();
  question.PutEnds();
}

void FillZeroPointTies(DynamicQuantizeQuestion& question) {
  // -min / scale = k + 1/2, exactly: scale is a small odd number times a power of two.
  constexpr int kFirst[] = {126, 127, 0, 254, 1, 253, 128, 125};
  const int k =
      question.index < 8 ? kFirst[question.index] : question.index * 37 % kZeroPointTies;
  CounterRng& rng = question.rng;
  const int64_t scale = question.index < 2 ? 1 : 2 * rng.Below(1 << 11) + 1;
  const int exponent = question.index == 0 ? 1 : static_cast<int>(rng.Between(-12, 6));
  question.SetRange(FloatCode(-scale * (2 * k + 1), exponent - 1),
                    FloatCode(scale * (509 - 2 * k), exponent - 1));
  question.SetLength(SomeLength(question));
  question.Fill();
  question.PutEnds();
}

void FillOneSided(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const uint32_t minus_zero = NegatedFloat(0);
  question.SetLength(question.index % 4 == 3 ? 1 : SomeLength(question));
  const uint32_t far = question.FullFloat(SomeExponent(rng));
  const auto binade = static_cast<int>(rng.Below(3));
  // A narrow range away from 0, a range that ends at a zero of either sign.
  const uint32_t near = StepFloat(far, -static_cast<int>(rng.Between(1, 1 << 20)));
  switch (question.index % 6) {
    case 0:
      question.SetRange(near, far);
      break;
    case 1:
      question.SetRange(NegatedFloat(far), NegatedFloat(near));
      break;
    case 2:
      question.SetRange(0, far);
      break;
    case 3:
      question.SetRange(NegatedFloat(far), minus_zero);
      break;
    case 4:
      question.SetRange(NegatedFloat(far), 0);
      break;
    default:
      question.SetRange(minus_zero, FloatCode(255 << binade, 0));
      break;
  }
  question.FillInside();
  for (uint32_t& code : question.x) {
    if (rng.OneIn(4)) code = question.AnyWithin();
  }
  question.PutEnds();
}

}  // namespace qconform::generators
