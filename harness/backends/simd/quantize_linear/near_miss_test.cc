// Scales by which quotients are boundaries between two codes, or miss them by as little
// as may be: that of FLOAT16 and BFLOAT16 by 2^-23 and 2^-17 of it, exact ones of INT32
// scales by 2^-40 where codes have 8 bits, and 2^-48 where they have 16. Against the
// oracle, on every target.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/backends/simd/quantize_linear/testing/judge.h"
#include "harness/backends/simd/quantize_linear/testing/questions.h"
#include "oracle/formats/codes.h"

namespace qconform::simd {
namespace {

// Of a code, the lowest bits.
void SetElement(Tensor& tensor, int64_t at, uint64_t code) {
  const int unused = 64 - BitWidth(tensor.type);
  WriteCode(tensor.mutable_view(), at, code << unused >> unused);
}

// All significands of a type, by all, with quotients between half and twice `around`.
void AskAllSignificands(DataType type, DataType y, double around, bool in_rows,
                        Judge& judge) {
  const int64_t count = type == DataType::kFloat16 ? 1024 : 128;
  const Layout layout = {{count, count}, {count}, in_rows ? 1 : 0, 0, false, count};
  Random random(43);
  QuantizeLinearQuestion question = MakeQuestion({25, type, type, y}, layout, random);
  for (int64_t i = 0; i < count; ++i) {
    const double scale = static_cast<double>(count + i) / 64;
    SetElement(question.y_scale, i, RoundTo(type, scale));
    for (int64_t j = 0; j < count; ++j) {
      const double x = static_cast<double>(count + j) * around / 64;
      SetElement(question.x, in_rows ? j * count + i : i * count + j, RoundTo(type, x));
    }
  }
  judge.Ask(question);
}

// P rounds these quotients to integers or multiples of 2.
TEST(QuantizeLinear, AllSignificandsByAll_AreTheOracles) {
  Judge judge;
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    for (const bool in_rows : {false, true}) {
      AskAllSignificands(type, DataType::kUint16, 1024, in_rows, judge);
    }
  }
  EXPECT_GT(judge.elements(), 2'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

// Powers of two among them, which products by reciprocals are a little below, are what
// RoundShort rounds to the wrong side: all that 8 bits have, and what lies beyond.
TEST(QuantizeLinear, AllSignificandsByAll_ToBytes_AreTheOracles) {
  Judge judge;
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    for (const double around : {0.5, 1.0, 16.0, 128.0, 256.0}) {
      AskAllSignificands(type, DataType::kUint8, around, false, judge);
    }
    AskAllSignificands(type, DataType::kUint4, 16.0, true, judge);
  }
  EXPECT_GT(judge.elements(), 6'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

// A FLOAT scale and an x by which x * (high + low), rounded, is not round(x / scale), and
// on the other side of a boundary of 16 bits.
struct WrongProduct {
  float scale = 1;
  float x = 0;
};

// In the words of divide-inl.h: S M = X 2^24 + c, where the last 8 bits of S are c, as a
// signed number, so that M is 1 modulo 2^8; here c is odd.
std::vector<WrongProduct> WrongProducts() {
  std::vector<WrongProduct> found;
  for (int64_t s = (1 << 23) + 1; s < 1 << 24; s += 2) {
    const int64_t c = static_cast<int8_t>(s);
    if (std::abs(c) > 4) continue;
    // Of S modulo 2^24, and beyond; each step doubles the bits that are right.
    const auto unsigned_s = static_cast<uint64_t>(s);
    uint64_t inverse = unsigned_s;
    for (int i = 0; i < 4; ++i) inverse *= 2 - unsigned_s * inverse;
    const auto product = static_cast<uint64_t>(c) * inverse;
    const auto m = static_cast<int64_t>((product & 0xFFFFFF) + (1 << 24));
    const float scale = std::ldexp(static_cast<float>(s), -23);
    const float x = std::ldexp(static_cast<float>((s * m - c) >> 24), -8);
    const float high = 1.0f / scale;
    const float low = std::fma(-scale, high, 1.0f) / scale;
    const float q = std::fma(x, high, x * low);
    if (std::nearbyint(q) != std::nearbyint(x / scale)) found.push_back({scale, x});
  }
  return found;
}

// Rows by such scales, which need rounded quotients, go through a kernel together with
// rows by others.
TEST(QuantizeLinear, RowsThatNeedRoundedQuotientsBesideOthers_AreTheOracles) {
  using enum DataType;
  const std::vector<WrongProduct> wrong = WrongProducts();
  ASSERT_GT(wrong.size(), 100u);
  Random random(47);
  Judge judge;
  for (const int64_t length : {31, 40, 300, 4096}) {
    const Layout layout = {{48, length}, {48}, 0, 0, false, 48};
    QuantizeLinearQuestion question =
        MakeQuestion({25, kFloat, kFloat, kUint16}, layout, random);
    for (int64_t i = 0; i < 48; ++i) {
      const bool is_wrong = i % 8 > 4;
      const auto which =
          static_cast<size_t>(random.Below(static_cast<int64_t>(wrong.size())));
      const WrongProduct product = is_wrong ? wrong[which] : WrongProduct{1.0f, 0.5f};
      SetElement(question.y_scale, i, std::bit_cast<uint32_t>(product.scale));
      for (int64_t j = 0; j < length; ++j) {
        SetElement(question.x, i * length + j, std::bit_cast<uint32_t>(product.x));
      }
    }
    judge.Ask(question);
  }
  EXPECT_GT(judge.elements(), 200'000);
  EXPECT_EQ(judge.failures(), 0);
}

struct NearMiss {
  int32_t scale = 1;
  double x = 0;  // x / scale is a boundary, or next to one
};

// What x and y leave to choose.
struct Bounds {
  int x_bits = 24;
  double most_x = 0x1p100;
  // Boundaries are odd numbers below twice `odd`, times 1/2; those of float targets times
  // 2^-18 (half of the least E5M2FNUZ) to 2^12 (15 of which E5M2 overflows from on).
  int64_t odd = 256;
  bool is_float = false;
  int scale_bits = 31;
};

Bounds BoundsOf(DataType x, DataType y, int scale_bits) {
  using enum DataType;
  Bounds of;
  of.scale_bits = scale_bits;
  of.x_bits = x == kFloat16 ? 11 : x == kBfloat16 ? 8 : x == kInt32 ? 31 : 24;
  if (x == kFloat16) of.most_x = 65504;
  if (x == kInt32) of.most_x = INT32_MAX;
  of.is_float = !IsInteger(y);
  of.odd = of.is_float ? 16 : int64_t{1} << BitWidth(y);
  return of;
}

// Returns 1 / 2^k modulo an odd number.
int64_t InversePower(int k, int64_t odd) {
  int64_t inverse = 1 % odd;
  for (int i = 0; i < k; ++i) inverse = inverse * ((odd + 1) / 2) % odd;
  return inverse;
}

// scale odd = X 2^up + by, where X has at most x_bits, and by is 0, 1 or -1, or at most
// half of odd; nothing where the first choice does not lead there.
std::optional<NearMiss> MaybeNearMiss(const Bounds& of, Random& random) {
  const int64_t odd = random.Below(of.odd) * 2 + 1;
  const int shift = of.is_float ? static_cast<int>(random.Below(31)) - 18 : -1;
  const int odd_bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(odd)));
  int64_t x = random.Below(int64_t{1} << of.x_bits) >> random.Below(of.x_bits);
  if (x == 0) return std::nullopt;
  // Half of the scales have about as many bits as they may.
  const int x_bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(x)));
  const int most = of.scale_bits + odd_bits - x_bits;
  if (most < 0) return std::nullopt;
  const int up =
      static_cast<int>(random.Below(2) == 0 ? random.Below(most + 1)
                                            : most - random.Below(std::min(most + 1, 3)));
  int64_t by = 0;
  switch (random.Below(4)) {
    case 0:  // a boundary
      x -= x % odd;
      break;
    case 1:
      by = (odd / 2) - ((x << up) + odd / 2) % odd;
      break;
    default: {
      by = random.Below(2) * 2 - 1;
      const int64_t least = (odd - by) * InversePower(up, odd) % odd;
      x += least - x % odd;
      break;
    }
  }
  const int64_t scale = ((x << up) + by) / odd;
  const double of_x = std::ldexp(static_cast<double>(x), up + shift);
  const bool fits = x > 0 && x < int64_t{1} << of.x_bits && of_x <= of.most_x &&
                    scale > 0 && scale < int64_t{1} << of.scale_bits;
  if (!fits || ((x << up) + by) % odd != 0) return std::nullopt;
  return NearMiss{static_cast<int32_t>(scale), of_x};
}

NearMiss MakeNearMiss(const Bounds& of, Random& random) {
  for (;;) {
    if (const auto near = MaybeNearMiss(of, random)) return *near;
  }
}

// How scales lie along x: some uses of each, one behind the other, or a row apart.
struct Uses {
  int64_t scales = 1;
  int64_t uses = 32;
  bool in_rows = false;

