// INT32 scales by which quotients of x of 16 bits hit a boundary between two codes, or miss
// it by least, down to 2^-40 of it: QuotientToOdd tells them apart by the scale. Against
// the oracle, on every target.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "test_judge.h"      // beside this file
#include "test_questions.h"  // beside this file

namespace qconform::simd {
namespace {

constexpr int64_t kScales = 64;
constexpr int64_t kUses = 32;  // elements of x for each scale

struct NearMiss {
  int32_t scale = 1;
  double x = 0;  // has `bits` bits at most; x / scale is a boundary, or next to one
};

// The boundary is an odd number below 2^9 times a power of two, for float targets of less
// bits.
NearMiss MakeNearMiss(int bits, bool is_float, Random& random) {
  const int shift = is_float ? static_cast<int>(random.Below(12)) - 10 : -1;
  const auto near = [&](int64_t scale, int64_t x, int up) {
    return NearMiss{static_cast<int32_t>(scale),
                    std::ldexp(static_cast<double>(x), up + shift)};
  };
  const int64_t kind = random.Below(4);
  for (;;) {
    const int64_t odd = random.Below(is_float ? 16 : 256) * 2 + 1;
    const int up = static_cast<int>(random.Below(40));
    const int64_t few = random.Below(int64_t{1} << (bits - 1)) * 2 + 1;
    const int64_t x = few << up;
    if (kind == 0) {
      if (few * odd >= int64_t{1} << bits || x > INT32_MAX) continue;
      return near(x, few * odd, up);
    }
    // scale odd = x + by: a miss by 1 in 2^40 or more, or by a little more.
    const int64_t by = kind == 1 ? odd / 2 - x % odd : random.Below(2) * 2 - 1;
    const int64_t scale = (x + by) / odd;
    if (kind != 1 && (x + by) % odd != 0) continue;
    if (scale > 0 && scale <= INT32_MAX) return near(scale, few, up);
  }
}

void Ask(DataType x_type, DataType y, bool saturate, bool in_rows, Random& random,
         Judge& judge) {
  const Layout blocks = {{kScales, kUses}, {kScales, 1}, 1, kUses, false, kScales};
  const Layout rows = {{kUses, kScales}, {kScales}, 1, 0, false, kScales};
  Question question = MakeQuestion({25, x_type, DataType::kInt32, y, DataType::kUndefined,
                                    saturate},
                                   in_rows ? rows : blocks, random);
  for (int64_t i = 0; i < kScales; ++i) {
    const NearMiss near =
        MakeNearMiss(x_type == DataType::kFloat16 ? 11 : 8, !IsInteger(y), random);
    std::memcpy(question.y_scale.data.data() + i * 4, &near.scale, sizeof(near.scale));
    const auto bits = static_cast<uint16_t>(RoundTo(x_type, near.x));
    for (int64_t j = 0; j < kUses; ++j) {
      // Both signs, of x, of its neighbours, and of zeros.
      const auto neighbour = static_cast<uint16_t>(bits + j / 2 % 3 - 1);
      const auto code = static_cast<uint16_t>((j / 2 % 4 == 3 ? 0 : neighbour) ^
                                              (j % 2 == 0 ? 0 : 0x8000));
      const int64_t at = in_rows ? j * kScales + i : i * kUses + j;
      std::memcpy(question.x.data.data() + at * 2, &code, sizeof(code));
    }
  }
  judge.Ask(question);
}

TEST(QuantizeLinear, QuotientsNextToBoundaries_AreTheOracles) {
  using enum DataType;
  Random random(41);
  Judge judge;
  for (const DataType x : {kFloat16, kBfloat16}) {
    for (const DataType y : {kUint8, kInt8, kUint4, kInt2, kFloat8E4M3FN, kFloat8E4M3FNUZ,
                             kFloat8E5M2, kFloat8E5M2FNUZ, kFloat4E2M1}) {
      for (int i = 0; i < 40; ++i) {
        Ask(x, y, !IsFloat8(y) || i % 4 < 2, i % 2 == 0, random, judge);
      }
    }
  }
  EXPECT_GT(judge.elements(), 1'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

}  // namespace
}  // namespace qconform::simd
