// The contents of ConvInteger's cells: which convolutions they are, and that the answers
// of wrong ones differ.
#include "cases/core/testing/asked.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cases/convolution/testing/kinds.h"
#include "cases/convolution/testing/wrong_sums.h"
#include "cases/operators/conv_integer/variant.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr size_t kW = 1;
constexpr size_t kXZeroPoint = 2;
constexpr size_t kWZeroPoint = 3;

std::vector<OpCase> CasesMade(const Cell& cell, Level level) {
  std::vector<OpCase> cases;
  for (const CaseKey& key : ContentsOf(cell, level)) {
    Result<OpCase> made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (made) cases.push_back(*std::move(made));
  }
  return cases;
}

TEST(ConvIntegerAsked, Standard_HasEachKindOfConvolutionInEachCell) {
  int cells = 0;
  for (const Cell& cell : CellsOf("ConvInteger")) {
    Kinds kinds;
    Kinds variants;
    for (const OpCase& made : CasesMade(cell, Level::kStandard)) {
      kinds.merge(KindsOf(made, kW));
      variants.insert(made.key.variant);
    }
    for (const std::string& kind : WantedKinds()) {
      EXPECT_TRUE(kinds.contains(kind)) << kind << ": " << CellId(cell);
    }
    for (const ConvIntegerVariant& variant : ConvIntegerVariants(cell)) {
      EXPECT_TRUE(variants.contains(VariantText(variant)))
          << VariantText(variant) << ": " << CellId(cell);
    }
    ++cells;
  }
  EXPECT_EQ(cells, 8);
}

// What padding contributes shows only where x's zero point is not the code 0.
TEST(ConvIntegerAsked, PaddedContents_HaveAZeroPointFarFromZero) {
  for (const Cell& cell : CellsOf("ConvInteger")) {
    for (const OpCase& made : CasesMade(cell, Level::kStandard)) {
      if (made.key.generator != "padding" && made.key.generator != "auto_pad") continue;
      const ConvolutionCase asked = CaseOf(made, kW, kXZeroPoint, kWZeroPoint);
      EXPECT_GE(asked.x_zero < 0 ? -asked.x_zero : asked.x_zero, 16) << CaseId(made.key);
    }
  }
}

// Those of the output channels of one content all differ.
TEST(ConvIntegerAsked, VectorsOfZeroPoints_HaveNoTwoAlike) {
  int64_t vectors = 0;
  for (const Cell& cell : CellsOf("ConvInteger")) {
    for (const OpCase& made : CasesMade(cell, Level::kStandard)) {
      const Tensor& zero_points = made.operands[kWZeroPoint];
      if (zero_points.shape.empty()) continue;
      const auto codes = ReadCodes(zero_points.view());
      const std::set<uint64_t> distinct(codes.begin(), codes.end());
      // There are 256 codes.
      EXPECT_EQ(distinct.size(), std::min<size_t>(codes.size(), 256)) << CaseId(made.key);
      ++vectors;
    }
  }
  EXPECT_GT(vectors, 500);
}

// How many contents of a cell show each mistake.
std::map<ConvolutionMistake, int> ShownBy(const Cell& cell, Level level) {
  std::map<ConvolutionMistake, int> shown;
  for (const OpCase& made : CasesMade(cell, level)) {
    if (made.key.generator == "overflow") continue;
    const ConvolutionCase asked = CaseOf(made, kW, kXZeroPoint, kWZeroPoint);
    const auto right = SumsOf(asked, ConvolutionMistake::kNone);
    for (int i = 1; i < kConvolutionMistakes; ++i) {
      const auto mistake = static_cast<ConvolutionMistake>(i);
      const auto wrong = SumsOf(asked, mistake);
      shown[mistake] += wrong && *wrong != *right ? 1 : 0;
    }
  }
  return shown;
}

bool IsOfVectors(ConvolutionMistake mistake) {
  using enum ConvolutionMistake;
  return mistake == kFirstWZero || mistake == kWZeroByChannelOfGroup ||
         mistake == kWZeroByInputChannel || mistake == kWZeroByPosition ||
         mistake == kWZeroByBatch;
}

TEST(ConvIntegerAsked, Standard_ShowsEachMistakeMoreThanOnce) {
  for (const Cell& cell : CellsOf("ConvInteger")) {
    for (const auto& [mistake, count] : ShownBy(cell, Level::kStandard)) {
      if (IsOfVectors(mistake) && cell.granularity == "per_tensor") continue;
      EXPECT_GE(count, mistake == ConvolutionMistake::kFloatAccumulator ? 0 : 3)
          << MistakeName(mistake) << ": " << CellId(cell);
    }
  }
}

TEST(ConvIntegerAsked, Smoke_ShowsMostMistakes) {
  for (const Cell& cell : CellsOf("ConvInteger")) {
    int missed = 0;
    std::string names;
    for (const auto& [mistake, count] : ShownBy(cell, Level::kSmoke)) {
      if (count > 0) continue;
      if (IsOfVectors(mistake) && cell.granularity == "per_tensor") continue;
      ++missed;
      names += std::string(" ") + std::string(MistakeName(mistake));
    }
    EXPECT_LE(missed, 3) << CellId(cell) << names;
  }
}

TEST(ConvIntegerVariant, Text_IsReadBackAndOthersAreErrors) {
  for (const Cell& cell : CellsOf("ConvInteger")) {
    for (const ConvIntegerVariant& variant : ConvIntegerVariants(cell)) {
      const auto parsed = ParseConvIntegerVariant(cell, VariantText(variant));
      ASSERT_TRUE(parsed.ok());
      EXPECT_EQ(*parsed, variant);
    }
    for (const char* text : {"", "plain", "x_zp=present", "x_zp=absent,w_zp=present"}) {
      EXPECT_FALSE(ParseConvIntegerVariant(cell, text).ok()) << text;
    }
  }
}

}  // namespace
}  // namespace qconform::generators
