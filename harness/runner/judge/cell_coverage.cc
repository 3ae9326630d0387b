#include "harness/runner/judge/cell_coverage.h"

#include "cases/model/attributes.h"

namespace qconform {
namespace {

constexpr struct {
  uint16_t bit;
  const char* name;
} kCoverage[] = {{kFeatureTie, "tie"},
                 {kFeatureNearTie, "near_tie"},
                 {kFeatureSaturatedLow, "saturated_low"},
                 {kFeatureSaturatedHigh, "saturated_high"},
                 {kFeatureInexact, "inexact"},
                 {kFeatureQuotientRounded, "quotient_rounded"},
                 {kFeatureNan, "nan"},
                 {kFeatureInfinity, "infinity"},
                 {kFeatureZeroResult, "zero_result"},
                 {kFeatureSubnormalResult, "subnormal_result"},
                 {kFeatureZeroPoint, "zero_point"}};

constexpr int64_t kTailLanes = 16;

// How many elements of x lie in a last block that is not whole.
int64_t ElementsOfPartialBlock(const OpCase& op_case) {
  if (op_case.key.cell.granularity != "blocked") return 0;
  const Shape& shape = op_case.operands.front().shape;
  const int64_t axis = AxisOf(op_case.model.node, shape.size());
  const int64_t block = IntegerAttributeOr(op_case.model.node, "block_size", 0);
  if (block <= 0 || axis < 0 || axis >= static_cast<int64_t>(shape.size())) return 0;
  const int64_t size = shape[static_cast<size_t>(axis)];
  if (size == 0) return 0;
  return ElementCount(shape).value_or(0) / size * (size % block);
}

}  // namespace

void CellCoverage::Add(const OpCase& op_case, const CaseAnswer& expected) {
  const auto count = static_cast<int64_t>(expected.elements.size());
  // Behind the last whole vector of 16, and in a last block that is not whole.
  if (count % kTailLanes != 0) counts_["tail"] += count % kTailLanes;
  const int64_t partial = ElementsOfPartialBlock(op_case);
  if (partial > 0) counts_["last_partial_block"] += partial;
  for (const ElementAnswer& element : expected.elements) {
    if (element.tier == Tier::kSubnormal) ++counts_["subnormal"];
    if (element.tier == Tier::kDegenerateScale) ++counts_["degenerate"];
    for (const auto& [bit, name] : kCoverage) {
      if ((element.features & bit) != 0) ++counts_[name];
    }
    if (element.tier != Tier::kRegular || element.freedom == Freedom::kAnyCode) continue;
    const bool saturated =
        (element.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
    ++regular_judged_;
    if (!saturated && (element.features & kFeatureInexact) != 0) ++regular_rounded_;
    if ((element.features & (kFeatureTie | kFeatureNearTie)) != 0) ++regular_ties_;
  }
}

std::string CellCoverage::WhyMistrusted(std::string_view granularity) const {
  const auto covers = [&](const char* feature) { return counts_.contains(feature); };
  if (regular_judged_ == 0 || regular_rounded_ == 0 || regular_ties_ == 0) {
    return "no regular element was rounded at or next to a tie";
  }
  if (!covers("tail")) return "no element lies behind the last whole vector";
  if (granularity == "blocked" && !covers("last_partial_block")) {
    return "no last block is partial";
  }
  return "";
}

}  // namespace qconform
