#include "oracle/exact/operators/q_linear_conv/q_linear_conv.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "oracle/exact/dequantized_sum.h"
#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

// Those of an output channel.
RequantizationScales ScalesOf(const QLinearConvInput& input, size_t channel) {
  const Format& format = GetFormat(kFloat);
  const std::vector<uint64_t>& w_scale = input.w_scale.codes;
  return {kFloat, ValueOf(format, input.x_scale.codes.front()),
          ValueOf(format, w_scale.size() == 1 ? w_scale[0] : w_scale[channel]),
          ValueOf(format, input.y_scale.codes.front())};
}

// QC-08: 8 bits less a zero point are 0 or from 1 to 255. A bias has at most 31 bits, and
// one more makes room for its sum with the products.
OperandMagnitudes MagnitudesOf(const ConvAccumulator& element) {
  OperandMagnitudes all;
  all.a_high = all.b_high = 8;
  all.sum_high = 16 + CeilLog2(std::max<int64_t>(element.terms, 1));
  if (element.bias) all.sum_high = std::max(all.sum_high, 31) + 1;
  return all;
}

mpq_class Floor(const mpq_class& v) {
  mpz_class floor;
  mpz_fdiv_q(floor.get_mpz_t(), v.get_num_mpz_t(), v.get_den_mpz_t());
  return floor;
}

mpq_class RoundAway(const mpq_class& v) {
  const mpq_class magnitude = Floor(abs(v) + mpq_class(1, 2));
  return sgn(v) < 0 ? mpq_class(-magnitude) : magnitude;
}

// y for numbers and infinities, as an integer of the target.
class Target {
 public:
  Target(const QLinearConvInput& input, ConvRounding rounding)
      : format_(GetFormat(input.y_zero_point.type)),
        zero_point_(ValueOf(format_, input.y_zero_point.codes.front()).number),
        rounding_(rounding) {}

  const Format& format() const { return format_; }

  // `type` is that of v; null if v is exact. Precondition: v is not NaN.
  mpq_class ValueFor(const Value& v, const Format* type) const {
    if (v.IsInfinity()) return v.negative ? format_.lowest : format_.highest;
    return std::clamp(Rounded(v.number, type), format_.lowest, format_.highest);
  }

  uint64_t CodeFor(const mpq_class& value) const {
    return CodeOf(format_, Value::Number(value));
  }

 private:
  mpq_class Rounded(const mpq_class& v, const Format* type) const {
    switch (rounding_) {
      case ConvRounding::kTiesAway:
        return RoundAway(v) + zero_point_;
      case ConvRounding::kTiesUp:
        return Floor(v + mpq_class(1, 2)) + zero_point_;
      case ConvRounding::kZeroPointBeforeRounding:
      case ConvRounding::kZeroPointBeforeRoundingTiesAway: {
        Value sum = Value::Number(v + zero_point_);
        if (type != nullptr) sum = RoundToPrecision(*type, sum);
        if (sum.IsInfinity()) return sum.negative ? format_.lowest : format_.highest;
        return rounding_ == ConvRounding::kZeroPointBeforeRounding
                   ? mpq_class(RoundHalfEven(sum.number))
                   : RoundAway(sum.number);
      }
      case ConvRounding::kCanonical:
        break;
    }
    return mpq_class(RoundHalfEven(v)) + zero_point_;
  }

  const Format& format_;
  mpq_class zero_point_;
  ConvRounding rounding_;
};

// The codes of the outcomes of a v in FLOAT.
ConvCodes CodesOf(const Outcomes& v, const Target& target) {
  ConvCodes codes;
  if (v.nan) return codes.set();
  const auto add = [&](const mpq_class& low, const mpq_class& high) {
    for (mpq_class value = low; value <= high; value += 1) {
      codes.set(static_cast<size_t>(target.CodeFor(value)));
    }
  };
  if (v.plus_infinity) add(target.format().highest, target.format().highest);
  if (v.minus_infinity) add(target.format().lowest, target.format().lowest);
  if (v.has_numbers) {
    const Format* f32 = &GetFormat(kFloat);
    add(target.ValueFor(Value::Number(v.low), f32),
        target.ValueFor(Value::Number(v.high), f32));
  }
  return codes;
}

