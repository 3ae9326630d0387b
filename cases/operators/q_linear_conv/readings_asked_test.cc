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

using Pair = std::pair<size_t, size_t>;

bool Differ(const Answer& a, const Answer& b) {
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (a.elements[i].freedom == Freedom::kNone &&
        a.elements[i].code != b.elements[i].code) {
      return true;
    }
  }
  return false;
}

// Removes the pairs that a case tells apart.
void Tell(const OpCase& made, std::vector<ReadingSet>& sets, std::set<Pair>& left) {
  const auto bound = FindOperator("QLinearConv")->Bind(made.model.node.attributes, 10);
  const Operands operands = OperandsOf(made);
  if (sets.empty()) {
    const auto all = (*bound)->Readings(operands);
    ASSERT_TRUE(all.ok()) << all.error().message;
    for (const ReadingSet& set : *all) {
      if (!set.is_bounded()) sets.push_back(set);
    }
    for (size_t a = 0; a < sets.size(); ++a) {
      for (size_t b = a + 1; b < sets.size(); ++b) left.emplace(a, b);
    }
  }
  std::map<size_t, Answer> answers;
  const auto answer_by = [&](size_t set) -> const Answer& {
    const auto found = answers.find(set);
    if (found != answers.end()) return found->second;
    return answers.emplace(set, (*(*bound)->Evaluate(operands, sets[set]))[0])
        .first->second;
  };
  std::erase_if(left, [&](const Pair& pair) {
    return Differ(answer_by(pair.first), answer_by(pair.second));
  });
}

// The way to requantize of a set, and how it rounds.
std::pair<std::string, std::string> PartsOf(const ReadingSet& set) {
  std::pair<std::string, std::string> parts;
  for (const Reading& reading : set.readings) {
    (reading.clause == "QC-01" ? parts.second : parts.first) = reading.name;
  }
  return parts;
}

// If y is UINT8, then v + y_zero_point is at least 0 wherever it is not saturated: away
// from 0 is up there.
bool AreAlike(const Cell& cell, const ReadingSet& a, const ReadingSet& b) {
  if (cell.types[2] != DataType::kUint8) return false;
  const std::set<std::string> roundings{PartsOf(a).second, PartsOf(b).second};
  return roundings ==
         std::set<std::string>{"ties_up", "zero_point_before_rounding_ties_away"};
}

TEST(QLinearConvReadings, Standard_TellsAllApartInEachCell) {
  for (const Cell& cell : CellsOf("QLinearConv")) {
    std::vector<ReadingSet> sets;
    std::set<Pair> left;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      if (!sets.empty() && left.empty()) break;
      if (key.generator != "readings" && key.generator != "boundaries" &&
          key.generator != "exact_ties" && key.generator != "bias") {
        continue;
      }
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      Tell(*made, sets, left);
    }
    EXPECT_GT(sets.size(), 12u);
    std::string text;
    for (const auto& [a, b] : left) {
      if (AreAlike(cell, sets[a], sets[b])) continue;
      text += "\n  '" + Spell(sets[a]) + "' and '" + Spell(sets[b]) + "'";
    }
    EXPECT_EQ(text, "") << CellId(cell);
  }
}

}  // namespace
}  // namespace qconform::generators
