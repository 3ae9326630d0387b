// Scales and zero points of a graph.
#include <algorithm>
#include <vector>

#include "cases/graphs/question.h"

namespace qconform::generators {
namespace {

constexpr int kMantissa = 23;  // bits of a FLOAT after the first

// Which contents of `negative` have a negative scale of the result.
constexpr bool kNegativeResults[] = {true, true, false, true, true};

}  // namespace

uint64_t GraphQuestion::Scale(DataType type, int exponent, bool full_bits) {
  const NumberFormat& format = FormatOf(type);
  const int64_t bits = rng.Next32() >> 9 | 1u;
  const int64_t significand = int64_t{1} << kMantissa | (full_bits ? bits : 0);
  const uint64_t code =
      RoundNearest(format, ToUnrounded(Dyadic(significand, exponent - kMantissa)));
  return IsZero(format, code) ? SmallestPositive(format) : code;
}

bool GraphQuestion::has_negative_result() const {
  if (folds()) return index % 2 == 0;
  return plan.scales == Scales::kNegative && kNegativeResults[index % 5];
}

uint64_t GraphQuestion::ZeroPoint(DataType type, int64_t channel, bool of_result) {
  const NumberFormat& format = FormatOf(type);
  const auto any = static_cast<int64_t>(rng.Next32());
  if (format.kind != NumberKind::kInteger || plan.zero_points == ZeroPoints::kZero) {
    return 0;
  }
  const int64_t low = IntegerMin(format);
  const int64_t high = IntegerMax(format);
  const int64_t middle = low + (high - low + 1) / 2;
  const int64_t by_turn[] = {middle,   low, low + 1, high, low + any % (high - low + 1),
                             high - 1, 0};
  if (folds()) {
    const int64_t of_results[] = {low, high, middle, low + 1};
    return IntegerCode(format, of_result ? of_results[index / 2 % 4] : middle);
  }
  const auto turn = static_cast<size_t>(index + channel);
  if (plan.values == Values::kEnds && index % 2 == 0) return IntegerCode(format, low);
  if (plan.scales == Scales::kPowers) {
    // Ties of both signs, and odd zero points of the result: added before the rounding
    // they would decide ties.
    const int64_t odd = format.bits > 2 ? middle + 1 : middle;
    const int64_t of_data[] = {middle, odd, low, high, low + 1};
    const int64_t of_results[] = {odd, low + 1, middle, high, low};
    return IntegerCode(format, of_result ? of_results[turn % 5] : of_data[turn % 5]);
  }
  if (plan.scales == Scales::kNegative && of_result) {
    const int64_t of_results[] = {low, middle, low, low + 1, high};
    return IntegerCode(format, of_results[turn % 5]);
  }
  if (plan.zero_points == ZeroPoints::kBesideLows) {
    return IntegerCode(format, index % 3 == 0 ? low : low + index % 3);
  }
  return IntegerCode(format, by_turn[static_cast<size_t>(index + any % 2) % 7]);
}

Parameters GraphQuestion::First(DataType type, DataType scale_type, int64_t channels,
                                bool plain) {
  Parameters made;
  made.type = type;
  made.scale_type = scale_type;
  const NumberFormat& scale_format = FormatOf(scale_type);
  const int largest = LargestExponent(FormatOf(type));
  const int top = LargestExponent(scale_format);
  // The only codes of Relu-Q are its result.
  const bool gives_codes =
      graph.name.starts_with("Q-") || (ends_with_codes() && !starts_with_codes());
  for (int64_t channel = 0; channel < channels; ++channel) {
    int exponent = static_cast<int>(rng.Between(-6, 1));
    if (!plain && plan.scales == Scales::kTiny) {
      exponent = SmallestExponent(scale_format) + static_cast<int>(rng.Between(-8, 12));
    } else if (!plain && plan.scales == Scales::kHuge) {
      exponent = top - largest - static_cast<int>(rng.Between(0, 2));
    }
    const bool powers = plan.scales == Scales::kPowers || plan.exact;
    if (powers) exponent = std::clamp(exponent, -4, 1);
    // Neither a value of the section nor a product of two overflows.
    if (powers || plain || plan.scales != Scales::kHuge) {
      exponent = std::min(exponent, (top - 3) / 2 - largest);
    }
    uint64_t scale = Scale(scale_type, exponent, !powers);
    // Floats with a power of two between them have ties among subnormals only, and those
    // of FLOAT16 are no regular elements.
    if (powers && !plan.exact && !IsInteger(type) && scale_type == DataType::kFloat16) {
      scale = RoundNearest(scale_format, ToUnrounded(Dyadic(3, exponent - 1)));
    }
    // Of graphs that end with floats every scale.
    constexpr bool kNegative[] = {false, true, true, false, true};
    const bool negative =
        plan.scales == Scales::kNegative && (kNegative[index % 5] || !ends_with_codes());
    if (gives_codes ? has_negative_result() : negative) {
      scale = Negated(scale_format, scale);
    }
    made.scales.push_back(scale);
    made.zero_points.push_back(ZeroPoint(type, channel, gives_codes));
  }
  return made;
}

int GraphQuestion::Magnitude(const Parameters& parameters) {
  return FloorLog2(FormatOf(parameters.scale_type), parameters.scales.front()) +
         LargestExponent(FormatOf(parameters.type));
}

uint64_t GraphQuestion::AimedScale(DataType type, DataType scale_type,
                                   const ExactValue& value) {
  const NumberFormat& scale_format = FormatOf(scale_type);
  const int largest = LargestExponent(FormatOf(type));
  const int64_t halves =
      2 * rng.Between(0, (int64_t{1} << std::min(largest, 14)) - 1) + 1;
  const int steps = static_cast<int>(rng.Between(-1, 1));
  if (value.value_class != ValueClass::kFinite) return Scale(scale_type, 0, true);
  ExactValue magnitude = value;
  magnitude.negative = false;
  const uint64_t code = RoundNearest(scale_format, Divide(magnitude, Dyadic(halves, -1)));
  if (IsZero(scale_format, code)) return SmallestPositive(scale_format);
  return Step(scale_format, code, steps);
}

int GraphQuestion::ExponentWithTies(const Parameters& x, size_t channel, int x_exponent,
                                    DataType type, uint64_t zero_point,
                                    int exponent) const {
  constexpr int kFarthest = 40;
  constexpr uint64_t kSampled = 512;
  const NumberFormat& codes = FormatOf(x.type);
  const NumberFormat& format = FormatOf(type);
  const NumberFormat& scale_format = FormatOf(x.scale_type);
  const Rounder& round = Prepared(format).nearest;
  const bool integers = format.kind == NumberKind::kInteger;
  const int64_t zero = integers ? ToInteger(format, zero_point) : 0;
  // The differences from the zero point.
  std::vector<ExactValue> differences;
  const uint64_t count = std::min(uint64_t{1} << codes.bits, kSampled);
  ExactValue minus = Decode(codes, x.zero_points[channel]);
  minus.negative = !minus.negative;
  for (uint64_t i = 0; i < count; ++i) {
    // Of 16-bit types those around the zero point.
    const uint64_t code =
        codes.bits <= 8 ? i
                        : Step(codes, x.zero_points[channel],
                               static_cast<int>(i) - static_cast<int>(kSampled / 2));
    const ExactValue value = Decode(codes, code);
    if (value.value_class != ValueClass::kFinite &&
        value.value_class != ValueClass::kZero) {
      continue;
    }
    const ExactValue difference = ToExact(qconform::Add(ToUnrounded(value), minus));
    // What is subnormal between the nodes is no regular element.
    if (difference.value_class != ValueClass::kFinite ||
        FloorLog2(difference) + x_exponent < SmallestExponent(scale_format)) {
      continue;
    }
    differences.push_back(difference);
  }
  // 2: of both parities, 1: some.
  const auto quality = [&](int y_exponent) {
    int ties = 0;
    bool both_parities[2] = {false, false};
    for (ExactValue value : differences) {
      value.exponent += x_exponent - y_exponent;
      const Rounded rounded = round(ToUnrounded(value));
      if (!rounded.tie() || rounded.at_limit) continue;
      if (integers) {
        const int64_t y = ToInteger(format, rounded.code) + zero;
        if (y < IntegerMin(format) || y > IntegerMax(format)) continue;
      }
      ++ties;
      both_parities[rounded.away ? 1 : 0] = true;
    }
    if (codes.bits == 2 || format.bits == 2) return std::min(ties, 2);
    return ties >= 4 && both_parities[0] && both_parities[1] ? 2 : std::min(ties, 1);
  };
  // Of 16-bit types only the values near 0 are asked for their ties.
  if (codes.bits == 16 && format.bits < 16) {
    exponent = std::clamp(exponent, x_exponent + 1, x_exponent + 3);
  }
  for (const int wanted : {2, 1}) {
    for (int distance = 0; distance < kFarthest; ++distance) {
      if (quality(exponent + distance) >= wanted) return exponent + distance;
      if (quality(exponent - distance) >= wanted) return exponent - distance;
    }
  }
  return exponent;
}

Parameters GraphQuestion::Last(DataType type, DataType scale_type, int magnitude,
                               const Parameters* like, std::optional<ExactValue> aim,
                               const std::vector<int64_t>& source) {
  Parameters made;
  made.type = type;
  made.scale_type = scale_type;
  const NumberFormat& scale_format = FormatOf(scale_type);
  const int largest = LargestExponent(FormatOf(type));
  for (const int64_t channel : source) {
    const int offset = static_cast<int>(rng.Between(-1, 1));
    const bool powers = plan.scales == Scales::kPowers || plan.exact;
    int exponent = magnitude - largest + offset;
    if (like != nullptr && static_cast<size_t>(channel) < like->scales.size()) {
      exponent += FloorLog2(scale_format, like->scales[static_cast<size_t>(channel)]) -
                  FloorLog2(scale_format, like->scales.front());
    }
    exponent = std::clamp(exponent, SmallestExponent(scale_format) - 5,
                          LargestExponent(scale_format));
    uint64_t scale = Scale(scale_type, exponent, !powers);
    uint64_t zero_point = ZeroPoint(type, channel, true);
    const auto i = static_cast<size_t>(channel);
    if (like != nullptr && i < like->scales.size()) {
      const uint64_t other = like->scales[i];
      if (plan.scales == Scales::kEqual || plan.scales == Scales::kLastBit) {
        scale = other;
        if (like->type == type) {
          zero_point = like->zero_points[i];
          // Where everything is equal but the zero point, nothing may be dropped.
          if (plan.scales == Scales::kEqual && index % 3 == 2 && IsInteger(type)) {
            zero_point = Step(FormatOf(type), zero_point, index % 2 == 0 ? 1 : -1);
          }
        }
      }
      if (plan.scales == Scales::kLastBit) {
        scale = Step(scale_format, scale, index % 2 == 0 ? 1 : -1);
      }
      if (powers) {
        const int unit = FloorLog2(scale_format, other);
        scale =
            Scale(scale_type,
                  ExponentWithTies(*like, i, unit, type, zero_point, exponent), false);
      }
    }
    if (plan.scales == Scales::kNearTies && aim) {
      scale = AimedScale(type, scale_type, *aim);
    }
    if (has_negative_result()) scale = Negated(scale_format, scale);
    made.scales.push_back(scale);
    made.zero_points.push_back(zero_point);
  }
  return made;
}

void GraphQuestion::Along(Parameters& parameters, int64_t axis) const {
  parameters.axis = axis;
  parameters.shape = {static_cast<int64_t>(parameters.scales.size())};
}

}  // namespace qconform::generators
