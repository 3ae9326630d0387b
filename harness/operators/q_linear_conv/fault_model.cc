#include "harness/operators/q_linear_conv/fault_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using Switches = QLinearConvSwitches;
using Bias = Switches::Bias;
using Channel = Switches::Channel;
using Multiplier = Switches::Multiplier;

constexpr uint32_t kUnwrittenCode = 0x5A;  // what backends fill y with before a run
bool IsInt32(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

bool IsSpecial(const ExactValue& value) {
  return value.value_class == ValueClass::kNan ||
         value.value_class == ValueClass::kInfinity;
}

ExactValue FromInteger(int64_t value) {
  if (value == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value < 0,
          .significand = static_cast<uint64_t>(value < 0 ? -value : value)};
}

// The product of two scales: 48 digits.
ExactValue Product(const ExactValue& a, const ExactValue& b) {
  return {.value_class = Multiply(a, b).value_class,
          .negative = a.negative != b.negative,
          .significand = a.significand * b.significand,
          .exponent = a.exponent + b.exponent};
}

ExactValue One() { return FromInteger(1); }

std::vector<ExactValue> Values(const TensorView& tensor) {
  std::vector<ExactValue> values;
  for (const uint64_t code : ReadCodes(tensor)) {
    values.push_back(Decode(FormatOf(tensor.type), code));
  }
  return values;
}

class Evaluation {
 public:
  Evaluation(const DecodedQLinearConv& decoded, const Switches& switches)
      : d_(decoded),
        s_(switches),
        sums_(decoded.convolution, switches.sum),
        target_(*decoded.y,
                switches.rounding == FaultyRounding::kEven ? decoded.rounding
                                                           : switches.rounding,
                switches.order == FaultyOrder::kAfter ? decoded.order : switches.order,
                switches.overflow),
        y_zero_point_(decoded.y_zero_point) {
    if (s_.y_zero_point == Switches::ZeroPoint::kOfX) {
      y_zero_point_ = FromInteger(d_.convolution.x_zero_point);
    }
  }

  uint32_t Element(int64_t element, QLinearConvTrace* trace = nullptr) const {
    const int64_t m = d_.convolution.ChannelOf(element);
    ExactValue x_scale = d_.x_scale;
    ExactValue y_scale = d_.y_scale;
    ExactValue w_scale =
        d_.w_scales[IndexOf(s_.w_scale, d_.convolution, m, d_.w_scales.size())];
    for (ExactValue* scale : {&x_scale, &w_scale, &y_scale}) {
      if (s_.absolute_scales) scale->negative = false;
    }
    if (s_.multiplier == Multiplier::kWithoutXScale) x_scale = One();
    if (s_.multiplier == Multiplier::kWithoutYScale) y_scale = One();
    const ExactValue product = Product(x_scale, w_scale);
    const int64_t sum = sums_.Of(element);
    int64_t total = sum;
    if (s_.bias != Bias::kAfterRequantization) total += BiasFor(element, product);
    if (s_.y_zero_point == Switches::ZeroPoint::kBeforeScaling) {
      total += ToWideInteger(ToUnrounded(y_zero_point_), RoundingMode::kNearestEven);
    }
    Unrounded v = Requantized(total, {.a = x_scale, .b = w_scale, .y = y_scale});
    if (s_.sign_lost) v.negative = false;
    const uint32_t code = CodeOf(v, element, trace);
    if (trace != nullptr) {
      trace->sum = sum;
      trace->total = total;
      trace->product = v;
      trace->code = code;
    }
    return code;
  }

 private:
  int64_t BiasFor(int64_t element, const ExactValue& product) const {
    if (d_.bias.empty()) return 0;
    const int64_t m = d_.convolution.ChannelOf(element);
    const auto at = [&](Channel place) {
      return d_.bias[IndexOf(place, d_.convolution, m, d_.bias.size())];
    };
    const int64_t right = at(Channel::kRight);
    switch (s_.bias) {
      case Bias::kIgnored:
        return 0;
      case Bias::kScaled:
        if (product.value_class == ValueClass::kNan) return right;
        return ToWideInteger(MultiplyWide(ToUnrounded(FromInteger(right)), product),
                             RoundingMode::kNearestEven) /
               4;  // no sum may leave 62 bits
      case Bias::kUnscaled:
        if (product.value_class != ValueClass::kFinite) return right;
        return ToWideInteger(DivideWide(ToUnrounded(FromInteger(right)), product),
                             RoundingMode::kNearestEven) /
               4;
      case Bias::kFirst:
        return at(Channel::kFirst);
      case Bias::kNext:
        return at(Channel::kNext);
      case Bias::kWithinGroup:
        return at(Channel::kWithinGroup);
      case Bias::kInt16:
        return std::clamp<int64_t>(right, INT16_MIN, INT16_MAX);
      case Bias::kLow16Bits:
        return static_cast<int16_t>(right);
      case Bias::kTwice:
        return 2 * right;
      case Bias::kAfterRequantization:
      case Bias::kRight:
        break;
    }
    return right;
  }

  Unrounded Requantized(int64_t c, const RequantizationScales& scales) const {
    const ExactValue product = Product(scales.a, scales.b);
    const Unrounded m = DivideWide(ToUnrounded(product), scales.y);
    const bool is_special =
        m.value_class == ValueClass::kNan || m.value_class == ValueClass::kInfinity;
    switch (is_special ? Multiplier::kExact : s_.multiplier) {
      case Multiplier::kFixedPoint:
        return ToUnrounded(FromInteger(TimesFixedPoint(c, FixedPoint(m, 31), 31)));
      case Multiplier::kFixedPoint15:
        return ToUnrounded(FromInteger(TimesFixedPoint(c, FixedPoint(m, 15), 15)));
      case Multiplier::kPowerOfTwo: {
        if (m.value_class != ValueClass::kFinite) break;
        ExactValue power = One();
        power.negative = m.negative;
        power.exponent = TopBit(m.significand) + m.exponent;
        return MultiplyWide(ToUnrounded(FromInteger(c)), power);
      }
      case Multiplier::kThroughFloat16:
      case Multiplier::kThroughBfloat16: {
        const bool is_float16 = s_.multiplier == Multiplier::kThroughFloat16;
        return TimesMultiplierIn(is_float16 ? DataType::kFloat16 : DataType::kBfloat16,
                                 ToUnrounded(FromInteger(c)), scales.a, scales.b,
                                 scales.y);
      }
      case Multiplier::kNearestPowerOfTwo:
        return MultiplyWide(ToUnrounded(FromInteger(c)), NearestPowerOfTwo(m));
      default:
        break;
    }
    if (d_.requantize) {
      const ExactValue value = FromInteger(c);
      RationalSum sum{.value_class = value.value_class, .negative = value.negative};
      sum.numerator = value.significand;
      return (*d_.requantize)(sum, scales);
    }
    return DivideWide(MultiplyWide(ToUnrounded(FromInteger(c)), product), scales.y);
  }

  // v and the zero point, added in the type of v.
  Unrounded Sum(const Unrounded& v, const ExactValue& zero_point) const {
    const Unrounded sum = Add(v, zero_point);
    if (d_.precision_of_v == nullptr) return sum;
    return ToUnrounded(Decode(*d_.precision_of_v,
                              Round(*d_.precision_of_v, sum, RoundingMode::kNearestEven,
                                    OverflowPolicy::kNonSaturating)));
  }

  uint32_t CodeOf(const Unrounded& v, int64_t element, QLinearConvTrace* trace) const {
    IntegerSteps* steps = trace == nullptr ? nullptr : &trace->of_integer;
    ExactValue zero_point = y_zero_point_;
    if (s_.y_zero_point == Switches::ZeroPoint::kBeforeScaling) zero_point = {};
    if (s_.bias == Bias::kAfterRequantization && !d_.bias.empty()) {
      const int64_t bias = d_.BiasOf(element);
      const int64_t zero =
          ToWideInteger(ToUnrounded(zero_point), RoundingMode::kNearestEven);
      zero_point = FromInteger(zero + bias);
    }
    const Unrounded rounds = target_.adds_before_rounding() ? Sum(v, zero_point) : v;
    auto code = static_cast<uint32_t>(target_.CodeOf(rounds, zero_point, false, steps));
    if (!s_.clamps_at_zero_point) return code;
    const auto lowest = static_cast<uint32_t>(target_.CodeOf(y_zero_point_));
    return ToInteger(*d_.y, code) < ToInteger(*d_.y, lowest) ? lowest : code;
  }

  const DecodedQLinearConv& d_;
  const Switches s_;
  WrongSums sums_;
  IntegerTarget target_;
  ExactValue y_zero_point_;
};

}  // namespace

