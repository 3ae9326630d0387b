// The kernels of every target that this CPU runs, against the oracle: all types,
// all granularities, all lengths of tails, all alignments.

#include "harness/backends/simd/quantize_linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "harness/backends/simd/kernels.h"
#include "oracle/formats/codes.h"
#include "test_questions.h"  // beside this file

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace qconform::simd {
namespace {

// Asks every target; at most a few failures, so that the log stays readable.
class Judge {
 public:
  void Ask(const Question& question, size_t offset = 0, int threads = 1) {
    const Result<Answer> expected = EvaluateQuantizeLinear(question.Problem());
    ASSERT_TRUE(expected) << question.Name() << ": " << expected.error().message;
    for (const Target& target : SupportedTargets()) {
      const std::string difference =
          Difference(question, *expected, target, offset, threads);
      if (!difference.empty() && ++failures_ <= 10) ADD_FAILURE() << difference;
    }
    elements_ += static_cast<int64_t>(expected->elements.size());
  }
  int64_t elements() const { return elements_; }
  int failures() const { return failures_; }

 private:
  int64_t elements_ = 0;
  int failures_ = 0;
};

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
  for (const int since_version : {10, 13, 19, 21, 23, 24, 25}) {
    for (const Variant& variant : AllVariants(since_version)) {
      for (const Layout& layout : layouts) {
        if (since_version < 21 && layout.block_size != 0) continue;
        if (since_version < 13 && !layout.scale.empty()) continue;
        // All since_versions are the same code behind Resolve: the last in full.
        if (since_version != 25 && &layout != &layouts[cells % layouts.size()]) {
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

// Quotients far beyond the range, by scales whose reciprocals are huge.
TEST(QuantizeLinear, HugeQuotientsOfEitherSign_AreTheOracles) {
  using enum DataType;
  int asked = 0;
  for (const DataType type : {kFloat, kFloat16, kBfloat16}) {
    for (const DataType y : {kInt8, kInt16, kFloat8E4M3FN}) {
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
          problem.since_version = 25;
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
    for (const DataType y : {kUint8, kInt4, kInt16, kFloat8E4M3FN, kFloat8E5M2FNUZ}) {
      for (const Layout& layout : layouts) {
        judge.Ask(MakeQuestion({25, type, type, y}, layout, random));
      }
    }
  }
  EXPECT_GT(judge.elements(), 500'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Without a scale of 0 or less quotients come of reciprocals.
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
                             kFloat8E5M2FNUZ, kFloat4E2M1}) {
      for (const Layout& layout : layouts) {
        judge.Ask(MakeQuestion({25, x, kInt32, y}, layout, random));
      }
    }
  }
  EXPECT_EQ(judge.failures(), 0);
}

// Operands that are laid out several rows at once: of an axis that ends with a short
// block, and of blocks of rows that are shorter than a vector.
TEST(QuantizeLinear, ShortBlocksAndRows_AreTheOracles) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{70, 33}, {70, 2}, 1, 32},        {{21, 251}, {21, 9}, 1, 31},
      {{21, 251}, {21, 36}, 1, 7},       {{900, 3}, {29, 3}, 0, 32},
      {{2, 70, 3}, {2, 3, 3}, 1, 32},    {{5, 9, 5, 2}, {5, 3, 5, 2}, 1, 4},
      {{3, 400, 16}, {3, 7, 16}, 1, 60}, {{30, 70}, {30, 70}, 1, 1},
      {{6, 1300}, {6, 38}, 1, 35},
  };
  Random random(11);
  Judge judge;
  for (Layout& layout : layouts) {
    for (const DataType scale : {kFloat, kFloat16, kInt32}) {
      for (const DataType y : {kUint8, kUint2, kInt16, kFloat8E5M2}) {
        layout.zero_point = !layout.zero_point;
        judge.Ask(MakeQuestion({25, kFloat, scale, y}, layout, random));
      }
      layout.zero_point = !layout.zero_point;
    }
  }
  EXPECT_GT(judge.elements(), 300'000);
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
  };
  Random random(7);
  Judge judge;
  for (Layout& layout : layouts) {
    const int64_t scales = *ElementCount(layout.scale);
    for (const DataType type : {kFloat, kFloat16}) {
      for (const DataType y : {kUint8, kInt4, kInt16, kFloat8E4M3FN}) {
        layout.zero_point = !layout.zero_point;
        layout.ordinary_scales = scales;
        judge.Ask(MakeQuestion({25, type, type, y}, layout, random));
        layout.ordinary_scales = scales - 1;
        judge.Ask(MakeQuestion({25, type, type, y}, layout, random), 16);
      }
    }
    judge.Ask(MakeQuestion({25, kInt32, kFloat, kInt8}, layout, random), 1, 2);
  }
  EXPECT_GT(judge.elements(), 2'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

// --gtest_random_seed=N asks other questions.
TEST(QuantizeLinear, RandomShapesAndVersions_AreTheOracles) {
  Random random(3 + static_cast<uint64_t>(GTEST_FLAG_GET(random_seed)));
  Judge judge;
  const std::vector<int> versions = {13, 19, 21, 23, 24, 25};
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
      for (const DataType y : {kInt16, kUint4, kFloat8E5M2, kFloat4E2M1}) {
        Question q = MakeQuestion({25, x, kFloat, y, precision},
                                  {{65536}, {}, 0, 0, false}, random);
        for (int64_t code = 0; code < 65536; ++code) {
          WriteCode(q.x.mutable_view(), code, static_cast<uint64_t>(code));
        }
        judge.Ask(q);
      }
    }
  }
  EXPECT_EQ(judge.elements(), 2 * 4 * 4 * 65536);
  EXPECT_EQ(judge.failures(), 0);
}

#if defined(__unix__)
// Bytes behind which no memory is.
class AtEndOfPage {
 public:
  explicit AtEndOfPage(const std::vector<std::byte>& bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t whole = (bytes.size() + page - 1) / page * page;
    size_ = whole + page;
    memory_ =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::byte*>(memory_);
    mprotect(begin + whole, page, PROT_NONE);
    data_ = {begin + whole - bytes.size(), bytes.size()};
    std::memcpy(begin + whole - bytes.size(), bytes.data(), bytes.size());
  }
  ~AtEndOfPage() { munmap(memory_, size_); }
  AtEndOfPage(const AtEndOfPage&) = delete;
  AtEndOfPage& operator=(const AtEndOfPage&) = delete;
  std::span<const std::byte> data() const { return data_; }

 private:
  void* memory_;
  size_t size_;
  std::span<const std::byte> data_;
};

TEST(QuantizeLinear, OperandsAtTheEndOfAPage_AreNotReadBeyond) {
  using enum DataType;
  std::vector<Layout> layouts = {
      {{37}, {}, 0, 0, true},        {{5, 37}, {37}, 1, 0, true},
      {{5, 37}, {5}, 0, 0, true},    {{3, 70}, {3, 3}, 1, 32, true},
      {{9, 40}, {9, 5}, 1, 8, true}, {{7, 9}, {7, 3}, 1, 4, true}};
  for (int64_t inner = 2; inner <= 17; ++inner) {
    layouts.push_back({{8, inner}, {4, inner}, 0, 2, false});
    layouts.push_back({{35, inner}, {5, inner}, 0, 8, true});
  }
  Random random(19);
  for (const Variant& variant : {Variant{25, kFloat, kFloat, kUint8},
                                 {25, kFloat, kFloat, kFloat8E4M3FN},
                                 {25, kFloat16, kFloat16, kInt4},
                                 {25, kBfloat16, kFloat, kInt16},
                                 {25, kInt32, kInt32, kInt8}}) {
    for (const Layout& layout : layouts) {
      const Question question = MakeQuestion(variant, layout, random);
      const AtEndOfPage x(question.x.data), scale(question.y_scale.data);
      const AtEndOfPage zero_point(question.y_zero_point ? question.y_zero_point->data
                                                         : std::vector<std::byte>(1));
      const auto answer = [&](TensorView x_view, TensorView scale_view,
                              std::optional<TensorView> zero_point_view,
                              const Target& target) {
        const auto resolved = ResolveQuantizeLinear(25, question.attributes, x_view,
                                                    scale_view, zero_point_view);
        const auto& args = std::get<QuantizeLinearArgs>(resolved);
        Tensor y = Tensor::Zeros(args.output_dtype, question.x.shape);
        EXPECT_TRUE(QuantizeLinear(args, y.mutable_view(), {.target = target.bit}));
        return y.data;
      };
      std::optional<TensorView> zero_point_view, guarded;
      if (question.y_zero_point) {
        zero_point_view = question.y_zero_point->view();
        guarded = zero_point_view;
        guarded->data = zero_point.data();
      }
      for (const Target& target : SupportedTargets()) {
        EXPECT_EQ(
            answer({question.x.type, question.x.shape, x.data()},
                   {question.y_scale.type, question.y_scale.shape, scale.data()}, guarded,
                   target),
            answer(question.x.view(), question.y_scale.view(), zero_point_view, target))
            << question.Name();
      }
    }
  }
}
#endif

TEST(QuantizeLinear, ManyThreads_GiveTheSameBits) {
  using enum DataType;
  Random random(5);
  Judge judge;
  for (const DataType y : {kUint8, kInt2, kUint16}) {
    judge.Ask(MakeQuestion({25, kFloat, kFloat, y}, {{3, 33333}, {}, 1, 0, true}, random),
              0, 5);
    judge.Ask(MakeQuestion({25, kFloat, kFloat, y}, {{3, 33333}, {3, 1042}, 1, 32, true},
                           random),
              1, 3);
    judge.Ask(
        MakeQuestion({25, kFloat, kFloat, y}, {{33333, 3}, {3}, 1, 0, true}, random), 2,
        4);
    judge.Ask(
        MakeQuestion({25, kFloat16, kFloat, y}, {{20, 5000}, {5000}, 1, 0, true}, random),
        2, 2);
  }
  EXPECT_EQ(judge.failures(), 0);
}

#if defined(__SSE2__)
TEST(QuantizeLinear, CallersFloatingPointModes_AreWithoutEffectAndKept) {
  Random random(6);
  const Question q =
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

TEST(Targets, EachTarget_HasKernelsOfItsOwn) {
  const std::vector<Target> supported = SupportedTargets();
  ASSERT_FALSE(supported.empty());
  for (const Target& target : CompiledTargets()) {
    ASSERT_NE(KernelsOf(target.bit), nullptr) << target.name;
    EXPECT_EQ(KernelsOf(target.bit)->target, target.bit) << target.name;
  }
  for (const Target& target : supported) {
    EXPECT_EQ(*FindTarget(target.name), target);
    EXPECT_EQ(*FindTarget(target.bit), target);
  }
  EXPECT_EQ(*FindTarget(0), supported.front());
}

TEST(Targets, ForcedTargetThatIsNotThere_IsAnError) {
  EXPECT_THAT(FindTarget("AVX9").error().message, testing::HasSubstr("AVX9"));
  for (const Target& target : CompiledTargets()) {
    const auto supported = SupportedTargets();
    if (std::find(supported.begin(), supported.end(), target) != supported.end())
      continue;
    EXPECT_THAT(FindTarget(target.name).error().message,
                testing::HasSubstr("cannot run"));
    float x = 1;
    float scale = 1;
    std::byte y{7};
    QuantizeLinearArgs args;
    args.x = {DataType::kFloat, {}, std::as_bytes(std::span(&x, 1))};
    args.y_scale = {DataType::kFloat, {}, std::as_bytes(std::span(&scale, 1))};
    EXPECT_FALSE(QuantizeLinear(args, {DataType::kUint8, {}, std::span(&y, 1)},
                                {.target = target.bit}));
    EXPECT_EQ(y, std::byte{7});
  }
}

}  // namespace
}  // namespace qconform::simd
