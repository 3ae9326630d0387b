#include "oracle/requantization/reach.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <vector>

namespace qconform {
namespace {

constexpr int kDigits = 62;  // of magnitudes that are rounded up

bool IsFinite(const ExactValue& value) {
  return value.value_class == ValueClass::kFinite ||
         value.value_class == ValueClass::kZero;
}
bool IsZero(const ExactValue& value) { return value.value_class == ValueClass::kZero; }
bool IsInfinite(const ExactValue& value) {
  return value.value_class == ValueClass::kInfinity;
}
bool IsNan(const ExactValue& value) { return value.value_class == ValueClass::kNan; }

ExactValue PowerOfTwo(int exponent) {
  return {.value_class = ValueClass::kFinite, .significand = 1, .exponent = exponent};
}

ExactValue Magnitude(ExactValue value) {
  value.negative = false;
  return value;
}

ExactValue OfInteger(int64_t value) {
  if (value == 0) return {};
  return {.value_class = ValueClass::kFinite,
          .negative = value < 0,
          .significand = static_cast<uint64_t>(value < 0 ? -value : value),
          .exponent = 0};
}

// A magnitude as kDigits digits, not less. Precondition: it is finite.
ExactValue Up(const Unrounded& value) {
  if (value.significand == 0 && !value.sticky) return {};
  Uint128 digits = value.significand;
  int exponent = value.exponent;
  bool rest = value.sticky;
  const int excess = digits == 0 ? 0 : TopBit(digits) + 1 - kDigits;
  if (excess > 0) {
    rest = rest || (digits & ((Uint128{1} << excess) - 1)) != 0;
    digits >>= excess;
    exponent += excess;
  }
  return {.value_class = ValueClass::kFinite,
          .significand = static_cast<uint64_t>(digits) + (rest ? 1 : 0),
          .exponent = exponent};
}

// The same with the sign of the value.
ExactValue AwayFromZero(const Unrounded& value) {
  ExactValue up = Up(value);
  up.negative = value.negative;
  return up;
}

// Of magnitudes, rounded up.
ExactValue AddUp(const ExactValue& a, const ExactValue& b) {
  return Up(Add(ToUnrounded(a), b));
}
ExactValue MultiplyUp(const ExactValue& a, const ExactValue& b) {
  return Up(qconform::Multiply(a, b));
}
ExactValue DivideUp(const ExactValue& a, const ExactValue& b) {
  return Up(qconform::Divide(a, b));
}
bool IsLess(const ExactValue& a, const ExactValue& b) {
  ExactValue minus = b;
  minus.negative = true;
  return Add(ToUnrounded(a), minus).negative;
}

// |C a b|, rounded up. Precondition: the scales are finite.
ExactValue ProductUp(Uint128 magnitude, int exponent,
                     const RequantizationScales& scales) {
  const ExactValue units = Up({.value_class = ValueClass::kFinite,
                               .significand = magnitude,
                               .exponent = exponent});
  return MultiplyUp(MultiplyUp(units, Magnitude(scales.a)), Magnitude(scales.b));
}

// Adds the quotient of an infinite sum and `y`, which is not NaN.
void AddInfinity(bool negative, const ExactValue& y, FloatReach& reach) {
  if (IsInfinite(y)) {
    reach.nan = true;
  } else {
    (negative != y.negative ? reach.minus_infinity : reach.plus_infinity) = true;
  }
}

// The ends of an interval after a rounding. An end beyond the range of the format is an
// infinity, and the largest number takes its place, unless all of the interval is beyond.
struct RoundedEnds {
  std::vector<ExactValue> numbers;
  bool plus_infinity = false;
  bool minus_infinity = false;
};

RoundedEnds RoundEnds(const Rounder& round, const std::vector<Unrounded>& ends) {
  RoundedEnds rounded;
  for (const Unrounded& end : ends) {
    const ExactValue value = Decode(round.format(), round(end).code);
    if (!IsInfinite(value)) {
      rounded.numbers.push_back(value);
    } else {
      (value.negative ? rounded.minus_infinity : rounded.plus_infinity) = true;
    }
  }
  if (rounded.numbers.empty() && rounded.plus_infinity != rounded.minus_infinity) {
    return rounded;
  }
  for (const bool negative : {false, true}) {
    if (!(negative ? rounded.minus_infinity : rounded.plus_infinity)) continue;
    ExactValue largest = Decode(round.format(), LargestFinite(round.format()));
    largest.negative = negative;
    rounded.numbers.push_back(largest);
  }
  return rounded;
}

uint64_t OddPart(const ExactValue& value) {
  return value.significand >> std::countr_zero(value.significand);
}
int OddExponent(const ExactValue& value) {
  return value.exponent + std::countr_zero(value.significand);
}

}  // namespace

struct FloatReachOf::Sums {
  int64_t terms = 0;
  bool nan = false;
  bool plus_infinity = false;  // of a product
  bool minus_infinity = false;
  // Of one whose factors are not both finite: no wider type has another.
  bool plus_infinity_for_sure = false;
  bool minus_infinity_for_sure = false;
  bool finite_operands = true;    // all that is dequantized is finite
  ExactValue positive, negative;  // finite products, each at most
  ExactValue error;               // of all products and their sum, together
};

FloatReachOf::FloatReachOf(const MatMulOperand& a, const MatMulOperand& b)
    : a_(&a),
      b_(&b),
      round_(FormatOf(DataType::kFloat), RoundingMode::kNearestEven,
             OverflowPolicy::kNonSaturating),
      digits_(round_.format().mantissa_bits + 1),
      smallest_normal_(SmallestNormalExponent(round_.format())),
      smallest_unit_(Decode(round_.format(), SmallestPositive(round_.format())).exponent),
      u_(PowerOfTwo(-digits_)) {}

ExactValue FloatReachOf::ErrorOf(const Unrounded& x) const {
  if (x.significand == 0 && !x.sticky) return {};
  const int top = x.significand == 0 ? x.exponent : TopBit(x.significand) + x.exponent;
  const int last = std::max(top - digits_ + 1, smallest_unit_);
  int end = x.exponent;  // of the last digit that is 1
  for (Uint128 rest = x.significand; rest != 0 && (rest & 1) == 0; rest >>= 1) ++end;
  if (!x.sticky && end >= last) return {};
  if (top < smallest_normal_) return PowerOfTwo(smallest_unit_ - 1);
  return MultiplyUp(u_, Up(x));
}

ExactValue FloatReachOf::Growth(int64_t n) const {
  // (1 + g)(1 + h) - 1 = g + h + g h.
  const auto join = [](const ExactValue& g, const ExactValue& h) {
    return AddUp(AddUp(g, h), MultiplyUp(g, h));
  };
  ExactValue growth;
  ExactValue power = u_;
  for (; n > 0; n /= 2) {
    if (n % 2 != 0) growth = join(growth, power);
    power = join(power, power);
  }
  return growth;
}

bool FloatReachOf::Overflows(const ExactValue& magnitude) const {
  return IsInfinite(Decode(round_.format(), round_(ToUnrounded(magnitude)).code));
}

bool FloatReachOf::StaysNormal(const RequantizationScales& scales,
                               std::optional<int32_t> bias) const {
  if (a_->has_special() || b_->has_special()) return false;
  for (const ExactValue* scale : {&scales.a, &scales.b}) {
    if (scale->value_class != ValueClass::kFinite) return false;
  }
  const auto product = [](const ExactValue& scale, const ExactValue& value) {
    return MultiplyUp(Magnitude(scale), value);
  };
  const ExactValue growth = AddUp(PowerOfTwo(0), Growth(a_->terms() + (bias ? 5 : 4)));
  const ExactValue a = MultiplyUp(product(scales.a, a_->largest()), growth);
  const ExactValue b = MultiplyUp(product(scales.b, b_->largest()), growth);
  const auto terms = static_cast<uint64_t>(std::max<int64_t>(a_->terms(), 1));
  ExactValue sum = MultiplyUp(
      MultiplyUp(a, b),
      {.value_class = ValueClass::kFinite, .significand = terms, .exponent = 0});
  // One binade more than is needed, for what is rounded up here.
  const auto is_normal = [this](int least) { return least > smallest_normal_; };
  if (bias) {
    const ExactValue scale = product(scales.a, Magnitude(scales.b));
    sum = AddUp(sum, MultiplyUp(product(scale, Magnitude(OfInteger(*bias))), growth));
    if (Overflows(MultiplyUp(scale, growth)) || !is_normal(TopOf(scale))) return false;
  }
  if (Overflows(a) || Overflows(b) || Overflows(sum)) return false;
  if (IsZero(a) || IsZero(b)) return true;
  const int a_least = TopOf(product(scales.a, a_->smallest()));
  const int b_least = TopOf(product(scales.b, b_->smallest()));
  return is_normal(std::min({a_least, b_least, a_least + b_least}));
}

bool FloatReachOf::IsExact(const Accumulated& sum,
                           const RequantizationScales& scales) const {
  if (IsZero(scales.a) || IsZero(scales.b)) return true;
  const Uint128 most = Uint128{1} << digits_;
  const int a_unit = OddExponent(scales.a) + a_->unit_exponent();
  const int b_unit = OddExponent(scales.b) + b_->unit_exponent();
  if (std::min({a_unit, b_unit, a_unit + b_unit}) < smallest_unit_) return false;
  return sum.magnitude <= most && sum.magnitude * OddPart(scales.a) <= most &&
         sum.magnitude * OddPart(scales.a) * OddPart(scales.b) <= most;
}

FloatReachOf::Sums FloatReachOf::Multiply(int64_t a_line, int64_t b_line,
                                          const RequantizationScales& scales,
                                          std::optional<int32_t> bias) const {
  Sums sums;
  sums.terms = a_->terms() + (bias ? 1 : 0);
  const auto round = [this](const Unrounded& value) {
    return Decode(round_.format(), round_(value).code);
  };
  // The difference of a float8 value and its zero point may be rounded itself.
  const auto error_of = [this](const MatMulOperand& operand, int64_t line,
                               const Unrounded& x) {
    ExactValue error = ErrorOf(x);
    if (!operand.is_integer() && operand.has_zero_point(line)) {
      error = AddUp(error, MultiplyUp(Growth(1), AddUp(Up(x), error)));
    }
    return error;
  };
  ExactValue magnitude;  // of all products, at most
  // Adds the product of two factors, which are rounded with these errors. `finite`:
  // whether there are finite factors, if only in a wider type.
  const auto add = [&](const Unrounded& a, const ExactValue& a_error, const Unrounded& b,
                       const ExactValue& b_error, bool finite) {
    const ExactValue product = round(qconform::Multiply(round(a), round(b)));
    sums.finite_operands = sums.finite_operands && finite;
    sums.nan = sums.nan || IsNan(product);
    if (IsInfinite(product)) {
      (product.negative ? sums.minus_infinity : sums.plus_infinity) = true;
      bool& for_sure =
          product.negative ? sums.minus_infinity_for_sure : sums.plus_infinity_for_sure;
      for_sure = for_sure || !finite;
    } else if (IsFinite(product)) {
      ExactValue& side = product.negative ? sums.negative : sums.positive;
      side = AddUp(side, Magnitude(product));
    }
    if (!sums.finite_operands) return;
    const ExactValue a_most = AddUp(Up(a), a_error);
    const ExactValue b_most = AddUp(Up(b), b_error);
    ExactValue error = AddUp(MultiplyUp(a_error, b_most), MultiplyUp(Up(a), b_error));
    const ExactValue most = MultiplyUp(a_most, b_most);
    // What is rounded is no product of a and b where these were: it may have any digits.
    Unrounded rounded = ToUnrounded(most);
    rounded.sticky = rounded.significand != 0 && (!IsZero(a_error) || !IsZero(b_error));
    const ExactValue own = ErrorOf(rounded);
    error = AddUp(error, own);
    sums.error = AddUp(sums.error, error);
    magnitude = AddUp(magnitude, AddUp(most, own));
  };
  for (int64_t k = 0; k < a_->terms(); ++k) {
    const Unrounded a = qconform::Multiply(a_->ValueAt(a_line, k), scales.a);
    const Unrounded b = qconform::Multiply(b_->ValueAt(b_line, k), scales.b);
    add(a, error_of(*a_, a_line, a), b, error_of(*b_, b_line, b),
        IsFinite(round(a)) && IsFinite(round(b)));
  }
  if (bias) {
    const Unrounded value = ToUnrounded(OfInteger(*bias));
    const Unrounded scale = qconform::Multiply(scales.a, scales.b);
    add(value, ErrorOf(value), scale, ErrorOf(scale),
        IsFinite(scales.a) && IsFinite(scales.b));
  }
  if (sums.finite_operands) {
    sums.error = AddUp(sums.error, MultiplyUp(Growth(sums.terms - 1), magnitude));
  }
  return sums;
}

FloatReach FloatReachOf::Divide(const Sums& sums, const Accumulated& sum,
                                const RequantizationScales& scales) const {
  FloatReach reach;
  const ExactValue& y = scales.y;
  if (IsNan(y) || sums.nan) {
    reach.nan = true;
    return reach;
  }
  // Partial sums of products of one sign may overflow, whatever the others are.
  const ExactValue growth =
      AddUp(PowerOfTwo(0), sums.terms > 1 ? Growth(sums.terms) : ExactValue{});
  const bool up = sums.plus_infinity || Overflows(MultiplyUp(sums.positive, growth));
  const bool down = sums.minus_infinity || Overflows(MultiplyUp(sums.negative, growth));
  const auto infinite = [&](bool negative) { AddInfinity(negative, y, reach); };
  reach.nan = up && down;
  if (up && !sums.minus_infinity_for_sure) infinite(false);
  if (down && !sums.plus_infinity_for_sure) infinite(true);
  if (!sums.finite_operands) return reach;

  // A sum that is formed in a wider type, which is C a b to within sums.error. It may
  // overflow at last.
  const ExactValue exact = ProductUp(
      static_cast<Uint128>(sum.units < 0 ? -sum.units : sum.units), sum.exponent, scales);
  const bool negative = (sum.units < 0) != (scales.a.negative != scales.b.negative);
  const bool either = !IsLess(sums.error, exact);  // 0 and both signs
  if (Overflows(AddUp(exact, sums.error))) infinite(negative);
  if (either && Overflows(sums.error)) infinite(!negative);
  if (IsInfinite(y)) {
    reach.zero = true;
    return reach;
  }
  if (IsZero(y)) {
    reach.nan = reach.nan || either;
    if (either ? !IsZero(sums.error) : !negative) infinite(false);
    if (either ? !IsZero(sums.error) : negative) infinite(true);
    return reach;
  }
  const ExactValue divisor = Magnitude(y);
  const ExactValue moved = DivideUp(sums.error, divisor);
  Unrounded v = qconform::Divide(exact, divisor);
  if (!IsZero(moved)) {
    v = ToUnrounded(AddUp(Up(v), moved));
    v.sticky = true;
  }
  reach.error = AddUp(moved, ErrorOf(v));
  if (Overflows(AddUp(Up(v), *reach.error))) infinite(negative);
  if (either && Overflows(*reach.error)) infinite(!negative);
  return reach;
}

// The finite products of two lines, which FLOAT holds but for its range, and their sum in
// fixed point: 100 digits from the largest on.
class FloatReachOf::Products {
 public:
  void Add(const ExactValue& a, const ExactValue& b) {
    const uint64_t digits = a.significand * b.significand;
    if (digits == 0) return;
    const ExactValue product{.value_class = ValueClass::kFinite,
                             .negative = a.negative != b.negative,
                             .significand = digits,
                             .exponent = a.exponent + b.exponent};
    top_ = std::max(top_, TopOf(product));
    least_ = std::min(least_, OddExponent(product));
    products_.push_back(product);
  }