namespace {

// QC-01, QC-04.
Status Follow(const Reading& reading, DecodedQLinearConv& decoded) {
  const auto error = Error{"readings: expected functions, got " + reading.name};
  if (reading.name == "ties_away") {
    decoded.rounding = FaultyRounding::kAway;
  } else if (reading.name == "ties_up") {
    decoded.rounding = FaultyRounding::kHalfUp;
  } else if (reading.name.starts_with("zero_point_before_rounding")) {
    decoded.order = FaultyOrder::kBeforeRounding;
    if (reading.name.ends_with("_ties_away")) decoded.rounding = FaultyRounding::kAway;
  } else {
    const auto all = RequantizationReadings(DataType::kFloat);
    const auto found = std::ranges::find(all, reading.name, RequantizationName);
    if (found == all.end()) return error;
    const auto parameters = RequantizationParametersOf(*found, DataType::kFloat);
    decoded.requantize.emplace(parameters);
    decoded.precision_of_v = &FormatOf(parameters.precision_of_v());
  }
  return Ok();
}

}  // namespace

int64_t DecodedQLinearConv::BiasOf(int64_t element) const {
  if (bias.empty()) return 0;
  return bias[static_cast<size_t>(convolution.ChannelOf(element))];
}

bool DecodedQLinearConv::HasSpecialScale(int64_t element) const {
  const ExactValue& w_scale = w_scales[IndexOf(
      Channel::kRight, convolution, convolution.ChannelOf(element), w_scales.size())];
  return IsSpecial(x_scale) || IsSpecial(w_scale) || IsSpecial(y_scale) ||
         y_scale.value_class == ValueClass::kZero;
}

