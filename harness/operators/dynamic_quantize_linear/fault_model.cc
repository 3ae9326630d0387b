#include "harness/operators/dynamic_quantize_linear/fault_model.h"

#include <algorithm>
#include <any>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Decoded = DecodedDynamicQuantizeLinear;
using Switches = DynamicQuantizeLinearSwitches;

constexpr uint32_t kUnwrittenCode = 0x5A;  // what backends fill y with before a run
constexpr float kSmallestNormal = std::numeric_limits<float>::min();

ExactValue ExactOf(float value) {
  return Decode(FormatOf(DataType::kFloat), std::bit_cast<uint32_t>(value));
}

ExactValue ExactOf(double value) {
  return Decode(FormatOf(DataType::kDouble), std::bit_cast<uint64_t>(value));
}

float Rounded(const Unrounded& value, DataType type = DataType::kFloat,
              RoundingMode mode = RoundingMode::kNearestEven) {
  const NumberFormat& format = FormatOf(type);
  const ExactValue rounded =
      Decode(format, Round(format, value, mode, OverflowPolicy::kNonSaturating));
  const NumberFormat& f32 = FormatOf(DataType::kFloat);
  return std::bit_cast<float>(
      static_cast<uint32_t>(Round(f32, ToUnrounded(rounded), RoundingMode::kNearestEven,
                                  OverflowPolicy::kNonSaturating)));
}

float RoundedTo(DataType type, float value) {
  return Rounded(ToUnrounded(ExactOf(value)), type);
}

struct Parameters {
  float least = 0;
  float largest = 0;
  float range = 0;
  float scale = 0;
  double unrounded_zero_point = 0;
  int64_t zero_point = 0;
};

class Evaluation {
 public:
  Evaluation(const Decoded& decoded, const Switches& switches)
      : d_(decoded),
        s_(switches),
        target_(FormatOf(DataType::kUint8), switches.rounding, switches.order,
                switches.overflow) {
    p_ = FindParameters();
  }

  const Parameters& parameters() const { return p_; }
  void set_parameters(const Parameters& parameters) { p_ = parameters; }

  uint32_t ScaleOutput() const {
    const bool inverts = s_.outputs == Switches::Outputs::kInverseScale;
    return std::bit_cast<uint32_t>(inverts ? 1 / p_.scale : p_.scale);
  }

  uint32_t ZeroPointOutput() const {
    switch (s_.outputs) {
      case Switches::Outputs::kZeroPointZero:
        return 0;
      case Switches::Outputs::kZeroPointNegated:
        return static_cast<uint8_t>(-p_.zero_point);
      case Switches::Outputs::kZeroPointFrom128:
        return static_cast<uint8_t>(p_.zero_point - 128);
      default:
        return static_cast<uint8_t>(p_.zero_point);
    }
  }

  uint32_t Element(float x, Unrounded* quotient = nullptr,
                   IntegerSteps* steps = nullptr) const {
    x = Flushed(x);
    Unrounded q = QuotientOf(x);
    if (s_.sign_lost) q.negative = false;
    if (quotient != nullptr) *quotient = q;
    const ExactValue zero_point = ZeroPointFor();
    Unrounded rounds = q;
    if (s_.order == FaultyOrder::kBeforeRounding) rounds = Add(q, zero_point);
    if (s_.order == FaultyOrder::kBeforeInP) {
      rounds = ToUnrounded(ExactOf(Rounded(Add(q, zero_point))));
    }
    return static_cast<uint32_t>(target_.CodeOf(rounds, zero_point, false, steps));
  }

 private:
  float Flushed(float x) const {
    return s_.flush_x && std::fabs(x) < kSmallestNormal ? std::copysign(0.0f, x) : x;
  }

  Parameters FindParameters() const {
    Parameters p;
    FindEnds(p);
    FindScale(p);
    FindZeroPoint(p);
    return p;
  }

