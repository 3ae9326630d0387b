// What level standard guarantees every cell, counted in the cases: each length, K,
// opset_version, operand form, rank and way to write an axis.
#include "harness/runner/suites/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness/runner/ask/parallel.h"

namespace qconform {
namespace {

constexpr const char* kProducts = "products in a sum";

using FactSet = std::set<CaseFact>;

void AddNumbers(const std::string& fact, int64_t first, int64_t last, FactSet& facts) {
  for (int64_t number = first; number <= last; ++number) {
    facts.insert({fact, {number, ""}});
  }
}

// K from `first` to 64, and around the multiples of 16 from there to 256.
void AddProducts(int64_t first, FactSet& facts) {
  AddNumbers(kProducts, first, 64, facts);
  for (int64_t k = 80; k <= 256; k += 16) AddNumbers(kProducts, k - 1, k + 1, facts);
}

void AddPlaces(const SelectedCell& selected, FactSet& facts) {
  for (const int opset : selected.versions.opset_versions) {
    facts.insert({"opset_version", {opset, ""}});
  }
  for (const OperandForm form : OperandFormsOf(selected.cell.op_type)) {
    facts.insert({"operand form", {0, std::string(OperandFormName(form))}});
  }
}

// What each cell of QuantizeLinear and DequantizeLinear is asked.
FactSet OfQuantization(const SelectedCell& selected) {
  FactSet facts;
  AddPlaces(selected, facts);
  AddNumbers("elements of x", 0, 64, facts);
  const bool per_tensor = selected.cell.granularity == "per_tensor";
  AddNumbers("rank of x", per_tensor ? 1 : 2, 5, facts);
  if (!per_tensor) {
    AddNumbers("axis", -5, 4, facts);
    facts.insert({"axis", {0, "left out, or a list"}});
    for (const int opset : selected.versions.opset_versions) {
      facts.insert({"opset_version where axis is negative", {opset, ""}});
      facts.insert({"opset_version where axis is given", {opset, ""}});
    }
  }
  return facts;
}

// What a cell is asked; if cells of other granularities share `sums`, these are apart.
struct Guaranteed {
  FactSet of_cell;
  FactSet of_group;
};

Guaranteed Guarantees(const SelectedCell& selected) {
  const std::string& op_type = selected.cell.op_type;
  Guaranteed facts;
  if (op_type == "QuantizeLinear" || op_type == "DequantizeLinear") {
    facts.of_cell = OfQuantization(selected);
    return facts;
  }
  AddPlaces(selected, facts.of_cell);
  if (op_type == "DynamicQuantizeLinear") {
    AddNumbers("elements of x", 1, 64, facts.of_cell);
    AddNumbers("rank of x", 1, 5, facts.of_cell);
    return facts;
  }
  const bool is_matrix = op_type.find("MatMul") != std::string::npos;
  const bool is_spread = op_type == "QLinearMatMul" && selected.cell.since_version == 21;
  FactSet& sums = is_spread ? facts.of_group : facts.of_cell;
  AddProducts(is_matrix ? 0 : 1, sums);
  if (is_matrix) {
    // One column may be a 1-D operand, which leaves y without that dimension.
    const std::string y = op_type[0] == 'Q' ? "y" : "Y";
    AddNumbers("last dimension of " + y, 0, 0, sums);
    AddNumbers("last dimension of " + y, 2, 64, sums);
  } else {
    AddNumbers("elements of a channel", 1, 64, sums);
  }
  return facts;
}

// The facts of the rows of covering arrays.
Result<FactSet> FactsOf(const std::vector<CaseKey>& keys) {
  FactSet facts;
  CaseMaker maker(1);
  for (const CaseKey& key : keys) {
    if (key.generator != "sizes") continue;
    const auto made = maker.Make(key);
    if (!made) return made.error();
    const auto of_case = FactsOfCase(*made);
    if (!of_case) return of_case.error();
    facts.insert(of_case->begin(), of_case->end());
  }
  return facts;
}

std::string Missing(const FactSet& guaranteed, const FactSet& asked) {
  std::string missing;
  for (const CaseFact& fact : guaranteed) {
    if (asked.contains(fact)) continue;
    missing += (missing.empty() ? "" : "; ") + fact.first + " " + FactText(fact.second);
  }
  return missing;
}

// Cells that differ only by their granularity.
std::string GroupOf(const Cell& cell) {
  Cell group = cell;
  group.granularity.clear();
  return CellId(group);
}

TEST(Coverage, WhatIsGuaranteed_IsAskedOfEveryCell) {
  const auto cells = SelectCells({});
  ASSERT_TRUE(cells.ok());
  std::map<std::string, Guaranteed> groups;  // and what they are asked: of_cell
  std::mutex mutex;
  const std::atomic<bool> never{false};
  const auto ran = ForEachInParallel(
      cells->size(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
      never, [&](size_t at) -> Result<bool> {
        const SelectedCell& selected = (*cells)[at];
        const auto facts =
            FactsOf(CasesOf(selected.cell, selected.versions, Level::kStandard));
        if (!facts) return facts.error();
        const Guaranteed guaranteed = Guarantees(selected);
        const std::lock_guard lock(mutex);
        EXPECT_EQ(Missing(guaranteed.of_cell, *facts), "") << CellId(selected.cell);
        Guaranteed& group = groups[GroupOf(selected.cell)];
        group.of_group.insert(guaranteed.of_group.begin(), guaranteed.of_group.end());
        group.of_cell.insert(facts->begin(), facts->end());
        return true;
      });
  ASSERT_TRUE(ran.ok()) << ran.error().message;
  for (const auto& [name, group] : groups) {
    EXPECT_EQ(Missing(group.of_group, group.of_cell), "") << name;
  }
}

// Each case of a length, and of a K, is needed: without it the check above fails.
TEST(Coverage, ASizeThatIsDropped_IsMissed) {
  for (const auto& [pattern, fact] : std::map<std::string, CaseFact>{
           {"QuantizeLinear/13/FLOAT-FLOAT-INT8/per_axis", {"elements of x", {11, ""}}},
           {"QLinearMatMul/10/*-INT8-INT8-INT8/per_tensor-per_tensor",
            {kProducts, {256, ""}}}}) {
    const auto cells = SelectCells({pattern});
    ASSERT_TRUE(cells.ok()) << cells.error().message;
    const SelectedCell& selected = cells->front();
    auto keys = CasesOf(selected.cell, selected.versions, Level::kStandard);
    const size_t before = keys.size();
    std::erase_if(keys, [&](const CaseKey& key) {
      if (key.generator != "sizes") return false;
      const auto facts = FactsOf({key});
      EXPECT_TRUE(facts.ok());
      return facts.ok() && facts->contains(fact);
    });
    EXPECT_EQ(keys.size(), before - 1) << pattern;
    const auto facts = FactsOf(keys);
    ASSERT_TRUE(facts.ok());
    EXPECT_NE(Missing(Guarantees(selected).of_cell, *facts), "") << pattern;
  }
}

TEST(Coverage, Counts_AreThoseOfTheCases) {
  const auto cells = SelectCells({"QuantizeLinear/13/FLOAT-FLOAT-INT8/*"});
  ASSERT_TRUE(cells.ok());
  const auto coverage = CountCoverage("QuantizeLinear", *cells, Level::kSmoke, 2);
  ASSERT_TRUE(coverage.ok()) << coverage.error().message;
  int64_t cases = 0;
  for (const SelectedCell& cell : *cells) {
    cases +=
        static_cast<int64_t>(CasesOf(cell.cell, cell.versions, Level::kSmoke).size());
  }
  EXPECT_EQ(coverage->cells, 2);
  EXPECT_EQ(coverage->cases, cases);
  int64_t by_form = 0;
  for (const FactCount& count : coverage->facts) {
    EXPECT_LE(count.cells, count.of_cells) << count.fact;
    EXPECT_GE(count.cases, count.cells) << count.fact;
    if (count.fact == "operand form") by_form += count.cases;
  }
  EXPECT_EQ(by_form, cases);
}

}  // namespace
}  // namespace qconform
