// x and y_scale for which two ways to divide differ: candidates next to the points where
// the composition of all roundings changes, kept if a wrong quotient gives another code.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"
#include "cases/operators/quantize_linear/wrong_quotients.h"

namespace qconform::generators {
namespace {

// Evaluations that the search for scales may take, all channels together, and
// tries for one element.
constexpr int kPairBudget = 160;
constexpr int kTriesPerElement = 2;

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
  const BoundaryWindow& window = channel.holdable;
  int64_t offset = rng.Below(static_cast<uint32_t>(window.count));
  // Small quotients have more candidates on either side.
  if (window.count > 1000 && !rng.OneIn(question.x.kind == NumberKind::kFloat ? 3 : 2)) {
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

// Few scales show a FLOAT quotient that is rounded to FLOAT16 if y has few codes: they
// are made for it. (The contents of older definitions are frozen.)
bool IsFloatToFewCodes(const QuantizeLinearQuestion& question) {
  return question.cell.since_version >= 28 && question.y.bits < 4 &&
         question.p != nullptr && question.p->type == DataType::kFloat;
}

// Returns a quotient so close to a tie that FLOAT16 has only the tie there.
ExactValue BesideTie(QuantizeLinearQuestion& question,
                     const QuantizeLinearChannel& channel) {
  constexpr int kDistance = 14;  // in bits
  const BoundaryWindow& window = channel.holdable;
  ExactValue tie = question.boundaries.At(
      window.first + question.rng.Below(static_cast<uint32_t>(window.count)),
      channel.zero_point);
  if (tie.value_class != ValueClass::kFinite) return tie;
  const uint64_t shifted = tie.significand << kDistance;
  tie.significand = question.rng.OneIn(2) ? shifted + 1 : shifted - 1;
  tie.exponent -= kDistance;
  return tie;
}

// Returns a scale for which some x of few or many bits has its quotient next to a
// boundary; if y_scale is finer than x, no x does that for a given scale.
uint64_t ScaleFromPair(QuantizeLinearQuestion& question, uint64_t zero_point,
                       uint64_t& x_code) {
  CounterRng& rng = question.rng;
  const bool beside_tie = IsFloatToFewCodes(question) && rng.OneIn(2);
  if (!beside_tie && (question.x_is_coarse() ? !rng.OneIn(3) : rng.OneIn(6))) {
    return question.ReciprocalScale(question.ScaleExponent(), x_code);
  }
  const bool converted =
      question.p != nullptr && question.p->type != question.y_scale.type;
  const int exponent = question.ScaleExponent();
  const bool rounded_up = converted && rng.OneIn(2);
  const uint64_t rough = rounded_up ? question.RoundedUpScale(exponent)
                                    : question.ScaleAt(ScaleFamily::kFull, exponent);
  const QuantizeLinearChannel channel = question.Channel(rough, zero_point);
  const ExactValue quotient =
      beside_tie ? BesideTie(question, channel) : ChooseQuotient(question, channel);
  x_code = question.XNear(channel, quotient);
  if (question.x.kind == NumberKind::kFloat && rng.OneIn(2)) {
    // Few bits, so that its multiples are exact.
    const int cleared = question.x.mantissa_bits - static_cast<int>(rng.Below(4));
    x_code &= ~((uint64_t{1} << cleared) - 1);
  }
  if (question.y_scale.kind == NumberKind::kPowerOfTwo) {
    x_code = Step(question.x, x_code, rng.OneIn(2) ? 1 : -1);
    return rough;
  }
  if (rounded_up) return rough;
  const ExactValue x = Prepared(question.x).decode(x_code);
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
  const ExactValue value = Prepared(question.y_scale).decode(scale);
  const bool usable = value.value_class == ValueClass::kFinite && !value.negative &&
                      !IsSubnormal(question.y_scale, scale);
  return usable ? scale : rough;
}

// Gives each question to one wrong quotient in turn, and notes which of them ever differ
// from the canonical one: the others are not worth a search.
class MistakeTurns {
 public:
  MistakeTurns(const QuantizeLinearQuestion& question,
               std::span<const WrongQuotient> mistakes, size_t start)
      : question_(question), mistakes_(mistakes), turn_(start) {}

  void Next() { ++turn_; }
  // Tries that the mistake of this turn deserves.
  int Tries(int most) const {
    const Score& score = scores_[turn_ % mistakes_.size()];
    return score.shown == 0 && score.asked >= kHopeless ? 1 : most;
  }
  bool Tells(const QuantizeLinearChannel& channel, uint64_t x_code) {
    const size_t at = turn_ % mistakes_.size();
    const bool differs = CanonicalCode(question_, channel, x_code) !=
                         WrongCode(question_, channel, x_code, mistakes_[at]);
    ++scores_[at].asked;
    scores_[at].shown += differs ? 1 : 0;
    return differs;
  }

 private:
  static constexpr int kHopeless = 40;
  struct Score {
    int asked = 0;
    int shown = 0;
  };
  const QuantizeLinearQuestion& question_;
  std::span<const WrongQuotient> mistakes_;
  std::array<Score, 16> scores_{};
  size_t turn_;
};

// The wrong quotients that x cannot reveal without a chosen scale, the most wanted first.
std::span<const WrongQuotient> MistakesOfScales(const QuantizeLinearQuestion& question) {
  using enum WrongQuotient;
  static constexpr std::array kWithoutP{kThroughFloat, kFloatReciprocal, kThroughFloat16};
  static constexpr std::array kDouble{kThroughFloat, kReciprocal};
  static constexpr std::array kFloat{kReciprocal, kConvertedExact, kUnconverted};
  static constexpr std::array kFloatToFewCodes{kThroughFloat16, kReciprocal,
                                               kConvertedExact, kUnconverted};
  static constexpr std::array kNarrow{kUnconverted, kConvertedExact, kReciprocal,
                                      kTruncatedConversion};
  if (question.p == nullptr) return kWithoutP;
  if (question.p->type == DataType::kDouble) return kDouble;
  if (question.p->type == DataType::kFloat) {
    if (IsFloatToFewCodes(question)) return kFloatToFewCodes;
    return kFloat;
  }
  return kNarrow;
}

// Gives each channel a scale, with an x, that reveals one wrong quotient.
void ChooseScales(QuantizeLinearQuestion& question) {
  MistakeTurns turns(question, MistakesOfScales(question),
                     static_cast<size_t>(question.index));
  const int64_t channels = question.layout.channel_count;
  int budget = kPairBudget;
  for (int64_t c = 0; c < channels; ++c, turns.Next()) {
    QuantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    const uint64_t zero_point = channel.zero_point_code;
    const int tries = std::max<int>(budget / static_cast<int>(channels - c), 1);
    for (int i = 0; i < tries && budget > 0; ++i, --budget) {
      if (turns.Tries(2) == 1) turns.Next();
      uint64_t x_code = 0;
      const uint64_t scale = ScaleFromPair(question, zero_point, x_code);
      question.SetChannel(c, scale, zero_point, x_code);
      if (turns.Tells(channel, x_code)) break;
    }
  }
}

// Gives the one channel the scale that reveals most wrong quotients.
void ChooseOneScale(QuantizeLinearQuestion& question) {
  constexpr int kCandidates = 9;
  constexpr int kAsked = 6;
  const std::span<const WrongQuotient> mistakes = MistakesOfScales(question);
  const uint64_t zero_point = question.channels[0].zero_point_code;
  QuantizeLinearChannel best = question.channels[0];
  int most = -1;
  for (int candidate = 0; candidate < kCandidates; ++candidate) {
    uint64_t x_code = 0;
    const uint64_t scale = ScaleFromPair(question, zero_point, x_code);
    question.SetChannel(0, scale, zero_point, x_code);
    const QuantizeLinearChannel& channel = question.channels[0];
    uint32_t shown = 0;
    for (int i = 0; i < kAsked; ++i) {
      const uint64_t code = i == 0 ? x_code : ChooseX(question, channel);
      const uint64_t right = CanonicalCode(question, channel, code);
      for (size_t r = 0; r < mistakes.size(); ++r) {
        if (WrongCode(question, channel, code, mistakes[r]) != right) shown |= 1u << r;
      }
    }
    // If no scale reveals them all, the first one counts for more.
    const int score = 2 * std::popcount(shown) + static_cast<int>(shown & 1);
    if (score > most) {
      most = score;
      best = channel;
    }
  }
  question.channels[0] = best;
}

}  // namespace

void FillQuotient(QuantizeLinearQuestion& question) {
  using enum ZeroPointFamily;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, many ? 200 : 150);
  question.SetChannels({ScaleFamily::kFull}, {kZero, kOdd, kLow, kAny});
  if (many) {
    ChooseScales(question);
  } else {
    ChooseOneScale(question);
  }
  MistakeTurns turns(question, WrongQuotients(question),
                     static_cast<size_t>(question.index));

