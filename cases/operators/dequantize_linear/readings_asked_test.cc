// Whether the contents of a cell tell all readings of its open clauses apart.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "oracle/core/operator.h"

namespace qconform::generators {
namespace {

// Pairs of readings that nothing told apart yet, by ReadingsKey.
struct Pairs {
  std::vector<ReadingSet> sets;
  std::set<std::pair<size_t, size_t>> left;
};

// Removes the pairs that a case tells apart.
void Tell(const OpCase& made, std::map<int64_t, Pairs>& by_key) {
  const Operator* op = FindOperator("DequantizeLinear");
  const auto bound = op->Bind(made.model.node.attributes, made.key.cell.since_version);
  ASSERT_TRUE(bound.ok());
  const Operands operands = OperandsOf(made);
  Pairs& pairs = by_key[(*bound)->ReadingsKey()];
  if (pairs.sets.empty()) {
    const auto sets = (*bound)->Readings(operands);
    ASSERT_TRUE(sets.ok()) << sets.error().message;
    pairs.sets = *sets;
    for (size_t a = 0; a < sets->size(); ++a) {
      for (size_t b = a + 1; b < sets->size(); ++b) pairs.left.emplace(a, b);
    }
  }
  std::map<size_t, Answer> answers;
  const auto answer_by = [&](size_t set) -> const Answer& {
    const auto found = answers.find(set);
    if (found != answers.end()) return found->second;
    return answers.emplace(set, (*(*bound)->Evaluate(operands, pairs.sets[set]))[0])
        .first->second;
  };
  std::erase_if(pairs.left, [&](const std::pair<size_t, size_t>& pair) {
    const Answer& a = answer_by(pair.first);
    const Answer& b = answer_by(pair.second);
    for (size_t i = 0; i < a.elements.size(); ++i) {
      if (a.elements[i].freedom == Freedom::kNone &&
          a.elements[i].code != b.elements[i].code) {
        return true;
      }
    }
    return false;
  });
}

TEST(ReadingsAsked, Standard_TellsAllReadingsApartInEachCell) {
  int64_t cells = 0;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    std::map<int64_t, Pairs> by_key;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      Tell(*made, by_key);
    }
    for (const auto& [key, pairs] : by_key) {
      std::string text;
      for (const auto& [a, b] : pairs.left) {
        text += "\n  '" + Spell(pairs.sets[a]) + "' and '" + Spell(pairs.sets[b]) + "'";
      }
      EXPECT_EQ(text, "") << CellId(cell);
    }
    ++cells;
  }
  EXPECT_GT(cells, 1400);
}

}  // namespace
}  // namespace qconform::generators
