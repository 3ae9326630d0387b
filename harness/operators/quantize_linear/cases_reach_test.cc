// What the cases of each cell reach, by the oracle's own account of its answers.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/testing/problem.h"
#include "harness/core/testing/survivors.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/base/glob.h"

namespace qconform::generators {
namespace {

// What a cell is asked, all contents together.
struct Coverage {
  std::array<int64_t, kTierCount> tiers{};
  // In tier regular, as all that follow.
  int64_t even_ties = 0;  // ties whose even neighbour is the one nearer to zero
  int64_t odd_ties = 0;
  int64_t near_ties = 0;
  int64_t low = 0;
  int64_t high = 0;
  int64_t last_partial_block = 0;
  int64_t elements = 0;
};

void Count(const CaseKey& key, Coverage& coverage) {
  const KillCase asked = MakeKillCase(
      key, [](const OpCase& made) { return EvaluateQuantizeLinear(ProblemOf(made)); });
  const Codes away = asked.CodesOf(
      QuantizeLinearSwitches{.rounding = QuantizeLinearSwitches::Rounding::kAway});
  const QuantizeLinearLayout& layout = quantize_linear::Case::Of(*asked.decoded).layout;
  const bool blocked = GranularityOf(key.cell) == ScaleGranularity::kBlocked;
  const int64_t whole = layout.axis - layout.axis % layout.block;
  for (size_t i = 0; i < asked.answer.elements.size(); ++i) {
    const ElementAnswer& element = asked.answer.elements[i];
    ++coverage.elements;
    ++coverage.tiers[static_cast<size_t>(element.tier)];
    if (element.tier != Tier::kRegular) continue;
    const auto has = [&](Feature feature) { return (element.features & feature) != 0; };
    if (has(kFeatureTie)) {
      ++(away[i] == element.code ? coverage.odd_ties : coverage.even_ties);
    }
    coverage.near_ties += has(kFeatureNearTie) ? 1 : 0;
    coverage.low += has(kFeatureSaturatedLow) ? 1 : 0;
    coverage.high += has(kFeatureSaturatedHigh) ? 1 : 0;
    const auto at = static_cast<int64_t>(i);
    if (blocked && at / layout.inner % layout.axis >= whole)
      ++coverage.last_partial_block;
  }
}

bool IsWide(DataType type) {
  return type == DataType::kFloat || type == DataType::kInt32;
}

// A quotient within 2^-16 of a tie, but not at it, needs a P that keeps so many
// bits, and as many in x, or in the scale where x reaches as far.
bool CanBeNearTie(const Cell& cell) {
  const DataType p = QuotientType(cell, {});
  if (!HasPrecision(cell.since_version) && p != DataType::kUndefined && !IsWide(p)) {
    return false;
  }
  const DataType x = cell.types[0];
  const DataType scale = cell.types[1];
  if (x == DataType::kInt32) return scale != DataType::kFloat16;
  if (scale == DataType::kInt32) return x != DataType::kFloat16;
  return x == DataType::kFloat || scale == DataType::kFloat;
}

bool CanLeaveRange(const Cell& cell) {
  const auto can = [&](const QuantizeLinearVariant& variant) {
    return HasConversionRange(QuantizeLinearQuestion(cell, variant, 0, CounterRng(0)));
  };
  return can({}) ||
         (HasPrecision(cell.since_version) && can({.precision = DataType::kFloat16}));
}

bool CanBeSubnormal(const Cell& cell) {
  return cell.types[0] != DataType::kInt32 || cell.types[1] != DataType::kInt32 ||
         HasPrecision(cell.since_version);
}

// QCONFORM_COVERAGE_CELLS is a pattern of cells, for work on the generators.
TEST(Coverage, Standard_ReachesWhatEachCellHas) {
  const char* pattern = std::getenv("QCONFORM_COVERAGE_CELLS");
  int64_t turn = 0;
  int64_t cells = 0;
  for (const Cell& cell : CellsOf("QuantizeLinear")) {
    if (pattern != nullptr ? !GlobMatches(pattern, CellId(cell)) : ++turn % 23 != 0) {
      continue;
    }
    ++cells;
    Coverage coverage;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) Count(key, coverage);
    const std::string id = CellId(cell);
    const auto tier = [&](Tier which) {
      return coverage.tiers[static_cast<size_t>(which)];
    };
    EXPECT_GE(coverage.even_ties, 10) << id;
    EXPECT_GE(coverage.odd_ties, 10) << id;
    EXPECT_GE(coverage.low, 5) << id;
    EXPECT_GE(coverage.high, 5) << id;
    if (CanBeNearTie(cell)) {
      EXPECT_GE(coverage.near_ties, 3) << id;
    }
    if (GranularityOf(cell) == ScaleGranularity::kBlocked) {
      EXPECT_GE(coverage.last_partial_block, 100) << id;
    }
    EXPECT_GE(tier(Tier::kDegenerateScale), 50) << id;
    if (CanBeSubnormal(cell)) {
      EXPECT_GE(tier(Tier::kSubnormal), 20) << id;
    }
    if (CanLeaveRange(cell)) {
      EXPECT_GE(tier(Tier::kConversionRange), 20) << id;
    }
    // Contested questions must not crowd out the regular ones.
    EXPECT_GE(2 * tier(Tier::kRegular), coverage.elements) << id;
  }
  EXPECT_GT(cells, 0);
}

}  // namespace
}  // namespace qconform::generators