// What the products of operands that are dequantized to FLOAT may be, and a bias that is
// dequantized by x_scale * w_scale. A backend may multiply padded positions or leave them
// out.
std::vector<Outcomes> DequantizedTerms(const ConvAccumulator& element,
                                       const RequantizationScales& scales) {
  const Format& f32 = GetFormat(kFloat);
  std::vector<Outcomes> terms = Products(element, scales.a, scales.b, f32);
  for (const Value& w : element.padded_b) {
    Outcomes padding;
    padding.Add(Value::Number(0));
    padding.Add(Multiply(Multiply(Value::Number(0), scales.a),
                         RoundToPrecision(f32, Multiply(w, scales.b))));
    terms.push_back(padding);
  }
  if (!element.bias) return terms;
  const Value bias = RoundToPrecision(f32, Value::Number(*element.bias));
  Outcomes term;
  term.Add(Multiply(bias, RoundToPrecision(f32, Multiply(scales.a, scales.b))));
  terms.push_back(term);
  return terms;
}

std::optional<std::pair<mpq_class, mpq_class>> FloatConvInterval(
    const ConvAccumulator& element, const RequantizationScales& scales) {
  const int64_t most = element.terms + (element.bias ? 1 : 0) + 3;
  const int64_t n = FloatMatMulRoundings(element.magnitude, scales, most);
  return IntervalAroundV(element.c, element.magnitude, scales, Gamma(n));
}

void AddInterval(const std::optional<std::pair<mpq_class, mpq_class>>& interval,
                 Outcomes& v) {
  if (!interval) return;
  v.Add(Value::Number(interval->first));
  v.Add(Value::Number(interval->second));
}

int64_t ToInt(const mpq_class& value) { return value.get_num().get_si(); }

}  // namespace

std::vector<QLinearConvReadings> AllowedConvReadings() {
  std::vector<QLinearConvReadings> all;
  for (ConvRounding rounding :
       {ConvRounding::kCanonical, ConvRounding::kTiesAway, ConvRounding::kTiesUp,
        ConvRounding::kZeroPointBeforeRounding,
        ConvRounding::kZeroPointBeforeRoundingTiesAway}) {
    for (const RequantizationReadings& requantization : AllowedRequantizations(kFloat)) {
      all.push_back({requantization, rounding});
    }
  }
  return all;
}

std::vector<ConvAccumulator> Accumulate(const QLinearConvInput& input,
                                        std::vector<int64_t>& shape) {
  const Convolution convolution =
      Convolve(input.x.shape, input.w.shape, input.attributes);
  const std::vector<Value> x = ValuesOf(input.x);
  const std::vector<Value> w = ValuesOf(input.w);
  const Value minus_x_zero = Negated(ValuesOf(input.x_zero_point).front());
  const std::vector<Value> w_zero = ValuesOf(input.w_zero_point);
  std::vector<Value> bias;
  if (input.b) bias = ValuesOf(*input.b);
  shape = convolution.shape;

  std::vector<ConvAccumulator> all;
  for (const ConvolutionElement& one : convolution.elements) {
    ConvAccumulator element;
    element.terms = convolution.products;
    element.b_index = input.w_scale.codes.size() == 1 ? 0 : one.channel;
    const Value minus_w_zero =
        Negated(w_zero.size() == 1 ? w_zero[0] : w_zero[one.channel]);
    element.has_zero_point = !minus_x_zero.IsZero() || !minus_w_zero.IsZero();
    const auto weights = static_cast<size_t>(convolution.products);
    std::vector<bool> is_padded(weights, true);
    for (const ConvolutionTerm& term : one.terms) is_padded[term.w % weights] = false;
    for (size_t i = 0; i < weights; ++i) {
      if (!is_padded[i]) continue;
      element.padded_b.push_back(Add(w[one.channel * weights + i], minus_w_zero));
    }
    mpq_class sum = 0;
    for (const ConvolutionTerm& term : one.terms) {
      element.a.push_back(Add(x[term.x], minus_x_zero));
      element.b.push_back(Add(w[term.w], minus_w_zero));
      const mpq_class product = element.a.back().number * element.b.back().number;
      element.magnitude += abs(product);
      sum += product;
    }
    element.overflows = !IsInt32(sum);
    if (input.b) {
      element.bias = bias[one.channel].number;
      element.magnitude += abs(*element.bias);
      sum += *element.bias;
      element.overflows = element.overflows || !IsInt32(sum);
    }
    element.c = Value::Number(WrappedToInt32(sum));
    all.push_back(std::move(element));
  }
  return all;
}