  const std::vector<ExactValue>& all() const { return products_; }
  int top() const { return top_; }
  int least() const { return least_; }  // all are multiples of 2^this

  struct Sum {
    Unrounded value;
    ExactValue positive, negative;  // of one sign each, magnitudes
    ExactValue lost;                // what all of these may be off by
  };
  Sum Add() const {
    if (products_.empty()) return {};
    const int unit = std::max(least_, top_ - 100);
    Uint128 sums[2] = {0, 0};
    int64_t cut = 0;
    for (const ExactValue& product : products_) {
      const int shift = product.exponent - unit;
      Uint128 digits = product.significand;
      digits = shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
      sums[product.negative ? 1 : 0] += digits;
      cut += least_ < unit ? 1 : 0;
    }
    const auto magnitude = [unit](Uint128 digits) -> Unrounded {
      if (digits == 0) return {};
      return {
          .value_class = ValueClass::kFinite, .significand = digits, .exponent = unit};
    };
    const bool below = sums[0] < sums[1];
    Sum sum{magnitude(below ? sums[1] - sums[0] : sums[0] - sums[1]),
            Up(magnitude(sums[0])),
            Up(magnitude(sums[1])),
            {}};
    sum.value.negative = below;
    if (cut > 0) {
      sum.lost = {.value_class = ValueClass::kFinite,
                  .significand = static_cast<uint64_t>(cut),
                  .exponent = unit};
    }
    return sum;
  }

