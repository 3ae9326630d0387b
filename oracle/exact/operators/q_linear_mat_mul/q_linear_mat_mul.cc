#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

#include <cassert>
#include <optional>
#include <utility>

#include "oracle/exact/matrix_product.h"

namespace qconform::exact {
namespace {

// Some zero points are single where the scales are not (MM-06).
const Value& Of(const std::vector<Value>& values, size_t place) {
  return values.size() == 1 ? values[0] : values[place];
}

std::vector<Value> ValuesOf(const Codes& codes) {
  const Format& format = GetFormat(codes.type);
  std::vector<Value> values;
  values.reserve(codes.codes.size());
  for (uint64_t code : codes.codes) values.push_back(ValueOf(format, code));
  return values;
}

Value Negated(Value value) {
  value.negative = !value.negative;
  value.number = -value.number;
  return value;
}

bool IsInteger(int type) { return GetFormat(type).set == Format::Set::kIntegers; }

// MM-01b: modulo 2^32, two's complement.
void Wrap(Accumulator& accumulator) {
  const mpq_class& c = accumulator.c.number;
  const Format& int32 = GetFormat(kInt32);
  if (c >= int32.lowest && c <= int32.highest) return;
  accumulator.overflows = true;
  mpz_class rest;
  mpz_fdiv_r_2exp(rest.get_mpz_t(), c.get_num_mpz_t(), 32);
  if (rest > int32.highest.get_num()) rest -= PowerOfTwo(32).get_num();
  accumulator.c = Value::Number(mpq_class(rest));
}

// Whether numbers from 2^low to below 2^high times `value` may leave FLOAT's normal
// range.
bool MayLeaveFloat(const Value& value, int low, int high) {
  return value.number * PowerOfTwo(low) < PowerOfTwo(-126) ||
         value.number * PowerOfTwo(high) >= PowerOfTwo(127);
}

// MM-20 and G-02; `k` terms make a sum.
bool IsDegenerate(const Value& a, const Value& b, const Value& y, int scale_type,
                  int a_type, int b_type, int64_t k) {
  const Format& ts = GetFormat(scale_type);
  for (const Value* scale : {&a, &b, &y}) {
    if (!scale->IsNumber() || sgn(scale->number) <= 0 || IsSubnormal(ts, *scale))
      return true;
  }
  const Value product = Multiply(a, b);
  // What float_matmul (MM-02) makes of operands: 8 bits less a zero point are 0 or from 1
  // to 255, floats from 2^-17 to below 2^17.
  const bool a_is_float = GetFormat(a_type).has_nan;
  const bool b_is_float = GetFormat(b_type).has_nan;
  const int a_low = a_is_float ? -17 : 0;
  const int b_low = b_is_float ? -17 : 0;
  const int a_high = a_is_float ? 17 : 8;
  const int b_high = b_is_float ? 17 : 8;
  int digits_of_k = 0;
  while ((int64_t{1} << digits_of_k) < k) ++digits_of_k;
  if (MayLeaveFloat(a, a_low, a_high) || MayLeaveFloat(b, b_low, b_high) ||
      MayLeaveFloat(product, a_low + b_low, a_high + b_high + digits_of_k)) {
    return true;
  }
  const Value multiplier = Divide(product, y);
  for (const Format* format : {&ts, &GetFormat(kFloat)}) {
    for (const Value* value : {&product, &multiplier}) {
      if (IsSubnormal(*format, *value) ||
          RoundToPrecision(*format, *value).IsInfinity()) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::vector<Accumulator> Accumulate(const QLinearMatMulInput& input) {
  const MatrixProduct product(input.a.shape, input.b.shape);
  const std::vector<Value> a = ValuesOf(input.a);
  const std::vector<Value> b = ValuesOf(input.b);
  const std::vector<Value> a_zero = ValuesOf(input.a_zero_point);
  const std::vector<Value> b_zero = ValuesOf(input.b_zero_point);
  const bool wraps = IsInteger(input.a.type) && IsInteger(input.b.type);

  std::vector<Accumulator> all;
  product.ForEach([&](const ProductElement& at) {
    Accumulator element;
    element.terms = product.terms();
    element.a_index = at.RowPlace(input.a_scale.shape);
    element.b_index = at.ColumnPlace(input.b_scale.shape);
    const Value minus_a_zero = Negated(Of(a_zero, at.RowPlace(input.a_zero_point.shape)));
    const Value minus_b_zero =
        Negated(Of(b_zero, at.ColumnPlace(input.b_zero_point.shape)));
    element.has_zero_point = !minus_a_zero.IsZero() || !minus_b_zero.IsZero();
    for (int64_t k = 0; k < product.terms(); ++k) {
      element.a.push_back(Add(a[at.PlaceInA(k)], minus_a_zero));
      element.b.push_back(Add(b[at.PlaceInB(k)], minus_b_zero));
      const Value term = Multiply(element.a.back(), element.b.back());
      element.magnitude += abs(term.number);
      element.c = Add(element.c, term);
    }
    if (element.c.IsZero()) element.c = Value::Zero(false);  // MM-12
    if (wraps) Wrap(element);
    all.push_back(std::move(element));
  });
  return all;
}

Value Requantize(const Value& c, const Value& a_scale, const Value& b_scale,
                 const Value& y_scale, int scale_type,
                 const QLinearMatMulReadings& readings) {
  const Format& f32 = GetFormat(kFloat);
  const Format& f64 = GetFormat(kDouble);
  const auto times = [](const Format& p, const Value& one, const Value& other) {
    return RoundToPrecision(p, Multiply(one, other));
  };
  const auto over = [](const Format& p, const Value& one, const Value& other) {
    return RoundToPrecision(p, Divide(one, other));
  };
  const auto multiplier = [&](const Format& p) {
    switch (readings.order) {
      case MultiplierOrder::kByFirst:
        return times(p, a_scale, over(p, b_scale, y_scale));
      case MultiplierOrder::kAyFirst:
        return times(p, over(p, a_scale, y_scale), b_scale);
      case MultiplierOrder::kAbFirst:
        break;
    }
    return over(p, times(p, a_scale, b_scale), y_scale);
  };
  const auto product = [&](const Format& p, const Value& m) {
    return times(p, RoundToPrecision(p, c), m);
  };
  const auto chain = [&](const Format& p) {
    const Value& first = readings.b_scale_first ? b_scale : a_scale;
    const Value& second = readings.b_scale_first ? a_scale : b_scale;
    return over(p, times(p, times(p, RoundToPrecision(p, c), first), second), y_scale);
  };
  switch (readings.requantization) {
    case Requantization::kF32Multiplier:
      return product(f32, multiplier(f32));
    case Requantization::kF32DequantizeQuantize:
      return chain(f32);
    case Requantization::kF32CombinedDequantizeQuantize:
      return over(f32, product(f32, times(f32, a_scale, b_scale)), y_scale);
    case Requantization::kF64Product:
      return product(f64, multiplier(f32));
    case Requantization::kF64Chain:
      return chain(f64);
    case Requantization::kScaleTypeMultiplier:
      return product(readings.product_in_double ? f64 : f32,
                     multiplier(GetFormat(scale_type)));
    case Requantization::kCanonical:
      break;
  }
  return Divide(Multiply(Multiply(c, a_scale), b_scale), y_scale);
}

Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const QLinearMatMulReadings& readings) {
  return QLinearMatMul(input, Accumulate(input), readings);
}

Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const std::vector<Accumulator>& accumulators,
                     const QLinearMatMulReadings& readings) {
  const Format& target = GetFormat(input.y_zero_point.type);
  const std::vector<Value> a_scale = ValuesOf(input.a_scale);
  const std::vector<Value> b_scale = ValuesOf(input.b_scale);
  const Value y_scale = ValuesOf(input.y_scale).front();
  const std::optional<Value> zero_point = ValuesOf(input.y_zero_point).front();
  const int ts = input.y_scale.type;
  const bool adds_in_double = readings.requantization == Requantization::kF64Product ||
                              readings.requantization == Requantization::kF64Chain ||
                              readings.product_in_double;
  const Format* p = nullptr;  // of added_in_p (QL-24)
  if (readings.requantization != Requantization::kCanonical) {
    p = &GetFormat(adds_in_double ? kDouble : kFloat);
  }

  Answer answer;
  answer.type = target.type;
  answer.shape = MatrixProduct(input.a.shape, input.b.shape).shape();
  for (const Accumulator& c : accumulators) {
    const Value& a = a_scale[c.a_index];
    const Value& b = b_scale[c.b_index];
    const Value v = Requantize(c.c, a, b, y_scale, ts, readings);
    Element element =
        QuantizeToTarget(kCastGivesNan, target, v, zero_point, p, true, readings.target);
    if (target.has_nan && ValueOf(target, element.code).IsZero()) {  // MM-12
      element.code = 0;
      element.freedom = Freedom::kAnyZero;
    }
    if (IsDegenerate(a, b, y_scale, ts, input.a.type, input.b.type, c.terms))
      element.tier = Tier::kDegenerateScale;
    if (c.overflows) {
      element.tier = Tier::kAccumulatorOverflow;
      element.freedom = Freedom::kAnyCode;
    }
    answer.elements.push_back(element);
  }
  return answer;
}

}  // namespace qconform::exact
