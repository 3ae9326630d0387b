// x and y_scale that tell one way to divide from another: candidates beside the
// points where the composition of all roundings changes its mind, kept where a
// rival quotient gives another code.
#include <algorithm>

#include "cases/generators/quantize_linear_cases.h"
#include "cases/generators/quantize_linear_rivals.h"
#include "cases/generators/quantize_linear_values.h"

namespace qconform::generators {
namespace {

// Evaluations that the search for scales may take, all channels together, and
// tries for one element.
constexpr int kPairBudget = 360;
constexpr int kTriesPerElement = 3;

constexpr DataType kNarrowTypes[] = {DataType::kFloat, DataType::kFloat16,
                                     DataType::kBfloat16};

// Moves a boundary by half a unit in the last place of `format`: rounding to it
// first then decides on which side of the boundary the quotient ends.
ExactValue HalfUnitBeside(const ExactValue& boundary, const NumberFormat& format,
                          bool above) {
  if (boundary.value_class != ValueClass::kFinite) return boundary;
  const int unit =
      std::max(FloorLog2(boundary), SmallestExponent(format)) - format.mantissa_bits;
  const int shift = boundary.exponent - (unit - 1);
  if (shift < 0 || shift > 58 || FloorLog2(boundary) - (unit - 1) > 60) return boundary;
  ExactValue beside = boundary;
  beside.significand = (boundary.significand << shift) + (above ? 1 : ~uint64_t{0});
  beside.exponent = unit - 1;
  return beside;
}

ExactValue ChooseQuotient(QuantizeLinearQuestion& question,
                          const QuantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  const BoundaryWindow window = HoldableBoundaries(question, channel);
  int64_t offset = rng.Below(static_cast<uint32_t>(window.count));
  // Small quotients have more candidates on either side.
  if (window.count > 1000 && !rng.OneIn(3)) {
    const ExactValue lowest = question.boundaries.At(window.first, channel.zero_point);
    const int64_t below_zero =
        lowest.negative ? static_cast<int64_t>(lowest.significand / 2) : 0;
    offset =
        std::clamp<int64_t>(below_zero + rng.Between(-300, 300), 0, window.count - 1);
  }
  const ExactValue boundary =
      question.boundaries.At(window.first + offset, channel.zero_point);
  const uint32_t choice = rng.Below(4);
  if (choice == 0) return boundary;
  const NumberFormat& format = choice < 3 && question.p != nullptr
                                   ? *question.p
                                   : FormatOf(rng.Pick(kNarrowTypes));
  return HalfUnitBeside(boundary, format, rng.OneIn(2));
}

uint64_t ChooseX(QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel) {
  if (channel.anchor != 0 && question.rng.OneIn(question.x_is_coarse() ? 2 : 4)) {
    return AnchoredX(question, channel);
  }
  const ExactValue quotient = ChooseQuotient(question, channel);
  const int steps = static_cast<int>(question.rng.Below(3)) - 1;
  if (question.rng.OneIn(3)) return SteppedX(question, channel, quotient, steps);
  return Step(question.x, question.XNear(channel, quotient), steps);
}

// Returns a scale for which some x of few or many bits has its quotient beside
// a boundary; where y_scale is finer than x, no x does that for a given scale.
uint64_t ScaleFromPair(QuantizeLinearQuestion& question, uint64_t zero_point,
                       uint64_t& x_code) {
  CounterRng& rng = question.rng;
  if (question.x_is_coarse() && rng.OneIn(2)) {
    return question.ReciprocalScale(question.ScaleExponent(), x_code);
  }
  const uint64_t rough = question.ScaleCode(ScaleFamily::kFull);
  const QuantizeLinearChannel channel = question.Channel(rough, zero_point);
  const ExactValue quotient = ChooseQuotient(question, channel);
  x_code = question.XNear(channel, quotient);
  if (question.x.kind == NumberKind::kFloat && rng.OneIn(2)) {
    // Few bits, so that its multiples are exact.
    const int cleared = question.x.mantissa_bits - static_cast<int>(rng.Below(4));
    x_code &= ~((uint64_t{1} << cleared) - 1);
  }
  if (question.y_scale.kind == NumberKind::kPowerOfTwo) return rough;
  const ExactValue x = Decode(question.x, x_code);
  if (x.value_class != ValueClass::kFinite ||
      quotient.value_class != ValueClass::kFinite) {
    return rough;
  }
  ExactValue positive = x;
  positive.negative = false;
  ExactValue divisor = quotient;
  divisor.negative = false;
  const uint64_t exact = RoundNearest(question.y_scale, Divide(positive, divisor));
  const uint64_t scale =
      Step(question.y_scale, exact, static_cast<int>(rng.Below(3)) - 1);
  const ExactValue value = Decode(question.y_scale, scale);
  const bool usable = value.value_class == ValueClass::kFinite && !value.negative &&
                      !IsSubnormal(question.y_scale, scale);
  return usable ? scale : rough;
}

}  // namespace

void FillQuotient(QuantizeLinearQuestion& question) {
  constexpr ScaleFamily kScales[] = {ScaleFamily::kFull};
  constexpr ZeroPointFamily kZeroPoints[] = {ZeroPointFamily::kZero,
                                             ZeroPointFamily::kOdd, ZeroPointFamily::kLow,
                                             ZeroPointFamily::kAny};
  const bool many = question.cell.granularity != Granularity::kPerTensor;
  question.SetLayout(DirectedLayout(question.cell.granularity, question.index,
                                    many ? 300 : 240, question.rng));
  question.SetChannels(kScales, question.PlainZeroPoints(kZeroPoints));

  // Each channel is given to one rival: a scale, with an x, that tells it.
  const std::span<const QuotientRival> rivals = QuotientRivals(question);
  const int64_t channels = question.layout.channel_count;
  std::vector<bool> asked(static_cast<size_t>(channels), false);
  int budget = kPairBudget;
  auto turn = static_cast<size_t>(question.index);
  for (int64_t c = 0; c < channels; ++c, ++turn) {
    const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
    const int tries = std::max<int>(budget / static_cast<int>(channels - c), 1);
    for (int i = 0; i < tries && budget > 0; ++i, --budget) {
      // A rival that cannot be told from the canonical quotient here would take
      // the whole budget.
      if (i % 60 == 59) ++turn;
      uint64_t x_code = 0;
      const uint64_t scale = ScaleFromPair(question, zero_point, x_code);
      question.SetChannel(c, scale, zero_point, x_code);
      const QuantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
      if (CanonicalCode(question, channel, x_code) !=
          RivalCode(question, channel, x_code, rivals[turn % rivals.size()])) {
        break;
      }
    }
  }

  for (int64_t i = 0; i < question.layout.element_count; ++i) {
    const auto c = static_cast<size_t>(question.layout.ChannelOf(i));
    const QuantizeLinearChannel& channel = question.channels[c];
    uint64_t code = channel.anchor;
    if (!asked[c]) {
      asked[c] = true;
    } else {
      const QuotientRival rival =
          rivals[static_cast<size_t>(i + question.index) % rivals.size()];
      for (int tries = 0; tries < kTriesPerElement; ++tries) {
        code = ChooseX(question, channel);
        if (CanonicalCode(question, channel, code) !=
            RivalCode(question, channel, code, rival)) {
          break;
        }
      }
    }
    question.x_codes[static_cast<size_t>(i)] = static_cast<uint32_t>(code);
  }
}

void FinishTail(QuantizeLinearQuestion& question) {
  constexpr int kTails = 3;
  constexpr int kTries = 24;
  const int64_t count = question.layout.element_count;
  const uint32_t turn = question.rng.Below(kTails);
  for (int64_t back = 0; back < std::min<int64_t>(kTails, count); ++back) {
    const int64_t i = count - 1 - back;
    const QuantizeLinearChannel& channel = question.ChannelOf(i);
    if (channel.divisor.value_class != ValueClass::kFinite) continue;
    for (int tries = 0; tries < kTries; ++tries) {
      const uint64_t code = ChooseX(question, channel);
      uint64_t wrong = 0;
      switch ((turn + back) % kTails) {
        case 0:
          wrong = OtherwiseRounded(question, channel, code, RoundingMode::kNearestAway);
          break;
        case 1:
          wrong = OtherwiseRounded(question, channel, code, RoundingMode::kTowardZero);
          break;
        default:
          wrong = RivalCode(question, channel, code,
                            question.p == nullptr ? QuotientRival::kFloatReciprocal
                                                  : QuotientRival::kReciprocal);
          break;
      }
      if (CanonicalCode(question, channel, code) != wrong) {
        question.x_codes[static_cast<size_t>(i)] = static_cast<uint32_t>(code);
        break;
      }
    }
  }
}

}  // namespace qconform::generators