  std::vector<bool> asked(question.channels.size(), false);
  question.FillX([&](int64_t i, const QuantizeLinearChannel& channel) {
    const auto c = static_cast<size_t>(question.layout.ChannelOf(i));
    uint64_t code = channel.anchor;
    if (asked[c]) {
      turns.Next();
      for (int tries = turns.Tries(kTriesPerElement); tries > 0; --tries) {
        code = ChooseX(question, channel);
        if (turns.Tells(channel, code)) break;
      }
    }
    asked[c] = true;
    return code;
  });
}

namespace {

enum class TailMistake : uint8_t { kAway, kTowardZero, kReciprocal };
constexpr int kTailMistakes = 3;

bool TailShows(const QuantizeLinearQuestion& question,
               const QuantizeLinearChannel& channel, uint64_t x_code,
               TailMistake mistake) {
  const uint64_t right = CanonicalCode(question, channel, x_code);
  switch (mistake) {
    case TailMistake::kAway:
      return AwayCode(question, channel, x_code) != right;
    case TailMistake::kTowardZero:
      return TowardZeroCode(question, channel, x_code) != right;
    case TailMistake::kReciprocal:
      break;
  }
  return WrongCode(question, channel, x_code,
                   question.p == nullptr ? WrongQuotient::kFloatReciprocal
                                         : WrongQuotient::kReciprocal) != right;
}

}  // namespace

void FinishTail(QuantizeLinearQuestion& question) {
  constexpr int64_t kTail = 3;
  constexpr int kTries = 16;
  const int64_t count = question.layout.element_count;
  // The last one gets the reciprocal twice as often: it is the hardest to reveal.
  auto turn = static_cast<int>(std::min(question.rng.Below(4), kTailMistakes - 1u));
  for (int64_t i = count - 1; i >= std::max<int64_t>(count - kTail, 0); --i, ++turn) {
    const QuantizeLinearChannel& channel = question.ChannelOf(i);
    if (channel.divisor.value_class != ValueClass::kFinite) continue;
    // Reciprocals of subnormal divisors overflow: nowhere else do powers of two reveal a
    // reciprocal.
    if (question.p != nullptr &&
        FloorLog2(channel.divisor) < SmallestExponent(*question.p)) {
      turn = static_cast<int>(TailMistake::kReciprocal);
    }
    bool shown = false;
    for (int kind = 0; kind < kTailMistakes && !shown; ++kind) {
      const auto mistake = static_cast<TailMistake>((turn + kind) % kTailMistakes);
      for (int tries = 0; tries < kTries && !shown; ++tries) {
        const uint64_t code = ChooseX(question, channel);
        shown = TailShows(question, channel, code, mistake);
        if (shown) question.x_codes[static_cast<size_t>(i)] = static_cast<uint32_t>(code);
      }
    }
  }
}

}  // namespace qconform::generators
