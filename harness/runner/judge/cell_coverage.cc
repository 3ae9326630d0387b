#include "harness/runner/judge/cell_coverage.h"

#include <algorithm>

#include "harness/core/bound_model.h"

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

bool CountsBlocks(const AxisPlace& place) { return place.block > 1; }

// How many elements of outputs lie in a last block that is not whole.
int64_t ElementsOfPartialBlock(const Dimension& dimension, const Model& model) {
  const auto blocks = std::ranges::find_if(dimension.operands, CountsBlocks);
  if (blocks == dimension.operands.end() || dimension.size == 0) return 0;
  int64_t elements = 0;
  for (const AxisPlace& place : dimension.outputs) {
    const int64_t count = ElementCount(model.outputs[place.tensor].shape).value_or(0);
    elements += count / dimension.size * (dimension.size % blocks->block);
  }
  return elements;
}

}  // namespace

Status CellCoverage::Add(const OpCase& op_case, const CaseAnswer& expected) {
  const auto count = static_cast<int64_t>(expected.elements.size());
  // After the last whole vector of 16, and in a last block that is not whole.
  if (count % kTailLanes != 0) counts_["tail"] += count % kTailLanes;
  const Operator* op = FindOperator(op_case.model.node.op_type);
  rounds_ = op == nullptr || op->rounds();
  const auto dimensions = DimensionsOf(op_case.model);
  if (!dimensions) return dimensions.error();
  for (const Dimension& dimension : *dimensions) {
    has_blocks_ = has_blocks_ || std::ranges::any_of(dimension.operands, CountsBlocks);
    const int64_t partial = ElementsOfPartialBlock(dimension, op_case.model);
    if (partial > 0) counts_["last_partial_block"] += partial;
  }
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
  return Ok();
}

std::string CellCoverage::WhyMistrusted() const {
  const auto covers = [&](const char* feature) { return counts_.contains(feature); };
  if (regular_judged_ == 0 && !rounds_) return "no regular element was judged";
  if (rounds_ && (regular_judged_ == 0 || regular_rounded_ == 0 || regular_ties_ == 0)) {
    return "no regular element was rounded at or next to a tie";
  }
  if (!covers("tail")) return "no element lies behind the last whole vector";
  if (has_blocks_ && !covers("last_partial_block")) {
    return "no last block is partial";
  }
  return "";
}

}  // namespace qconform
