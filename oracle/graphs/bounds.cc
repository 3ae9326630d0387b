#include "oracle/graphs/bounds.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "oracle/base/attribute.h"
#include "oracle/core/scale_layout.h"
#include "oracle/core/target.h"
#include "oracle/core/validation.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/evaluate.h"
#include "oracle/graphs/float_operators.h"
#include "oracle/graphs/wide_sum.h"

namespace qconform {
namespace {

using enum Direction;
using Kind = BoundedElement::Kind;

constexpr int kNoBit = INT_MAX / 4;  // of terms that are all 0
constexpr size_t kMostCodes = 4096;  // of a set; the element is free if there are more
constexpr int64_t kSlack = 2;        // gamma(m + 2)

const NumberFormat& Float32() { return FormatOf(DataType::kFloat); }

BoundedElement OfKind(Kind kind) {
  BoundedElement element;
  element.kind = kind;
  return element;
}

// A number that is given: data, a constant, a bound.
BoundedElement Point(const Real& value, const NumberFormat& format) {
  BoundedElement element;
  element.value = PointOf(value);
  element.magnitude = Magnitude(value);
  element.digits = format.kind == NumberKind::kFloat ? format.mantissa_bits + 1 : 24;
  element.lowest = value.is_zero() ? kNoBit : LowestBitOf(value);
  return element;
}

BoundedElement Point(const ExactValue& value, const NumberFormat& format) {
  if (value.value_class == ValueClass::kNan ||
      value.value_class == ValueClass::kInfinity) {
    return OfKind(Kind::kGiven);
  }
  return Point(ToReal(value), format);
}

// gamma(n) * magnitude, rounded up; nothing where n u >= 1 (GR-19).
std::optional<Real> Gamma(int64_t n, int digits, const Real& magnitude) {
  const int64_t units = int64_t{1} << digits;
  if (n >= units) return std::nullopt;
  if (n == 0) return Real{};
  return Divide(Multiply(magnitude, RealOf(n), kUp), RealOf(units - n), kUp);
}

// GR-16: nothing can be rounded in front of a QuantizeLinear.
bool IsExactCase(const BoundedElement& element, const NumberFormat& format) {
  if (!element.is_exact || !element.value.is_point()) return false;
  if (element.magnitude.is_zero()) return true;
  if (element.lowest < SmallestNormalExponent(format)) return false;
  const Real most = ToReal(Decode(format, LargestFinite(format)));
  if (Compare(element.magnitude, most) > 0) return false;
  // sum|T_i| <= 1/u in units of the lowest bit.
  return Compare(element.magnitude, PowerOfTwo(element.lowest + element.digits)) <= 0;
}

// The element before a chooser and behind it as an operand of arithmetic.
struct Opened {
  RealInterval value;
  Real magnitude;
  int64_t count;
};

Opened Open(const BoundedElement& element) {
  if (!element.is_closed || element.is_exact) {
    return {element.value, element.magnitude, element.count};
  }
  return {element.within, Magnitude(element.within), 0};
}

}  // namespace

// The bounds of the outputs of one node.
class SectionBounds::NodeBounds {
 public:
  NodeBounds(SectionBounds& all, const GraphNode& node, const Composition& so_far,
             std::span<ComposedValue> outputs)
      : all_(all), node_(node), so_far_(so_far), outputs_(outputs) {}

  Status Run() {
    if (node_.is_dequantize()) {
      return IsNeeded(0) ? Dequantize() : Ok();
    }
    if (node_.is_quantize() && all_.sections_.is_inside[node_.number]) return Quantize();
    if (!node_.is_float()) {
      if (HasComputedInput(0)) FreeAll();
      return Ok();
    }
    const Wiring& wiring = so_far_.wirings()[node_.number];
    const bool is_position =
        wiring.kind == WiredKind::kArgMax || wiring.kind == WiredKind::kArgMin;
    for (size_t k = 0; k < outputs_.size(); ++k) {
      output_ = k;
      format_ = &FormatOf(outputs_[k].view.type);
      if (is_position) {
        if (HasComputedInput(0)) WidenPositions(wiring);
        continue;
      }
      if (!IsNeeded(k)) continue;
      extra_ = OfValue(k).is_quantized_behind ? 1 : 0;
      std::vector<BoundedElement>& elements = all_.elements_[node_.first_output + k];
      const WiredOutput& wired = wiring.outputs[k];
      const size_t count = wired.first.empty() ? 0 : wired.first.size() - 1;
      elements.reserve(count);
      for (size_t i = 0; i < count; ++i) {
        elements.push_back(Checked(Element(wiring, wired, i)));
      }
      if (OfValue(k).is_bounded_output) WidenFloats(elements);
    }
    return Ok();
  }

 private:
  const Sections::Value& OfValue(size_t output) const {
    return all_.sections_.values[node_.first_output + output];
  }
  bool IsNeeded(size_t output) const { return OfValue(output).is_needed; }