  void FindEnds(Parameters& p) const {
    size_t count = d_.x.size();
    if (s_.range_tail != 0) count -= count % static_cast<size_t>(s_.range_tail);
    if (s_.range_without_last && count > 0) --count;
    if (count > 0) p.least = p.largest = Flushed(d_.x.front());
    for (size_t i = 0; i < count; ++i) {
      p.least = std::min(p.least, Flushed(d_.x[i]));
      p.largest = std::max(p.largest, Flushed(d_.x[i]));
    }
    const bool min_without = s_.range == Switches::Range::kWithoutZero ||
                             s_.range == Switches::Range::kMinWithoutZero;
    const bool max_without = s_.range == Switches::Range::kWithoutZero ||
                             s_.range == Switches::Range::kMaxWithoutZero;
    if (!min_without) p.least = std::min(p.least, 0.0f);
    if (!max_without) p.largest = std::max(p.largest, 0.0f);
    const float magnitude = std::max(0.0f - p.least, p.largest);
    switch (s_.range) {
      case Switches::Range::kOfMagnitudes:
        p.least = 0.0f - magnitude;
        p.largest = magnitude;
        break;
      case Switches::Range::kOnlyMagnitude:
        p.least = 0;
        p.largest = magnitude;
        break;
      case Switches::Range::kFromSmallestNormal:
        p.largest = std::max(p.largest, kSmallestNormal);
        break;
      case Switches::Range::kFloat16:
      case Switches::Range::kBfloat16: {
        const bool is_half = s_.range == Switches::Range::kFloat16;
        const DataType type = is_half ? DataType::kFloat16 : DataType::kBfloat16;
        p.least = RoundedTo(type, p.least);
        p.largest = RoundedTo(type, p.largest);
        break;
      }
      default:
        break;
    }
  }

  float Steps() const {
    switch (s_.divisor) {
      case Switches::Divisor::k255:
        break;
      case Switches::Divisor::k256:
        return 256;
      case Switches::Divisor::k254:
        return 254;
      case Switches::Divisor::k127:
        return 127;
    }
    return 255;
  }

  void FindScale(Parameters& p) const {
    using Scale = Switches::Scale;
    using ZeroScale = Switches::ZeroScale;
    p.range = p.largest - p.least;
    const float steps = Steps();
    const Scale way = s_.scale == Scale::kRight ? d_.scale : s_.scale;
    const ZeroScale zero_scale =
        s_.zero_scale == ZeroScale::kRight ? d_.zero_scale : s_.zero_scale;
    p.scale = p.range / steps;
    switch (way) {
      case Scale::kRight:
        break;
      case Scale::kReciprocal:
        p.scale = p.range * (1 / steps);
        break;
      case Scale::kFused: {
        const Unrounded range = Add(ToUnrounded(ExactOf(p.largest)), ExactOf(-p.least));
        p.scale = Rounded(DivideWide(range, ExactOf(steps)));
        break;
      }
      case Scale::kFusedInDouble:
        p.scale = static_cast<float>(
            (static_cast<double>(p.largest) - static_cast<double>(p.least)) / steps);
        break;
      case Scale::kTwoQuotients:
        p.scale = p.largest / steps - p.least / steps;
        break;
      case Scale::kTruncated:
        p.scale = Rounded(Divide(ExactOf(p.range), ExactOf(steps)), DataType::kFloat,
                          RoundingMode::kTowardZero);
        break;
      case Scale::kFloat16:
        p.scale = RoundedTo(DataType::kFloat16, p.scale);
        break;
      case Scale::kBfloat16:
        p.scale = RoundedTo(DataType::kBfloat16, p.scale);
        break;
      case Scale::kAtLeastEpsilon:
        p.scale = std::max(p.scale, std::numeric_limits<float>::epsilon());
        break;
      case Scale::kPowerOfTwo:
        if (p.scale > 0 && std::isfinite(p.scale)) {
          int exponent = 0;
          const float fraction = std::frexp(p.scale, &exponent);
          p.scale = std::ldexp(1.0f, fraction == 0.5f ? exponent - 1 : exponent);
        }
        break;
      case Scale::kFiniteRange:
        p.range = std::min(p.range, std::numeric_limits<float>::max());
        p.scale = p.range / steps;
        break;
    }
    if (p.largest == 0 && p.least == 0) {
      if (zero_scale == ZeroScale::kOne) p.scale = 1;
      if (zero_scale == ZeroScale::kOne255th) p.scale = 1.0f / 255;
    }
    if (s_.flush_scale && std::fabs(p.scale) < kSmallestNormal) p.scale = 0;
  }

