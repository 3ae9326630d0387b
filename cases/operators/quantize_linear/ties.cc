// x at and next to the points where the rounded result changes.
#include <algorithm>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

// Targets with more boundaries than this are asked a spread of them.
constexpr int64_t kManyBoundaries = 600;
constexpr int64_t kSpread = 260;
constexpr int64_t kFewest = 70;

// Chooses a boundary of a wide target: ends of the range, zero, powers of two
// and in between.
int64_t SpreadBoundary(const BoundaryWindow& window, int64_t zero, CounterRng& rng) {
  const int64_t last = window.first + window.count - 1;
  const auto clamp = [&](int64_t index) { return std::clamp(index, window.first, last); };
  switch (rng.Below(8)) {
    case 0:
      return clamp(window.first + rng.Below(6));
    case 1:
      return clamp(last - rng.Below(6));
    case 2:
    case 3: {
      const int64_t power = int64_t{1} << rng.Below(17);
      return clamp(zero + (rng.OneIn(2) ? power : -power) + rng.Below(3) - 1);
    }
    default:
      return window.first + rng.Below(static_cast<uint32_t>(window.count));
  }
}

}  // namespace

void FillTies(QuantizeLinearQuestion& question) {
  using enum ScaleFamily;
  using enum ZeroPointFamily;
  const int64_t all = question.boundaries.count();
  const bool wide = all > kManyBoundaries;
  const int64_t count = std::max(wide ? kSpread : all, kFewest);
  question.SetDirectedLayout(question.index, 3 * count + 2);
  question.SetChannels(
      {kFewBits, kFull, kReciprocal, kPowerOfTwo, kFull, kNearPowerOfTwo},
      {kOdd, kZero, kLow, kAny, kMiddle});

  constexpr int kSteps[] = {0, 1, -1};
  Stride order(static_cast<uint32_t>(3 * count), question.rng);
  question.FillX([&](int64_t i, const QuantizeLinearChannel& channel) {
    const BoundaryWindow& window = channel.holdable;
    const uint32_t slot = order.Next();
    int64_t index = window.first + (slot / 3) % window.count;
    if (window.count > kManyBoundaries) {
      int64_t zero = -IntegerMin(question.y) + 2;
      if (channel.zero_point.value_class == ValueClass::kFinite) {
        zero += ToInteger(question.y, channel.zero_point_code);
      }
      index = SpreadBoundary(window, zero, question.rng);
    }
    if (channel.anchor != 0 && question.x_is_coarse() && i % 2 == 1) {
      return AnchoredX(question, channel);
    }
    const ExactValue boundary = question.boundaries.At(index, channel.zero_point);
    return SteppedX(question, channel, boundary, kSteps[slot % 3]);
  });
}

}  // namespace qconform::generators
