// What deviating elements of QLinearMatMul may have in common.
#include <cmath>
#include <cstdint>
#include <optional>

#include "harness/core/pattern_quantities.h"
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
  Patterns patterns = SpecialValuePatterns();
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

}  // namespace qconform::q_linear_mat_mul
