// Values of x at and beside the boundaries between two codes of y.
#include <cstdint>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {

void FillDynamicTies(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  constexpr int kFirst[] = {128, 0, 255, 77, 1, 254, 127, 100};
  const int zero_point =
      question.index < 8 ? kFirst[question.index] : question.index * 31 % kTieZeroPoints;
  // A scale of few bits, so that x holds every multiple and a half of it.
  const int64_t scale = question.index % 4 == 0 ? 1 : 2 * rng.Below(1 << 11) + 1;
  const auto exponent = static_cast<int>(rng.Between(-20, 12));
  question.SetRange(FloatCode(-scale * zero_point, exponent),
                    FloatCode(scale * (255 - zero_point), exponent));
  question.SetLength(3 * 255 + rng.Between(0, 63));
  question.Fill();
  for (int boundary = 1; boundary <= 255; ++boundary) {
    const auto place = static_cast<size_t>(boundary - 1);
    question.x[place] = question.BesideBoundary(boundary, 0);
    if (rng.OneIn(4)) {
      question.x[place] = question.BesideBoundary(boundary, rng.OneIn(2) ? 1 : -1);
    }
  }
  const int64_t last = question.size() - 1;
  question.PutEnds(last, last - 1);
}

void FillDynamicQuotients(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  const auto exponent = static_cast<int>(question.index % 4 == 3 ? rng.Between(-90, 90)
                                                                 : rng.Between(-4, 6));
  question.SetAnyRange(question.KindByTurn(question.index), exponent);
  question.SetLength(5 * 255 + rng.Between(0, 63));
  question.Fill();
  question.PutEnds();
}

void FillDynamicRandom(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  question.SetLength(rng.Between(1, 400));
  constexpr uint32_t kExponent = 0x7F800000;
  for (uint32_t& code : question.x) {
    const uint32_t bits = rng.Next32();
    switch (question.index % 3) {
      case 0:  // uniform bits, finite
        code = (bits & kExponent) == kExponent ? bits ^ 0x40000000 : bits;
        break;
      case 1:  // as activations are, a few of them outliers
        code = FloatCode(static_cast<int64_t>(bits >> 8) - (1 << 23),
                         rng.OneIn(40) ? -17 : -22);
        break;
      default:  // whole numbers
        code = FloatCode(static_cast<int64_t>(bits % 301) - 120, 0);
        break;
    }
  }
}

}  // namespace qconform::generators
