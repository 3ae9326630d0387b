// QLinearMatMul on every target that this CPU runs, against rationals.

#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/backends/simd/q_linear_mat_mul/testing/mat_mul.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace qconform::simd {
namespace {

using enum DataType;

// Asks every target, with and without dot products, packed and not.
class Asker {
 public:
  void Ask(const MatMulQuestion& question, size_t offset = 0, int threads = 1) {
    const std::vector<uint8_t> expected = ExpectedCodes(question);
    for (const Target& target : SupportedTargets()) {
      for (const bool dot_product : {true, false}) {
        // The second way is another one on few targets only.
        if (!dot_product && target.name.substr(0, 4) != "AVX3") continue;
        QLinearMatMulOptions options;
        options.threads = threads;
        options.dot_product = dot_product;
        options.stats = &stats_;
        const bool pack = ++calls_ % 2 == 0;
        const std::string difference =
            MatMulDifference(question, expected, target, options, pack, offset);
        if (!difference.empty() && ++failures_ <= 10) ADD_FAILURE() << difference;
      }
    }
    elements_ += static_cast<int64_t>(expected.size());
    for (const uint8_t code : expected) seen_ |= uint64_t{1} << (code / 4);
  }
  int64_t elements() const { return elements_; }
  int64_t repaired() const { return stats_.repaired; }
  int failures() const { return failures_; }
  // Of 64 groups of codes.
  int seen() const { return __builtin_popcountll(seen_); }

