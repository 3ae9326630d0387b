#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "harness/operators/quantize_linear/fault_facts.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"

namespace qconform::quantize_linear {
namespace {

using Switches = QuantizeLinearSwitches;
using Q = Switches::Quotient;

// The values that `precision` may have; kUndefined: no attribute.
constexpr std::array kPrecisions{DataType::kUndefined, DataType::kFloat,
                                 DataType::kFloat16, DataType::kBfloat16,
                                 DataType::kDouble};

int DigitsOf(const NumberFormat& format) {
  switch (format.kind) {
    case NumberKind::kInteger:
      return format.bits - (format.is_signed ? 1 : 0);
    case NumberKind::kFloat:
      return format.mantissa_bits + 1;
    case NumberKind::kPowerOfTwo:
      return 1;
  }
  return 0;
}

// A quotient: operands converted to a type, divided exactly, rounded to a type;
// kUndefined: not converted, not rounded. Other functions have another `kind`.
struct QuotientForm {
  Q kind = Q::kCanonical;
  DataType converted = DataType::kUndefined;
  DataType rounded = DataType::kUndefined;

  friend bool operator==(const QuotientForm&, const QuotientForm&) = default;
};

// With one `precision`. The switches that `quotient` replaces are cleared.
struct NormalForm {
  QuotientForm quotient;
  Switches others;

