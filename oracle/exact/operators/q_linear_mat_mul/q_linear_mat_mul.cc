#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;

// An operand as a stack of matrices.
struct Stack {
  Dims batch;
  int64_t rows = 0;
  int64_t columns = 0;
};

Stack StackOf(Dims shape, bool is_left) {
  if (shape.size() == 1) shape.insert(is_left ? shape.begin() : shape.end(), 1);
  assert(shape.size() >= 2);
  Stack stack;
  stack.columns = shape.back();
  stack.rows = shape[shape.size() - 2];
  stack.batch.assign(shape.begin(), shape.end() - 2);
  return stack;
}

Dims Broadcast(Dims one, Dims other) {
  if (one.size() < other.size()) std::swap(one, other);
  const size_t missing = one.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& dim = one[missing + i];
    if (dim == 1) dim = other[i];
    assert(other[i] == dim || other[i] == 1);
  }
  return one;
}

// The place of batch index `at` (of the broadcast dimensions) among the
// matrices of an operand with its own batch dimensions.
size_t Place(const Dims& at, const Dims& own) {
  size_t place = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    const int64_t index = own[i] == 1 ? 0 : at[at.size() - own.size() + i];
    place = place * static_cast<size_t>(own[i]) + static_cast<size_t>(index);
  }
  return place;
}

// Where the scale of a row (of `a`) or a column (of `b`) stands.
size_t ScalePlace(const Dims& scale_shape, const Dims& at, int64_t line, int64_t lines) {
  const bool is_single = std::all_of(scale_shape.begin(), scale_shape.end(),
                                     [](int64_t dim) { return dim == 1; });
  if (is_single) return 0;
  if (scale_shape.size() == 1) return static_cast<size_t>(line);
  const Dims batch(scale_shape.begin(), scale_shape.end() - 2);
  const int64_t own_lines =
      std::max(scale_shape.back(), scale_shape[scale_shape.size() - 2]);
  assert(own_lines == lines || own_lines == 1);
  return Place(at, batch) * static_cast<size_t>(own_lines) +
         static_cast<size_t>(own_lines == 1 && lines != 1 ? 0 : line);
}

bool Increment(Dims& at, const Dims& bounds) {
  for (size_t d = bounds.size(); d-- > 0;) {
    if (++at[d] < bounds[d]) return true;
    at[d] = 0;
  }
  return false;
}

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

std::vector<int64_t> OutputShape(const std::vector<int64_t>& a,
                                 const std::vector<int64_t>& b) {
  const Stack left = StackOf(a, true);
  const Stack right = StackOf(b, false);
  Dims shape = Broadcast(left.batch, right.batch);
  if (a.size() > 1) shape.push_back(left.rows);
  if (b.size() > 1) shape.push_back(right.columns);
  return shape;
}

std::vector<Accumulator> Accumulate(const QLinearMatMulInput& input) {
  const Stack left = StackOf(input.a.shape, true);
  const Stack right = StackOf(input.b.shape, false);
  assert(left.columns == right.rows);
  const Dims batch = Broadcast(left.batch, right.batch);
  const std::vector<Value> a = ValuesOf(input.a);
  const std::vector<Value> b = ValuesOf(input.b);
  const std::vector<Value> a_zero = ValuesOf(input.a_zero_point);
  const std::vector<Value> b_zero = ValuesOf(input.b_zero_point);
  const bool wraps = IsInteger(input.a.type) && IsInteger(input.b.type);

  std::vector<Accumulator> all;
  if (std::count(batch.begin(), batch.end(), 0) > 0) return all;
  Dims at(batch.size(), 0);
  do {
    const size_t a_base = Place(at, left.batch) * static_cast<size_t>(left.rows);
    const size_t b_base = Place(at, right.batch) * static_cast<size_t>(right.rows);
    for (int64_t m = 0; m < left.rows; ++m) {
      for (int64_t n = 0; n < right.columns; ++n) {
        Accumulator element;
        element.terms = left.columns;
        element.a_index = ScalePlace(input.a_scale.shape, at, m, left.rows);
        element.b_index = ScalePlace(input.b_scale.shape, at, n, right.columns);
        const Value minus_a_zero =
            Negated(Of(a_zero, ScalePlace(input.a_zero_point.shape, at, m, left.rows)));
        const Value minus_b_zero = Negated(
            Of(b_zero, ScalePlace(input.b_zero_point.shape, at, n, right.columns)));
        element.has_zero_point = !minus_a_zero.IsZero() || !minus_b_zero.IsZero();
        for (int64_t k = 0; k < left.columns; ++k) {
          const size_t a_place =
              (a_base + static_cast<size_t>(m)) * static_cast<size_t>(left.columns) +
              static_cast<size_t>(k);
          const size_t b_place =
              (b_base + static_cast<size_t>(k)) * static_cast<size_t>(right.columns) +
              static_cast<size_t>(n);
          element.a.push_back(Add(a[a_place], minus_a_zero));
          element.b.push_back(Add(b[b_place], minus_b_zero));
          const Value product = Multiply(element.a.back(), element.b.back());
          element.magnitude += abs(product.number);
          element.c = Add(element.c, product);
        }
        if (element.c.IsZero()) element.c = Value::Zero(false);  // MM-12
        if (wraps) Wrap(element);
        all.push_back(std::move(element));
      }
    }
  } while (Increment(at, batch));
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
  answer.shape = OutputShape(input.a.shape, input.b.shape);
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