  // Whether an operand from `first` on is bounded.
  bool HasComputedInput(size_t first) const {
    for (size_t i = first; i < node_.inputs.size(); ++i) {
      if (node_.inputs[i] && all_.sections_.values[*node_.inputs[i]].is_computed) {
        return true;
      }
    }
    return false;
  }

  void FreeAll() {
    for (ComposedValue& output : outputs_) {
      for (ElementAnswer& element : output.elements) {
        element.freedom = Freedom::kAnyCode;
      }
    }
  }

  // --- what sections begin with -------------------------------------------------------

  Result<ScaleLayout> LayoutOf(const Operands& operands) const {
    const auto axis = IntegerAttribute(node_.node.attributes, "axis");
    if (!axis) return axis.error();
    const auto block = IntegerAttribute(node_.node.attributes, "block_size");
    if (!block) return block.error();
    Validation validation("GR-01", node_.since_version, /*has_data=*/true);
    ScaleLayout layout;
    const ScaleRules rules{
        .names = {"x", "scale", "zero_point"},
        .rank_1_is_per_tensor = node_.is_dequantize() && node_.since_version == 19,
        .open_clause = "GR-01",
        .zero_point_shape_clause = "GR-01"};
    const ScaledOperands scaled{*operands[0], *operands[1], OperandAt(operands, 2)};
    if (!ResolveScales(rules, scaled, *axis, block->value_or(0), validation, layout)) {
      return Error{node_.node.op_type + ": " + validation.validity().reason};
    }
    return layout;
  }

  // Calls `visit` with each element and the index of its scale, in row-major order.
  template <typename Visit>
  static void ForEachScaled(const ScaleLayout& layout, const Visit& visit) {
    size_t index = 0;
    for (int64_t o = 0; o < layout.outer; ++o) {
      for (int64_t i = 0; i < layout.axis; ++i) {
        for (int64_t j = 0; j < layout.inner; ++j, ++index) {
          visit(index, static_cast<size_t>(layout.ScaleIndex(o, i, j)));
        }
      }
    }
  }

  Status Dequantize() {
    const Operands operands = so_far_.OperandsOf(node_);
    const auto layout = LayoutOf(operands);
    if (!layout) return layout.error();
    const ComposedValue& x = so_far_.values()[*node_.inputs[0]];
    const NumberFormat& x_format = FormatOf(x.view.type);
    const NumberFormat& format = FormatOf(outputs_[0].view.type);
    const std::vector<uint64_t> codes = ReadCodes(x.view);
    const Decoder decode(x_format);
    std::vector<ExactValue> scales;
    for (const uint64_t code : ReadCodes(*operands[1])) {
      scales.push_back(Decode(FormatOf(operands[1]->type), code));
    }
    std::vector<ExactValue> zero_points;
    const std::optional<TensorView> zero_point = OperandAt(operands, 2);
    if (zero_point) {
      for (const uint64_t code : ReadCodes(*zero_point)) {
        zero_points.push_back(decode(code));
      }
    }
    const bool has_free_scale = HasComputedInput(1);
    std::vector<BoundedElement>& elements = all_.elements_[node_.first_output];
    elements.resize(codes.size());
    ForEachScaled(*layout, [&](size_t index, size_t scale) {
      ExactValue negated;
      if (zero_point) {
        negated = zero_points[layout->zero_point_is_scalar ? 0 : scale];
        negated.negative = !negated.negative;
      }
      const auto of_code = [&](uint64_t code) {
        return Dequantized(qconform::Add(ToUnrounded(decode(code)), negated),
                           scales[scale], format);
      };
      BoundedElement& element = elements[index];
      if (has_free_scale) {
        element = OfKind(Kind::kFree);
        return;
      }
      const Freedom freedom =
          x.elements.empty() ? Freedom::kNone : x.elements[index].freedom;
      if (freedom == Freedom::kOneOf) {
        // GR-17.
        const CodeSet& set = x.one_of.at(static_cast<int64_t>(index));
        element = of_code(set.front());
        for (const uint64_t code : set) element = United(element, of_code(code));
      } else if (freedom == Freedom::kAnyCode || freedom == Freedom::kSameCode ||
                 outputs_[0].elements[index].freedom == Freedom::kAnyCode) {
        element = OfKind(Kind::kFree);
      } else {
        element = of_code(codes[index]);
      }
    });
    return Ok();
  }

  static BoundedElement Dequantized(const Unrounded& difference, const ExactValue& scale,
                                    const NumberFormat& format) {
    const bool is_number = (scale.value_class == ValueClass::kFinite ||
                            scale.value_class == ValueClass::kZero) &&
                           (difference.value_class == ValueClass::kFinite ||
                            difference.value_class == ValueClass::kZero);
    if (!is_number) return OfKind(Kind::kGiven);
    const Real s = ToReal(scale);
    BoundedElement element = Point(Multiply(ToReal(difference, kDown), s, kDown), format);
    element.count = 1;
    element.has_slack = true;
    element.is_exact = IsPowerOfTwo(s) && IsNormal(s, format);
    AddUnderflow(element, format, 1);
    return Limited(element, format);
  }

