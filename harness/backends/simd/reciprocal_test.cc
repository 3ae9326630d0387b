// Division::kFloatReciprocal gives the codes of a true division: the check that
// divide-inl.h's argument rests on. It runs the kernels themselves.
//
// For a scale s and 0 <= h < 255, let m be the midpoint (25 bits) below the
// least FLOAT that rounds to the integer h + 1. The quotient round(x / s)
// rounds to h + 1 or more exactly where x > s m: a tie x = s m cannot be, as s
// m has up to 49 bits and is no FLOAT (but for powers of two s, where m is
// none). So T = the least FLOAT above s m is the first x with that code, and
// the FLOAT below T the last one with the code before.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/targets.h"

namespace qconform::simd {
namespace {

constexpr size_t kBoundaries = 255;  // between h and h + 1, 0 <= h < 255

struct Evaluator {
  const Kernels* kernels;
  RunFunction run;
};

std::vector<Evaluator> Evaluators() {
  std::vector<Evaluator> evaluators;
  for (const Target& target : SupportedTargets()) {
    const Kernels* k = KernelsOf(target.bit);
    const RunFunction run =
        k->Function(Division::kFloatReciprocal, Operands::kUniform, Sink::kInteger8);
    if (run != nullptr) evaluators.push_back({k, run});
  }
  return evaluators;
}

std::array<double, kBoundaries> Midpoints() {
  std::array<double, kBoundaries> midpoints;
  for (size_t h = 0; h < kBoundaries; ++h) {
    const float tie = static_cast<float>(h) + 0.5f;
    // Ties go to the even integer, and ties of quotients to `tie`, whose last
    // bit is 0.
    const float beside = std::nextafter(tie, h % 2 == 0 ? 1000.0f : 0.0f);
    midpoints[h] = (static_cast<double>(tie) + static_cast<double>(beside)) / 2;
  }
  return midpoints;
}

// Checks both sides of all boundaries, and of their negatives. Returns how many
// codes are wrong.
int64_t WrongCodes(float scale, const std::array<double, kBoundaries>& midpoints,
                   const std::vector<Evaluator>& evaluators) {
  alignas(64) float x[2 * kBoundaries];
  alignas(64) float negative[2 * kBoundaries];
  for (size_t h = 0; h < kBoundaries; ++h) {
    const double exact = static_cast<double>(scale) * midpoints[h];
    float above = static_cast<float>(exact);
    const auto bits = std::bit_cast<uint32_t>(above);
    const uint32_t up = static_cast<double>(above) > exact ? bits : bits + 1;
    above = std::bit_cast<float>(up);
    const float below = std::bit_cast<float>(up - 1);
    x[2 * h] = below;
    x[2 * h + 1] = above;
    negative[2 * h] = -below;
    negative[2 * h + 1] = -above;
  }
  int64_t wrong = 0;
  for (const Evaluator& e : evaluators) {
    float high, low;
    if (e.kernels->reciprocals(&scale, 1, &high, &low) == ReciprocalRange::kNone) {
      return 1 << 20;
    }
    uint8_t codes[2 * kBoundaries];
    Run run;
    run.scale = &scale;
    run.reciprocal = &high;
    run.reciprocal_low = &low;
    run.n = 2 * kBoundaries;
    run.out = codes;
    run.integers = {0, 255};
    for (const int32_t offset : {0, 255}) {  // the lowest and the highest zero point
      run.x = offset == 0 ? x : negative;
      run.offset = &offset;
      e.run(run);
      for (size_t h = 0; h < kBoundaries; ++h) {
        const auto below = static_cast<uint8_t>(offset == 0 ? h : 255 - h);
        const auto above = static_cast<uint8_t>(offset == 0 ? h + 1 : 254 - h);
        wrong += codes[2 * h] != below;
        wrong += codes[2 * h + 1] != above;
      }
    }
  }
  return wrong;
}

TEST(Reciprocal, SomeSignificands_AllBoundaries_AreThoseOfDivision) {
  const auto midpoints = Midpoints();
  const auto evaluators = Evaluators();
  int64_t wrong = 0;
  for (uint32_t significand = 0; significand < (1u << 23); significand += 251) {
    // Another binade of the range each time, both ends among them.
    for (const uint32_t exponent : {127u, 27u + significand % 160u, 27u, 186u}) {
      wrong += WrongCodes(std::bit_cast<float>(exponent << 23 | significand), midpoints,
                          evaluators);
    }
  }
  EXPECT_EQ(wrong, 0);
}

// A minute; all else follows by scaling with powers of two.
TEST(Reciprocal, EverySignificand_AllBoundaries_AreThoseOfDivision) {
  const auto midpoints = Midpoints();
  const auto evaluators = Evaluators();
  int64_t wrong = 0;
  int64_t scales = 0;
  for (uint32_t significand = 0; significand < (1u << 23); ++significand) {
    wrong +=
        WrongCodes(std::bit_cast<float>(127u << 23 | significand), midpoints, evaluators);
    ++scales;
  }
  EXPECT_EQ(scales, 1 << 23);
  EXPECT_EQ(wrong, 0);
}

TEST(Reciprocal, ScalesOutOfRange_AreNotTaken) {
  for (const Evaluator& e : Evaluators()) {
    for (const float scale : {0.0f, -0.0f, -1.0f, 0x1p-101f, 0x1p61f, 0x1p-140f, INFINITY,
                              -INFINITY, std::nanf("")}) {
      float high[20], low[20];
      std::array<float, 20> scales;
      scales.fill(1.5f);
      EXPECT_EQ(e.kernels->reciprocals(scales.data(), 20, high, low),
                ReciprocalRange::kAll);
      for (const size_t i : {0, 7, 15, 16, 19}) {
        scales.fill(1.5f);
        scales[i] = scale;
        EXPECT_EQ(e.kernels->reciprocals(scales.data(), 20, high, low),
                  ReciprocalRange::kNone)
            << scale;
        scales[i] = 0x1p-25f;
        EXPECT_EQ(e.kernels->reciprocals(scales.data(), 20, high, low),
                  ReciprocalRange::kUniform);
      }
    }
  }
}

}  // namespace
}  // namespace qconform::simd
