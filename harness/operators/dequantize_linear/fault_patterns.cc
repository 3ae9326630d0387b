// What deviating elements of DequantizeLinear may have in common.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/patterns/pattern.h"
#include "harness/operators/dequantize_linear/faults.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

const DecodedDequantizeLinear& Of(const EvidenceCase& one) {
  return Case::Of(*one.decoded);
}

const ExactValue& XOf(const EvidenceCase& one, int64_t i) {
  return Of(one).x_values[static_cast<size_t>(i)];
}

int64_t ScaleOf(const EvidenceCase& one, int64_t i) {
  return static_cast<int64_t>(FaultyPlaces(Of(one).places).Of(FaultyPlace::kRight, i));
}

// The zero point of an element, 0 if there is none.
ExactValue ZeroPointOf(const EvidenceCase& one, int64_t i) {
  const std::vector<ExactValue>& all = Of(one).zero_points;
  if (all.empty()) return {};
  return all[all.size() == 1 ? 0 : static_cast<size_t>(ScaleOf(one, i))];
}

bool HasZeroPoint(const EvidenceCase& one, int64_t i) {
  return ZeroPointOf(one, i).value_class != ValueClass::kZero;
}

Unrounded DifferenceOf(const EvidenceCase& one, int64_t i) {
  ExactValue minus = ZeroPointOf(one, i);
  minus.negative = !minus.negative;
  return Add(ToUnrounded(XOf(one, i)), minus);
}

// A difference that the type of an integer x does not hold.
bool DifferenceLeavesX(const EvidenceCase& one, int64_t i) {
  const NumberFormat& x = *Of(one).x;
  const Unrounded d = DifferenceOf(one, i);
  if (x.kind != NumberKind::kInteger || d.value_class != ValueClass::kFinite)
    return false;
  const int64_t end = d.negative ? IntegerMin(x) : IntegerMax(x);
  const auto magnitude = static_cast<Uint128>(end < 0 ? -end : end);
  return (d.exponent >= 0 ? d.significand << d.exponent : d.significand) > magnitude;
}

bool DifferenceIsNegative(const EvidenceCase& one, int64_t i) {
  const Unrounded d = DifferenceOf(one, i);
  return d.negative && d.value_class != ValueClass::kZero;
}

bool XIsSubnormal(const EvidenceCase& one, int64_t i) {
  const NumberFormat& x = *Of(one).x;
  const ExactValue& value = XOf(one, i);
  return x.kind == NumberKind::kFloat && value.value_class == ValueClass::kFinite &&
         TopBit(value.significand) + value.exponent < SmallestNormalExponent(x);
}

bool XIs(const EvidenceCase& one, int64_t i, ValueClass value_class) {
  return XOf(one, i).value_class == value_class;
}

bool InLastBlock(const EvidenceCase& one, int64_t i) {
  const ScalePlaces& places = Of(one).places;
  if (!places.blocked) return false;
  int64_t inner = 1;
  for (size_t d = static_cast<size_t>(places.axis) + 1; d < places.shape.size(); ++d) {
    inner *= places.shape[d];
  }
  const int64_t along =
      i / std::max<int64_t>(inner, 1) % places.shape[static_cast<size_t>(places.axis)];
  return along / places.block == places.blocks - 1;
}

// The last byte of packed elements, if it is not full.
bool InLastByte(const EvidenceCase& one, int64_t i) {
  const int64_t bits = Of(one).x->bits;
  const int64_t all = SizeOf(one) * bits;
  return bits < 8 && all % 8 != 0 && (i + 1) * bits > all / 8 * 8;
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
  Patterns patterns = {
      {"only NaN x",
       [](const EvidenceCase& one, int64_t i) { return XIs(one, i, ValueClass::kNan); }},
      {"only infinite x", [](const EvidenceCase& one,
                             int64_t i) { return XIs(one, i, ValueClass::kInfinity); }},
      {"only subnormal x", XIsSubnormal},
      {"only differences that the type of x does not hold", DifferenceLeavesX}};
  Append(patterns, SpecialValuePatterns("products"));
  Append(patterns, ResultPatterns());
  Append(patterns, TailPatterns());
  patterns.push_back({"only elements of a last byte that is not full", InLastByte});
  patterns.push_back({"only the last block along the axis", InLastBlock});
  Append(patterns, LanePatterns());
  patterns.push_back({"only negative differences", DifferenceIsNegative});
  patterns.push_back({"only where the zero point is not 0", HasZeroPoint});
  patterns.push_back(
      {"only differences that are not negative",
       [](const EvidenceCase& one, int64_t i) { return !DifferenceIsNegative(one, i); }});
  patterns.back().shown_by = [](const EvidenceCase& one, int64_t i) {
    const Unrounded d = DifferenceOf(one, i);
    return !d.negative && d.value_class != ValueClass::kZero;
  };
  Append(patterns, TierPatterns());
  Append(patterns, ChannelPatterns(cases));
  const auto add = [&](std::string name,
                       std::optional<double> (*of)(const EvidenceCase&, int64_t),
                       bool has_remainders = false) {
    Append(patterns,
           qconform::PatternsOf(
               {.name = std::move(name), .of = of, .has_remainders = has_remainders},
               cases));
  };
  add("x", [](const EvidenceCase& one, int64_t i) { return NumberOf(XOf(one, i)); });
  add("the difference x - x_zero_point",
      [](const EvidenceCase& one, int64_t i) { return NumberOf(DifferenceOf(one, i)); });
  add("x_zero_point",
      [](const EvidenceCase& one, int64_t i) { return NumberOf(ZeroPointOf(one, i)); });
  add(
      "the index of the scale",
      [](const EvidenceCase& one, int64_t i) -> std::optional<double> {
        if (Of(one).scales.size() < 2) return std::nullopt;
        return static_cast<double>(ScaleOf(one, i));
      },
      true);
  return patterns;
}

}  // namespace qconform::dequantize_linear
