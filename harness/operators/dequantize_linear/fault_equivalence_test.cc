// Faults of DequantizeLinear that no input tells apart: which pairs they are, and that no
// case contradicts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "cases/lattice/cell.h"
#include "harness/core/allows.h"
#include "harness/core/fault.h"
#include "harness/core/testing/survivors.h"
#include "harness/operators/dequantize_linear/faults.h"

namespace qconform {
namespace {

using dequantize_linear::GetFaults;
using Pair = std::pair<const OperatorFault*, const OperatorFault*>;

bool Deviates(const OperatorFault& fault, const Cell& cell) {
  if (!fault.declare) return true;
  return fault.declare(cell).kind != Declaration::Kind::kEquivalent;
}

// The pairs that are one function in a cell, of those that do something there.
std::vector<Pair> PairsOf(const Cell& cell) {
  std::vector<Pair> pairs;
  const auto all = GetFaults().catalogue();
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      if (all[i].has_state || all[j].has_state) continue;
      if (!Deviates(all[i], cell) || !Deviates(all[j], cell)) continue;
      const std::string why =
          GetFaults().WhyIndistinguishable(cell, all[i].set, all[j].set);
      if (!why.empty()) pairs.emplace_back(&all[i], &all[j]);
    }
  }
  return pairs;
}

TEST(DequantizeLinearIndistinguishable, Pairs_AreThese) {
  std::set<std::string> found;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    for (const auto& [a, b] : PairsOf(cell)) {
      found.insert(std::string(a->text.name) + " " + std::string(b->text.name));
    }
  }
  EXPECT_THAT(found, testing::ElementsAre(
                         "float_bias_one_more e8m0_one_binade_less",
                         "product_in_bfloat16 output_dtype_ignored_until_stored",
                         "product_in_float16 output_dtype_ignored_until_stored"));
}

// Nor do faults that are equivalent show anywhere.
TEST(DequantizeLinearIndistinguishable, NoCaseTellsThemApart) {
  int64_t attacked = 0;
  int64_t turn = 0;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    if (++turn % 53 != 0) continue;
    const std::vector<Pair> pairs = PairsOf(cell);
    for (const CaseKey& key : generators::ContentsOf(cell, Level::kSmoke)) {
      const KillCase asked = MakeKillCase(key, [&](const OpCase& made) {
        const auto bound = FindOperator(cell.op_type)
                               ->Bind(made.model.node.attributes, cell.since_version);
        return Result<Answer>(
            (*bound)->Evaluate(generators::OperandsOf(made), {})->front());
      });
      for (const auto& [a, b] : pairs) {
        EXPECT_EQ(asked.CodesOf(a->set), asked.CodesOf(b->set))
            << a->text.name << " and " << b->text.name << " in " << CaseId(key);
      }
      for (const OperatorFault& fault : GetFaults().catalogue()) {
        if (fault.has_state || Deviates(fault, cell)) continue;
        EXPECT_FALSE(Notices(asked.answer, asked.CodesOf(fault.set)))
            << fault.text.name << " in " << CaseId(key);
        attacked += static_cast<int64_t>(asked.answer.elements.size());
      }
    }
  }
  EXPECT_GT(attacked, 1'000'000);
}

}  // namespace
}  // namespace qconform