Answer QLinearConv(const QLinearConvInput& input, const QLinearConvReadings& readings) {
  const Target target(input, readings.rounding);
  Answer answer;
  answer.type = target.format().type;
  for (const ConvAccumulator& c : Accumulate(input, answer.shape)) {
    const RequantizationScales scales = ScalesOf(input, c.b_index);
    const Value v = Requantize(c.c, scales, readings);
    Element element;
    mpq_class y = target.format().lowest;
    if (v.IsNan()) {
      element.freedom = Freedom::kAnyCode;  // QL-12
    } else {
      y = target.ValueFor(v, TypeOfV(readings));
    }
    element.code = target.CodeFor(y);
    if (IsDegenerate(scales, MagnitudesOf(c))) element.tier = Tier::kDegenerateScale;
    if (c.overflows) {
      element.tier = Tier::kAccumulatorOverflow;
      element.freedom = Freedom::kAnyCode;
    }
    answer.elements.push_back(element);
  }
  return answer;
}

std::vector<ConvBounds> Bounds(const QLinearConvInput& input, ConvRounding rounding) {
  const Format& f32 = GetFormat(kFloat);
  const Target target(input, rounding);
  const Target canonical_target(input, ConvRounding::kCanonical);
  std::vector<int64_t> shape;
  std::vector<ConvBounds> all;
  for (const ConvAccumulator& c : Accumulate(input, shape)) {
    const RequantizationScales scales = ScalesOf(input, c.b_index);
    const Value v = Requantize(c.c, scales, {});
    const mpq_class lowest = target.format().lowest, highest = target.format().highest;
    ConvBounds bounds;
    mpq_class low = lowest, canonical = lowest;
    if (!v.IsNan()) {
      low = target.ValueFor(v, nullptr);
      canonical = canonical_target.ValueFor(v, nullptr);
    }
    mpq_class high = low, unspecified_low = canonical, unspecified_high = canonical;
    if (v.IsNumber() && v.number.get_den() != 1) {
      unspecified_low = std::max<mpq_class>(canonical - 1, lowest);
      unspecified_high = std::min<mpq_class>(canonical + 1, highest);
    }
    const auto interval = FloatConvInterval(c, scales);
    if (interval && !c.overflows) {
      for (const mpq_class& end : {interval->first, interval->second}) {
        const mpq_class value = target.ValueFor(Value::Number(end), &f32);
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    bounds.float_conv = {ToInt(low), ToInt(high)};
    bounds.unspecified = {ToInt(unspecified_low), ToInt(unspecified_high)};

    const Types in_float = {&f32};
    const std::vector<Outcomes> terms = DequantizedTerms(c, scales);
    Outcomes derived = Quotient(Sum(terms, in_float), scales.y, in_float);
    AddInterval(interval, derived);
    bounds.derived = CodesOf(derived, target);
    const size_t more = terms.size() + 5;
    Outcomes sum = Widened(Sum(terms, in_float, more), c, scales.a, scales.b, f32);
    if (c.bias) {
      Accumulator bias;
      bias.a = {Value::Number(*c.bias)};
      bias.b = {Value::Number(1)};
      sum = Widened(sum, bias, Value::Number(1), Multiply(scales.a, scales.b), f32);
    }
    Outcomes widest = Quotient(sum, scales.y, in_float);
    AddInterval(interval, widest);
    bounds.widest = CodesOf(widest, target);
    all.push_back(bounds);
  }
  return all;
}

}  // namespace qconform::exact