  static bool IsNormal(const Real& value, const NumberFormat& format) {
    return TopOf(value) >= SmallestNormalExponent(format) &&
           Compare(Magnitude(value), ToReal(Decode(format, LargestFinite(format)))) <= 0;
  }

  // What is rounded below the least normal number is wrong by half of the smallest one.
  static void AddUnderflow(BoundedElement& element, const NumberFormat& format,
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
    element.underflow =
        Add(element.underflow, Multiply(half, RealOf(roundings), kUp), kUp);
  }

  // Free beyond the range of the type: intermediate values may have become infinite.
  static BoundedElement Limited(const BoundedElement& element,
                                const NumberFormat& format) {
    if (element.kind != Kind::kNumber || format.kind != NumberKind::kFloat) {
      return element;
    }
    const Real most = ToReal(Decode(format, LargestFinite(format)));
    const Real reached = Greatest(Magnitude(element.value), element.magnitude);
    return Compare(reached, most) > 0 ? OfKind(Kind::kFree) : element;
  }

  BoundedElement Checked(const BoundedElement& element) const {
    return Limited(element, *format_);
  }

  // Either of two.
  static BoundedElement United(const BoundedElement& a, const BoundedElement& b) {
    if (a.kind == Kind::kFree || b.kind == Kind::kFree) return OfKind(Kind::kFree);
    if (a.kind == Kind::kGiven || b.kind == Kind::kGiven) return OfKind(Kind::kFree);
    BoundedElement either = a;
    either.value = Hull(a.value, b.value);
    either.magnitude = Greatest(a.magnitude, b.magnitude);
    either.underflow = Greatest(a.underflow, b.underflow);
    either.count = std::max(a.count, b.count);
    either.lowest = std::min(a.lowest, b.lowest);
    either.is_exact = a.is_exact && b.is_exact;
    either.has_slack = a.has_slack || b.has_slack;
    return either;
  }

  // --- float nodes --------------------------------------------------------------------

