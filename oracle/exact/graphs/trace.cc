#include "oracle/exact/graphs/trace.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "oracle/exact/graphs/compose.h"

namespace qconform::exact {
namespace {

bool IsNormal(const Format& format, const mpq_class& v) {
  return sgn(v) == 0 || (abs(v) >= format.smallest_normal && abs(v) <= format.highest);
}

bool Holds(const Format& format, const mpq_class& v) {
  return RoundToPrecision(format, Value::Number(v)).number == v;
}

std::optional<mpq_class> LowerBit(const std::optional<mpq_class>& a,
                                  const std::optional<mpq_class>& b) {
  if (!a || !b) return std::nullopt;
  if (sgn(*a) == 0) return b;
  if (sgn(*b) == 0) return a;
  return std::min(*a, *b);
}

mpq_class LeastStep(const mpq_class& a, const mpq_class& b) {
  if (sgn(a) == 0) return b;
  if (sgn(b) == 0) return a;
  return std::min(a, b);
}

// Roundings as GR-06 counts them, who counts by GR-05 has two more.
int64_t Counted(const Terms& terms, bool is_sum) {
  return terms.roundings + (is_sum && !terms.is_sum ? 2 : 0);
}

Terms Sum(const Terms& a, const Terms& b, const Format& format) {
  Terms sum;
  sum.is_sum = a.is_sum || b.is_sum;
  sum.v = a.v + b.v;
  sum.magnitude = a.magnitude + b.magnitude;
  sum.roundings = std::max(Counted(a, sum.is_sum), Counted(b, sum.is_sum)) + 1;
  sum.is_plain = a.is_plain && b.is_plain && IsNormal(format, sum.v) &&
                 IsNormal(format, sum.magnitude);
  sum.unit = LowerBit(a.unit, b.unit);
  sum.k = std::max(a.k, b.k);
  sum.half_step = LeastStep(a.half_step, b.half_step);
  return sum;
}

Terms Product(const Terms& a, const Terms& b, const Format& format) {
  Terms product;
  product.is_sum = a.is_sum || b.is_sum;
  product.v = a.v * b.v;
  product.magnitude = a.magnitude * b.magnitude;
  // Every operation of both factors is on the way of the product.
  product.roundings =
      a.roundings + b.roundings + (product.is_sum && !a.is_sum && !b.is_sum ? 2 : 0) + 1;
  product.is_plain = a.is_plain && b.is_plain && IsNormal(format, product.v);
  if (a.unit && b.unit) {
    product.unit = *a.unit * *b.unit;
  } else {
    product.unit.reset();
  }
  product.k = std::max(a.k, b.k);
  product.half_step = LeastStep(a.half_step * abs(b.v), b.half_step * abs(a.v));
  return product;
}

// Precondition: b.v is not 0.
Terms Quotient(const Terms& a, const Terms& b, const Format& format) {
  const mpq_class divisor = abs(b.v);
  Terms quotient;
  quotient.is_sum = a.is_sum || b.is_sum;
  quotient.v = a.v / b.v;
  quotient.magnitude = a.magnitude / divisor * (b.magnitude / divisor);
  quotient.roundings = a.roundings + b.roundings + 1;
  quotient.is_plain = a.is_plain && b.is_plain && IsNormal(format, quotient.v);
  quotient.unit.reset();
  if (IsPowerOfTwo(b.v) && a.unit) {
    quotient.unit = *a.unit / divisor;
  } else if (a.magnitude == abs(a.v)) {
    quotient.unit = LowestBit(quotient.v);
  }
  quotient.k = std::max(a.k, b.k);
  quotient.half_step = a.half_step / divisor;
  return quotient;
}

// A factor that an attribute or a formula gives (GR-15, GR-16).
Terms Factor(const mpq_class& v, const Format& format) {
  Terms factor;
  factor.v = v;
  factor.magnitude = abs(v);
  factor.roundings = Holds(format, v) ? 0 : 1;
  factor.is_plain = IsPowerOfTwo(v);
  factor.unit = LowestBit(v);
  return factor;
}

// A term that an attribute or a formula gives.
Terms Summand(const mpq_class& v, const Format& format) {
  Terms summand = Factor(v, format);
  summand.is_plain = IsPowerOfTwo(v) && Holds(format, v);  // GR-16 names beta
  return summand;
}

Terms MinusTerms(Terms terms) {
  terms.v = -terms.v;
  return terms;
}

ReachPointer Minus(const Reach& reach) {
  if (reach.kind == Reach::Kind::kTerms) return MakeReach(MinusTerms(reach.terms));
  std::vector<ReachPointer> parts;
  for (const ReachPointer& part : reach.parts) parts.push_back(Minus(*part));
  return MakeChoice(
      reach.kind == Reach::Kind::kLargest ? Reach::Kind::kLeast : Reach::Kind::kLargest,
      std::move(parts));
}

ReachPointer Between(ReachPointer low, ReachPointer x, ReachPointer high) {
  return MakeChoice(Reach::Kind::kLeast,
                    {std::move(high),
                     MakeChoice(Reach::Kind::kLargest, {std::move(low), std::move(x)})});
}

Terms AlphaXPlusBeta(const Terms& x, const FormulaConstants& constants,
                     const Format& format) {
  return Sum(Product(Factor(constants.alpha, format), x, format),
             Summand(constants.beta, format), format);
}

// x max(0, min(1, x / 6 + 1/2)): between 0 and x.
ReachPointer HardSwish(const Terms& x, const FormulaConstants& constants,
                       const Format& format) {
  const Terms inner = AlphaXPlusBeta(x, constants, format);
  const ReachPointer product = MakeReach(Product(x, inner, format));
  if (sgn(inner.v) >= 0 && inner.v <= 1) return product;
  Terms whole = x;
  whole.roundings += 1;
  whole.is_data = false;
  whole.is_plain = false;
  const ReachPointer zero = MakeReach({}), end = MakeReach(whole);
  return sgn(x.v) < 0 ? Between(end, product, zero) : Between(zero, product, end);
}

}  // namespace

Terms DataTerms(const mpq_class& v, const Format& format) {
  Terms terms;
  terms.v = v;
  terms.magnitude = abs(v);
  terms.unit = LowestBit(v);
  terms.is_plain = IsNormal(format, v);
  terms.is_data = true;
  return terms;
}

Terms DequantizedTerms(const mpq_class& d, const mpq_class& s, const Format& format) {
  Terms terms = DataTerms(d * s, format);
  terms.roundings = 1;
  terms.is_data = false;
  terms.is_plain = terms.is_plain && IsPowerOfTwo(s);
  return terms;
}

Terms CastTerms(const mpq_class& v, const Format& format) {
  Terms terms = DataTerms(v, format);
  terms.roundings = 1;
  terms.is_data = false;
  terms.half_step = mpq_class(1, 2);
  return terms;
}

Terms TermsOf(const Reach& reach, const Format& format) {
  if (reach.kind == Reach::Kind::kTerms) return reach.terms;
  const LastStep last = {&format, std::nullopt};
  const bool largest = reach.kind == Reach::Kind::kLargest;
  const Terms* chosen = &Chosen(reach);
  Terms all = *chosen;
  const RealInterval ends = Bounded(reach, last);
  for (const ReachPointer& part : reach.parts) {
    // A part whose interval does not reach that of the choice is not chosen.
    const RealInterval one = Bounded(*part, last);
    if (ends && one &&
        (largest ? one->second < ends->first : one->first > ends->second)) {
      continue;
    }
    const Terms terms = TermsOf(*part, format);
    all.is_sum = all.is_sum || terms.is_sum;
    all.magnitude = std::max(all.magnitude, terms.magnitude);
    all.roundings = std::max(all.roundings, terms.roundings);
    all.is_data = all.is_data && terms.is_data;
    all.is_plain = all.is_plain && terms.is_plain;
    all.unit = LowerBit(all.unit, terms.unit);
    all.k = std::max(all.k, terms.k);
    all.half_step = LeastStep(all.half_step, terms.half_step);
  }
  return all;
}

ReachPointer TraceArithmetic(const GraphNode& node, const std::vector<ReachPointer>& x,
                             const Format& format) {
  const std::string& name = node.op_type;
  const FormulaConstants constants = ConstantsOf(node);
  if (name == "Neg") return Minus(*x[0]);
  if (name == "Abs") return MakeChoice(Reach::Kind::kLargest, {x[0], Minus(*x[0])});
  const Terms first = TermsOf(*x[0], format);
  if (name == "HardSigmoid") {
    return Between(MakeReach({}), MakeReach(AlphaXPlusBeta(first, constants, format)),
                   MakeReach(DataTerms(1, format)));
  }
  if (name == "HardSwish") return HardSwish(first, constants, format);
  // The multiplication is on the longest way, whichever branch is taken.
  const auto branched = [&](const Terms& factor) {
    const Terms product = Product(factor, first, format);
    if (sgn(first.v) < 0) return MakeReach(product);
    Terms same = first;
    same.roundings = product.roundings;
    same.is_data = false;
    same.is_plain = first.is_plain && factor.is_plain;
    return MakeReach(same);
  };
  if (name == "LeakyRelu") return branched(Factor(constants.alpha, format));
  const Terms second = TermsOf(*x[1], format);
  if (name == "PRelu") return branched(second);
  if (name == "Add") return MakeReach(Sum(first, second, format));
  if (name == "Sub") return MakeReach(Sum(first, MinusTerms(second), format));
  if (name == "Mul") return MakeReach(Product(first, second, format));
  if (sgn(second.v) == 0) return nullptr;  // Div
  return MakeReach(Quotient(first, second, format));
}

Terms TraceSum(const GraphNode& node, const Wire& wire, const SumOperands& operands,
               const std::function<Terms(const Place&)>& terms, const Format& format) {
  Terms sum;
  sum.is_sum = true;
  const auto add = [&](const Terms& term) {
    sum.v += term.v;
    sum.magnitude += term.magnitude;
    sum.is_plain = sum.is_plain && term.is_plain;
    sum.unit = LowerBit(sum.unit, term.unit);
  };
  for (size_t i = 0; i < wire.places.size(); ++i) {
    Terms one = terms(wire.places[i]);
    if (IsSumOfProducts(node)) one = Product(one, terms(wire.factors[i]), format);
    sum.k += sgn(one.magnitude) == 0 ? 0 : 1;
    add(one);
  }
  for (const Place& place : wire.padded) {
    sum.is_plain = sum.is_plain && operands.is_plain[0] && terms(place).is_plain;
  }
  int64_t n = wire.terms + operands.roundings[0];
  const FormulaConstants constants = ConstantsOf(node);
  const auto scale = [&](Terms& one, const mpq_class& factor) {
    const Terms by = Factor(factor, format);
    n += by.roundings;
    one.v *= factor;
    one.magnitude *= by.magnitude;
    one.is_plain = one.is_plain && by.is_plain;
    if (one.unit && by.unit) {
      one.unit = *one.unit * *by.unit;
    } else {
      one.unit.reset();
    }
  };
  if (!IsSumOfProducts(node)) {
    const mpz_class divisor(static_cast<long>(wire.divisor));
    scale(sum, mpq_class(1, divisor));
    n = wire.terms + operands.roundings[0] + 2;
  } else {
    n += operands.roundings[1];
    if (node.op_type == "Gemm" && constants.alpha != 1) {
      scale(sum, constants.alpha);
      ++n;
    }
    if (wire.bias) {
      Terms bias = terms(*wire.bias);
      n += 1 + operands.roundings[2];
      if (node.op_type == "Gemm" && constants.beta != 1) {
        scale(bias, constants.beta);
        ++n;
      }
      add(bias);
    }
  }
  sum.is_plain =
      sum.is_plain && IsNormal(format, sum.v) && IsNormal(format, sum.magnitude);
  sum.roundings = n;
  return sum;
}

}  // namespace qconform::exact