  static double Clipped(double v, double high = 255) {
    return v < 0 ? 0 : v > high ? high : v;
  }

  void FindZeroPoint(Parameters& p) const {
    using ZeroPoint = Switches::ZeroPoint;
    const float quotient = p.least / p.scale;
    double v = 0.0f - quotient;
    switch (s_.zero_point) {
      case ZeroPoint::kReciprocal:
        v = 0.0f - p.least * (1 / p.scale);
        break;
      case ZeroPoint::kExactRange:
        v = -static_cast<double>(p.least) * 255 /
            (static_cast<double>(p.largest) - static_cast<double>(p.least));
        break;
      case ZeroPoint::kFromMax:
        v = 255.0f - p.largest / p.scale;
        break;
      case ZeroPoint::kNegated:
        v = quotient;
        break;
      default:
        break;
    }
    p.unrounded_zero_point = v;
    if (std::isnan(v)) return;  // 0: it is free
    switch (s_.zero_point) {
      case ZeroPoint::kTruncated:
        v = std::floor(Clipped(v));
        break;
      case ZeroPoint::kAway:
        v = std::round(Clipped(v));
        break;
      case ZeroPoint::kUp:
        v = std::ceil(Clipped(v));
        break;
      case ZeroPoint::kWraps:
        // An infinity becomes an end of INT32.
        v = std::nearbyint(Clipped(v, std::numeric_limits<int32_t>::max()));
        v = static_cast<uint8_t>(static_cast<int64_t>(v));
        break;
      case ZeroPoint::kSignedClip:
        v = std::nearbyint(Clipped(v, 127));
        break;
      case ZeroPoint::kMiddle:
        v = 128;
        break;
      default:
        v = std::nearbyint(Clipped(v));
        break;
    }
    p.zero_point = static_cast<int64_t>(v);
  }

  Unrounded QuotientOf(float x) const {
    using Quotient = Switches::Quotient;
    if (s_.order == FaultyOrder::kFused) {
      return ToUnrounded(
          ExactOf(std::fma(x, 1 / p_.scale, static_cast<float>(p_.zero_point))));
    }
    switch (s_.quotient) {
      case Quotient::kRight:
        break;
      case Quotient::kReciprocal:
        return ToUnrounded(ExactOf(x * (1 / p_.scale)));
      case Quotient::kReciprocalRange:
        return ToUnrounded(ExactOf(x * (255 / p_.range)));
      case Quotient::kExactRange: {
        const double range =
            static_cast<double>(p_.largest) - static_cast<double>(p_.least);
        return ToUnrounded(ExactOf(static_cast<double>(x) * 255 / range));
      }
      case Quotient::kUnroundedScale: {
        const double range =
            static_cast<double>(p_.largest) - static_cast<double>(p_.least);
        const double quotient = static_cast<double>(x) / (range / 255);
        return ToUnrounded(ExactOf(static_cast<float>(quotient)));
      }
      case Quotient::kInDouble:
        return ToUnrounded(
            ExactOf(static_cast<double>(x) / static_cast<double>(p_.scale)));
      case Quotient::kTruncated:
        return ToUnrounded(ExactOf(Rounded(Divide(ExactOf(x), ExactOf(p_.scale)),
                                           DataType::kFloat, RoundingMode::kTowardZero)));
      case Quotient::kDistance:
        return ToUnrounded(ExactOf((x - p_.least) / p_.scale));
      case Quotient::kFakeQuantize: {
        const auto zero_point = static_cast<float>(p_.zero_point);
        const float low = (0.0f - zero_point) * p_.scale;
        const float high = (255.0f - zero_point) * p_.scale;
        const float clamped = std::min(std::max(x, low), high);
        return ToUnrounded(ExactOf((clamped - low) / (high - low) * 255.0f));
      }
      case Quotient::kFloatZeroPoint:
        return ToUnrounded(ExactOf(x / p_.scale + (0.0f - p_.least / p_.scale)));
    }
    return ToUnrounded(ExactOf(x / p_.scale));
  }

