// The kernels of every target that this CPU runs, against the oracle: all types,
// all granularities, all lengths of tails, all alignments.

#include "harness/backends/simd/quantize_linear/quantize_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "harness/backends/simd/quantize_linear/testing/judge.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"
#include "oracle/formats/codes.h"

namespace qconform::simd {
namespace {

TEST(QuantizeLinear, EveryVariantAndGranularity_IsTheOracles) {
  // Rows long enough for whole vectors of AVX3, odd enough for tails.
  const std::vector<Layout> layouts = {
      {{5, 37}, {}, 1, 0, false},         {{5, 37}, {}, 1, 0, true},
      {{2, 3, 67}, {67}, -1, 0, true},    {{2, 3, 67}, {3}, 1, 0, false},
      {{2, 3, 150}, {3}, 1, 0, true},     {{2, 70}, {2, 3}, 1, 32, true},
      {{3, 7, 5}, {3, 3, 5}, 1, 3, true}, {{5, 140}, {2, 140}, 0, 3, false},
  };
  Random random(1);
  Judge judge;
  size_t cells = 0;
  for (const int since_version : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const Variant& variant : AllVariants(since_version)) {
      for (const Layout& layout : layouts) {
        if (since_version < 21 && layout.block_size != 0) continue;
        if (since_version < 13 && !layout.scale.empty()) continue;
        // All since_versions are the same code behind Resolve: the last in full.
        if (since_version != 28 && &layout != &layouts[cells % layouts.size()]) {
          ++cells;
          continue;
        }
        ++cells;
        judge.Ask(MakeQuestion(variant, layout, random));
      }
    }
  }
  EXPECT_GT(judge.elements(), 1'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

TEST(QuantizeLinear, EveryTailAndAlignment_IsTheOracles) {
  using enum DataType;
  const std::vector<Variant> variants = {
      {25, kFloat, kFloat, kUint8},        {25, kFloat, kFloat, kInt16},
      {25, kFloat, kFloat, kFloat8E4M3FN}, {25, kFloat, kFloat, kInt4},
      {25, kFloat16, kFloat16, kInt8},     {25, kBfloat16, kBfloat16, kUint2},
      {25, kInt32, kInt32, kInt8},         {25, kFloat, kFloat, kFloat4E2M1, kDouble},
      {28, kFloat, kFloat, kFloat6E2M3},   {28, kFloat16, kFloat, kFloat6E3M2},
      {28, kInt32, kInt32, kFloat6E2M3},   {28, kBfloat16, kFloat, kFloat6E3M2, kDouble},
  };
  Random random(2);
  Judge judge;
  for (const Variant& variant : variants) {
    for (int64_t n = 0; n <= 131; ++n) {
      judge.Ask(MakeQuestion(variant, {{n}, {}, 0, 0, true}, random),
                static_cast<size_t>(n % 5));
      if (n < 2) continue;
      judge.Ask(MakeQuestion(variant, {{2, n}, {n}, 1, 0, true}, random),
                static_cast<size_t>(n % 3));
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// By one scale codes of 4 bits are packed in blocks of 8 vectors, from four of them on
// such that no store crosses lines; half a block and less are left.
TEST(QuantizeLinear, EveryTailOfPackedBlocks_IsTheOracles) {
  using enum DataType;
  Random random(29);
  Judge judge;
  for (const DataType y : {kUint4, kInt4, kFloat6E2M3}) {
    for (int64_t n = 500; n < 660; ++n) {
      judge.Ask(
          MakeQuestion({28, kFloat, kFloat, y}, {{n}, {}, 0, 0, n % 2 == 0, 1}, random),
          static_cast<size_t>(n % 64));
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// Quotients far beyond the range, by scales whose reciprocals are huge.
TEST(QuantizeLinear, HugeQuotientsOfEitherSign_AreTheOracles) {
  using enum DataType;
  int asked = 0;
  for (const DataType type : {kFloat, kFloat16, kBfloat16}) {
    for (const DataType y : {kInt8, kInt16, kFloat8E4M3FN, kFloat6E3M2}) {
      for (const Target& target : SupportedTargets()) {
        for (int exponent = -120; exponent <= 60; exponent += 4) {
          if (type == kFloat16 && (exponent < -24 || exponent > 15)) continue;
          // 1.25 * 2^exponent, and x of all magnitudes, both signs.
          const uint32_t bits = static_cast<uint32_t>(exponent + 127) << 23 | 0x200000;
          Tensor scale = Tensor::Zeros(type, {});
          Tensor x = Tensor::Zeros(type, {512});
          const size_t size = type == kFloat ? 4 : 2;
          const auto half = [](int e) {  // FLOAT16's code of 1.25 * 2^e
            return e >= -14 ? static_cast<uint32_t>(e + 15) << 10 | 0x100
                            : 1u << (e + 24);
          };
          const uint32_t code = type == kFloat     ? bits
                                : type == kFloat16 ? half(exponent)
                                                   : bits >> 16;
          std::memcpy(scale.data.data(), &code, size);
          for (uint32_t i = 0; i < 512; ++i) {
            const uint32_t x_code = i << (type == kFloat ? 23 : 7);
            std::memcpy(x.data.data() + i * size, &x_code, size);
          }
          QuantizeLinearProblem problem;
          problem.since_version = 28;
          problem.x = x.view();
          problem.y_scale = scale.view();
          problem.attributes.output_dtype = static_cast<int64_t>(y);
          const auto expected = EvaluateQuantizeLinear(problem);
          ASSERT_TRUE(expected);
          Tensor actual = Tensor::Zeros(y, {512});
          QuantizeLinearArgs args;
          args.x = x.view();
          args.y_scale = scale.view();
          args.output_dtype = y;
          args.division_precision = type;
          ASSERT_TRUE(
              QuantizeLinear(args, actual.mutable_view(), {.target = target.bit}));
          for (int64_t i = 0; i < 512; ++i) {
            const ElementAnswer& answer = expected->elements[static_cast<size_t>(i)];
            if (answer.freedom != Freedom::kNone) continue;
            ASSERT_EQ(ReadCode(actual.view(), i), answer.code)
                << DataTypeName(type) << " " << DataTypeName(y) << " 2^" << exponent
                << " " << i << " " << target.name;
          }
          ++asked;
        }
      }
    }
  }
  EXPECT_GT(asked, 200);
}

// --gtest_random_seed=N asks other questions.
TEST(QuantizeLinear, RandomShapesAndVersions_AreTheOracles) {
  Random random(3 + static_cast<uint64_t>(GTEST_FLAG_GET(random_seed)));
  Judge judge;
  const std::vector<int> versions = {13, 19, 21, 23, 24, 25, 28};
  for (int i = 0; i < 6000; ++i) {
    const int since_version = random.Pick(versions);
    const Variant variant = random.Pick(AllVariants(since_version));
    Layout layout;
    const int64_t rank = random.Below(9);
    int64_t count = 1;
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t most = std::max<int64_t>(1, 3000 / count);
      const int64_t size =
          random.Below(40) == 0
              ? 0
              : 1 + random.Below(std::min<int64_t>(most, rank < 4 ? 300 : 5));
      layout.x.push_back(size);
      count *= std::max<int64_t>(size, 1);
    }
    layout.axis = rank == 0 ? 0 : random.Below(2 * rank) - rank;
    const auto axis =
        static_cast<size_t>(layout.axis < 0 ? layout.axis + rank : layout.axis);
    const int64_t kind = rank == 0 ? 0 : random.Below(since_version >= 21 ? 4 : 2);
    if (kind == 1) layout.scale = {layout.x[axis]};
    if (kind >= 2 && rank >= 2) {
      layout.block_size = 1 + random.Below(layout.x[axis] + 2);
      layout.scale = layout.x;
      layout.scale[axis] = (layout.x[axis] + layout.block_size - 1) / layout.block_size;
    }
    layout.zero_point = random.Below(3) != 0;
    judge.Ask(MakeQuestion(variant, layout, random), static_cast<size_t>(random.Below(4)),
              1 + static_cast<int>(random.Below(2)));
  }
  EXPECT_EQ(judge.failures(), 0);
}

// All codes of x, so that every conversion is seen whole.
TEST(QuantizeLinear, AllHalfPrecisionX_IsTheOracles) {
  using enum DataType;
  Random random(4);
  Judge judge;
  for (const DataType x : {kFloat16, kBfloat16}) {
    for (const DataType precision : {kFloat, kFloat16, kBfloat16, kDouble}) {
      for (const DataType y :
           {kInt16, kUint4, kFloat8E5M2, kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
        QuantizeLinearQuestion q = MakeQuestion({28, x, kFloat, y, precision},
                                                {{65536}, {}, 0, 0, false}, random);
        for (int64_t code = 0; code < 65536; ++code) {
          WriteCode(q.x.mutable_view(), code, static_cast<uint64_t>(code));
        }
        judge.Ask(q);
      }
    }
  }
  EXPECT_EQ(judge.elements(), 2 * 4 * 6 * 65536);
  EXPECT_EQ(judge.failures(), 0);
}

}  // namespace
}  // namespace qconform::simd
