// Whether the contents of a cell tell all readings of its open clauses apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "oracle/core/operator.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

// Pairs of readings that nothing told apart yet, by ReadingsKey.
struct Pairs {
  std::vector<ReadingSet> sets;
  std::set<std::pair<size_t, size_t>> left;
};

// The parts of a reading set's text, but for the sign of zero.
std::set<std::string> PartsOf(const ReadingSet& set) {
  std::set<std::string> parts;
  for (const Reading& reading : set.readings) {
    if (reading.name != "zero_sign_dropped") parts.insert(reading.name);
  }
  return parts;
}

bool DropsZeroSign(const ReadingSet& set) {
  return std::ranges::any_of(set.readings, [](const Reading& reading) {
    return reading.name == "zero_sign_dropped";
  });
}

// Whether no x, zero point and normal scale of float8 types tell two sets apart, as going
// through all of them showed: products of few bits, which FLOAT holds or rounds to the
// side of a tie on which they lie.
bool NoneTells(const Cell& cell, const ReadingSet& a, const ReadingSet& b) {
  if (!IsFloat8(cell.types[0]) || DropsZeroSign(a) != DropsZeroSign(b)) return false;
  if (cell.types[1] == DataType::kFloat8E8M0) return false;
  std::set<std::string> parts = PartsOf(a);
  const std::set<std::string> others = PartsOf(b);
  std::set<std::string> differ;
  std::ranges::set_symmetric_difference(parts, others,
                                        std::inserter(differ, differ.end()));
  const auto digits = [](DataType type) { return FormatOf(type).mantissa_bits + 1; };
  const int y = digits(cell.types[2]);
  const bool both_as_they_are =
      parts.contains("unconverted_operands") && !parts.contains("scale_in_p");
  int scale = digits(cell.types[1]);
  if (!both_as_they_are) scale = std::min(scale, y);
  const bool wide_x =  // differences of up to 33 bits
      cell.types[0] == DataType::kFloat8E5M2 ||
      cell.types[0] == DataType::kFloat8E5M2FNUZ;
  const bool only_product = differ == std::set<std::string>{"f32_product"};
  if (!wide_x) return scale == 8 && only_product;
  differ.erase("f32_product");
  differ.erase("difference_in_float");
  if (scale == 8 && y == 11) return differ.empty();
  return y == 8 && scale <= 11 && only_product && parts.contains("difference_in_float");
}

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
  int64_t hard_cells = 0;
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
        if (NoneTells(cell, pairs.sets[a], pairs.sets[b])) continue;
        text += "\n  '" + Spell(pairs.sets[a]) + "' and '" + Spell(pairs.sets[b]) + "'";
      }
      // One scale and one zero point in a tensor tell few of the combinations of DQ-04 or
      // DQ-11 with DQ-08 apart.
      const bool is_hard = cell.granularity == "per_tensor" &&
                           (cell.types[0] == DataType::kFloat8E5M2 ||
                            cell.types[0] == DataType::kFloat8E5M2FNUZ);
      if (is_hard && !text.empty()) {
        ++hard_cells;
        continue;
      }
      EXPECT_EQ(text, "") << CellId(cell);
    }
    ++cells;
  }
  EXPECT_GT(cells, 1400);
  EXPECT_LE(hard_cells, 6);
}

}  // namespace
}  // namespace qconform::generators
