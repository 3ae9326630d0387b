// What deviating elements of QuantizeLinear may have in common.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "harness/core/patterns/pattern_quantities.h"
#include "harness/core/patterns/wrong_scale.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/formats/number_format.h"

namespace qconform::quantize_linear {
namespace {

const DecodedQuantizeLinear& Of(const EvidenceCase& one) {
  return Case::Of(*one.decoded);
}

bool QuotientBeyondInt32(const EvidenceCase& one, int64_t i) {
  const Unrounded& q = Of(one).quotients[static_cast<size_t>(i)];
  if (q.value_class == ValueClass::kInfinity) return true;
  return q.value_class == ValueClass::kFinite && q.significand != 0 &&
         TopBit(q.significand) + q.exponent >= 31;
}

const Unrounded& QuotientOf(const EvidenceCase& one, int64_t i) {
  return Of(one).quotients[static_cast<size_t>(i)];
}

bool QuotientIsNegative(const EvidenceCase& one, int64_t i) {
  const Unrounded& q = QuotientOf(one, i);
  return q.negative && q.value_class != ValueClass::kNan;
}

bool InLastBlock(const EvidenceCase& one, int64_t i) {
  const QuantizeLinearLayout& layout = Of(one).layout;
  if (layout.granularity != QuantizeLinearLayout::Granularity::kBlocked) return false;
  return i / layout.inner % layout.axis / layout.block == layout.blocks - 1;
}

bool XIsNegative(const EvidenceCase& one, int64_t i) {
  return Of(one).x_values[static_cast<size_t>(i)].negative;
}

int64_t ScaleOf(const EvidenceCase& one, int64_t i) {
  const QuantizeLinearLayout& layout = Of(one).layout;
  const int64_t line = i / layout.inner;
  return layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner);
}

// The zero point of an element, 0 if there is none.
ExactValue ZeroPointOf(const EvidenceCase& one, int64_t i) {
  const std::vector<ExactValue>& all = Of(one).zero_points;
  if (all.empty()) return {};
  return all[all.size() == 1 ? 0 : static_cast<size_t>(ScaleOf(one, i))];
}

int64_t MostScales(std::span<const EvidenceCase> cases) {
  size_t most = 1;
  for (const EvidenceCase& one : cases) most = std::max(most, Of(one).scales.size());
  return static_cast<int64_t>(most);
}

// By the scale of the first element that deviates: the others share it, or the pattern
// does not hold.
Patterns ChannelPatterns(std::span<const EvidenceCase> cases) {
  const auto several = std::ranges::any_of(
      cases, [](const EvidenceCase& one) { return Of(one).scales.size() > 1; });
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (!several || first == cases.end()) return {};
  const int64_t scale = ScaleOf(*first, first->deviating.front());
  return {{.words = "only elements of scale " + std::to_string(scale),
           .holds = [scale](const EvidenceCase& one,
                            int64_t i) { return ScaleOf(one, i) == scale; },
           .alternatives = MostScales(cases)}};
}

}  // namespace

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns = SpecialValuePatterns("quotients");
  patterns.push_back({"only where |q| >= 2^31", QuotientBeyondInt32});
  Append(patterns, ResultPatterns());
  Append(patterns, TailPatterns());
  patterns.push_back({"only the last block along the axis", InLastBlock});
  Append(patterns, LanePatterns());
  patterns.push_back({"only negative quotients", QuotientIsNegative});
  patterns.push_back(
      {"only quotients that are not negative",
       [](const EvidenceCase& one, int64_t i) { return !QuotientIsNegative(one, i); }});
  patterns.push_back({"only negative x", XIsNegative});
  Append(patterns, TierPatterns());
  Append(patterns, ChannelPatterns(cases));
  Append(patterns, RoundedValuePatterns(cases, "the quotient x / y_scale", QuotientOf));
  Append(patterns, qconform::PatternsOf(
                       {.name = "y_zero_point",
                        .of = [](const EvidenceCase& one,
                                 int64_t i) { return NumberOf(ZeroPointOf(one, i)); }},
                       cases));
  Append(patterns, qconform::PatternsOf({.name = "the index of the scale",
                                         .of = [](const EvidenceCase& one,
                                                  int64_t i) -> std::optional<double> {
                                           if (Of(one).scales.size() < 2)
                                             return std::nullopt;
                                           return static_cast<double>(ScaleOf(one, i));
                                         },
                                         .has_remainders = true},
                                        cases));
  return patterns;
}

// Of integers, which say best what was rounded.
std::string Faults::WrongScalesOf(std::span<const EvidenceCase> cases) const {
  if (cases.empty() || !IsInteger(Of(cases.front()).y->type)) return "";
  const DecodedQuantizeLinear& first = Of(cases.front());
  const NumberFormat* p = first.precision;
  if (p == nullptr) return "";
  const bool converts = first.x != p || first.y_scale != p;
  const double ends = p->type == DataType::kFloat16 ? 13 : 125;
  WrongScale scales("y_scale",
                    std::ldexp(converts ? 4 : 1, -p->mantissa_bits - 1) * 1.01);
  for (const EvidenceCase& one : cases) {
    const DecodedQuantizeLinear& decoded = Of(one);
    ForElements(one, [&](int64_t i, bool deviates) {
      const auto at = static_cast<size_t>(i);
      if (one.answer->elements[at].tier != Tier::kRegular) return;
      const auto scale = NumberOf(decoded.scales[static_cast<size_t>(ScaleOf(one, i))]);
      const auto x = NumberOf(decoded.x_values[at]);
      const auto zero_point = NumberOf(ZeroPointOf(one, i));
      if (!scale || !x || !zero_point) return;
      // Estimates of a reciprocal have ends of their own.
      if (std::fabs(std::log2(std::fabs(*scale))) >= ends) return;
      scales.Add(*scale, *x / *scale, *decoded.y, one.observed[at], *zero_point,
                 deviates);
    });
  }
  return scales.Words();
}

}  // namespace qconform::quantize_linear