bool DecodedQLinearConv::KeepsCode(int64_t element) const {
  const int64_t sum = convolution.sums[static_cast<size_t>(element)];
  return !IsInt32(sum) || !IsInt32(sum + BiasOf(element));
}

Result<DecodedQLinearConv> DecodeQLinearConv(std::span<const Attribute> attributes,
                                             const Operands& operands,
                                             const std::vector<Reading>& readings) {
  for (size_t i = 0; i < 8; ++i) {
    if (!OperandAt(operands, i)) {
      return Error{"operands: expected 8, got none at " + std::to_string(i)};
    }
  }
  auto convolution =
      DecodeConvolution(attributes, *operands[0], *operands[3], operands[2], operands[5]);
  if (!convolution) return convolution.error();
  DecodedQLinearConv decoded;
  decoded.convolution = *std::move(convolution);
  decoded.y = &FormatOf(operands[7]->type);
  decoded.w_scales = Values(*operands[4]);
  const std::vector<ExactValue> x_scale = Values(*operands[1]);
  const std::vector<ExactValue> y_scale = Values(*operands[6]);
  const std::vector<ExactValue> y_zero_point = Values(*operands[7]);
  const auto channels = static_cast<size_t>(decoded.convolution.outputs);
  if (x_scale.size() != 1 || y_scale.size() != 1 || y_zero_point.size() != 1 ||
      (decoded.w_scales.size() != 1 && decoded.w_scales.size() != channels)) {
    return Error{"scales: expected one element, or for w one per output channel"};
  }
  decoded.x_scale = x_scale.front();
  decoded.y_scale = y_scale.front();
  decoded.y_zero_point = y_zero_point.front();
  if (const auto bias = OperandAt(operands, 8)) {
    const NumberFormat& format = FormatOf(bias->type);
    for (const uint64_t code : ReadCodes(*bias)) {
      decoded.bias.push_back(ToInteger(format, code));
    }
    if (decoded.bias.size() != channels) {
      return Error{"B: expected one element per output channel, got " +
                   std::to_string(decoded.bias.size())};
    }
  }
  for (const Reading& reading : readings) {
    if (Status status = Follow(reading, decoded); !status.ok()) return status.error();
  }
  return decoded;
}

std::vector<uint32_t> EvaluateWithSwitches(const DecodedQLinearConv& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const Switches& switches) {
  std::vector<uint32_t> codes = canonical;
  Switches arithmetic = switches;
  arithmetic.last_unwritten = false;
  if (arithmetic != Switches{}) {
    const Evaluation evaluation(decoded, switches);
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto element = static_cast<int64_t>(i);
      if (!decoded.KeepsCode(element)) codes[i] = evaluation.Element(element);
    }
  }
  if (switches.last_unwritten && !codes.empty()) codes.back() = kUnwrittenCode;
  return codes;
}

std::optional<QLinearConvTrace> TraceElement(const DecodedQLinearConv& decoded,
                                             const Switches& switches, int64_t element) {
  if (decoded.KeepsCode(element) || decoded.HasSpecialScale(element)) {
    return std::nullopt;
  }
  QLinearConvTrace trace;
  Evaluation(decoded, switches).Element(element, &trace);
  return trace;
}

}  // namespace qconform
