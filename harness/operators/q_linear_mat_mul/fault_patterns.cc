// What deviating elements of QLinearMatMul may have in common.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/patterns/pattern_quantities.h"
#include "harness/core/patterns/wrong_scale.h"
#include "harness/matmul/patterns.h"
#include "harness/operators/q_linear_mat_mul/faults.h"

namespace qconform::q_linear_mat_mul {
namespace {

const DecodedMatMul& Of(const EvidenceCase& one) { return Case::Of(*one.decoded); }

// v = C * a_scale * b_scale / y_scale; nothing for special values.
std::optional<Unrounded> ProductOf(const EvidenceCase& one, int64_t i) {
  const auto trace = TraceElement(Of(one), {}, i);
  if (!trace) return std::nullopt;
  return trace->product;
}

bool ProductBeyondInt32(const EvidenceCase& one, int64_t i) {
  const auto v = ProductOf(one, i);
  return v && v->value_class == ValueClass::kFinite && v->significand != 0 &&
         TopBit(v->significand) + v->exponent >= 31;
}

}  // namespace

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns = SpecialValuePatterns("values before rounding");
  Append(patterns, ResultPatterns());
  patterns.push_back({"only where |v| >= 2^31", ProductBeyondInt32});
  const auto layout_of = [](const EvidenceCase& one) -> const MatMulLayout& {
    return Of(one).layout;
  };
  Append(patterns, TermPatterns(cases, layout_of));
  Append(patterns, MatMulPlacePatterns(cases, layout_of));
  const auto has_sign = [](bool negative) {
    return [negative](const EvidenceCase& one, int64_t i) {
      const auto v = ProductOf(one, i);
      return v && v->value_class != ValueClass::kZero && v->negative == negative;
    };
  };
  patterns.push_back({"only negative results", has_sign(true)});
  patterns.push_back({"only positive results", has_sign(false)});
  Append(patterns,
         RoundedValuePatterns(cases, "the product before it is rounded", ProductOf));
  Append(patterns,
         qconform::PatternsOf(
             {.name = "the magnitude of the sum",
              .of = [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
                const auto trace = TraceElement(Of(one), {}, i);
                const auto sum = trace ? NumberOf(trace->sum) : std::nullopt;
                return sum ? std::optional(std::fabs(*sum)) : std::nullopt;
              }},
             cases));
  Append(patterns, qconform::PatternsOf({.name = "y_zero_point",
                                         .of = [](const EvidenceCase& one,
                                                  int64_t) -> std::optional<double> {
                                           const auto& all = Of(one).y_zero_points;
                                           if (all.size() != 1) return std::nullopt;
                                           return NumberOf(all.front());
                                         }},
                                        cases));
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

// Of integers that are summed exactly; by one zero point of y.
std::string Faults::WrongScalesOf(std::span<const EvidenceCase> cases) const {
  WrongScale scales("multiplier a_scale * b_scale / y_scale", 0x1p-22);
  for (const EvidenceCase& one : cases) {
    const DecodedMatMul& decoded = Of(one);
    if (!decoded.integer_operands || !IsInteger(decoded.y->type)) return "";
    if (decoded.y_zero_points.size() != 1) continue;
    const auto zero_point = NumberOf(decoded.y_zero_points.front());
    ForElements(one, [&](int64_t i, bool deviates) {
      if (one.answer->elements[static_cast<size_t>(i)].tier != Tier::kRegular) return;
      const auto trace = TraceElement(decoded, {}, i);
      if (!trace || !zero_point) return;
      const auto sum = NumberOf(trace->sum);
      const auto v = NumberOf(trace->product);
      if (!sum || !v) return;
      // The multiplier, without the last digits, which are not the same of each sum.
      scales.Add(static_cast<float>(*v / *sum), *v, *decoded.y,
                 one.observed[static_cast<size_t>(i)], *zero_point, deviates);
    });
  }
  return scales.Words();
}

}  // namespace qconform::q_linear_mat_mul
