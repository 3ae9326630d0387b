// Division::kFloatReciprocal gives the codes of a true division: the check that
// divide-inl.h's argument rests on. It runs the kernels themselves.
//
// For a scale s and 0 <= h < 2^bits - 1, let m be the midpoint (25 bits) below the
// least FLOAT that rounds to the integer h + 1. The quotient round(x / s)
// rounds to h + 1 or more exactly where x > s m: a tie x = s m cannot be, as s
// m has up to 49 bits and is no FLOAT (but for powers of two s, where m is
// none). So T = the least FLOAT above s m is the first x with that code, and
// the FLOAT below T the last one with the code before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/quantize_linear/kernels.h"

namespace qconform::simd {
namespace {

struct Evaluator {
  const Kernels* kernels;
  RunFunction run;
};

std::vector<Evaluator> Evaluators(Sink sink) {
  std::vector<Evaluator> evaluators;
  for (const Target& target : SupportedTargets()) {
    const Kernels* k = KernelsOf(target.bit);
    const RunFunction run =
        k->Function(Division::kFloatReciprocal, Operands::kUniform, sink);
    if (run != nullptr) evaluators.push_back({k, run});
  }
  return evaluators;
}

// Those between h and h + 1, 0 <= h < count.
std::vector<double> Midpoints(size_t count) {
  std::vector<double> midpoints(count);
  for (size_t h = 0; h < count; ++h) {
    const float tie = static_cast<float>(h) + 0.5f;
    // Ties go to the even integer, and ties of quotients to `tie`, whose last
    // bit is 0.
    const float beside = std::nextafter(tie, h % 2 == 0 ? 1e6f : 0.0f);
    midpoints[h] = (static_cast<double>(tie) + static_cast<double>(beside)) / 2;
  }
  return midpoints;
}

// The last x below each boundary, and the first above; and their negatives.
void BesideBoundaries(float scale, const std::vector<double>& midpoints,
                      std::vector<float>& x, std::vector<float>& negative) {
  x.clear();
  negative.clear();
  for (const double midpoint : midpoints) {
    const double exact = static_cast<double>(scale) * midpoint;
    const float rounded = static_cast<float>(exact);
    const auto bits = std::bit_cast<uint32_t>(rounded);
    const uint32_t up = static_cast<double>(rounded) > exact ? bits : bits + 1;
    for (const uint32_t side : {up - 1, up}) {
      x.push_back(std::bit_cast<float>(side));
      negative.push_back(-x.back());
    }
  }
}

// Checks both sides of all boundaries, and of their negatives. Returns how many
// codes are wrong.
template <typename Code>
int64_t WrongCodes(float scale, const std::vector<double>& midpoints,
                   const std::vector<Evaluator>& evaluators) {
  const size_t n = midpoints.size();
  static std::vector<float> x, negative;
  static std::vector<Code> codes;
  BesideBoundaries(scale, midpoints, x, negative);
  codes.resize(2 * n);
  const auto max = static_cast<int32_t>(n);
  int64_t wrong = 0;
  for (const Evaluator& e : evaluators) {
    float high, low, limit;
    if (!e.kernels->reciprocals(&scale, 1, 0, &high, &low, &limit)) {
      return 1 << 20;
    }
    Run run;
    run.scale = &scale;
    run.reciprocals = {&high, &low, &limit};
    run.n = 2 * n;
    run.out = codes.data();
    run.integers = {0, max};
    for (const int32_t offset : {0, max}) {  // the lowest and the highest zero point
      run.x = offset == 0 ? x.data() : negative.data();
      run.offset = &offset;
      e.run(run);
      for (size_t h = 0; h < n; ++h) {
        const auto below = static_cast<Code>(offset == 0 ? h : n - h);
        const auto above = static_cast<Code>(offset == 0 ? h + 1 : n - 1 - h);
        wrong += codes[2 * h] != below;
        wrong += codes[2 * h + 1] != above;
      }
    }
  }
  return wrong;
}

// The low part is found without a division, and is the FLOAT that one gives.
TEST(Reciprocal, EverySignificandInSomeBinades_BothParts_AreQuotients) {
  constexpr size_t kCount = 1 << 14;
  std::vector<float> scale(kCount), high(kCount), low(kCount), limit(kCount);
  for (const Evaluator& e : Evaluators(Sink::kInteger8)) {
    int64_t wrong = 0;
    for (const uint32_t exponent : {27u, 127u, 186u}) {
      for (uint32_t first = 0; first < (1u << 23); first += kCount) {
        for (size_t i = 0; i < kCount; ++i) {
          const auto significand = first + static_cast<uint32_t>(i);
          scale[i] = std::bit_cast<float>(exponent << 23 | significand);
        }
        e.kernels->reciprocals(scale.data(), kCount, 0, high.data(), low.data(),
                               limit.data());
        for (size_t i = 0; i < kCount; ++i) {
          const float inverse = 1.0f / scale[i];
          // Exact in DOUBLE: 48 bits.
          const double product = static_cast<double>(scale[i]) * inverse;
          const auto rest = static_cast<float>(1.0 - product);
          wrong += high[i] != inverse || low[i] != rest / scale[i];
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

// What is left over of whole vectors goes another way.
TEST(Reciprocal, FewScales_AreAsTheyAreAmongOthers) {
  constexpr size_t kMany = 128;  // whole vectors, up to 4096 bits
  constexpr std::array kSome = {0x1p-100f, 0x1p60f,        0.1f,          1.0f,
                                3.0f,      0x1.fffffep+3f, 0x1.fffffcp-9f};
  using Reciprocals = std::array<std::array<uint32_t, kMany>, 3>;  // bits
  std::array<float, kMany> scales;
  for (size_t i = 0; i < kMany; ++i) scales[i] = kSome[i % kSome.size()];
  for (const Target& target : SupportedTargets()) {
    const Kernels* k = KernelsOf(target.bit);
    for (const float clamp : {0.0f, 448.0f}) {
      SCOPED_TRACE(testing::Message() << target.name << ", clamp " << clamp);
      // What was not written stays 1.
      const auto of_first = [&](size_t n, bool two_parts) {
        std::array<std::array<float, kMany>, 3> to;
        for (auto& array : to) array.fill(1.0f);
        EXPECT_TRUE(k->reciprocals(scales.data(), n, clamp, to[0].data(),
                                   two_parts ? to[1].data() : nullptr, to[2].data()))
            << n;
        return std::bit_cast<Reciprocals>(to);
      };
      for (const bool two_parts : {false, true}) {
        const Reciprocals all = of_first(kMany, two_parts);
        for (size_t i = 0; i < kSome.size() && !two_parts; ++i) {
          EXPECT_EQ(all[0][i], std::bit_cast<uint32_t>(1.0f / scales[i])) << scales[i];
        }
        for (size_t n = 0; n < kMany; ++n) {
          Reciprocals expected = all;
          for (auto& array : expected) {
            std::fill(array.begin() + static_cast<std::ptrdiff_t>(n), array.end(),
                      std::bit_cast<uint32_t>(1.0f));
          }
          EXPECT_EQ(of_first(n, two_parts), expected) << n << " scales";
        }
      }
      float high, low, limit;
      for (const float s : {0.0f, -0.0f, -1.0f, 0x1p-101f, 0x1p61f, INFINITY, NAN}) {
        EXPECT_FALSE(k->reciprocals(&s, 1, clamp, &high, &low, &limit)) << s;
        EXPECT_FALSE(k->reciprocals(&s, 1, clamp, &high, nullptr, &limit)) << s;
      }
    }
  }
}

// Those between the float code h and h + 1, as Midpoints.
std::vector<double> FloatMidpoints(const FloatGrid& grid) {
  const int mantissa_bits = 23 - grid.mantissa_shift;
  const auto value = [&](uint32_t code) {
    const auto steps = static_cast<float>(code & ((1u << mantissa_bits) - 1));
    const int exponent = static_cast<int>(code >> mantissa_bits);
    const float one = exponent == 0 ? 0.0f : 1.0f;
    return std::ldexp(one + std::ldexp(steps, -mantissa_bits),
                      std::max(exponent - 1, 0)) *
           grid.min_normal;
  };
  std::vector<double> midpoints;
  for (uint32_t h = 0; value(h + 1) <= grid.clamp; ++h) {
    const float tie = (value(h) + value(h + 1)) / 2;
    const float beside = std::nextafter(tie, h % 2 == 0 ? 1e9f : 0.0f);
    midpoints.push_back((static_cast<double>(tie) + static_cast<double>(beside)) / 2);
  }
  return midpoints;
}

// As WrongCodes, of a float target without FNUZ.
int64_t WrongFloatCodes(float scale, const FloatGrid& grid,
                        const std::vector<double>& midpoints,
                        const std::vector<Evaluator>& evaluators) {
  static std::vector<float> x, negative;
  static std::vector<uint8_t> codes;
  BesideBoundaries(scale, midpoints, x, negative);
  codes.resize(x.size());
  int64_t wrong = 0;
  for (const Evaluator& e : evaluators) {
    float high, low, limit;
    const int32_t offset = 0;
    e.kernels->reciprocals(&scale, 1, grid.clamp, &high, &low, &limit);
    Run run;
    run.scale = &scale;
    run.reciprocals = {&high, &low, &limit};
    run.offset = &offset;
    run.n = x.size();
    run.out = codes.data();
    run.floats = grid;
    for (const bool is_negative : {false, true}) {
      run.x = is_negative ? negative.data() : x.data();
      e.run(run);
      for (size_t i = 0; i < x.size(); ++i) {
        wrong += codes[i] !=
                 ((i + 1) / 2 | (is_negative ? 0x80000000u >> grid.sign_shift : 0u));
      }
    }
  }
  return wrong;
}

// The significands the last 20 bits of which are 16 at most, as signed numbers: those
// that divide-inl.h does not argue about; and others.
TEST(Reciprocal, SignificandsOfFewBits_BoundariesOfFloats_AreThoseOfDivision) {
  const auto evaluators = Evaluators(Sink::kFloat8);
  for (const DataType type : {DataType::kFloat8E4M3FN, DataType::kFloat8E5M2,
                              DataType::kFloat6E2M3, DataType::kFloat6E3M2}) {
    const FloatGrid grid = FormatOfCodes(type, true)->floats;
    const auto midpoints = FloatMidpoints(grid);
    int64_t wrong = 0;
    for (uint32_t base = 0; base < (1u << 23); base += 1u << 20) {
      for (uint32_t beside = 0; beside <= 40; ++beside) {
        const uint32_t significand = (base + beside - 20) & 0x7FFFFFu;
        for (const uint32_t exponent : {127u, 60u, 186u}) {
          wrong += WrongFloatCodes(std::bit_cast<float>(exponent << 23 | significand),
                                   grid, midpoints, evaluators);
        }
      }
    }
    for (uint32_t significand = 0; significand < (1u << 23); significand += 10007) {
      wrong += WrongFloatCodes(std::bit_cast<float>(127u << 23 | significand), grid,
                               midpoints, evaluators);
    }
    EXPECT_EQ(wrong, 0) << DataTypeName(type);
  }
}

TEST(Reciprocal, SomeSignificands_AllBoundaries_AreThoseOfDivision) {
  const auto midpoints = Midpoints(255);
  const auto evaluators = Evaluators(Sink::kInteger8);
  int64_t wrong = 0;
  for (uint32_t significand = 0; significand < (1u << 23); significand += 251) {
    // Another binade of the range each time, both ends among them.
    for (const uint32_t exponent : {127u, 27u + significand % 160u, 27u, 186u}) {
      wrong += WrongCodes<uint8_t>(std::bit_cast<float>(exponent << 23 | significand),
                                   midpoints, evaluators);
    }
  }
  EXPECT_EQ(wrong, 0);
}

// Significands near multiples of 2^8 are those for which two multiplications do not
// do, and others (divide-inl.h).
TEST(Reciprocal, SomeSignificands_BoundariesOfWords_AreThoseOfDivision) {
  const auto midpoints = Midpoints(65535);
  const auto evaluators = Evaluators(Sink::kInteger16);
  int64_t wrong = 0;
  for (uint32_t base = 0; base < (1u << 23); base += (1u << 23) / 32) {
    for (uint32_t beside = 0; beside <= 12; ++beside) {
      const uint32_t significand = (base + beside - 6) & 0x7FFFFFu;
      const uint32_t exponent = beside % 3 == 0 ? 27 : beside % 3 == 1 ? 127 : 186;
      wrong += WrongCodes<uint16_t>(std::bit_cast<float>(exponent << 23 | significand),
                                    midpoints, evaluators);
    }
  }
  EXPECT_EQ(wrong, 0);
}

// A minute; all else follows by scaling with powers of two.
TEST(Reciprocal, EverySignificand_AllBoundaries_AreThoseOfDivision) {
  const auto midpoints = Midpoints(255);
  const auto evaluators = Evaluators(Sink::kInteger8);
  int64_t wrong = 0;
  int64_t scales = 0;
  for (uint32_t significand = 0; significand < (1u << 23); ++significand) {
    wrong += WrongCodes<uint8_t>(std::bit_cast<float>(127u << 23 | significand),
                                 midpoints, evaluators);
    ++scales;
  }
  EXPECT_EQ(scales, 1 << 23);
  EXPECT_EQ(wrong, 0);
}

// Of one part it is the nearest FLOAT, for float targets too.
TEST(Reciprocal, OfOnePart_IsTheQuotient) {
  for (const Evaluator& e : Evaluators(Sink::kInteger8)) {
    for (const float clamp : {0.0f, 448.0f}) {
      std::array<float, 41> scale, high, limit;
      for (size_t i = 0; i < scale.size(); ++i) {
        scale[i] = 0.01f * static_cast<float>(i + 1);
      }
      for (size_t n = 1; n <= scale.size(); ++n) {
        high.fill(-1);
        EXPECT_TRUE(e.kernels->reciprocals(scale.data(), n, clamp, high.data(), nullptr,
                                           limit.data()));
        for (size_t i = 0; i < n; ++i) EXPECT_EQ(high[i], 1 / scale[i]);
        for (size_t i = n; i < high.size(); ++i) EXPECT_EQ(high[i], -1);
        if (clamp == 0) continue;
        for (size_t i = 0; i < n; ++i) EXPECT_EQ(limit[i], clamp * scale[i]);
      }
      scale[40] = -1;
      EXPECT_FALSE(e.kernels->reciprocals(scale.data(), 41, clamp, high.data(), nullptr,
                                          limit.data()));
    }
  }
}

std::vector<int32_t> Int32Scales() {
  std::vector<int32_t> scales = {INT32_MAX, INT32_MAX - 63, INT32_MAX - 64,
                                 INT32_MAX - 127, INT32_MAX - 128};
  for (int k = 0; k < 31; ++k) {
    for (int by = -1; by <= 1; ++by) scales.push_back(std::max((1 << k) + by, 1));
  }
  uint32_t state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 1664525 + 1013904223;
    scales.push_back(static_cast<int32_t>(state >> (1 + i % 24)) | 1);
    scales.push_back((scales.back() & 0xFFF) << i % 19);
  }
  return scales;
}

// What exact quotients rest on: ExactForBytes and ExactForWords.
TEST(Reciprocal, OfInt32_IsWithinItsBounds) {
  const std::vector<int32_t> scales = Int32Scales();
  const size_t n = scales.size();
  std::vector<float> high(n), low(n), limit(n);
  const auto* bytes = reinterpret_cast<const std::byte*>(scales.data());
  for (const Target& target : SupportedTargets()) {
    const Kernels& k = *KernelsOf(target.bit);
    k.reciprocals_of_int32(bytes, n, 0, high.data(), low.data(), limit.data());
    int64_t wrong = 0;
    for (size_t i = 0; i < n; ++i) {
      // Both products have 55 bits: exact, but for a last rounding by 2^-64.
      const auto s = static_cast<long double>(scales[i]);
      const long double rest = (1 - s * high[i]) - s * low[i];  // of 1 / s, times s
      const bool above = s * high[i] > 1 || std::signbit(low[i]);
      wrong += above || !(std::abs(rest) < 0x1p-44L);  // NaN, too
    }
    EXPECT_EQ(wrong, 0) << target.name;
    // Parts of vectors, behind which nothing is written.
    for (size_t count = 1; count <= 40; ++count) {
      std::vector<float> some(41, -1), of_low(41, -1);
      k.reciprocals_of_int32(bytes, count, 0, some.data(), of_low.data(), limit.data());
      for (size_t i = 0; i < 41; ++i) {
        EXPECT_EQ(some[i], i < count ? high[i] : -1);
        EXPECT_EQ(of_low[i], i < count ? low[i] : -1);
      }
    }
  }
}

TEST(Reciprocal, ScalesOutOfRange_AreNotTaken) {
  for (const Evaluator& e : Evaluators(Sink::kInteger8)) {
    for (const float scale : {0.0f, -0.0f, -1.0f, 0x1p-101f, 0x1p61f, 0x1p-140f, INFINITY,
                              -INFINITY, std::nanf("")}) {
      float high[20], low[20], limit[20];
      std::array<float, 20> scales;
      scales.fill(1.5f);
      const auto are_right = [&] {
        return e.kernels->reciprocals(scales.data(), 20, 0, high, low, limit);
      };
      EXPECT_TRUE(are_right());
      for (const size_t i : {0, 7, 15, 16, 19}) {
        scales.fill(1.5f);
        scales[i] = scale;
        EXPECT_FALSE(are_right()) << scale;
      }
    }
  }
}

}  // namespace
}  // namespace qconform::simd
