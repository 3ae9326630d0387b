// What is around a call has no part in it: memory behind the operands, the number of
// threads, the caller's floating-point modes.

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "harness/backends/simd/core/testing/at_end_of_page.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "harness/backends/simd/quantize_linear/testing/judge.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace qconform::simd {
namespace {

#if defined(__unix__)
TEST(QuantizeLinear, OperandsAtTheEndOfAPage_AreNotReadBeyond) {
  using enum DataType;
  std::vector<Layout> layouts = {{{37}, {}, 0, 0, true},
                                 {{5, 37}, {37}, 1, 0, true},
                                 {{5, 37}, {5}, 0, 0, true},
                                 {{3, 70}, {3, 3}, 1, 32, true},
                                 {{9, 40}, {9, 5}, 1, 8, true},
                                 {{7, 9}, {7, 3}, 1, 4, true},
                                 // Streamed, with an end that is no whole block.
                                 {{1237}, {}, 0, 0, true},
                                 {{3, 1088}, {1088}, 1, 0, true},
                                 {{3, 1100}, {3}, 0, 0, true},
                                 {{2, 1104}, {2, 69}, 1, 16, true}};
  for (int64_t inner = 2; inner <= 17; ++inner) {
    layouts.push_back({{8, inner}, {4, inner}, 0, 2, false});
    layouts.push_back({{35, inner}, {5, inner}, 0, 8, true});
  }
  Random random(19);
  for (const Variant& variant : {Variant{25, kFloat, kFloat, kUint8},
                                 {25, kFloat, kFloat, kFloat8E4M3FN},
                                 {25, kFloat16, kFloat16, kInt4},
                                 {28, kFloat, kFloat, kFloat6E2M3},
                                 {25, kBfloat16, kFloat, kInt16},
                                 {25, kInt32, kInt32, kInt8}}) {
    for (const Layout& layout : layouts) {
      const QuantizeLinearQuestion question = MakeQuestion(variant, layout, random);
      const AtEndOfPage x(question.x.data), scale(question.y_scale.data);
      const AtEndOfPage zero_point(question.y_zero_point ? question.y_zero_point->data
                                                         : std::vector<std::byte>(1));
      const auto answer = [&](TensorView x_view, TensorView scale_view,
                              std::optional<TensorView> zero_point_view,
                              const Target& target, Stores stores) {
        const auto resolved =
            ResolveQuantizeLinear(question.since_version, question.attributes, x_view,
                                  scale_view, zero_point_view);
        const auto& args = std::get<QuantizeLinearArgs>(resolved);
        Tensor y = Tensor::Zeros(args.output_dtype, question.x.shape);
        EXPECT_TRUE(QuantizeLinear(args, y.mutable_view(),
                                   {.target = target.bit, .stores = stores}));
        return y.data;
      };
      std::optional<TensorView> zero_point_view, guarded;
      if (question.y_zero_point) {
        zero_point_view = question.y_zero_point->view();
        guarded = zero_point_view;
        guarded->data = zero_point.data();
      }
      for (const Target& target : SupportedTargets()) {
        const auto expected = answer(question.x.view(), question.y_scale.view(),
                                     zero_point_view, target, Stores::kCached);
        for (const Stores stores :
             {Stores::kCached, Stores::kFetched, Stores::kStreamed}) {
          EXPECT_EQ(answer({question.x.type, question.x.shape, x.data()},
                           {question.y_scale.type, question.y_scale.shape, scale.data()},
                           guarded, target, stores),
                    expected)
              << question.Name() << " " << target.name << " " << static_cast<int>(stores);
        }
      }
    }
  }
}
#endif

TEST(QuantizeLinear, ManyThreads_GiveTheSameBits) {
  using enum DataType;
  Random random(5);
  Judge judge;
  for (const DataType y : {kUint8, kInt2, kUint16, kFloat6E3M2}) {
    judge.Ask(MakeQuestion({28, kFloat, kFloat, y}, {{3, 33333}, {}, 1, 0, true}, random),
              0, 5);
    judge.Ask(MakeQuestion({28, kFloat, kFloat, y}, {{3, 33333}, {3, 1042}, 1, 32, true},
                           random),
              1, 3);
    judge.Ask(
        MakeQuestion({28, kFloat, kFloat, y}, {{33333, 3}, {3}, 1, 0, true}, random), 2,
        4);
    judge.Ask(
        MakeQuestion({28, kFloat16, kFloat, y}, {{20, 5000}, {5000}, 1, 0, true}, random),
        2, 2);
  }
  EXPECT_EQ(judge.failures(), 0);
}

#if defined(__SSE2__)
TEST(QuantizeLinear, CallersFloatingPointModes_AreWithoutEffectAndKept) {
  Random random(6);
  const QuantizeLinearQuestion q =
      MakeQuestion({25, DataType::kFloat, DataType::kFloat, DataType::kFloat8E5M2},
                   {{3, 700}, {3}, 0, 0, true}, random);
  const Result<Answer> expected = EvaluateQuantizeLinear(q.Problem());
  ASSERT_TRUE(expected);
  const unsigned saved = _mm_getcsr();
  constexpr unsigned kFlushAndRoundUp = 0x1F80 | 0x8000 | 0x0040 | 0x4000;
  for (const Target& target : SupportedTargets()) {
    _mm_setcsr(kFlushAndRoundUp);
    const std::string difference = Difference(q, *expected, target);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(saved);
    EXPECT_EQ(difference, "");
    EXPECT_EQ(after & 0xFFC0u, kFlushAndRoundUp);
  }
}
#endif

}  // namespace
}  // namespace qconform::simd