  Layout layout(bool zero_point) const {
    if (scales == 1) return {{uses}, {}, 0, 0, zero_point, 1};
    if (in_rows) return {{uses, scales}, {scales}, 1, 0, zero_point, scales};
    return {{scales, uses}, {scales, 1}, 1, uses, zero_point, scales};
  }
};

void Ask(const Variant& variant, const Bounds& of, const Uses& uses, Random& random,
         Judge& judge) {
  // Those at an end of the range show boundaries of both signs.
  const bool zero_point = !of.is_float && random.Below(2) == 0;
  const bool negative = random.Below(8) == 0;  // all scales
  QuantizeLinearQuestion question =
      MakeQuestion(variant, uses.layout(zero_point), random);
  for (int64_t i = 0; i < uses.scales; ++i) {
    const NearMiss near = MakeNearMiss(of, random);
    SetElement(question.y_scale, i,
               static_cast<uint32_t>(negative ? -near.scale : near.scale));
    if (question.y_zero_point && BitWidth(variant.y) >= 8) {
      const uint64_t least = variant.y == DataType::kInt8    ? 0x80
                             : variant.y == DataType::kInt16 ? 0x8000
                                                             : 0;
      SetElement(*question.y_zero_point, i, i % 2 == 0 ? least : ~least);
    }
    for (int64_t j = 0; j < uses.uses; ++j) {
      // Both signs, of x, of what lies beside it, and of zeros.
      const double magnitude = j / 2 % 4 == 3 ? 0.0 : near.x;
      uint64_t code = RoundTo(variant.x, j % 2 == 0 ? magnitude : -magnitude);
      if (magnitude != 0) code += static_cast<uint64_t>(j / 2 % 3 - 1);
      SetElement(question.x, uses.in_rows ? j * uses.scales + i : i * uses.uses + j,
                 code);
    }
  }
  judge.Ask(question);
}

// The most bits of scales: any, FLOAT's, and those up to which quotients in FLOAT have
// the codes of exact ones (FloatIsExact), of INT32 x up to which it is a FLOAT where it
// counts; and one and two more. FLOAT16's x may have any to integers.
std::vector<int> ScaleBits(DataType x, DataType y) {
  using enum DataType;
  if (x == kFloat16 && IsInteger(y)) return {31, 24, 17, 16, 15};
  int bits = !IsInteger(y) ? 20 : BitWidth(y) == 16 ? 8 : 16;
  if (x == kInt32 && (IsInteger(y) || IsFloat8(y))) {
    const bool is_wide = y == kFloat8E5M2 || y == kFloat8E5M2FNUZ;
    bits = is_wide ? 8 : IsFloat8(y) ? 15 : bits - 1;
  }
  if (x == kInt32 && y == kFloat6E3M2) bits = 19;
  return {31, 24, bits, bits + 1, bits + 2};
}

TEST(QuantizeLinear, ExactQuotientsNextToBoundaries_AreTheOracles) {
  using enum DataType;
  const Uses layouts[] = {{64, 32},      {32, 64, true}, {128, 16}, {16, 128},
                          {61, 9, true}, {1, 131},       {40, 23}};
  Random random(41);
  Judge judge;
  for (const DataType x : {kFloat16, kBfloat16, kFloat, kInt32}) {
    for (const DataType y :
         {kUint8, kInt8, kInt16, kUint16, kUint4, kInt2, kFloat8E4M3FN, kFloat8E4M3FNUZ,
          kFloat8E5M2, kFloat8E5M2FNUZ, kFloat6E2M3, kFloat6E3M2, kFloat4E2M1}) {
      for (const int scale_bits : ScaleBits(x, y)) {
        const Bounds of = BoundsOf(x, y, scale_bits);
        for (int i = 0; i < 6; ++i) {
          for (const Uses& uses : layouts) {
            const bool saturate = !IsFloat8(y) || i % 2 == 0;
            Ask({28, x, kInt32, y, kUndefined, saturate}, of, uses, random, judge);
          }
        }
      }
    }
  }
  EXPECT_GT(judge.elements(), 14'000'000);
  EXPECT_EQ(judge.failures(), 0);
}

}  // namespace
}  // namespace qconform::simd