 private:
  QLinearMatMulStats stats_;
  int64_t elements_ = 0;
  int64_t calls_ = 0;
  int failures_ = 0;
  uint64_t seen_ = 0;
};

const std::vector<MatMulTypes>& IntegerTypes() {
  static const std::vector<MatMulTypes> types = [] {
    std::vector<MatMulTypes> some;
    for (const MatMulTypes& t : AllMatMulTypes()) {
      if (IsInteger(t.a) && IsInteger(t.b) && IsInteger(t.y) && t.scale == kFloat) {
        some.push_back(t);
      }
    }
    return some;
  }();
  return types;
}

TEST(QLinearMatMul, EveryCell_IsExact) {
  Dice dice(1);
  Asker asker;
  size_t cells = 0;
  const std::vector<Lines> lines = {Lines::kPerTensor, Lines::kVector, Lines::kFull};
  for (const MatMulTypes& types : AllMatMulTypes()) {
    for (const Lines a : {Lines::kPerTensor, Lines::kVector}) {
      for (const Lines b : {Lines::kPerTensor, Lines::kVector}) {
        ++cells;
        MatMulLayout layout;
        layout.a = {1 + dice.Below(7), 1 + dice.Below(40)};
        layout.b = {layout.a[1], 1 + dice.Below(30)};
        layout.a_lines = a == Lines::kVector && dice.Below(2) == 0 ? Lines::kFull : a;
        layout.b_lines = b == Lines::kVector && dice.Below(2) == 0 ? Lines::kFull : b;
        layout.scales = static_cast<ScaleKind>(dice.Below(3));
        asker.Ask(MakeMatMulQuestion(types, layout, dice));
      }
    }
  }
  EXPECT_EQ(cells, 2592u);
  EXPECT_GT(asker.elements(), 100'000);
  EXPECT_EQ(asker.seen(), 64);
  EXPECT_EQ(asker.failures(), 0);
}

TEST(QLinearMatMul, DegenerateScales_FollowExtendedReals) {
  Dice dice(2);
  Asker asker;
  for (const MatMulTypes& types : AllMatMulTypes()) {
    MatMulLayout layout;
    layout.a = {5, 1 + dice.Below(9)};
    layout.b = {layout.a[1], 6};
    layout.a_lines = static_cast<Lines>(dice.Below(2));
    layout.b_lines = static_cast<Lines>(dice.Below(2));
    layout.scales = ScaleKind::kDegenerate;
    asker.Ask(MakeMatMulQuestion(types, layout, dice));
  }
  EXPECT_EQ(asker.failures(), 0);
}

TEST(QLinearMatMul, EveryLengthOfRowsColumnsAndK_IsExact) {
  Dice dice(3);
  Asker asker;
  const auto ask = [&](int64_t m, int64_t n, int64_t k) {
    MatMulLayout layout;
    layout.a = {m, k};
    layout.b = {k, n};
    layout.a_lines = static_cast<Lines>(dice.Below(2));
    layout.b_lines = static_cast<Lines>(dice.Below(2));
    asker.Ask(MakeMatMulQuestion(dice.Pick(IntegerTypes()), layout, dice),
              static_cast<size_t>(dice.Below(4)));
  };
  for (int64_t k = 0; k <= 135; ++k) ask(3, 5, k);
  for (const int64_t k : {255, 256, 257, 511, 512, 1023, 1024, 1025}) ask(2, 17, k);
  for (int64_t n = 0; n <= 132; ++n) ask(2, n, 9);
  for (int64_t m = 0; m <= 40; ++m) ask(m, 3, 6);
  for (const int64_t m : {49, 97, 100}) ask(m, 65, 5);
  EXPECT_EQ(asker.failures(), 0);
}

// More than kMaxSteps words: sums go through memory between pieces.
TEST(QLinearMatMul, LongRows_AreExactModulo2To32) {
  Dice dice(4);
  Asker asker;
  for (const bool extreme : {false, true}) {
    for (const MatMulTypes& types : IntegerTypes()) {
      MatMulLayout layout;
      layout.a = {extreme ? 2 : 61, extreme ? 70'001 : 4099};
      layout.b = {layout.a[1], 3};
      layout.extreme = extreme;  // beyond 2^31 for u8 x u8
      asker.Ask(MakeMatMulQuestion(types, layout, dice));
    }
  }
  EXPECT_EQ(asker.failures(), 0);
}

// 255 * 127 + 255 * 127 and 4 * 128 * 128 do not fit 16 bits.
TEST(QLinearMatMul, ExtremeProducts_DoNotSaturate) {
  Dice dice(5);
  Asker asker;
  for (const MatMulTypes& types : IntegerTypes()) {
    for (const int64_t k : {1, 2, 3, 4, 8, 64, 300}) {
      for (int i = 0; i < 4; ++i) {
        MatMulLayout layout;
        layout.a = {7, k};
        layout.b = {k, 19};
        layout.extreme = true;
        layout.a_lines = static_cast<Lines>(dice.Below(2));
        layout.b_lines = static_cast<Lines>(dice.Below(2));
        asker.Ask(MakeMatMulQuestion(types, layout, dice));
      }
    }
  }
  EXPECT_EQ(asker.failures(), 0);
}

TEST(QLinearMatMul, ShapesOfNumpyMatmul_AreTheirs) {
  Dice dice(6);
  Asker asker;
  const std::vector<std::pair<Shape, Shape>> shapes = {
      {{5}, {5}},
      {{5}, {5, 4}},
      {{4, 5}, {5}},
      {{5}, {3, 5, 4}},
      {{2, 4, 5}, {5}},
      {{2, 4, 5}, {5, 3}},
      {{2, 3, 4, 5}, {5, 7}},
      {{4, 5}, {2, 5, 3}},
      {{2, 1, 4, 5}, {3, 5, 6}},
      {{1, 3, 4, 5}, {2, 1, 5, 6}},
      {{2, 3, 4, 5}, {2, 3, 5, 6}},
      {{3, 1, 5}, {1, 5, 2}},
      {{0, 4, 5}, {5, 3}},
      {{2, 0, 5}, {5, 3}},
      {{2, 4, 0}, {0, 3}},
      {{1, 4, 5}, {0, 5, 3}},
      {{4, 5}, {5, 0}},
      {{0}, {0}},
  };
  for (const auto& [a, b] : shapes) {
    for (const Lines a_lines : {Lines::kPerTensor, Lines::kVector, Lines::kFull}) {
      for (const Lines b_lines : {Lines::kPerTensor, Lines::kVector, Lines::kFull}) {
        for (const DataType type : {kInt8, kFloat8E4M3FN}) {
          const MatMulLayout layout = {a,    b, a_lines, b_lines, ScaleKind::kOrdinary,
                                       false};
          asker.Ask(MakeMatMulQuestion({kFloat, type, kUint8, kInt8}, layout, dice), 0,
                    1 + static_cast<int>(dice.Below(3)));
        }
      }
    }
  }
  EXPECT_EQ(asker.failures(), 0);
}

// Tiles end at other words of b for each of their rows, and rows that are left over make
// tiles of their own.
TEST(QLinearMatMul, EveryHeight_GivesTheExactBits) {
  Dice dice(10);
  Asker asker;
  for (int64_t rows = 1; rows <= 32; ++rows) {
    for (const int64_t k : {1, 19, 116, 333}) {
      const MatMulLayout layout = {
          {rows, k}, {k, 1 + dice.Below(140)}, Lines::kPerTensor, Lines::kPerTensor};
      asker.Ask(MakeMatMulQuestion(dice.Pick(IntegerTypes()), layout, dice));
    }
  }
  // Sums that go on with the next piece of K.
  for (const int64_t rows : {1, 5, 11, 49, 61, 100}) {
    const MatMulLayout layout = {
        {rows, 8500}, {8500, 70}, Lines::kPerTensor, Lines::kVector};
    asker.Ask(MakeMatMulQuestion(dice.Pick(IntegerTypes()), layout, dice));
  }
  EXPECT_EQ(asker.failures(), 0);
}

TEST(QLinearMatMul, FloatMultiplier_IsTheReadingOfThatName) {
  Dice dice(7);
  Asker asker;
  for (const MatMulTypes& types : AllMatMulTypes()) {
    for (const ScaleKind kind : {ScaleKind::kOrdinary, ScaleKind::kDegenerate}) {
      MatMulLayout layout;
      layout.a = {3, 1 + dice.Below(20)};
      layout.b = {layout.a[1], 9};
      layout.a_lines = static_cast<Lines>(dice.Below(2));
      layout.b_lines = static_cast<Lines>(dice.Below(2));
      layout.scales = kind;
      MatMulQuestion question = MakeMatMulQuestion(types, layout, dice);
      question.requantization = Requantization::kF32Multiplier;
      asker.Ask(question);
    }
  }
  EXPECT_EQ(asker.failures(), 0);
}

TEST(QLinearMatMul, ManyThreads_GiveTheSameBits) {
  Dice dice(8);
  Asker asker;
  const std::vector<std::pair<Shape, Shape>> shapes = {{{150, 700}, {700, 130}},
                                                       {{1, 3000}, {3000, 1500}},
                                                       {{1500, 3000}, {3000, 1}},
                                                       {{3, 40, 520}, {3, 520, 70}}};
  for (const auto& [a, b] : shapes) {
    for (const int threads : {2, 5}) {
      MatMulLayout layout = {a, b, Lines::kVector, Lines::kVector};
      if (a.size() > 2) layout.a_lines = layout.b_lines = Lines::kFull;
      asker.Ask(MakeMatMulQuestion(dice.Pick(IntegerTypes()), layout, dice), 0, threads);
    }
  }
  EXPECT_EQ(asker.failures(), 0);
}

#if defined(__SSE2__)
TEST(QLinearMatMul, CallersFloatingPointModes_AreWithoutEffectAndKept) {
  Dice dice(9);
  const MatMulQuestion question =
      MakeMatMulQuestion({kFloat, kUint8, kInt8, kUint8},
                         {{9, 30}, {30, 70}, Lines::kVector, Lines::kVector}, dice);
  const std::vector<uint8_t> expected = ExpectedCodes(question);
  const unsigned saved = _mm_getcsr();
  constexpr unsigned kFlushAndRoundUp = 0x1F80 | 0x8000 | 0x0040 | 0x4000;
  for (const Target& target : SupportedTargets()) {
    _mm_setcsr(kFlushAndRoundUp);
    const std::string difference =
        MatMulDifference(question, expected, target, {}, false);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(saved);
    EXPECT_EQ(difference, "");
    EXPECT_EQ(after & 0xFFC0u, kFlushAndRoundUp);
  }
}
#endif

}  // namespace
}  // namespace qconform::simd
