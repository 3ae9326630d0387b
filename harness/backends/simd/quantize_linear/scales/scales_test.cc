// How scales lie: laid out once or in parts, in short blocks and rows, shared by rows,
// and turned into reciprocals where that pays. Against the oracle, on every target.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/backends/simd/quantize_linear/testing/judge.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"

namespace qconform::simd {
namespace {

// Scales that are used often are turned into reciprocals: laid out once, from rows,
// and in blocks.
TEST(QuantizeLinear, ScalesOfManyUses_AreTheOracles) {
  using enum DataType;
  const std::vector<Layout> layouts = {
      {{70, 67}, {67}, 1, 0, false},     {{70, 67}, {67}, 1, 0, true},
      {{9, 1500}, {1500}, 1, 0, false},  {{9, 1500}, {1500}, 1, 0, true},
      {{18, 300}, {2, 300}, 0, 9, true}, {{3, 2048}, {3, 32}, 1, 64, true},
      {{2, 4, 700}, {4}, 1, 0, true},    {{3, 4096}, {3}, 0, 0, true},
      {{2, 3000}, {2}, 0, 0, false},
  };
  Random random(5);
  Judge judge;
  for (const DataType type : {kFloat, kFloat16, kBfloat16}) {
    for (const DataType y :
         {kUint8, kInt4, kInt16, kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat6E2M3}) {
      for (const Layout& layout : layouts) {
        judge.Ask(MakeQuestion({28, type, type, y}, layout, random));
      }
    }
  }
  EXPECT_GT(judge.elements(), 500'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Without a scale of 0 or less quotients come of FLOAT's kernels or of exact reciprocals.
TEST(QuantizeLinear, ExactQuotientsByInt32_AreTheOracles) {
  using enum DataType;
  const std::vector<Layout> layouts = {
      {{4096}, {}, 0, 0, false, 1},          {{999}, {}, 0, 0, true, 1},
      {{17, 131}, {131}, 1, 0, true, 131},   {{9, 300}, {9}, 0, 0, true, 9},
      {{9, 300}, {9}, 0, 0, false, 9},       {{4, 256}, {4, 8}, 1, 32, true, 32},
      {{70, 65}, {3, 65}, 0, 32, false, 195}};
  Random random(17);
  Judge judge;
  for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
    for (const DataType y : {kUint8, kInt8, kInt16, kInt4, kUint2, kFloat8E4M3FN,
                             kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
      for (const Layout& layout : layouts) {
        judge.Ask(MakeQuestion({28, x, kInt32, y}, layout, random));
      }
    }
  }
  // Scales up to which x is a FLOAT wherever it counts, and above: 2^15 for bytes, 2^7
  // for words, 37449 and 292 for float8.
  for (const DataType y :
       {kUint8, kInt16, kFloat8E4M3FN, kFloat8E5M2, kFloat6E2M3, kFloat6E3M2}) {
    for (int i = 0; i < 60; ++i) {
      judge.Ask(MakeQuestion({28, kInt32, kInt32, y}, {{1000}, {}, 0, 0, i % 2 == 0, 1},
                             random));
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// One scale that is not above 0 is found wherever it stands.
TEST(QuantizeLinear, OneInt32ScaleOfMany_IsSeen) {
  using enum DataType;
  constexpr int64_t kCount = 41;
  Random random(31);
  Judge judge;
  for (int64_t at = 0; at < kCount; ++at) {
    QuantizeLinearQuestion question = MakeQuestion(
        {25, kFloat, kInt32, kInt8}, {{3, kCount}, {kCount}, 1, 0, true, kCount}, random);
    const int32_t scale = at % 2 == 0 ? 0 : -3;
    std::memcpy(question.y_scale.data.data() + at * 4, &scale, sizeof(scale));
    judge.Ask(question);
  }
  EXPECT_EQ(judge.failures(), 0);
}

// Reciprocals, and the limits to which x is clamped, of neighbours far apart.
TEST(QuantizeLinear, ScalesFarApart_AreTheOracles) {
  using enum DataType;
  const std::vector<Layout> layouts = {
      {{6, 1024}, {6, 64}, 1, 16, false, 384, 120},
      {{6, 1024}, {6, 32}, 1, 32, true, 192, 120},
      {{6, 1024}, {6, 16}, 1, 64, false, 96, 120},
      {{6, 1024}, {6, 8}, 1, 128, false, 48, 120},
      {{20, 307}, {307}, 1, 0, false, 307, 120},
      {{9, 5000}, {5000}, 1, 0, true, 5000, 120},
      {{64, 140}, {2, 140}, 0, 32, false, 280, 120},
      {{96, 40}, {3, 40}, 0, 32, false, 120, 120},
      {{30, 200}, {30}, 0, 0, false, 30, 120},
  };
  Random random(23);
  Judge judge;
  for (const DataType scale : {kFloat, kBfloat16}) {
    for (const DataType x : {scale, kInt32}) {
      for (const DataType y : {kInt8, kInt16, kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2,
                               kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
        for (const Layout& layout : layouts) {
          const bool saturate = !IsFloat8(y) || random.Below(2) == 0;
          judge.Ask(
              MakeQuestion({28, x, scale, y, kUndefined, saturate}, layout, random));
        }
      }
    }
  }
  EXPECT_GT(judge.elements(), 2'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Operands that are laid out several rows at once: of an axis that ends with a short
// block, and of blocks of short rows.
TEST(QuantizeLinear, ShortBlocksAndRows_AreTheOracles) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{70, 33}, {70, 2}, 1, 32},
      {{21, 251}, {21, 9}, 1, 31},
      {{21, 251}, {21, 36}, 1, 7},
      {{900, 3}, {29, 3}, 0, 32},
      {{2, 70, 3}, {2, 3, 3}, 1, 32},
      {{5, 9, 5, 2}, {5, 3, 5, 2}, 1, 4},
      {{3, 400, 16}, {3, 7, 16}, 1, 60},
      {{30, 70}, {30, 70}, 1, 1},
      {{6, 1300}, {6, 38}, 1, 35},
      // Three to a row; long blocks of one, few of them or several.
      {{600, 3}, {600, 2}, 1, 2},
      {{9, 1021}, {9, 8}, 1, 128},
      {{7, 700}, {7, 3}, 1, 300},
      {{9, 513}, {9, 31}, 1, 17},
      // Axes within, which end with whole blocks or short ones.
      {{301, 3, 3}, {301, 2, 3}, 1, 2},
      {{401, 2, 3}, {401, 1, 3}, 1, 2},
      {{31, 16, 7}, {31, 4, 7}, 1, 4},
      {{9, 7, 11, 5}, {9, 7, 3, 5}, 2, 4},
      {{5, 31, 13}, {5, 11, 13}, 1, 3},
      {{3, 1001, 3}, {3, 501, 3}, 1, 2},
      // Rows of more than a vector, and of almost as many as go by themselves.
      {{385, 17}, {193, 17}, 0, 2},
      {{96, 33}, {3, 33}, 0, 32},
      {{5, 9, 40}, {5, 3, 40}, 1, 4},
      {{40, 127}, {14, 127}, 0, 3},
      {{4, 3, 70}, {4, 2, 70}, 1, 2},
  };
  Random random(11);
  Judge judge;
  for (Layout& layout : layouts) {
    for (const DataType scale : {kFloat, kFloat16, kInt32}) {
      for (const DataType y : {kUint8, kUint2, kInt16, kFloat8E5M2, kFloat6E3M2}) {
        layout.zero_point = !layout.zero_point;
        judge.Ask(MakeQuestion({28, kFloat, scale, y}, layout, random));
      }
      layout.zero_point = !layout.zero_point;
    }
  }
  EXPECT_GT(judge.elements(), 300'000);
  EXPECT_EQ(judge.failures(), 0);
}

// More blocks than are held at once where x comes from memory; lines of y begin anywhere
// in a block.
TEST(QuantizeLinear, ManyBlocks_AreTheOracles) {
  using enum DataType;
  const std::vector<Layout> layouts = {{{2, 16 * 600}, {2, 600}, 1, 16},
                                       {{1, 32 * 600}, {1, 600}, 1, 32},
                                       {{2, 64 * 300}, {2, 300}, 1, 64},
                                       {{1, 128 * 300}, {1, 300}, 1, 128},
                                       {{1, 32 * 300 + 17}, {1, 301}, 1, 32}};
  const std::vector<Variant> variants = {{25, kFloat, kFloat, kUint8},
                                         {25, kFloat16, kFloat, kInt8},
                                         {25, kFloat16, kFloat16, kUint8},
                                         {25, kFloat, kBfloat16, kUint16},
                                         {25, kInt32, kInt32, kFloat8E4M3FN},
                                         {25, kFloat, kFloat, kFloat8E5M2FNUZ},
                                         {25, kBfloat16, kBfloat16, kFloat8E5M2},
                                         {25, kFloat, kFloat, kInt4},
                                         {28, kFloat, kFloat, kFloat6E2M3}};
  Random random(23);
  Judge judge;
  size_t place = 0;
  for (Layout layout : layouts) {
    for (const Variant& variant : variants) {
      layout.zero_point = !layout.zero_point;
      layout.ordinary_scales = *ElementCount(layout.scale);
      judge.Ask(MakeQuestion(variant, layout, random), place % 3 == 0 ? 16 : place % 64);
      place += 7;
    }
  }
  EXPECT_GT(judge.elements(), 800'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Rows that share a vector of scales: laid out once, made in parts, or of short runs
// (which go through a kernel together where they have no rows);
// with reciprocals, and where one scale of the last part has none.
TEST(QuantizeLinear, RowsThatShareScales_AreTheOracles) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{70, 67}, {67}, 1},          {{9, 1536}, {1536}, 1},
      {{9, 4160}, {4160}, 1},       {{10, 5003}, {5003}, 1},
      {{64, 300}, {2, 300}, 0, 32}, {{40, 33, 3}, {33}, 1},
      {{4, 1400, 5}, {1400}, 1},    {{3, 2000, 4}, {2000}, 1},
      {{6, 1000}, {6, 21}, 1, 48},  {{900, 3}, {29, 3}, 0, 32},
      {{2, 64, 64}, {64}, 1},       {{300, 33}, {300}, 0},
      {{2, 50, 130}, {50}, 1},      {{20, 700}, {20, 44}, 1, 16},
      {{700, 40}, {700, 3}, 1, 16}, {{40, 1088}, {2, 1088}, 0, 32},
      {{11, 4096}, {4096}, 1},      {{38, 256}, {2, 256}, 0, 32},
      {{67, 301}, {3, 301}, 0, 32}, {{3, 4099, 2}, {4099}, 1},
  };
  Random random(7);
  Judge judge;
  for (Layout& layout : layouts) {
    const int64_t scales = *ElementCount(layout.scale);
    for (const DataType type : {kFloat, kFloat16}) {
      for (const DataType y :
           {kUint8, kInt4, kUint2, kInt16, kFloat8E4M3FN, kFloat6E2M3}) {
        layout.zero_point = !layout.zero_point;
        layout.ordinary_scales = scales;
        judge.Ask(MakeQuestion({28, type, type, y}, layout, random));
        layout.ordinary_scales = scales - 1;
        judge.Ask(MakeQuestion({28, type, type, y}, layout, random), 16);
      }
    }
    judge.Ask(MakeQuestion({25, kInt32, kFloat, kInt8}, layout, random), 1, 2);
    judge.Ask(MakeQuestion({25, kBfloat16, kInt32, kInt4}, layout, random), 1, 2);
  }
  EXPECT_GT(judge.elements(), 2'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Codes of 4 bits, two in a byte: kernels pack what is at least a block and whole bytes.
// Codes of 6 bits, of which rows and blocks seldom are whole bytes.
TEST(QuantizeLinear, PackedCodes_AreTheOracles) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{4097}, {}, 0},
      {{63}, {}, 0},
      {{9, 130}, {130}, 1},
      {{9, 62}, {62}, 1},
      {{5, 2600}, {2600}, 1},
      {{5, 462}, {5, 7}, 1, 66},
      {{5, 455}, {5, 7}, 1, 65},
      {{3, 1000}, {3}, 0},
      {{3, 999}, {3}, 0},
      {{3, 4, 200}, {4}, 1},
      {{2, 1056}, {2, 33}, 1, 32},
      {{3, 1040}, {3, 33}, 1, 32},
      {{70, 194}, {3, 194}, 0, 32},
  };
  Random random(37);
  Judge judge;
  // Cut between threads, within a run and within a block.
  for (const Layout& layout : {Layout{{40001}, {}, 0}, Layout{{3, 13334}, {3}, 0},
                               Layout{{34, 1056}, {34, 33}, 1, 32}}) {
    judge.Ask(MakeQuestion({25, kFloat16, kFloat, kUint4}, layout, random), 16, 2);
    judge.Ask(MakeQuestion({28, kFloat, kFloat, kFloat6E2M3}, layout, random), 16, 2);
  }
  for (Layout& layout : layouts) {
    const int64_t scales = ElementCount(layout.scale).value_or(1);
    for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
      for (const DataType y : {kInt4, kUint4, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
        layout.zero_point = !layout.zero_point;
        layout.ordinary_scales = random.Below(3) == 0 ? scales - 1 : scales;
        const DataType scale = random.Pick(std::vector{kFloat, kFloat16, kInt32});
        judge.Ask(MakeQuestion({28, x, scale, y}, layout, random), 16);
      }
    }
  }
  EXPECT_GT(judge.elements(), 500'000);
  EXPECT_EQ(judge.failures(), 0);
}

}  // namespace
}  // namespace qconform::simd