  // What is added to an element's quotient.
  ExactValue ZeroPointFor() const {
    const bool has_none = s_.quotient == Switches::Quotient::kDistance ||
                          s_.quotient == Switches::Quotient::kFakeQuantize ||
                          s_.quotient == Switches::Quotient::kFloatZeroPoint;
    if (has_none || p_.zero_point == 0) return {};
    return {.value_class = ValueClass::kFinite,
            .significand = static_cast<uint64_t>(p_.zero_point)};
  }

  const Decoded& d_;
  const Switches& s_;
  IntegerTarget target_;
  Parameters p_;
};

// Without the switches that do not change how codes are computed.
Switches ArithmeticOf(Switches switches) {
  switches.last_unwritten = false;
  switches.tail_lanes = 0;
  return switches;
}

}  // namespace

Result<Decoded> DecodeDynamicQuantizeLinear(const Operands& operands,
                                            const ReadingSet& readings) {
  if (operands.empty() || !operands.front()) {
    return Error{"DynamicQuantizeLinear: expected x"};
  }
  Decoded decoded;
  for (const uint64_t code : ReadCodes(*operands.front())) {
    decoded.x.push_back(std::bit_cast<float>(static_cast<uint32_t>(code)));
  }
  decoded.is_free = decoded.x.empty() ||
                    std::ranges::any_of(decoded.x, [](float x) { return std::isnan(x); });
  constexpr float kSmallRange = 1e-30F;
  constexpr float kLargeRange = 1e38F;
  const bool is_regular =
      std::ranges::any_of(decoded.x,
                          [](float x) { return std::fabs(x) > kSmallRange; }) &&
      std::ranges::all_of(decoded.x, [](float x) { return std::fabs(x) < kLargeRange; });
  decoded.is_extreme = !is_regular;
  for (const Reading& reading : readings.readings) {
    if (reading.name == "fused_range") decoded.scale = Switches::Scale::kFused;
    if (reading.name == "fused_range_in_double") {
      decoded.scale = Switches::Scale::kFusedInDouble;
    }
    if (reading.name == "one_255th") decoded.zero_scale = Switches::ZeroScale::kOne255th;
    if (reading.name == "one") decoded.zero_scale = Switches::ZeroScale::kOne;
  }
  return decoded;
}

std::vector<uint32_t> EvaluateWithSwitches(const Decoded& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const Switches& switches, FaultState& state) {
  std::vector<uint32_t> codes = canonical;
  const size_t count = decoded.x.size();
  if (!decoded.is_free && ArithmeticOf(switches) != Switches{}) {
    Evaluation evaluation(decoded, switches);
    codes[count] = evaluation.ScaleOutput();
    codes[count + 1] = evaluation.ZeroPointOutput();
    if (switches.previous_call) {
      const Parameters own = evaluation.parameters();
      const auto* previous = std::any_cast<Parameters>(&state.memory);
      if (previous != nullptr) evaluation.set_parameters(*previous);
      state.memory = own;
      ++state.calls;
    }
    const size_t lanes = static_cast<size_t>(switches.tail_lanes);
    for (size_t i = lanes == 0 ? 0 : count - count % lanes; i < count; ++i) {
      codes[i] = evaluation.Element(decoded.x[i]);
    }
  }
  if (switches.last_unwritten && count > 0) codes[count - 1] = kUnwrittenCode;
  return codes;
}

std::optional<DynamicQuantizeLinearTrace> TraceElement(const Decoded& decoded,
                                                       const Switches& switches,
                                                       int64_t index) {
  if (decoded.is_free) return std::nullopt;
  const auto count = static_cast<int64_t>(decoded.x.size());
  const bool is_before_tail = switches.tail_lanes != 0 && index < count &&
                              index < count - count % switches.tail_lanes;
  const Switches acting = is_before_tail ? Switches{} : switches;
  const Evaluation evaluation(decoded, acting);
  const Parameters& p = evaluation.parameters();
  DynamicQuantizeLinearTrace trace{.least = p.least,
                                   .largest = p.largest,
                                   .range = p.range,
                                   .scale = p.scale,
                                   .unrounded_zero_point = p.unrounded_zero_point,
                                   .zero_point = p.zero_point};
  if (index < count) {
    trace.quotient.emplace();
    evaluation.Element(decoded.x[static_cast<size_t>(index)], &*trace.quotient,
                       &trace.steps);
  }
  return trace;
}

}  // namespace qconform
