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

// The size of the blocks of an operand's or output's axis; 0: there are none.
int64_t BlockOf(const Dimension& dimension) {
  for (const auto* places : {&dimension.operands, &dimension.outputs}) {
    for (const AxisPlace& place : *places) {
      if (place.block > 1) return place.block;
    }
  }
  return 0;
}

// The number of elements of outputs in a last block that is not whole.
int64_t ElementsOfPartialBlock(const Dimension& dimension, const CaseAnswer& expected) {
  const int64_t block = BlockOf(dimension);
  if (block == 0 || dimension.size % block == 0) return 0;
  // A dimension that is summed: every element has a part of the last block.
  if (dimension.outputs.empty()) return static_cast<int64_t>(expected.elements.size());
  Dimension whole = dimension;
  whole.size -= dimension.size % block;
  int64_t elements = 0;
  for (const AxisPlace& place : dimension.outputs) {
    const int64_t size = SizeAt(dimension, place);
    const auto count = static_cast<int64_t>(expected.SizeOf(place.tensor));
    elements += count / size * (size - SizeAt(whole, place));
  }
  return elements;
}

}  // namespace

Status CellCoverage::Add(const OpCase& op_case, const CaseAnswer& expected) {
  const auto model = BindModel(op_case.model);
  if (!model) return model.error();
  const Operands operands = DeclaredOperands(op_case.model);
  const auto dimensions = model->bound->DimensionsOf(operands);
  if (!dimensions) return dimensions.error();
  Add(model->bound->rounds(operands), *dimensions, expected);
  return Ok();
}

void CellCoverage::Add(bool rounds, const Dimensions& dimensions,
                       const CaseAnswer& expected) {
  rounds_ = rounds_ || rounds;
  has_tail_.resize(expected.outputs.size());
  for (size_t output = 0; output < expected.outputs.size(); ++output) {
    // After the last whole vector of 16.
    const auto tail = static_cast<int64_t>(expected.SizeOf(output)) % kTailLanes;
    if (tail == 0) continue;
    counts_["tail"] += tail;
    has_tail_[output] = true;
  }
  for (const Dimension& dimension : dimensions) {
    has_blocks_ = has_blocks_ || BlockOf(dimension) != 0;
    const int64_t partial = ElementsOfPartialBlock(dimension, expected);
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
}

std::string CellCoverage::WhyMistrusted() const {
  const auto covers = [&](const char* feature) { return counts_.contains(feature); };
  if (regular_judged_ == 0 && !rounds_) return "no regular element was judged";
  if (rounds_ && (regular_judged_ == 0 || regular_rounded_ == 0 || regular_ties_ == 0)) {
    return "no regular element was rounded at or next to a tie";
  }
  if (std::ranges::find(has_tail_, false) != has_tail_.end()) {
    return "no element lies behind the last whole vector";
  }
  if (has_blocks_ && !covers("last_partial_block")) {
    return "no last block is partial";
  }
  return "";
}

}  // namespace qconform
