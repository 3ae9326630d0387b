#include "harness/compare/compare.h"

#include <gtest/gtest.h>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

Tensor Codes(DataType type, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, {static_cast<int64_t>(codes.size())});
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

Answer Expect(DataType type, std::vector<ElementAnswer> elements) {
  const auto count = static_cast<int64_t>(elements.size());
  return {type, {count}, std::move(elements)};
}

TEST(Allows, Bits_TheSignOfZeroCounts) {
  const ElementAnswer zero{.code = 0x00};
  EXPECT_TRUE(Allows(DataType::kFloat8E4M3FN, zero, 0x00));
  EXPECT_FALSE(Allows(DataType::kFloat8E4M3FN, zero, 0x80));
  EXPECT_FALSE(Allows(DataType::kFloat4E2M1, zero, 0x8));
}

TEST(Allows, AnyNan_TakesNansAlone) {
  const ElementAnswer nan{.code = 0x7f, .freedom = Freedom::kAnyNan};
  EXPECT_TRUE(Allows(DataType::kFloat8E4M3FN, nan, 0xff));
  EXPECT_FALSE(Allows(DataType::kFloat8E4M3FN, nan, 0x7e));
  // E5M2 has six NaN codes; Inf is none of them.
  EXPECT_TRUE(Allows(DataType::kFloat8E5M2, nan, 0x7d));
  EXPECT_FALSE(Allows(DataType::kFloat8E5M2, nan, 0x7c));
}

TEST(Allows, Infinity_IsNoWildcard) {
  const ElementAnswer infinity{.code = 0x7c};
  for (uint64_t code = 0; code < 256; ++code) {
    EXPECT_EQ(Allows(DataType::kFloat8E5M2, infinity, code), code == 0x7c);
  }
}

TEST(Allows, OneUlp_IsADifference) {
  const ElementAnswer element{.code = 7};
  EXPECT_FALSE(Allows(DataType::kUint8, element, 6));
  EXPECT_FALSE(Allows(DataType::kUint8, element, 8));
}

TEST(Compare, SubByteElements_AreComparedOneByOne) {
  const Answer expected = Expect(DataType::kInt4, {{.code = 1}, {.code = 2}, {.code = 3}});
  EXPECT_EQ(Compare(expected, {Codes(DataType::kInt4, {1, 2, 3})}, 3).mismatches(), 0);
  const Comparison swapped = Compare(expected, {Codes(DataType::kInt4, {2, 1, 3})}, 3);
  EXPECT_EQ(swapped.mismatches(), 2);
  ASSERT_EQ(swapped.first.size(), 2u);
  EXPECT_EQ(swapped.first[1].index, 1);
  EXPECT_EQ(swapped.first[1].actual, 1u);
}

TEST(Compare, PaddingBits_AreNobodysElement) {
  const Answer expected = Expect(DataType::kUint2, {{.code = 1}});
  Tensor y = Codes(DataType::kUint2, {1});
  y.data[0] |= std::byte{0xfc};
  EXPECT_EQ(Compare(expected, {y}, 1).mismatches(), 0);
}

TEST(Compare, FreeElements_AreCountedAndNotJudged) {
  const Answer expected = Expect(
      DataType::kUint8, {{.code = 0, .freedom = Freedom::kAnyCode}, {.code = 5}});
  const Comparison comparison = Compare(expected, {Codes(DataType::kUint8, {99, 5})}, 1);
  EXPECT_EQ(comparison.mismatches(), 0);
  EXPECT_EQ(comparison.free_elements, 1);
}

TEST(Compare, Tiers_AreKeptApart) {
  const Answer expected =
      Expect(DataType::kUint8, {{.code = 1}, {.code = 2, .tier = Tier::kSubnormal}});
  const Comparison comparison = Compare(expected, {Codes(DataType::kUint8, {1, 3})}, 1);
  EXPECT_EQ(comparison.tiers[static_cast<size_t>(Tier::kRegular)].mismatches, 0);
  EXPECT_EQ(comparison.tiers[static_cast<size_t>(Tier::kSubnormal)].mismatches, 1);
}

TEST(Compare, WrongForm_IsInvalidOutput) {
  const Answer expected = Expect(DataType::kUint8, {{.code = 1}});
  const Tensor right = Codes(DataType::kUint8, {1});
  EXPECT_NE(Compare(expected, {}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {right, right}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {Codes(DataType::kInt8, {1})}, 1).invalid_output, "");
  EXPECT_NE(Compare(expected, {Codes(DataType::kUint8, {1, 1})}, 1).invalid_output, "");
  Tensor short_data = right;
  short_data.data.clear();
  EXPECT_NE(Compare(expected, {short_data}, 1).invalid_output, "");
}

}  // namespace
}  // namespace qconform