  BoundedElement Operand(const WiredElement& source) const {
    if (source.operand == WiredElement::kZero) return Point(Real{}, *format_);
    const auto& at = node_.inputs[static_cast<size_t>(source.operand)];
    if (!at) return Point(Real{}, *format_);
    const auto index = static_cast<size_t>(source.index);
    if (!all_.elements_[*at].empty()) return all_.elements_[*at][index];
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
          BoundedElement element = Point(Decode(format, set.front()), format);
          for (const uint64_t code : set) {
            element = United(element, Point(Decode(format, code), format));
          }
          return element;
        }
      }
    }
    return Point(Decode(format, ReadCode(value.view, source.index)), format);
  }

  // What a result has of its operands, whatever the operation is.
  static BoundedElement Joined(const BoundedElement& a, const BoundedElement& b) {
    BoundedElement joined;
    joined.kind = std::max(a.kind, b.kind);
    joined.has_slack = a.has_slack || b.has_slack;
    joined.terms = std::max(a.terms, b.terms);
    joined.digits = std::min(a.digits, b.digits);
    joined.is_exact = a.is_exact && b.is_exact;
    joined.lowest = std::min(a.lowest, b.lowest);
    return joined;
  }

  BoundedElement Element(const Wiring& wiring, const WiredOutput& wired, size_t i) const {
    const std::span<const WiredElement> sources(wired.sources.data() + wired.first[i],
                                                wired.first[i + 1] - wired.first[i]);
    switch (wiring.kind) {
      case WiredKind::kMove:
        return sources.empty() ? Point(Real{}, *format_) : Operand(sources[0]);
      case WiredKind::kRelu:
        return Chosen(Operand(sources[0]), Point(Real{}, *format_), /*greatest=*/true);
      case WiredKind::kClip: {
        BoundedElement element = Operand(sources[0]);
        if (wiring.low) element = Chosen(element, Operand(*wiring.low), true);
        if (wiring.high) element = Chosen(element, Operand(*wiring.high), false);
        return element;
      }
      case WiredKind::kMaximum:
      case WiredKind::kMinimum: {
        if (sources.empty()) return OfKind(Kind::kFree);
        BoundedElement element = Operand(sources[0]);
        for (size_t s = 1; s < sources.size(); ++s) {
          element =
              Chosen(element, Operand(sources[s]), wiring.kind == WiredKind::kMaximum);
        }
        return element;
      }
      case WiredKind::kAdd:
        return Sum(Operand(sources[0]), Operand(sources[1]));
      case WiredKind::kSub:
        return Sum(Operand(sources[0]), NegativeOf(Operand(sources[1])));
      case WiredKind::kMul:
        return Product(Operand(sources[0]), Operand(sources[1]));
      case WiredKind::kDiv:
        return Quotient(Operand(sources[0]), Operand(sources[1]));
      case WiredKind::kPRelu:
        return Sloped(Operand(sources[0]), Operand(sources[1]));
      case WiredKind::kLeakyRelu:
        return Sloped(Operand(sources[0]), Factor(wiring.alpha));
      case WiredKind::kHardSigmoid: {
        BoundedElement line =
            Sum(Product(Factor(wiring.alpha), Operand(sources[0])), Factor(wiring.beta));
        line = Chosen(line, Point(Real{}, *format_), /*greatest=*/true);
        return Chosen(line, Point(RealOf(1), *format_), /*greatest=*/false);
      }
      case WiredKind::kHardSwish:
        return HardSwish(Operand(sources[0]));
      case WiredKind::kNeg:
        return NegativeOf(Operand(sources[0]));
      case WiredKind::kAbs: {
        const BoundedElement x = Operand(sources[0]);
        return Chosen(x, NegativeOf(x), /*greatest=*/true);
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

  // A factor or term that an attribute gives. One that the type does not hold is rounded
  // first (GR-15), and the exact case asks for a power of two (GR-16).
  BoundedElement Factor(uint32_t code) const {
    const Real value = ToReal(Decode(Float32(), code));
    BoundedElement factor = Point(value, *format_);
    const Unrounded exact = ToUnrounded(value);
    const bool is_held =
        value.is_zero() || !RoundWithFacts(*format_, exact, RoundingMode::kNearestEven,
                                           OverflowPolicy::kNonSaturating)
                                .inexact();
    factor.count = is_held ? 0 : 1;
    factor.is_exact = value.is_zero() || IsPowerOfTwo(value);
    return factor;
  }

  BoundedElement Sum(const BoundedElement& first, const BoundedElement& second) const {
    BoundedElement sum = Joined(first, second);
    if (sum.kind != Kind::kNumber) return OfKind(sum.kind);
    const Opened a = Open(first);
    const Opened b = Open(second);
    sum.value = Add(a.value, b.value);
    sum.magnitude = Add(a.magnitude, b.magnitude, kUp);
    sum.underflow = Add(first.underflow, second.underflow, kUp);
    sum.count = std::max(a.count, b.count) + 1;
    sum.has_slack = true;
    sum.step = first.step.is_zero()    ? second.step
               : second.step.is_zero() ? first.step
                                       : Least(first.step, second.step);
    return sum;
  }

  BoundedElement Product(const BoundedElement& first,
                         const BoundedElement& second) const {
    BoundedElement product = Joined(first, second);
    if (product.kind != Kind::kNumber) return OfKind(product.kind);
    const Opened a = Open(first);
    const Opened b = Open(second);
    product.value = Multiply(a.value, b.value);
    product.magnitude = Multiply(a.magnitude, b.magnitude, kUp);
    product.underflow =
        Add(Multiply(first.underflow, Add(b.magnitude, second.underflow, kUp), kUp),
            Multiply(second.underflow, a.magnitude, kUp), kUp);
    product.count = a.count + b.count + 1;
    product.has_slack = true;
    product.lowest = first.lowest == kNoBit || second.lowest == kNoBit
                         ? kNoBit
                         : first.lowest + second.lowest;
    product.step = Greatest(Multiply(first.step, b.magnitude, kDown),
                            Multiply(second.step, a.magnitude, kDown));
    AddUnderflow(product, *format_, 1);
    return product;
  }

  BoundedElement Quotient(const BoundedElement& first,
                          const BoundedElement& second) const {
    BoundedElement quotient = Joined(first, second);
    if (quotient.kind != Kind::kNumber) return OfKind(quotient.kind);
    const Opened a = Open(first);
    Opened b = Open(second);
    if (b.value.is_point() && b.value.low.is_zero()) return OfKind(Kind::kGiven);
    // Of a divisor that is a sum the error may be more than gamma of itself.
    const bool is_term = b.value.is_point() &&
                         Compare(Magnitude(b.value), b.magnitude) == 0 &&
                         second.underflow.is_zero();
    if (!is_term) {
      const auto within = Within(second, 0);
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
    const bool is_exact_divisor = b.value.is_point() && IsPowerOfTwo(b.value.low);
    quotient.is_exact = quotient.is_exact && is_exact_divisor;
    quotient.lowest = first.lowest == kNoBit || !is_exact_divisor
                          ? kNoBit
                          : first.lowest - TopOf(b.value.low);
    quotient.step = Divide(first.step, Magnitude(b.value), kDown);
    AddUnderflow(quotient, *format_, 1);
    return quotient;
  }

  static BoundedElement NegativeOf(BoundedElement element) {
    element.value = Negated(element.value);
    element.within = Negated(element.within);
    element.wider = Negated(element.wider);
    return element;
  }

  // x, or x * slope where it is negative.
  BoundedElement Sloped(const BoundedElement& x, const BoundedElement& slope) const {
    const BoundedElement product = Product(x, slope);
    if (product.kind != Kind::kNumber) return product;
    const auto ends = Within(x, 0);
    if (!ends) return OfKind(Kind::kFree);
    const bool may_be_negative = ends->low.negative;
    const bool may_be_positive = !ends->high.negative;
    BoundedElement same = product;
    const Opened opened = Open(x);
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
  BoundedElement HardSwish(const BoundedElement& x) const {
    if (x.kind != Kind::kNumber) return x;
    const auto ends = Within(x, 4);
    if (!ends) return OfKind(Kind::kFree);
    const Opened opened = Open(x);
    BoundedElement line = Joined(x, x);
    line.has_slack = true;
    line.is_exact = false;  // 1/6
    line.lowest = kNoBit;
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

  // To another type: from an integer, or from a float.
  BoundedElement Converted(BoundedElement element, const WiredElement& source) const {
    const auto& at = node_.inputs[static_cast<size_t>(source.operand)];
    const DataType from = so_far_.values()[*at].view.type;
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
      const Opened opened = Open(element);
      element.value = opened.value;
      element.magnitude = opened.magnitude;
      element.count = opened.count;
    }
    element.is_closed = false;
    element.count += 1;
    AddUnderflow(element, *format_, 1);
    return element;
  }

  BoundedElement SumOfProducts(const Wiring& wiring, const WiredOutput& wired, size_t i,
                               std::span<const WiredElement> sources) const {
    constexpr uint32_t kOne = 0x3f800000;
    WideSum low;
    WideSum high;
    WideSum magnitude;
    BoundedElement sum;
    sum.lowest = kNoBit;
    sum.digits = format_->mantissa_bits + 1;
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
      const Opened a = Open(first);
      const Opened b = Open(second);
      RealInterval term = Multiply(a.value, b.value);
      Real size = Multiply(a.magnitude, b.magnitude, kUp);
      int lowest = first.lowest == kNoBit || second.lowest == kNoBit
                       ? kNoBit
                       : first.lowest + second.lowest;
      bool is_exact = joined.is_exact;
      if (factor != nullptr) {
        term = Multiply(term, factor->value);
        size = Multiply(size, factor->magnitude, kUp);
        is_exact = is_exact && factor->is_exact;
        lowest = lowest == kNoBit || factor->lowest == kNoBit ? kNoBit
                                                              : lowest + factor->lowest;
      }
      add(term.low, low);
      add(term.high, high);
      add(size, magnitude);
      sum.lowest = std::min(sum.lowest, lowest);
      sum.is_exact = sum.is_exact && is_exact;
      sum.digits = std::min(sum.digits, joined.digits);
      operations = std::max(operations, a.count + b.count);
      // Operands are slack by themselves only if they were computed.
      has_slack = has_slack || (first.has_slack && a.count > 1) ||
                  (second.has_slack && b.count > 1);
      if (!first.underflow.is_zero() || !second.underflow.is_zero()) {
        underflow = Add(
            underflow,
            Add(Multiply(first.underflow, Add(b.magnitude, second.underflow, kUp), kUp),
                Multiply(second.underflow, a.magnitude, kUp), kUp),
            kUp);
      }
      if (!size.is_zero() && TopOf(size) < SmallestNormalExponent(*format_)) {
        underflow =
            Add(underflow,
                PowerOfTwo(SmallestNormalExponent(*format_) - format_->mantissa_bits - 1),
                kUp);
      }
    };
    const bool has_alpha = wiring.alpha != kOne;
    const BoundedElement alpha = Factor(wiring.alpha);
    for (size_t k = 0; k + 1 < sources.size(); k += 2) {
      add_term(Operand(sources[k]), Operand(sources[k + 1]), has_alpha ? &alpha : nullptr,
               factors);
    }
    const auto terms = static_cast<int64_t>(sources.size() / 2);
    sum.count = terms + factors + (has_alpha ? 1 + alpha.count : 0);
    if (!wired.bias.empty()) {
      const bool has_beta = wiring.beta != kOne;
      const BoundedElement beta =
          has_beta ? Factor(wiring.beta) : Point(RealOf(1), *format_);
      add_term(Operand(wired.bias[i]), beta, nullptr, of_bias);
      sum.count += 1 + of_bias + (has_beta ? 1 + beta.count : 0);
    }
    if (sum.kind != Kind::kNumber) return OfKind(sum.kind);
    sum.value = {ToReal(low.Value(), kDown), ToReal(high.Value(), kUp)};
    sum.magnitude = ToReal(magnitude.Value(), kUp);
    sum.underflow = underflow;
    sum.has_slack = has_slack;
    sum.terms = std::max<int64_t>(terms, 1);
    return sum;
  }

  BoundedElement Mean(std::span<const WiredElement> sources, int64_t divisor) const {
    BoundedElement mean;
    mean.lowest = kNoBit;
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
      const Opened opened = Open(element);
      add(opened.value.low, low);
      add(opened.value.high, high);
      add(opened.magnitude, magnitude);
      mean.lowest = std::min(mean.lowest, element.lowest);
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
    if (mean.lowest != kNoBit) mean.lowest -= TopOf(by);
    mean.terms = std::max<int64_t>(static_cast<int64_t>(sources.size()), 1);
    mean.count = mean.terms + operations + 2;
    mean.has_slack = has_slack;
    AddUnderflow(mean, *format_, 1);
    return mean;
  }

  // --- errors -------------------------------------------------------------------------

  // The ends with the error of everything so far and of `extra` operations behind;
  // nothing: anything.
  std::optional<RealInterval> Within(const BoundedElement& element, int64_t extra) const {
    if (element.is_closed) return element.within;
    const int64_t n = element.count + extra + (element.has_slack ? kSlack : 0);
    if (element.count + extra == 0 || element.magnitude.is_zero()) {
      return Widened(element.value, element.underflow);
    }
    const auto error = Gamma(n, element.digits, element.magnitude);
    if (!error) return std::nullopt;
    return Widened(element.value, Add(*error, element.underflow, kUp));
  }

  // The same by the bounds of reduced precision, in front of a QuantizeLinear or of a
  // float output (GR-14).
  RealInterval Wider(const BoundedElement& element, const RealInterval& within,
                     bool is_quantized) const {
    if (element.is_closed) return element.wider;
    Real share;
    if (element.terms > 0) {
      // max(K * 2^-10, 2^-6)
      share =
          Multiply(RealOf(std::max<int64_t>(element.terms, 16)), PowerOfTwo(-10), kUp);
    } else if (is_quantized) {
      share = PowerOfTwo(-6);
    } else {
      share = PowerOfTwo(element.digits == 24 ? -8 : -element.digits);
    }
    Real distance = Multiply(element.magnitude, share, kUp);
    if (element.terms == 0 && !is_quantized && !element.step.is_zero()) {
      // Less than half of the scale of an integer sum.
      const Real half = Multiply(element.step, PowerOfTwo(-1), kDown);
      const Real below =
          Subtract(half, Multiply(half, PowerOfTwo(-element.digits), kUp), kDown);
      distance = Least(distance, below);
    }
    return Hull(within, Widened(element.value, distance));
  }

  // GR-18. The greater or the less of two, by their ends.
  BoundedElement Chosen(const BoundedElement& first, const BoundedElement& second,
                        bool greatest) const {
    BoundedElement chosen = Joined(first, second);
    if (chosen.kind != Kind::kNumber) return OfKind(chosen.kind);
    const auto a = WithSlack(first);
    const auto b = WithSlack(second);
    if (!a || !b) return OfKind(Kind::kFree);
    const auto choose = [&](const RealInterval& x, const RealInterval& y) {
      return greatest ? RealInterval{Greatest(x.low, y.low), Greatest(x.high, y.high)}
                      : RealInterval{Least(x.low, y.low), Least(x.high, y.high)};
    };
    chosen.is_exact = IsExactCase(first, *format_) && IsExactCase(second, *format_);
    chosen.value = choose(first.value, second.value);
    chosen.magnitude = Greatest(first.magnitude, second.magnitude);
    chosen.underflow = Greatest(first.underflow, second.underflow);
    chosen.count = std::max(first.count, second.count);
    chosen.is_closed = true;
    chosen.within = choose(*a, *b);
    chosen.wider = choose(Wider(first, *a, extra_ == 1), Wider(second, *b, extra_ == 1));
    chosen.step = first.step.is_zero()    ? second.step
                  : second.step.is_zero() ? first.step
                                          : Least(first.step, second.step);
    return chosen;
  }

  // GR-13: a bound of Clip has m = 1, its division; nothing of it is rounded before.
  std::optional<RealInterval> WithSlack(BoundedElement element) const {
    if (element.count == 0) element.has_slack = true;
    return Within(element, extra_);
  }

  // --- ends ---------------------------------------------------------------------------

  void MarkExact(size_t index, size_t count, bool is_exact) {
    std::vector<bool>& exact = all_.exact_[node_.first_output + output_];
    exact.resize(count, false);
    exact[index] = is_exact;
  }

  // The codes of a float output: those between the ends, and that of the composition.
  void WidenFloats(const std::vector<BoundedElement>& elements) {
    ComposedValue& output = outputs_[output_];
    output.bounds.resize(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      ElementAnswer& answer = output.elements[i];
      const uint32_t code = answer.code;
      CodeBounds& bounds = output.bounds[i];
      bounds = {code, code, code, code};
      MarkExact(i, elements.size(), false);
      const BoundedElement& element = elements[i];
      if (element.kind == Kind::kFree) {
        answer.freedom = Freedom::kAnyCode;
        continue;
      }
      if (element.kind == Kind::kGiven || IsNan(*format_, code)) continue;
      if (IsExactCase(element, *format_)) {
        MarkExact(i, elements.size(), true);
        continue;
      }
      const auto within = Within(element, 0);
      if (!within) {
        answer.freedom = Freedom::kAnyCode;
        continue;
      }
      const RealInterval ends = all_.is_wider_ ? Wider(element, *within, false) : *within;
      const auto low =
          static_cast<uint32_t>(Round(*format_, ToUnrounded(ends.low), RoundingMode::kUp,
                                      OverflowPolicy::kNonSaturating));
      const auto high = static_cast<uint32_t>(Round(*format_, ToUnrounded(ends.high),
                                                    RoundingMode::kDown,
                                                    OverflowPolicy::kNonSaturating));
      if (ValueOrder(*format_, low) < ValueOrder(*format_, bounds.low)) bounds.low = low;
      if (ValueOrder(*format_, high) > ValueOrder(*format_, bounds.high)) {
        bounds.high = high;
      }
      bounds.wider_low = bounds.low;
      bounds.wider_high = bounds.high;
    }
  }

  Status Quantize() {
    output_ = 0;
    const Operands operands = so_far_.OperandsOf(node_);
    const auto layout = LayoutOf(operands);
    if (!layout) return layout.error();
    const std::vector<BoundedElement>& elements = all_.elements_[*node_.inputs[0]];
    ComposedValue& output = outputs_[0];
    if (HasComputedInput(1) || elements.size() != output.elements.size()) {
      FreeAll();
      return Ok();
    }
    x_format_ = &FormatOf(operands[0]->type);
    format_ = &FormatOf(output.view.type);
    const auto saturate = IntegerAttribute(node_.node.attributes, "saturate");
    if (!saturate) return saturate.error();
    TargetParameters parameters;
    if (saturate->value_or(1) == 0) parameters.overflow = OverflowPolicy::kNonSaturating;
    const Target target(output.view.type, parameters, DataType::kUndefined);
    std::vector<ExactValue> scales;
    for (const uint64_t code : ReadCodes(*operands[1])) {
      scales.push_back(Decode(FormatOf(operands[1]->type), code));
    }
    std::vector<PreparedZeroPoint> zero_points(1);
    if (const auto zero_point = OperandAt(operands, 2)) {
      zero_points.clear();
      for (const uint64_t code : ReadCodes(*zero_point)) {
        zero_points.push_back(target.PrepareZeroPoint(code));
      }
    }
    const bool has_one = !OperandAt(operands, 2) || layout->zero_point_is_scalar;
    ForEachScaled(*layout, [&](size_t index, size_t scale) {
      QuantizeElement(elements[index], scales[scale], zero_points[has_one ? 0 : scale],
                      target, index);
    });
    return Ok();
  }

  void QuantizeElement(const BoundedElement& element, const ExactValue& scale,
                       const PreparedZeroPoint& zero_point, const Target& target,
                       size_t index) {
    ComposedValue& output = outputs_[0];
    ElementAnswer& answer = output.elements[index];
    MarkExact(index, output.elements.size(), false);
    if (answer.freedom == Freedom::kAnyCode) return;
    if (element.kind == Kind::kFree) {
      answer.freedom = Freedom::kAnyCode;
      return;
    }
    if (element.kind == Kind::kGiven || scale.value_class != ValueClass::kFinite ||
        IsNan(*format_, answer.code)) {
      return;
    }
    const Real y_scale = ToReal(scale);
    const bool is_exact = IsExactCase(element, *x_format_) && IsPowerOfTwo(y_scale) &&
                          IsNormal(y_scale, *x_format_) &&
                          IsExactQuotient(element, y_scale);
    MarkExact(index, output.elements.size(), is_exact);
    RealInterval ends = element.value;
    if (!is_exact) {
      const auto within = Within(element, 1);
      if (!within) {
        answer.freedom = Freedom::kAnyCode;
        return;
      }
      ends = all_.is_wider_ ? Wider(element, *within, true) : *within;
    }
    const RealInterval quotients = Divide(ends, PointOf(y_scale));
    const auto round = [&](const Real& quotient) {
      ElementAnswer rounded;
      target.Round(ToUnrounded(quotient), zero_point, rounded);
      return rounded.code;
    };
    uint32_t low = round(quotients.low);
    uint32_t high = round(quotients.high);
    if (IsNan(*format_, low) || IsNan(*format_, high)) {
      answer.freedom = Freedom::kAnyCode;
      return;
    }
    // GR-05: one code of the canonical answer; sums have no such limit.
    if (all_.is_wider_ && !is_exact && element.terms == 0) {
      const auto within = Within(element, 1);
      const RealInterval inner = Divide(*within, PointOf(y_scale));
      low = LimitedTo(low, round(inner.low), answer.code, /*is_low=*/true);
      high = LimitedTo(high, round(inner.high), answer.code, /*is_low=*/false);
    }
    Include(index, low, high);
  }

  // The code that is further from the canonical one, but at most one beside it, or what
  // the narrower bounds allow.
  uint32_t LimitedTo(uint32_t code, uint32_t narrow, uint32_t canonical,
                     bool is_low) const {
    const auto beside = static_cast<uint32_t>(is_low ? NextDown(*format_, canonical)
                                                     : NextUp(*format_, canonical));
    const auto order = [&](uint32_t one) { return ValueOrder(*format_, one); };
    if (IsNan(*format_, beside)) return narrow;
    if (is_low) {
      return order(code) >= order(beside)    ? code
             : order(narrow) < order(beside) ? narrow
                                             : beside;
    }
    return order(code) <= order(beside)    ? code
           : order(narrow) > order(beside) ? narrow
                                           : beside;
  }

  bool IsExactQuotient(const BoundedElement& element, const Real& y_scale) const {
    if (element.magnitude.is_zero()) return true;
    const int exponent = TopOf(y_scale);
    return element.lowest - exponent >= SmallestNormalExponent(*x_format_) &&
           Compare(element.magnitude,
                   Multiply(ToReal(Decode(*x_format_, LargestFinite(*x_format_))),
                            PowerOfTwo(exponent), kDown)) <= 0;
  }

  // Adds the codes between two to those that an element may have.
  void Include(size_t index, uint32_t low, uint32_t high) {
    ComposedValue& output = outputs_[0];
    ElementAnswer& answer = output.elements[index];
    const auto key = static_cast<int64_t>(index);
    CodeSet codes;
    if (answer.freedom == Freedom::kOneOf) codes = output.one_of.at(key);
    codes.push_back(answer.code);
    if (ValueOrder(*format_, low) == ValueOrder(*format_, answer.code) &&
        ValueOrder(*format_, high) == ValueOrder(*format_, answer.code)) {
      // Zeros of both signs: near zero the sign is open.
      if (low != high || low != answer.code) answer.zero_sign_is_free = true;
      return;
    }
    uint64_t code = low;
    for (size_t i = 0; i <= kMostCodes; ++i) {
      codes.push_back(code);
      if (ValueOrder(*format_, code) >= ValueOrder(*format_, high)) break;
      const uint64_t next = NextUp(*format_, code);
      if (next == code) break;
      code = next;
    }
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    if (codes.size() > kMostCodes) {
      answer.freedom = Freedom::kAnyCode;
      return;
    }
    if (codes.size() == 1) return;
    // A zero among them has either sign.
    if (format_->has_negative_zero) {
      const uint64_t minus = uint64_t{1} << (format_->bits - 1);
      const bool has_plus = std::ranges::binary_search(codes, uint64_t{0});
      const bool has_minus = std::ranges::binary_search(codes, minus);
      if (has_plus != has_minus) {
        codes.push_back(has_plus ? minus : 0);
        std::ranges::sort(codes);
      }
    }
    answer.freedom = Freedom::kOneOf;
    output.one_of[key] = std::move(codes);
  }

  // GR-18: positions whose interval reaches the greatest of the lower ends.
  void WidenPositions(const Wiring& wiring) {
    ComposedValue& output = outputs_[output_];
    const WiredOutput& wired = wiring.outputs[output_];
    const bool greatest = wiring.kind == WiredKind::kArgMax;
    // The operands' type, not that of positions.
    format_ = &FormatOf(so_far_.values()[*node_.inputs[0]].view.type);
    for (size_t i = 0; i < output.elements.size(); ++i) {
      ElementAnswer& answer = output.elements[i];
      std::vector<RealInterval> ends;
      bool is_free = answer.freedom == Freedom::kAnyCode;
      for (size_t s = wired.first[i]; s < wired.first[i + 1] && !is_free; ++s) {
        BoundedElement element = Operand(wired.sources[s]);
        std::optional<RealInterval> within;
        if (element.kind == Kind::kNumber) {
          within = IsExactCase(element, *format_) ? element.value : Within(element, 0);
        }
        is_free = !within.has_value();
        if (within && all_.is_wider_ && !IsExactCase(element, *format_)) {
          within = Wider(element, *within, false);
        }
        if (within) ends.push_back(greatest ? *within : Negated(*within));
      }
      if (is_free || ends.empty()) {
        answer.freedom = Freedom::kAnyCode;
        continue;
      }
      Real reached = ends.front().low;
      for (const RealInterval& one : ends) reached = Greatest(reached, one.low);
      CodeSet positions{ReadCode(output.view, static_cast<int64_t>(i))};
      for (size_t s = 0; s < ends.size(); ++s) {
        if (Compare(ends[s].high, reached) < 0) continue;
        positions.push_back(static_cast<uint64_t>(wired.positions[wired.first[i] + s]));
      }
      std::ranges::sort(positions);
      positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
      if (positions.size() == 1) continue;
      answer.freedom = Freedom::kOneOf;
      output.one_of[static_cast<int64_t>(i)] = std::move(positions);
    }
  }

  SectionBounds& all_;
  const GraphNode& node_;
  const Composition& so_far_;
  std::span<ComposedValue> outputs_;
  size_t output_ = 0;
  const NumberFormat* format_ = nullptr;    // of the output
  const NumberFormat* x_format_ = nullptr;  // of what is quantized
  int64_t extra_ = 0;                       // the division of a QuantizeLinear behind
};

SectionBounds::SectionBounds(const GraphStructure& structure, const Sections& sections,
                             bool is_wider)
    : structure_(structure),
      sections_(sections),
      is_wider_(is_wider),
      elements_(structure.values.size()),
      exact_(structure.values.size()) {}

Status SectionBounds::Widen(const GraphNode& node, const Composition& so_far,
                            std::span<ComposedValue> outputs) {
  return NodeBounds(*this, node, so_far, outputs).Run();
}

}  // namespace qconform
