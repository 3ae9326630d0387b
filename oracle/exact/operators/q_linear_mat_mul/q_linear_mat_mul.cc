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

bool IsInteger(int type) { return GetFormat(type).set == Format::Set::kIntegers; }

// MM-01b.
void Wrap(Accumulator& accumulator) {
  accumulator.overflows = !IsInt32(accumulator.c.number);
  if (!accumulator.overflows) return;
  accumulator.c = Value::Number(WrappedToInt32(accumulator.c.number));
}

// MM-20: 8 bits less a zero point are 0 or from 1 to 255, floats from 2^-17 to below
// 2^17; `k` terms make a sum.
OperandMagnitudes MagnitudesOf(int a_type, int b_type, int64_t k) {
  const bool a_is_float = GetFormat(a_type).has_nan;
  const bool b_is_float = GetFormat(b_type).has_nan;
  OperandMagnitudes all;
  all.a_low = a_is_float ? -17 : 0;
  all.b_low = b_is_float ? -17 : 0;
  all.a_high = a_is_float ? 17 : 8;
  all.b_high = b_is_float ? 17 : 8;
  all.sum_high = all.a_high + all.b_high + CeilLog2(k);
  return all;
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
  const Format* p = TypeOfV(readings);  // of added_in_p (QL-24)

  Answer answer;
  answer.type = target.type;
  answer.shape = MatrixProduct(input.a.shape, input.b.shape).shape();
  for (const Accumulator& c : accumulators) {
    const RequantizationScales scales = {ts, a_scale[c.a_index], b_scale[c.b_index],
                                         y_scale};
    const Value v = Requantize(c.c, scales, readings);
    Element element =
        QuantizeToTarget(kCastGivesNan, target, v, zero_point, p, true, readings.target);
    if (target.has_nan && ValueOf(target, element.code).IsZero()) {  // MM-12
      element.code = 0;
      element.freedom = Freedom::kAnyZero;
    }
    if (IsDegenerate(scales, MagnitudesOf(input.a.type, input.b.type, c.terms)))
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
