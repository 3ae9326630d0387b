// The lengths and codes in the contents of DequantizeLinear's cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cases/core/testing/asked.h"
#include "cases/operators/dequantize_linear/variant.h"
#include "cases/quantization/channel_layout.h"
#include "oracle/formats/codes.h"
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
  int64_t behind = 1;
  for (int64_t d = axis + 1; d < rank; ++d) behind *= shape[static_cast<size_t>(d)];
  return behind > 1 ? behind : shape[static_cast<size_t>(axis)];
}

// Whether the elements that vectors of 16 leave of a line have an answer other than zero.
// (That roundings show in tails, too, wrong models with such tails test.)
bool TailTells(const OpCase& made, int64_t line) {
  const auto bound = FindOperator("DequantizeLinear")
                         ->Bind(made.model.node.attributes, made.key.cell.since_version);
  const Operands operands = OperandsOf(made);
  const auto answers = (*bound)->Evaluate(operands, {});
  EXPECT_TRUE(answers.ok()) << CaseId(made.key);
  if (!answers) return false;
  const int64_t tail = line % 16 == 0 ? 16 : line % 16;
  const auto& elements = (*answers)[0].elements;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (static_cast<int64_t>(i) % line < line - tail) continue;
    const ElementAnswer& element = elements[i];
    if (element.freedom == Freedom::kNone &&
        (element.features & kFeatureZeroResult) == 0) {
      return true;
    }
  }
  return false;
}

std::string Missing(const Lengths& lengths, int64_t modulus) {
  Lengths remainders;
  for (const int64_t length : lengths) remainders.insert(length % modulus);
  std::string missing;
  for (int64_t r = 0; r < modulus; ++r) {
    if (remainders.count(r) == 0) missing += " " + std::to_string(r);
  }
  return missing;
}

TEST(ContentsAsked, Standard_HasEachTailOfSixteenInEachCell) {
  int64_t cells = 0;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    Lengths tails;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const int64_t line = LineOf(*made);
      if (line == 0) continue;
      if (tails.count(line % 16) == 0 && TailTells(*made, line)) tails.insert(line % 16);
    }
    EXPECT_EQ(Missing(tails, 16), "") << CellId(cell);
    ++cells;
  }
  EXPECT_GT(cells, 1400);
}

// Those of 16 bits are shared among the cells of a since_version with equal x.
TEST(ContentsAsked, Standard_HasEveryCodeOfX) {
  std::map<std::pair<int, DataType>, std::vector<bool>> wide;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    const int bits = BitWidth(cell.types[0]);
    if (bits > 16) continue;
    std::vector<bool> of_cell(size_t{1} << bits, false);
    std::vector<bool>& asked =
        bits == 16
            ? wide.try_emplace({cell.since_version, cell.types[0]}, of_cell).first->second
            : of_cell;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      if (key.generator != "codes") continue;
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      for (const uint64_t code : ReadCodes(made->operands[0].view())) asked[code] = true;
    }
    if (bits < 16) {
      EXPECT_EQ(std::ranges::count(asked, false), 0) << CellId(cell);
    }
  }
  for (const auto& [group, asked] : wide) {
    EXPECT_EQ(std::ranges::count(asked, false), 0)
        << "since " << group.first << " " << DataTypeName(group.second);
  }
  EXPECT_FALSE(wide.empty());
}

// DQ-50: in cells whose x do not fill the last byte.
TEST(ContentsAsked, EachLevel_HasUnusedBitsOfOnesAndOfZeros) {
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    if (BitWidth(cell.types[0]) >= 8) continue;
    bool ones = false;
    bool zeros = false;
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Tensor& x = made->operands[0];
      if (x.data.empty()) continue;
      const std::byte unused = ~LastByteMask(x.type, ElementCount(x.shape).value());
      if (unused == std::byte{0}) continue;
      const std::byte found = x.data.back() & unused;
      ones = ones || found == unused;
      zeros = zeros || found == std::byte{0};
    }
    EXPECT_TRUE(ones && zeros) << CellId(cell);
  }
}

// Both ends, and ranks 0 to 8, over all cells of a since_version.
TEST(ContentsAsked, Standard_HasEveryRankAndAxisFromBothEnds) {
  std::map<int, std::set<size_t>> ranks;
  std::map<int, std::set<int64_t>> axes;
  std::map<int, std::set<std::string>> variants;
  for (const Cell& cell : CellsOf("DequantizeLinear")) {
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      if (key.generator != "shapes" && key.generator != "large") continue;
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << made.error().message;
      ranks[cell.since_version].insert(made->operands[0].shape.size());
      variants[cell.since_version].insert(key.variant);
      for (const Attribute& attribute : made->model.node.attributes) {
        if (attribute.name != "axis") continue;
        axes[cell.since_version].insert(std::get<int64_t>(attribute.value));
      }
    }
  }
  for (const auto& [since, of_version] : variants) {
    EXPECT_TRUE(of_version.contains("zp=absent")) << since;
    EXPECT_TRUE(of_version.contains("zp=empty")) << since;
    EXPECT_EQ(of_version.contains("zp=present,output_dtype=0"), since >= 23) << since;
  }
  EXPECT_EQ(ranks.rbegin()->second, (std::set<size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  for (const int64_t axis : {-4, -3, -2, -1, 0, 1, 2, 3}) {
    EXPECT_TRUE(axes.rbegin()->second.contains(axis)) << axis;
  }
}

TEST(DequantizeLinearVariant, Text_IsReadBackAndOthersAreErrors) {
  Cell cell;
  for (const Cell& each : CellsOf("DequantizeLinear")) {
    if (each.since_version >= 23 && each.types[1] == each.types[2]) cell = each;
  }
  for (const char* text : {"zp=present", "zp=absent", "zp=empty,output_dtype=0"}) {
    const auto variant = ParseDequantizeLinearVariant(cell, text);
    ASSERT_TRUE(variant.ok()) << text;
    EXPECT_EQ(VariantText(cell, *variant), text);
  }
  for (const char* text : {"", "plain", "zp=", "zp=none", "zp=present,output_dtype=INT8",
                           "output_dtype=0", "zp=present,", "zp=presentx"}) {
    EXPECT_FALSE(ParseDequantizeLinearVariant(cell, text).ok()) << text;
  }
  cell.since_version = 13;
  EXPECT_FALSE(ParseDequantizeLinearVariant(cell, "zp=present,output_dtype=0").ok());
}

}  // namespace
}  // namespace qconform::generators