  friend bool operator==(const NormalForm&, const NormalForm&) = default;
};

bool Holds(DataType to, DataType from) {
  const NumberFormat& format = FormatOf(to);
  return format.kind == NumberKind::kFloat && HoldsAllOf(format, FormatOf(from));
}

// Returns the form before it is simplified; nothing for quotients that no rule knows.
std::optional<QuotientForm> FormOf(const QuantizeLinearFacts& facts, const Switches& s,
                                   DataType given) {
  const bool overridden = given != DataType::kUndefined;
  const DataType p = overridden && !s.default_precision ? given : facts.precision;
  const QuotientForm canonical{Q::kCanonical, p, p};
  switch (s.quotient) {
    case Q::kCanonical:
      return canonical;
    case Q::kExact:
      return QuotientForm{};
    case Q::kConvertedExact:
      return QuotientForm{Q::kCanonical, p, DataType::kUndefined};
    case Q::kUnconverted:
      if (facts.y_scale == DataType::kFloat8E8M0 || facts.y_bits < 4) return canonical;
      return QuotientForm{Q::kCanonical, DataType::kUndefined, p};
    case Q::kDivisionIn:
      return QuotientForm{Q::kCanonical, s.type, s.type};
    case Q::kReciprocal:
    case Q::kReciprocalIn: {
      if (FormatOf(facts.y_scale).kind != NumberKind::kFloat) {
        if (s.quotient == Q::kReciprocal) return canonical;
        return std::nullopt;
      }
      if (s.quotient == Q::kReciprocalIn && !ReciprocalInActs(facts.x, facts.y_scale)) {
        return canonical;
      }
      const DataType in = s.quotient == Q::kReciprocalIn ? s.type
                          : p == DataType::kUndefined    ? DataType::kFloat
                                                         : p;
      return QuotientForm{Q::kReciprocal, in, in};
    }
    default:
      return std::nullopt;
  }
}

// Whether no quotient of the operands lies between 2^31 - 2^17 and 2^31, nor do their
// negatives: x / y_scale is 2^31, or differs from it by a 2^-14 of it or more.
bool KeepsAwayFromInt32Limits(const QuantizeLinearFacts& facts) {
  constexpr int kMostDigits = 14;
  return std::max(DigitsOf(FormatOf(facts.x)), DigitsOf(FormatOf(facts.y_scale))) <=
         kMostDigits;
}

// Returns whether all other steps are canonical: nearest, ties to even. What becomes of
// quotients beyond INT32 may differ if rounding to `rounded` moves none across its
// limits.
bool OnlyTheQuotientDiffers(const QuantizeLinearFacts& facts, DataType rounded,
                            Switches s) {
  using Overflow = Switches::Overflow;
  const bool converts = s.overflow == Overflow::kInt32Minimum ||
                        s.overflow == Overflow::kInt32MinimumWraps ||
                        s.overflow == Overflow::kInt32SaturatedWraps;
  if (converts && KeepsAwayFromInt32Limits(facts) &&
      DigitsOf(FormatOf(rounded)) > DigitsOf(FormatOf(DataType::kFloat16))) {
    s.overflow = Overflow::kSaturate;
    s.overflow_place = Switches::OverflowPlace::kEverywhere;
  }
  s.quotient = Q::kCanonical;
  s.type = DataType::kUndefined;
  s.default_precision = false;
  s.without_precision = false;
  return s == Switches{};
}

std::optional<NormalForm> Normal(const QuantizeLinearFacts& facts, Switches s,
                                 DataType given, std::set<std::string>& rules) {
  const bool overridden = given != DataType::kUndefined && given != facts.precision;
  // A reciprocal without `precision` acts only where there is the attribute.
  const bool is_nowhere = s.quotient == Q::kReciprocal && !facts.has_precision;
  if (s.without_precision && (overridden || is_nowhere)) {
    s.quotient = Q::kCanonical;
    s.type = DataType::kUndefined;
    s.flush_quotient = false;
  }
  s.without_precision = false;
  if (s.quotient == Q::kIntegerDivision && s.rounding == Switches::Rounding::kEven &&
      IsInteger(facts.x) && IsInteger(facts.y_scale) && facts.integer) {
    s.quotient = Q::kCanonical;
    s.rounding = Switches::Rounding::kTowardZero;
    rules.insert("integer_quotient");
  }
  if (s.overflow == Switches::Overflow::kThroughInt16 && facts.y == DataType::kInt16 &&
      s.order == Switches::Order::kAfter) {
    s.overflow = Switches::Overflow::kSaturate;
    s.order = Switches::Order::kAfterClamp;
    rules.insert("int16");
  }
  auto form = FormOf(facts, s, given);
  if (!form) return std::nullopt;
  const DataType rounded = form->rounded;
  if (form->kind == Q::kCanonical && form->converted != DataType::kUndefined &&
      Holds(form->converted, facts.x) && Holds(form->converted, facts.y_scale)) {
    form->converted = DataType::kUndefined;
    rules.insert("same_type");
  }
  if (form->kind == Q::kCanonical && form->converted == DataType::kUndefined &&
      form->rounded != DataType::kUndefined &&
      OnlyTheQuotientDiffers(facts, form->rounded, s) &&
      HoldsEveryThreshold(form->rounded, facts.x, facts.y_scale, facts.y)) {
    form->rounded = DataType::kUndefined;
    rules.insert("exact_quotient");
  }
  // No sum with a zero point that is not below 0 exceeds 32 bits: the largest number of R
  // below 2^31 is 2^31 - 2^(31 - p).
  const auto has_room = [&] {
    if (rounded == DataType::kUndefined) return false;
    const int digits = DigitsOf(FormatOf(rounded));
    return digits < 31 && IntegerMax(FormatOf(facts.y)) < int64_t{1} << (31 - digits);
  };
  if (s.overflow == Switches::Overflow::kInt32MinimumWraps && facts.integer &&
      !FormatOf(facts.y).is_signed &&
      (has_room() || (form->kind == Q::kCanonical && KeepsAwayFromInt32Limits(facts)))) {
    s.overflow = Switches::Overflow::kInt32Minimum;
    rules.insert("int32_sum");
  }
  s.quotient = Q::kCanonical;
  s.type = DataType::kUndefined;
  s.default_precision = false;
  return NormalForm{*form, s};
}

}  // namespace

bool HoldsEveryThreshold(DataType r, DataType x, DataType y_scale, DataType y) {
  const NumberFormat& in = FormatOf(r);
  if (in.kind != NumberKind::kFloat) return false;
  const NumberFormat& to = FormatOf(y);
  int lowest = -1;           // u
  int beyond = to.bits + 1;  // |m| < 2^beyond: twice the range, for the zero point
  if (to.kind == NumberKind::kFloat) {
    lowest = TopOf(Decode(to, SmallestPositive(to))) - 1;
    beyond = TopOf(Decode(to, LargestFinite(to))) + 2;
  }
  const int c = beyond - lowest;
  const int p = in.mantissa_bits + 1;
  return p >= std::max(DigitsOf(FormatOf(x)), DigitsOf(FormatOf(y_scale)) + c) &&
         SmallestNormalExponent(in) <= lowest &&
         TopOf(Decode(in, LargestFinite(in))) >= beyond;
}

std::string Faults::WhyIndistinguishable(const Cell& cell, const FaultSet& a,
                                         const FaultSet& b) const {
  const QuantizeLinearFacts facts = cell;
  std::set<std::string> rules;
  for (const DataType given : kPrecisions) {
    if (given != DataType::kUndefined && !facts.has_precision) continue;
    const auto form_a = Normal(facts, a.As<Switches>(), given, rules);
    const auto form_b = Normal(facts, b.As<Switches>(), given, rules);
    if (!form_a || !form_b || *form_a != *form_b) {
      // Switches that no rule knows are still themselves.
      if (!form_a && !form_b && a == b) continue;
      return "";
    }
  }
  if (rules.empty()) return "same_type";
  std::string why;
  for (const std::string& rule : rules) why += (why.empty() ? "" : "+") + rule;
  return why;
}

}  // namespace qconform::quantize_linear
