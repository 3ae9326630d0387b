#include "harness/backends/simd/quantize_linear/worker.h"

#include <gtest/gtest.h>

#include <variant>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"

namespace qconform::simd {
namespace {

// Quantizes [0, cut) and [cut, n), in this order or the other. y is not 0 before.
std::vector<std::byte> QuantizeInTwo(const QuantizeLinearArgs& args,
                                     const Kernels& kernels, int64_t cut,
                                     bool second_first, Stores stores) {
  const int64_t n = *ElementCount(args.x.shape);
  std::vector<std::byte> y(PackedByteSize(args.output_dtype, n), std::byte{0xA5});
  const Job job = MakeJob(args, y.data(), kernels, *GeometryOf(args), stores);
  if (second_first) QuantizeRange(job, cut, n);
  QuantizeRange(job, 0, cut);
  if (!second_first) QuantizeRange(job, cut, n);
  return y;
}

// Threads get ranges that begin anywhere: in a run of one scale, in a row of scales, or
// in a pattern of them; none writes into another's.
TEST(QuantizeRange, WhateverTheCut_GivesTheSameBits) {
  using enum DataType;
  const std::vector<Layout> layouts = {
      {{5003}, {}},
      {{9, 1536}, {1536}, 1},
      {{3, 4160}, {4160}, 1},
      {{70, 67}, {67}, 1},
      {{64, 300}, {2, 300}, 0, 32},
      // Rows of no whole bytes.
      {{5, 4161}, {4161}, 1},
      {{67, 301}, {3, 301}, 0, 32},
      {{3, 4099, 2}, {4099}, 1},
      {{4, 2048}, {4}, 0},
      {{6, 1000}, {6, 21}, 1, 48},
      {{300, 33}, {300}, 0},
      {{20, 704}, {20, 44}, 1, 16},
      {{40, 33, 3}, {33}, 1},
  };
  Random random(11);
  int64_t wrong = 0;
  for (Layout layout : layouts) {
    for (const auto& [x, y] : {std::pair{kFloat, kUint8},
                               {kFloat16, kInt4},
                               {kFloat, kUint2},
                               {kFloat, kInt16},
                               {kFloat16, kFloat4E2M1},
                               {kFloat, kFloat6E2M3},
                               {kBfloat16, kFloat6E3M2},
                               {kBfloat16, kInt2},
                               {kInt32, kFloat8E4M3FN}}) {
      layout.zero_point = !layout.zero_point;
      layout.ordinary_scales = *ElementCount(layout.scale);
      const DataType scale = x == kInt32 ? kFloat : x;
      const QuantizeLinearQuestion question =
          MakeQuestion({28, x, scale, y}, layout, random);
      std::optional<TensorView> zero_point;
      if (question.y_zero_point) zero_point = question.y_zero_point->view();
      const auto resolved =
          ResolveQuantizeLinear(question.since_version, question.attributes,
                                question.x.view(), question.y_scale.view(), zero_point);
      ASSERT_TRUE(std::holds_alternative<QuantizeLinearArgs>(resolved));
      const auto& args = std::get<QuantizeLinearArgs>(resolved);
      const int64_t n = *ElementCount(args.x.shape);
      for (const Target& target : SupportedTargets()) {
        const Kernels& kernels = *KernelsOf(target.bit);
        const auto whole = QuantizeInTwo(args, kernels, 0, false, Stores::kCached);
        EXPECT_EQ(whole.back() & ~LastByteMask(y, n), std::byte{0});  // QL-51
        for (int64_t cut = 4; cut < n; cut += 4 * (1 + cut * 7 % 89)) {
          const Stores stores = cut % 3 == 0   ? Stores::kCached
                                : cut % 3 == 1 ? Stores::kFetched
                                               : Stores::kStreamed;
          const auto y_in_two = QuantizeInTwo(args, kernels, cut, cut % 16 < 8, stores);
          if (y_in_two == whole || ++wrong > 10) continue;
          ADD_FAILURE() << question.Name() << " target=" << target.name << " cut at "
                        << cut;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace qconform::simd
