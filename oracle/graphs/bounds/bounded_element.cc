#include "oracle/graphs/bounds/bounded_element.h"

#include <algorithm>

namespace qconform {
namespace {

using enum Direction;
using Kind = BoundedElement::Kind;

constexpr int64_t kSlack = 2;  // gamma(m + 2)

const NumberFormat& Float32() { return FormatOf(DataType::kFloat); }

// gamma(n) * magnitude, rounded up; nothing where n u >= 1 (GR-19).
std::optional<Real> Gamma(int64_t n, int digits, const Real& magnitude) {
  const int64_t units = int64_t{1} << digits;
  if (n >= units) return std::nullopt;
  if (n == 0) return Real{};
  return Divide(Multiply(magnitude, RealOf(n), kUp), RealOf(units - n), kUp);
}

}  // namespace

BoundedElement OfKind(Kind kind) {
  BoundedElement element;
  element.kind = kind;
  return element;
}

// A number that is given: data, a constant, a bound.
BoundedElement PointElement(const Real& value, const NumberFormat& format) {
  BoundedElement element;
  element.value = PointOf(value);
  element.magnitude = Magnitude(value);
  element.digits = format.kind == NumberKind::kFloat ? format.mantissa_bits + 1 : 24;
  element.lowest = value.is_zero() ? kNoLowestBit : LowestBitOf(value);
  element.least = value.is_zero() ? kNoLowestBit : TopOf(value);
  return element;
}

BoundedElement PointElement(const ExactValue& value, const NumberFormat& format) {
  if (value.value_class == ValueClass::kNan ||
      value.value_class == ValueClass::kInfinity) {
    return OfKind(Kind::kGiven);
  }
  return PointElement(ToReal(value), format);
}

// GR-16: nothing can be rounded in front of a QuantizeLinear.
bool IsExactCase(const BoundedElement& element, const NumberFormat& format) {
  if (!element.is_exact || !element.value.is_point()) return false;
  if (element.magnitude.is_zero()) return true;
  if (element.least < SmallestNormalExponent(format)) return false;
  const Real most = ToReal(Decode(format, LargestFinite(format)));
  if (Compare(element.magnitude, most) > 0) return false;
  // sum|T_i| <= 1/u in units of the lowest bit.
  return Compare(element.magnitude, PowerOfTwo(element.lowest + element.digits)) <= 0;
}

OpenedElement Opened(const BoundedElement& element) {
  if (!element.is_closed || element.is_exact) {
    return {element.value, element.magnitude, element.count};
  }
  return {element.rounded.within, Magnitude(element.rounded.within), 0};
}

BoundedElement DequantizedElement(const Unrounded& difference, const ExactValue& scale,
                                  const NumberFormat& format) {
  const bool is_number = (scale.value_class == ValueClass::kFinite ||
                          scale.value_class == ValueClass::kZero) &&
                         (difference.value_class == ValueClass::kFinite ||
                          difference.value_class == ValueClass::kZero);
  if (!is_number) return OfKind(Kind::kGiven);
  const Real s = ToReal(scale);
  BoundedElement element =
      PointElement(Multiply(ToReal(difference, kDown), s, kDown), format);
  element.count = 1;
  element.has_slack = true;
  element.is_exact = IsPowerOfTwo(s) && IsNormal(s, format);
  AddUnderflow(element, format, 1);
  return Limited(element, format);
}

bool IsNormal(const Real& value, const NumberFormat& format) {
  return TopOf(value) >= SmallestNormalExponent(format) &&
         Compare(Magnitude(value), ToReal(Decode(format, LargestFinite(format)))) <= 0;
}

// What is rounded below the least normal number is wrong by half of the smallest one.
void AddUnderflow(BoundedElement& element, const NumberFormat& format,
                  int64_t roundings) {
  if (format.kind != NumberKind::kFloat || element.magnitude.is_zero()) return;
  const RealInterval& value = element.value;
  const bool holds_zero = value.low.is_zero() || value.high.is_zero() ||
                          value.low.negative != value.high.negative;
  const Real& least =
      Compare(Magnitude(value.low), Magnitude(value.high)) < 0 ? value.low : value.high;
  const int normal = SmallestNormalExponent(format);
  if (!holds_zero && TopOf(least) >= normal) return;
  if (value.is_point() && value.low.is_zero()) return;
  const Real half = PowerOfTwo(normal - format.mantissa_bits - 1);
  element.underflow = Add(element.underflow, Multiply(half, RealOf(roundings), kUp), kUp);
}

// Free beyond the range of the type: intermediate values may have become infinite.
BoundedElement Limited(const BoundedElement& element, const NumberFormat& format) {
  if (element.kind != Kind::kNumber || format.kind != NumberKind::kFloat) {
    return element;
  }
  const Real most = ToReal(Decode(format, LargestFinite(format)));
  const Real reached = Greatest(Magnitude(element.value), element.magnitude);
  return Compare(reached, most) > 0 ? OfKind(Kind::kFree) : element;
}

// Either of two.
BoundedElement United(const BoundedElement& a, const BoundedElement& b) {
  if (a.kind == Kind::kFree || b.kind == Kind::kFree) return OfKind(Kind::kFree);
  if (a.kind == Kind::kGiven || b.kind == Kind::kGiven) return OfKind(Kind::kFree);
  BoundedElement either = a;
  either.of_each_code = nullptr;
  either.value = Hull(a.value, b.value);
  either.magnitude = Greatest(a.magnitude, b.magnitude);
  either.underflow = Greatest(a.underflow, b.underflow);
  either.count = std::max(a.count, b.count);
  either.lowest = std::min(a.lowest, b.lowest);
  either.least = std::min(a.least, b.least);
  either.is_exact = a.is_exact && b.is_exact;
  either.has_slack = a.has_slack || b.has_slack;
  either.is_computed = a.is_computed || b.is_computed;
  return either;
}

// What a result has of its operands, whatever the operation is.
BoundedElement Joined(const BoundedElement& a, const BoundedElement& b) {
  BoundedElement joined;
  joined.kind = std::max(a.kind, b.kind);
  joined.has_slack = a.has_slack || b.has_slack;
  joined.is_computed = a.is_computed || b.is_computed;
  joined.terms = std::max(a.terms, b.terms);
  joined.digits = std::min(a.digits, b.digits);
  joined.is_exact = a.is_exact && b.is_exact;
  joined.lowest = std::min(a.lowest, b.lowest);
  joined.least = std::min(a.least, b.least);
  return joined;
}

void KeepLeast(BoundedElement& element) {
  for (const Real& end : {element.value.low, element.value.high}) {
    if (!end.is_zero()) element.least = std::min(element.least, TopOf(end));
  }
}

BoundedElement NegativeOf(BoundedElement element) {
  element.of_each_code = nullptr;
  element.value = Negated(element.value);
  for (BoundedEnds* ends : {&element.rounded, &element.unrounded}) {
    *ends = {Negated(ends->within), Negated(ends->wider)};
  }
  return element;
}

std::optional<RealInterval> WithinOf(const BoundedElement& element,
                                     const NumberFormat& format, const Behind& behind) {
  if (element.is_closed) {
    return behind.is_exact ? element.unrounded.within : element.rounded.within;
  }
  if (behind.is_exact && IsExactCase(element, format)) return element.value;
  const int64_t operations = element.count + behind.operations;
  if (operations == 0 || element.magnitude.is_zero()) {
    return Widened(element.value, element.underflow);
  }
  const auto error = Gamma(operations + (element.has_slack ? kSlack : 0), element.digits,
                           element.magnitude);
  if (!error) return std::nullopt;
  return Widened(element.value, Add(*error, element.underflow, kUp));
}

RealInterval WiderOf(const BoundedElement& element, const NumberFormat& format,
                     const Behind& behind, const RealInterval& within) {
  if (element.is_closed) {
    return behind.is_exact ? element.unrounded.wider : element.rounded.wider;
  }
  if (!element.is_computed) return within;
  if (behind.is_exact && IsExactCase(element, format)) return within;
  const bool is_quantized = behind.operations > 0;
  const bool is_sum = element.terms > 0;
  // max(K * 2^-10, 2^-6) of a sum.
  const Real share =
      is_sum
          ? Multiply(RealOf(std::max<int64_t>(element.terms, 16)), PowerOfTwo(-10), kUp)
      : is_quantized
          ? PowerOfTwo(-6)
          : PowerOfTwo(element.digits == Float32().mantissa_bits + 1 ? -8
                                                                     : -element.digits);
  Real distance = Multiply(element.magnitude, share, kUp);
  if (!is_sum && !is_quantized && !element.step.is_zero()) {
    // Less than half of the scale of an integer sum.
    const Real half = Multiply(element.step, PowerOfTwo(-1), kDown);
    distance =
        Least(distance, Subtract(half, Multiply(half, PowerOfTwo(-60), kUp), kDown));
  }
  return Hull(within, Widened(element.value, distance));
}

// A factor or term that an attribute gives. One that the type does not hold is rounded
// first (GR-15), and the exact case asks for a power of two (GR-16).
BoundedElement BoundArithmetic::Factor(uint32_t code) const {
  const Real value = ToReal(Decode(Float32(), code));
  BoundedElement factor = PointElement(value, *format_);
  const Unrounded exact = ToUnrounded(value);
  const bool is_held =
      value.is_zero() || !RoundWithFacts(*format_, exact, RoundingMode::kNearestEven,
                                         OverflowPolicy::kNonSaturating)
                              .inexact();
  factor.count = is_held ? 0 : 1;
  factor.is_exact = value.is_zero() || IsPowerOfTwo(value);
  return factor;
}

BoundedElement BoundArithmetic::Sum(const BoundedElement& first,
                                    const BoundedElement& second) const {
  BoundedElement sum = Joined(first, second);
  if (sum.kind != Kind::kNumber) return OfKind(sum.kind);
  const OpenedElement a = Opened(first);
  const OpenedElement b = Opened(second);
  sum.value = Add(a.value, b.value);
  sum.magnitude = Add(a.magnitude, b.magnitude, kUp);
  sum.underflow = Add(first.underflow, second.underflow, kUp);
  sum.count = std::max(a.count, b.count) + 1;
  sum.has_slack = true;
  sum.is_computed = true;
  sum.step = first.step.is_zero()    ? second.step
             : second.step.is_zero() ? first.step
                                     : Least(first.step, second.step);
  KeepLeast(sum);
  return sum;
}

BoundedElement BoundArithmetic::Product(const BoundedElement& first,
                                        const BoundedElement& second) const {
  BoundedElement product = Joined(first, second);
  if (product.kind != Kind::kNumber) return OfKind(product.kind);
  const OpenedElement a = Opened(first);
  const OpenedElement b = Opened(second);
  product.value = Multiply(a.value, b.value);
  product.magnitude = Multiply(a.magnitude, b.magnitude, kUp);
  product.underflow =
      Add(Multiply(first.underflow, Add(b.magnitude, second.underflow, kUp), kUp),
          Multiply(second.underflow, a.magnitude, kUp), kUp);
  product.count = a.count + b.count + 1;
  product.has_slack = true;
  product.is_computed = true;
  product.lowest = first.lowest == kNoLowestBit || second.lowest == kNoLowestBit
                       ? kNoLowestBit
                       : first.lowest + second.lowest;
  product.step = Greatest(Multiply(first.step, b.magnitude, kDown),
                          Multiply(second.step, a.magnitude, kDown));
  AddUnderflow(product, *format_, 1);
  KeepLeast(product);
  return product;
}

BoundedElement BoundArithmetic::Quotient(const BoundedElement& first,
                                         const BoundedElement& second) const {
  BoundedElement quotient = Joined(first, second);
  if (quotient.kind != Kind::kNumber) return OfKind(quotient.kind);
  const OpenedElement a = Opened(first);
  OpenedElement b = Opened(second);
  if (b.value.is_point() && b.value.low.is_zero()) return OfKind(Kind::kGiven);
  // Of a divisor that is a sum the error may be more than gamma of itself.
  const bool is_term = b.value.is_point() &&
                       Compare(Magnitude(b.value), b.magnitude) == 0 &&
                       second.underflow.is_zero();
  if (!is_term) {
    const auto within = WithinOf(second, *format_, {});
    if (!within) return OfKind(Kind::kFree);
    b = {*within, Magnitude(*within), 0};
  }
  const bool may_be_zero = b.value.low.is_zero() || b.value.high.is_zero() ||
                           b.value.low.negative != b.value.high.negative;
  if (may_be_zero) return OfKind(Kind::kFree);
  const Real least = Least(Magnitude(b.value.low), Magnitude(b.value.high));
  quotient.value = Divide(a.value, b.value);
  quotient.magnitude = Divide(a.magnitude, least, kUp);
  quotient.underflow = Divide(first.underflow, least, kUp);
  quotient.count = a.count + b.count + 1;
  quotient.has_slack = true;
  quotient.is_computed = true;
  const bool is_exact_divisor = b.value.is_point() && IsPowerOfTwo(b.value.low);
  quotient.is_exact = quotient.is_exact && is_exact_divisor;
  quotient.lowest = first.lowest == kNoLowestBit || !is_exact_divisor
                        ? kNoLowestBit
                        : first.lowest - TopOf(b.value.low);
  quotient.step = Divide(first.step, Magnitude(b.value), kDown);
  AddUnderflow(quotient, *format_, 1);
  KeepLeast(quotient);
  return quotient;
}

// x, or x * slope where it is negative.
BoundedElement BoundArithmetic::Sloped(const BoundedElement& x,
                                       const BoundedElement& slope) const {
  const BoundedElement product = Product(x, slope);
  if (product.kind != Kind::kNumber) return product;
  const auto ends = WithinOf(x, *format_, {});
  if (!ends) return OfKind(Kind::kFree);
  const bool may_be_negative = ends->low.negative;
  const bool may_be_positive = !ends->high.negative;
  BoundedElement same = product;
  const OpenedElement opened = Opened(x);
  same.value = opened.value;
  same.magnitude = opened.magnitude;
  same.underflow = x.underflow;
  same.lowest = x.lowest;
  if (!may_be_negative) return same;
  if (!may_be_positive) return product;
  // Near zero either may be: the hull of what each gives on its side.
  return United(same, product);
}

// x * max(0, min(1, x / 6 + 1/2)).
BoundedElement BoundArithmetic::HardSwish(const BoundedElement& x) const {
  if (x.kind != Kind::kNumber) return x;
  const auto ends = WithinOf(x, *format_, {.operations = 4, .is_exact = false});
  if (!ends) return OfKind(Kind::kFree);
  const OpenedElement opened = Opened(x);
  BoundedElement line = Joined(x, x);
  line.has_slack = true;
  line.is_computed = true;
  line.is_exact = false;  // 1/6
  line.lowest = kNoLowestBit;
  std::optional<BoundedElement> all;
  const auto add = [&](const BoundedElement& branch) {
    all = all ? United(*all, branch) : branch;
  };
  const Real three = RealOf(3);
  const Real minus_three = RealOf(-3);
  if (Compare(ends->low, minus_three) <= 0) {
    BoundedElement zero = line;
    zero.value = PointOf(Real{});
    add(zero);
  }
  if (Compare(ends->high, three) >= 0) {
    BoundedElement same = line;
    same.value = opened.value;
    same.magnitude = opened.magnitude;
    same.count = opened.count + 1;
    same.underflow = x.underflow;
    add(same);
  }
  if (Compare(ends->high, minus_three) >= 0 && Compare(ends->low, three) <= 0) {
    // The terms x^2 / 6 and x / 2; operations: both x, 1/6 and its rounding, the
    // addition and the product.
    BoundedElement product = line;
    const RealInterval six = PointOf(RealOf(6));
    const RealInterval shifted = Add(opened.value, PointOf(three));
    product.value = Divide(Multiply(opened.value, shifted), six);
    product.magnitude =
        Add(Divide(Multiply(opened.magnitude, opened.magnitude, kUp), RealOf(6), kUp),
            Multiply(opened.magnitude, PowerOfTwo(-1), kUp), kUp);
    product.count = 2 * opened.count + 4;
    product.underflow = Multiply(x.underflow, RealOf(2), kUp);
    AddUnderflow(product, *format_, 2);
    add(product);
  }
  return *all;
}

BoundedElement BoundArithmetic::Chosen(const BoundedElement& first,
                                       const BoundedElement& second,
                                       bool greatest) const {
  BoundedElement chosen = Joined(first, second);
  if (chosen.kind != Kind::kNumber) return OfKind(chosen.kind);
  const auto choose = [&](const RealInterval& x, const RealInterval& y) {
    return greatest ? RealInterval{Greatest(x.low, y.low), Greatest(x.high, y.high)}
                    : RealInterval{Least(x.low, y.low), Least(x.high, y.high)};
  };
  chosen.is_closed = true;
  for (const bool is_exact : {false, true}) {
    const auto a = EndsOf(first, is_exact);
    const auto b = EndsOf(second, is_exact);
    if (!a || !b) return OfKind(Kind::kFree);
    BoundedEnds& ends = is_exact ? chosen.unrounded : chosen.rounded;
    ends.within = choose(a->within, b->within);
    ends.wider = choose(a->wider, b->wider);
  }
  chosen.value = choose(first.value, second.value);
  chosen.is_exact = IsExactCase(first, *format_) && IsExactCase(second, *format_);
  chosen.magnitude = Greatest(first.magnitude, second.magnitude);
  if (chosen.is_exact) {
    // Its terms are those of the one that is chosen.
    const bool is_first = Compare(first.value.low, chosen.value.low) == 0;
    chosen.magnitude = is_first ? first.magnitude : second.magnitude;
    chosen.lowest = is_first ? first.lowest : second.lowest;
    chosen.least = is_first ? first.least : second.least;
  }
  chosen.is_computed = first.is_computed || second.is_computed;
  chosen.underflow = Greatest(first.underflow, second.underflow);
  chosen.count = std::max(first.count, second.count);
  chosen.step = first.step.is_zero()    ? second.step
                : second.step.is_zero() ? first.step
                                        : Least(first.step, second.step);
  return chosen;
}

// GR-13: a bound of Clip has m = 1, its division; nothing of it is rounded before.
std::optional<BoundedEnds> BoundArithmetic::EndsOf(BoundedElement element,
                                                   bool is_exact) const {
  if (element.count == 0) element.has_slack = true;
  const Behind behind{.operations = extra_, .is_exact = is_exact || extra_ == 0};
  const auto within = WithinOf(element, *format_, behind);
  if (!within) return std::nullopt;
  return BoundedEnds{*within, WiderOf(element, *format_, behind, *within)};
}

}  // namespace qconform
