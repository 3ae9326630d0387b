// The lengths in the contents of QuantizeLinear's cells: tails of vectors of up to 16
// elements in each cell, and of 64 in cells whose y are of one width.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cases/operators/quantize_linear/testing/problem.h"
#include "cases/quantization/channel_layout.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

using Lengths = std::set<int64_t>;

// What a kernel processes in one go: x; the elements after the axis, or the axis where
// it is the last dimension.
int64_t LineOf(const OpCase& made) {
  const Shape& shape = made.operands[0].shape;
  if (GranularityOf(made.key.cell) == ScaleGranularity::kPerTensor) {
    return ElementCount(shape).value();
  }
  int64_t axis = 1;
  for (const Attribute& attribute : made.model.node.attributes) {
    if (attribute.name == "axis") axis = std::get<int64_t>(attribute.value);
  }
  const auto rank = static_cast<int64_t>(shape.size());
  if (axis < 0) axis += rank;
  if (rank == 1) axis = 0;
  int64_t behind = 1;
  for (int64_t d = axis + 1; d < rank; ++d) behind *= shape[static_cast<size_t>(d)];
  return behind > 1 ? behind : shape[static_cast<size_t>(axis)];
}

// Whether another rounding would be seen in what vectors of 16 leave of a line.
bool TailTells(const OpCase& made, int64_t line) {
  const Result<Answer> answer = EvaluateQuantizeLinear(ProblemOf(made));
  EXPECT_TRUE(answer.ok()) << CaseId(made.key);
  if (!answer) return false;
  const int64_t tail = line % 16 == 0 ? 16 : line % 16;
  for (size_t i = 0; i < answer->elements.size(); ++i) {
    if (static_cast<int64_t>(i) % line < line - tail) continue;
    const ElementAnswer& element = answer->elements[i];
    const bool inexact = (element.features & kFeatureInexact) != 0;
    if (inexact && element.tier == Tier::kRegular) return true;
  }
  return false;
}

Lengths Modulo(const Lengths& lengths, int64_t modulus) {
  Lengths remainders;
  for (const int64_t length : lengths) remainders.insert(length % modulus);
  return remainders;
}

std::string Missing(const Lengths& lengths, int64_t modulus) {
  const Lengths remainders = Modulo(lengths, modulus);
  std::string missing;
  for (int64_t r = 0; r < modulus; ++r) {
    if (remainders.count(r) == 0) missing += " " + std::to_string(r);
  }
  return missing;
}

TEST(TailsAsked, Standard_HasEachTailOfSixteenInEachCell) {
  int64_t cells = 0;
  for (const Cell& cell : CellsOf("QuantizeLinear")) {
    Lengths lines;
    Lengths tails;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const int64_t line = LineOf(*made);
      if (tails.count(line % 16) == 0 && TailTells(*made, line)) tails.insert(line % 16);
      lines.insert(line);
    }
    EXPECT_EQ(Missing(tails, 16), "") << CellId(cell);
    if (GranularityOf(cell) == ScaleGranularity::kPerTensor) {
      EXPECT_GE(Modulo(lines, 64).size(), 20u) << CellId(cell);
    }
    ++cells;
  }
  EXPECT_GT(cells, 2000);
}

TEST(TailsAsked, Standard_HasEachTailOf64InCellsOfOneWidth) {
  std::map<std::pair<int, int>, Lengths> lines;
  for (const Cell& cell : CellsOf("QuantizeLinear")) {
    if (GranularityOf(cell) != ScaleGranularity::kPerTensor) continue;
    Lengths& of_width = lines[{cell.since_version, BitWidth(OutputType(cell))}];
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      of_width.insert(LineOf(*made));
    }
  }
  for (const auto& [group, of_width] : lines) {
    EXPECT_EQ(Missing(of_width, 64), "")
        << "since " << group.first << ", " << group.second << " bits";
  }
  EXPECT_GE(lines.size(), 10u);
}

}  // namespace
}  // namespace qconform::generators