 private:
  std::vector<ExactValue> products_;
  int top_ = INT_MIN;
  int least_ = INT_MAX;
};

const std::vector<ExactValue>& FloatReachOf::Dequantized(const MatMulOperand& operand,
                                                         int64_t line, DataType type,
                                                         const ExactValue& scale,
                                                         bool difference_is_rounded,
                                                         Lines& known) const {
  std::vector<ExactValue>& values = known[line];
  if (!values.empty()) return values;
  const Rounder round(FormatOf(type), RoundingMode::kNearestEven,
                      OverflowPolicy::kNonSaturating);
  for (int64_t k = 0; k < operand.terms(); ++k) {
    ExactValue value = operand.ValueAt(line, k);
    if (difference_is_rounded)
      value = Decode(round.format(), round(ToUnrounded(value)).code);
    const Unrounded exact = qconform::Multiply(value, scale);
    values.push_back(Decode(round.format(), round(exact).code));
  }
  return values;
}

FloatReach FloatReachOf::OfScaleType(DataType scale, const ScaleTypeSteps& steps,
                                     int64_t a_line, int64_t b_line,
                                     const RequantizationScales& scales) {
  const auto reach_of = [&](bool difference_is_rounded) {
    const int i = difference_is_rounded ? 1 : 0;
    return OfValues(
        Dequantized(*a_, a_line, scale, scales.a, difference_is_rounded, a_lines_[i]),
        Dequantized(*b_, b_line, scale, scales.b, difference_is_rounded, b_lines_[i]),
        scale, steps, scales);
  };
  FloatReach reach = reach_of(false);
  // T holds the differences of 8-bit integers, but not of all float8 values.
  const bool is_rounded = (!a_->is_integer() && a_->has_zero_point(a_line)) ||
                          (!b_->is_integer() && b_->has_zero_point(b_line));
  if (!is_rounded) return reach;
  const FloatReach other = reach_of(true);
  reach.nan = reach.nan || other.nan;
  reach.plus_infinity = reach.plus_infinity || other.plus_infinity;
  reach.minus_infinity = reach.minus_infinity || other.minus_infinity;
  reach.zero = reach.zero || other.zero;
  reach.range.insert(reach.range.end(), other.range.begin(), other.range.end());
  return reach;
}

FloatReach FloatReachOf::OfValues(const std::vector<ExactValue>& a_values,
                                  const std::vector<ExactValue>& b_values, DataType scale,
                                  const ScaleTypeSteps& steps,
                                  const RequantizationScales& scales) const {
  Products products;
  Sums sums;
  sums.terms = a_->terms();
  for (size_t k = 0; k < a_values.size(); ++k) {
    if (IsFinite(a_values[k]) && IsFinite(b_values[k])) {
      products.Add(a_values[k], b_values[k]);
      continue;
    }
    sums.finite_operands = false;
    const Unrounded product = qconform::Multiply(a_values[k], b_values[k]);
    sums.nan = sums.nan || product.value_class == ValueClass::kNan;
    if (product.value_class != ValueClass::kInfinity) continue;
    (product.negative ? sums.minus_infinity : sums.plus_infinity) = true;
    (product.negative ? sums.minus_infinity_for_sure : sums.plus_infinity_for_sure) =
        true;
  }
  const Products::Sum sum = products.Add();
  sums.positive = sum.positive;
  sums.negative = sum.negative;
  // FLOAT's range has an end for products of BFLOAT16 alone.
  const bool in_range = products.all().empty() ||
                        (products.top() < 127 && products.least() >= smallest_unit_);
  for (size_t i = 0; !in_range && i < products.all().size(); ++i) {
    const ExactValue& product = products.all()[i];
    sums.error = AddUp(sums.error, ErrorOf(ToUnrounded(product)));
    if (!Overflows(Magnitude(product))) continue;
    (product.negative ? sums.minus_infinity : sums.plus_infinity) = true;
  }
  // NaN and infinities come about as with FLOAT operands; of a finite sum more is known.
  Sums infinite = sums;
  infinite.finite_operands = false;
  FloatReach reach = Divide(infinite, {}, scales);
  if (!sums.finite_operands || IsNan(scales.y)) return reach;

  ExactValue error = AddUp(sums.error, sum.lost);
  const ExactValue magnitude = AddUp(AddUp(sums.positive, sums.negative), sum.lost);
  if (!products.all().empty() &&
      IsLess(PowerOfTwo(products.least() + digits_), magnitude)) {
    error = AddUp(error, MultiplyUp(Growth(a_->terms()), magnitude));
  }
  std::vector<Unrounded> ends;
  for (const bool negative : {false, true}) {
    ExactValue distance = error;
    distance.negative = negative;
    ends.push_back(IsZero(error) ? sum.value : Add(sum.value, distance));
  }
  const Rounder to_scale_type(FormatOf(scale), RoundingMode::kNearestEven,
                              OverflowPolicy::kNonSaturating);
  RoundedEnds s = RoundEnds(steps.sum ? to_scale_type : round_, ends);
  if (s.plus_infinity) AddInfinity(false, scales.y, reach);
  if (s.minus_infinity) AddInfinity(true, scales.y, reach);
  for (const Unrounded& end : ends) {
    // A type wider than FLOAT holds it.
    if (!steps.sum && Overflows(Up(end))) s.numbers.push_back(AwayFromZero(end));
  }
  // Between two ends of two signs there is 0.
  Unrounded absolute = sum.value;
  absolute.negative = false;
  const bool around_zero = !IsLess(error, Up(absolute));
  if (IsZero(scales.y)) {
    reach.nan = reach.nan || around_zero;
    for (const ExactValue& number : s.numbers) {
      reach.nan = reach.nan || IsZero(number);
      if (!IsZero(number)) AddInfinity(number.negative, scales.y, reach);
    }
    return reach;
  }
  reach.zero = around_zero;
  std::vector<Unrounded> quotients;
  for (const ExactValue& number : s.numbers) {
    quotients.push_back(qconform::Divide(number, scales.y));
  }
  const RoundedEnds v = RoundEnds(steps.quotient ? to_scale_type : round_, quotients);
  reach.plus_infinity = reach.plus_infinity || v.plus_infinity;
  reach.minus_infinity = reach.minus_infinity || v.minus_infinity;
  for (const ExactValue& number : v.numbers) reach.range.push_back(ToUnrounded(number));
  // Or in a type wider than FLOAT.
  if (!steps.quotient) {
    reach.range.insert(reach.range.end(), quotients.begin(), quotients.end());
  }
  return reach;
}

FloatReach FloatReachOf::operator()(int64_t a_line, int64_t b_line,
                                    const Accumulated& sum,
                                    const RequantizationScales& scales,
                                    std::optional<int32_t> bias) const {
  const int64_t terms = a_->terms() + (bias ? 1 : 0);
  if (terms == 0) {  // nothing is dequantized
    const bool nan = IsNan(scales.y) || IsZero(scales.y);
    return {.nan = nan, .zero = !nan};
  }
  if (!StaysNormal(scales, bias)) {
    Sums sums = Multiply(a_line, b_line, scales, bias);
    if (sums.finite_operands && IsExact(sum, scales)) sums.error = {};
    return Divide(sums, sum, scales);
  }
  Sums sums;
  sums.terms = terms;
  if (!IsExact(sum, scales)) {
    const bool rounded = (!a_->is_integer() && a_->has_zero_point(a_line)) ||
                         (!b_->is_integer() && b_->has_zero_point(b_line));
    sums.error = MultiplyUp(Growth(terms + 2 + (rounded ? 2 : 0)),
                            ProductUp(sum.magnitude, sum.exponent, scales));
  }
  return Divide(sums, sum, scales);
}

}  // namespace qconform
