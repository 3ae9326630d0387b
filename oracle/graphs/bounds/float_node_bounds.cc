#include "oracle/graphs/bounds/float_node_bounds.h"

#include <algorithm>
#include <optional>

#include "oracle/formats/codes.h"
#include "oracle/graphs/bounds/real.h"
#include "oracle/graphs/wide_sum.h"

namespace qconform {
namespace {

using enum Direction;
using Kind = BoundedElement::Kind;

}  // namespace

BoundedElement FloatNodeBounds::Operand(const WiredElement& source) const {
  if (source.operand == WiredElement::kZero) return PointElement(Real{}, *format_);
  const auto& at = node_.inputs[static_cast<size_t>(source.operand)];
  if (!at) return PointElement(Real{}, *format_);
  const auto index = static_cast<size_t>(source.index);
  if (!values_[*at].empty()) return values_[*at][index];
  const ComposedValue& value = so_far_.values()[*at];
  const NumberFormat& format = FormatOf(value.view.type);
  if (!value.elements.empty()) {
    switch (value.elements[index].freedom) {
      case Freedom::kNone:
      case Freedom::kAnyNan:
        break;
      case Freedom::kAnyCode:
      case Freedom::kSameCode:
        return OfKind(Kind::kFree);
      case Freedom::kOneOf: {
        const CodeSet& set = value.one_of.at(source.index);
        BoundedElement element = PointElement(Decode(format, set.front()), format);
        for (const uint64_t code : set) {
          element = United(element, PointElement(Decode(format, code), format));
        }
        return element;
      }
    }
  }
  return PointElement(Decode(format, ReadCode(value.view, source.index)), format);
}

BoundedElement FloatNodeBounds::Element(const Wiring& wiring, const WiredOutput& wired,
                                        size_t i) const {
  const std::span<const WiredElement> sources(wired.sources.data() + wired.first[i],
                                              wired.first[i + 1] - wired.first[i]);
  switch (wiring.kind) {
    case WiredKind::kMove:
      return sources.empty() ? PointElement(Real{}, *format_) : Operand(sources[0]);
    case WiredKind::kRelu:
      return arithmetic_.Chosen(Operand(sources[0]), PointElement(Real{}, *format_),
                                /*greatest=*/true);
    case WiredKind::kClip: {
      BoundedElement element = Operand(sources[0]);
      if (wiring.low) element = arithmetic_.Chosen(element, Operand(*wiring.low), true);
      if (wiring.high)
        element = arithmetic_.Chosen(element, Operand(*wiring.high), false);
      return element;
    }
    case WiredKind::kMaximum:
    case WiredKind::kMinimum: {
      if (sources.empty()) return OfKind(Kind::kFree);
      BoundedElement element = Operand(sources[0]);
      for (size_t s = 1; s < sources.size(); ++s) {
        element = arithmetic_.Chosen(element, Operand(sources[s]),
                                     wiring.kind == WiredKind::kMaximum);
      }
      return element;
    }
    case WiredKind::kAdd:
      return arithmetic_.Sum(Operand(sources[0]), Operand(sources[1]));
    case WiredKind::kSub:
      return arithmetic_.Sum(Operand(sources[0]), NegativeOf(Operand(sources[1])));
    case WiredKind::kMul:
      return arithmetic_.Product(Operand(sources[0]), Operand(sources[1]));
    case WiredKind::kDiv:
      return arithmetic_.Quotient(Operand(sources[0]), Operand(sources[1]));
    case WiredKind::kPRelu:
      return arithmetic_.Sloped(Operand(sources[0]), Operand(sources[1]));
    case WiredKind::kLeakyRelu:
      return arithmetic_.Sloped(Operand(sources[0]), arithmetic_.Factor(wiring.alpha));
    case WiredKind::kHardSigmoid: {
      BoundedElement line = arithmetic_.Sum(
          arithmetic_.Product(arithmetic_.Factor(wiring.alpha), Operand(sources[0])),
          arithmetic_.Factor(wiring.beta));
      line = arithmetic_.Chosen(line, PointElement(Real{}, *format_), /*greatest=*/true);
      return arithmetic_.Chosen(line, PointElement(RealOf(1), *format_),
                                /*greatest=*/false);
    }
    case WiredKind::kHardSwish:
      return arithmetic_.HardSwish(Operand(sources[0]));
    case WiredKind::kNeg:
      return NegativeOf(Operand(sources[0]));
    case WiredKind::kAbs: {
      const BoundedElement x = Operand(sources[0]);
      return arithmetic_.Chosen(x, NegativeOf(x), /*greatest=*/true);
    }
    case WiredKind::kCast:
      return Converted(Operand(sources[0]), sources[0]);
    case WiredKind::kSum:
      return SumOfProducts(wiring, wired, i, sources);
    case WiredKind::kMean:
      return Mean(sources, wired.divisors[i]);
    case WiredKind::kArgMax:
    case WiredKind::kArgMin:
      break;
  }
  return OfKind(Kind::kFree);
}

// To another type: from an integer, or from a float.
BoundedElement FloatNodeBounds::Converted(BoundedElement element,
                                          const WiredElement& source) const {
  const auto& at = node_.inputs[static_cast<size_t>(source.operand)];
  const DataType from = so_far_.values()[*at].view.type;
  element.of_each_code = nullptr;
  if (element.kind != Kind::kNumber) return element;
  if (format_->kind != NumberKind::kFloat) return OfKind(Kind::kFree);
  const int digits = format_->mantissa_bits + 1;
  if (IsInteger(from)) {
    element.digits = digits;
    element.count = 1;
    element.has_slack = true;
    element.step = RealOf(1);
    return element;
  }
  element.digits = std::min(element.digits, digits);
  if (element.is_closed && !element.is_exact) {
    const OpenedElement opened = Opened(element);
    element.value = opened.value;
    element.magnitude = opened.magnitude;
    element.count = opened.count;
  }
  element.is_closed = false;
  element.count += 1;
  AddUnderflow(element, *format_, 1);
  return element;
}

BoundedElement FloatNodeBounds::SumOfProducts(
    const Wiring& wiring, const WiredOutput& wired, size_t i,
    std::span<const WiredElement> sources) const {
  constexpr uint32_t kOne = 0x3f800000;
  WideSum low;
  WideSum high;
  WideSum magnitude;
  BoundedElement sum;
  sum.lowest = kNoLowestBit;
  sum.least = kNoLowestBit;
  sum.is_computed = true;
  sum.digits = format_->mantissa_bits + 1;
  int64_t nonzero = 0;  // terms so far that are not 0
  int64_t factors = 0;  // operations on the longest way to a product
  int64_t of_bias = 0;
  bool has_slack = false;
  Real underflow;
  const auto add = [](const Real& value, WideSum& to) {
    to.Add(value.negative, value.digits, value.exponent);
  };
  const auto add_term = [&](const BoundedElement& first, const BoundedElement& second,
                            const BoundedElement* factor, int64_t& operations) {
    const BoundedElement joined = Joined(first, second);
    sum.kind = std::max(sum.kind, joined.kind);
    if (sum.kind != Kind::kNumber) return;
    const OpenedElement a = Opened(first);
    const OpenedElement b = Opened(second);
    RealInterval term = Multiply(a.value, b.value);
    Real size = Multiply(a.magnitude, b.magnitude, kUp);
    int lowest = first.lowest == kNoLowestBit || second.lowest == kNoLowestBit
                     ? kNoLowestBit
                     : first.lowest + second.lowest;
    bool is_exact = joined.is_exact;
    if (factor != nullptr) {
      term = Multiply(term, factor->value);
      size = Multiply(size, factor->magnitude, kUp);
      is_exact = is_exact && factor->is_exact;
      lowest = lowest == kNoLowestBit || factor->lowest == kNoLowestBit
                   ? kNoLowestBit
                   : lowest + factor->lowest;
    }
    add(term.low, low);
    add(term.high, high);
    add(size, magnitude);
    sum.lowest = std::min(sum.lowest, lowest);
    if (!size.is_zero()) {
      ++nonzero;
      sum.least = std::min({sum.least, TopOf(size), joined.least});
    }
    sum.is_exact = sum.is_exact && is_exact;
    sum.digits = std::min(sum.digits, joined.digits);
    operations = std::max(operations, a.count + b.count);
    // Operands are slack by themselves only if they were computed.
    has_slack = has_slack || (first.has_slack && a.count > 1) ||
                (second.has_slack && b.count > 1);
    if (!first.underflow.is_zero() || !second.underflow.is_zero()) {
      underflow =
          Add(underflow,
              Add(Multiply(first.underflow, Add(b.magnitude, second.underflow, kUp), kUp),
                  Multiply(second.underflow, a.magnitude, kUp), kUp),
              kUp);
    }
    if (!size.is_zero() && TopOf(size) < SmallestNormalExponent(*format_)) {
      underflow = Add(
          underflow,
          PowerOfTwo(SmallestNormalExponent(*format_) - format_->mantissa_bits - 1), kUp);
    }
  };
  const bool has_alpha = wiring.alpha != kOne;
  const BoundedElement alpha = arithmetic_.Factor(wiring.alpha);
  for (size_t k = 0; k + 1 < sources.size(); k += 2) {
    add_term(Operand(sources[k]), Operand(sources[k + 1]), has_alpha ? &alpha : nullptr,
             factors);
  }
  sum.terms = std::max<int64_t>(nonzero, 1);
  sum.count = static_cast<int64_t>(sources.size() / 2) + factors +
              (has_alpha ? 1 + alpha.count : 0);
  if (!wired.bias.empty()) {
    const bool has_beta = wiring.beta != kOne;
    const BoundedElement beta =
        has_beta ? arithmetic_.Factor(wiring.beta) : PointElement(RealOf(1), *format_);
    add_term(Operand(wired.bias[i]), beta, nullptr, of_bias);
    sum.count += 1 + of_bias + (has_beta ? 1 : 0);
  }
  if (sum.kind != Kind::kNumber) return OfKind(sum.kind);
  sum.value = {ToReal(low.Value(), kDown), ToReal(high.Value(), kUp)};
  sum.magnitude = ToReal(magnitude.Value(), kUp);
  sum.underflow = underflow;
  KeepLeast(sum);
  sum.has_slack = has_slack;
  return sum;
}

BoundedElement FloatNodeBounds::Mean(std::span<const WiredElement> sources,
                                     int64_t divisor) const {
  BoundedElement mean;
  mean.lowest = kNoLowestBit;
  mean.least = kNoLowestBit;
  mean.is_computed = true;
  mean.digits = format_->mantissa_bits + 1;
  WideSum low;
  WideSum high;
  WideSum magnitude;
  int64_t operations = 0;
  bool has_slack = false;
  const auto add = [](const Real& value, WideSum& to) {
    to.Add(value.negative, value.digits, value.exponent);
  };
  for (const WiredElement& source : sources) {
    const BoundedElement element = Operand(source);
    mean.kind = std::max(mean.kind, element.kind);
    if (mean.kind != Kind::kNumber) return OfKind(mean.kind);
    const OpenedElement opened = Opened(element);
    add(opened.value.low, low);
    add(opened.value.high, high);
    add(opened.magnitude, magnitude);
    mean.terms += opened.magnitude.is_zero() ? 0 : 1;
    mean.lowest = std::min(mean.lowest, element.lowest);
    mean.least = std::min(mean.least, element.least);
    mean.is_exact = mean.is_exact && element.is_exact;
    mean.digits = std::min(mean.digits, element.digits);
    mean.underflow = Add(mean.underflow, element.underflow, kUp);
    operations = std::max(operations, opened.count);
    has_slack = has_slack || (element.has_slack && opened.count > 1);
  }
  const Real by = RealOf(divisor);
  mean.value =
      Divide({ToReal(low.Value(), kDown), ToReal(high.Value(), kUp)}, PointOf(by));
  mean.magnitude = Divide(ToReal(magnitude.Value(), kUp), by, kUp);
  mean.is_exact = mean.is_exact && IsPowerOfTwo(by);
  if (mean.lowest != kNoLowestBit) mean.lowest -= TopOf(by);
  KeepLeast(mean);
  mean.terms = std::max<int64_t>(mean.terms, 1);
  mean.count = std::max<int64_t>(std::ssize(sources), 1) + operations + 2;
  mean.has_slack = has_slack;
  AddUnderflow(mean, *format_, 1);
  return mean;
}

// --- errors -------------------------------------------------------------------------

}  // namespace qconform
