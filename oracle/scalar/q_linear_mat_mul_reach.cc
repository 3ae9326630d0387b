#include "oracle/scalar/q_linear_mat_mul_reach.h"

#include <algorithm>
#include <bit>

namespace qconform {
namespace {

constexpr int kDigits = 62;  // of magnitudes that are rounded up

bool IsFinite(const ExactValue& value) {
  return value.value_class == ValueClass::kFinite || value.value_class == ValueClass::kZero;
}
bool IsZero(const ExactValue& value) { return value.value_class == ValueClass::kZero; }
bool IsInfinite(const ExactValue& value) { return value.value_class == ValueClass::kInfinity; }
bool IsNan(const ExactValue& value) { return value.value_class == ValueClass::kNan; }

ExactValue PowerOfTwo(int exponent) {
  return {.value_class = ValueClass::kFinite, .significand = 1, .exponent = exponent};
}

ExactValue Magnitude(ExactValue value) {
  value.negative = false;
  return value;
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
ExactValue ProductUp(Uint128 magnitude, int exponent, const MatMulScales& scales) {
  const ExactValue units = Up({.value_class = ValueClass::kFinite,
                               .significand = magnitude,
                               .exponent = exponent});
  return MultiplyUp(MultiplyUp(units, Magnitude(scales.a)), Magnitude(scales.b));
}

uint64_t OddPart(const ExactValue& value) {
  return value.significand >> std::countr_zero(value.significand);
}
int OddExponent(const ExactValue& value) {
  return value.exponent + std::countr_zero(value.significand);
}

}  // namespace

struct MatMulReachOf::Sums {
  bool nan = false;
  bool plus_infinity = false;  // of a product
  bool minus_infinity = false;
  // Of one whose factors are not both finite: no wider type has another.
  bool plus_infinity_for_sure = false;
  bool minus_infinity_for_sure = false;
  bool finite_operands = true;  // all that is dequantized is finite
  ExactValue positive, negative;  // finite products, each at most
  ExactValue error;               // of all products and their sum, together
};

MatMulReachOf::MatMulReachOf(DataType f, const MatMulOperand& a, const MatMulOperand& b)
    : a_(&a),
      b_(&b),
      round_(FormatOf(f), RoundingMode::kNearestEven, OverflowPolicy::kNonSaturating),
      digits_(FormatOf(f).mantissa_bits + 1),
      smallest_normal_(SmallestNormalExponent(FormatOf(f))),
      smallest_unit_(Decode(FormatOf(f), SmallestPositive(FormatOf(f))).exponent),
      u_(PowerOfTwo(-digits_)) {}

ExactValue MatMulReachOf::ErrorOf(const Unrounded& x) const {
  if (x.significand == 0 && !x.sticky) return {};
  const int top = x.significand == 0 ? x.exponent : TopBit(x.significand) + x.exponent;
  const int last = std::max(top - digits_ + 1, smallest_unit_);
  int end = x.exponent;  // of the last digit that is 1
  for (Uint128 rest = x.significand; rest != 0 && (rest & 1) == 0; rest >>= 1) ++end;
  if (!x.sticky && end >= last) return {};
  if (top < smallest_normal_) return PowerOfTwo(smallest_unit_ - 1);
  return MultiplyUp(u_, Up(x));
}

ExactValue MatMulReachOf::Growth(int64_t n) const {
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

bool MatMulReachOf::Overflows(const ExactValue& magnitude) const {
  return IsInfinite(Decode(round_.format(), round_(ToUnrounded(magnitude)).code));
}

bool MatMulReachOf::StaysNormal(const MatMulScales& scales) const {
  if (a_->has_special() || b_->has_special()) return false;
  for (const ExactValue* scale : {&scales.a, &scales.b}) {
    if (scale->value_class != ValueClass::kFinite) return false;
  }
  const auto product = [](const ExactValue& scale, const ExactValue& value) {
    return MultiplyUp(Magnitude(scale), value);
  };
  const ExactValue growth = AddUp(PowerOfTwo(0), Growth(a_->terms() + 4));
  const ExactValue a = MultiplyUp(product(scales.a, a_->largest()), growth);
  const ExactValue b = MultiplyUp(product(scales.b, b_->largest()), growth);
  const auto terms = static_cast<uint64_t>(std::max<int64_t>(a_->terms(), 1));
  const ExactValue sum = MultiplyUp(
      MultiplyUp(a, b),
      {.value_class = ValueClass::kFinite, .significand = terms, .exponent = 0});
  if (Overflows(a) || Overflows(b) || Overflows(sum)) return false;
  if (IsZero(a) || IsZero(b)) return true;
  // One binade more than is needed, for what is rounded up here.
  const int a_least = TopOf(product(scales.a, a_->smallest()));
  const int b_least = TopOf(product(scales.b, b_->smallest()));
  return std::min({a_least, b_least, a_least + b_least}) > smallest_normal_;
}

bool MatMulReachOf::IsExact(const Accumulated& sum, const MatMulScales& scales) const {
  if (IsZero(scales.a) || IsZero(scales.b)) return true;
  const Uint128 most = Uint128{1} << digits_;
  const int a_unit = OddExponent(scales.a) + a_->unit_exponent();
  const int b_unit = OddExponent(scales.b) + b_->unit_exponent();
  if (std::min({a_unit, b_unit, a_unit + b_unit}) < smallest_unit_) return false;
  return sum.magnitude <= most && sum.magnitude * OddPart(scales.a) <= most &&
         sum.magnitude * OddPart(scales.a) * OddPart(scales.b) <= most;
}

MatMulReachOf::Sums MatMulReachOf::Multiply(int64_t a_line, int64_t b_line,
                                            const MatMulScales& scales) const {
  Sums sums;
  const auto round = [this](const Unrounded& value) {
    return Decode(round_.format(), round_(value).code);
  };
  // The difference of a float8 value and its zero point may be rounded itself.
  const auto error_of = [this](const MatMulOperand& operand, int64_t line, const Unrounded& x) {
    ExactValue error = ErrorOf(x);
    if (!operand.is_integer() && operand.has_zero_point(line)) {
      error = AddUp(error, MultiplyUp(Growth(1), AddUp(Up(x), error)));
    }
    return error;
  };
  ExactValue magnitude;  // of all products, at most
  for (int64_t k = 0; k < a_->terms(); ++k) {
    const Unrounded a = qconform::Multiply(a_->ValueAt(a_line, k), scales.a);
    const Unrounded b = qconform::Multiply(b_->ValueAt(b_line, k), scales.b);
    const ExactValue a_float = round(a);
    const ExactValue b_float = round(b);
    const ExactValue product = round(qconform::Multiply(a_float, b_float));
    const bool finite = IsFinite(a_float) && IsFinite(b_float);
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
    if (!sums.finite_operands) continue;
    const ExactValue a_error = error_of(*a_, a_line, a);
    const ExactValue b_error = error_of(*b_, b_line, b);
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
  }
  if (sums.finite_operands) {
    sums.error = AddUp(sums.error, MultiplyUp(Growth(a_->terms() - 1), magnitude));
  }
  return sums;
}

MatMulReach MatMulReachOf::Divide(const Sums& sums, const Accumulated& sum,
                                  const MatMulScales& scales) const {
  MatMulReach reach;
  const ExactValue& y = scales.y;
  if (IsNan(y) || sums.nan) {
    reach.nan = true;
    return reach;
  }
  // Partial sums of products of one sign may overflow, whatever the others are.
  const ExactValue growth =
      AddUp(PowerOfTwo(0), a_->terms() > 1 ? Growth(a_->terms()) : ExactValue{});
  const bool up = sums.plus_infinity || Overflows(MultiplyUp(sums.positive, growth));
  const bool down = sums.minus_infinity || Overflows(MultiplyUp(sums.negative, growth));
  const auto infinite = [&](bool negative) {
    if (IsInfinite(y)) {
      reach.nan = true;
    } else {
      (negative != y.negative ? reach.minus_infinity : reach.plus_infinity) = true;
    }
  };
  reach.nan = up && down;
  if (up && !sums.minus_infinity_for_sure) infinite(false);
  if (down && !sums.plus_infinity_for_sure) infinite(true);
  if (!sums.finite_operands) return reach;

  // A sum that is formed in a wider type, which is C a b to within sums.error. It may
  // overflow at last.
  const ExactValue exact =
      ProductUp(static_cast<Uint128>(sum.units < 0 ? -sum.units : sum.units), sum.exponent,
                scales);
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

MatMulReach MatMulReachOf::operator()(int64_t a_line, int64_t b_line, const Accumulated& sum,
                                      const MatMulScales& scales) const {
  if (a_->terms() == 0) {  // nothing is dequantized
    const bool nan = IsNan(scales.y) || IsZero(scales.y);
    return {.nan = nan, .zero = !nan};
  }
  if (!StaysNormal(scales)) {
    Sums sums = Multiply(a_line, b_line, scales);
    if (sums.finite_operands && IsExact(sum, scales)) sums.error = {};
    return Divide(sums, sum, scales);
  }
  Sums sums;
  if (!IsExact(sum, scales)) {
    const bool rounded =
        (!a_->is_integer() && a_->has_zero_point(a_line)) ||
        (!b_->is_integer() && b_->has_zero_point(b_line));
    sums.error = MultiplyUp(Growth(a_->terms() + 2 + (rounded ? 2 : 0)),
                            ProductUp(sum.magnitude, sum.exponent, scales));
  }
  return Divide(sums, sum, scales);
}

}  // namespace qconform
