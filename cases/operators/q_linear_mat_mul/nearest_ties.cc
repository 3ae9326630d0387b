// Results so near to a tie that arithmetic in DOUBLE takes them for one: what
// separates a chain of DOUBLE operations from the exact requantization.
//
// With integers A, B (significands of a_scale and b_scale, 24 bits) and a sum C,
//
//   C A B = d Y 2^33 + s,   s = +1 or -1, d odd, Y of at most 24 bits             (1)
//
// so that with y_scale = Y 2^(..) the exact result is d / 2, a tie, but for one part
// in 2^60 or so. DOUBLE holds 53 bits: it drops s, and rounds the tie to even.
#include <vector>

#include "cases/operators/q_linear_mat_mul/cases.h"
#include "cases/operators/q_linear_mat_mul/values.h"

namespace qconform::generators {
namespace {

constexpr int kLowBits = 33;

struct NearestTie {
  int64_t a;  // A, B and Y of (1)
  int64_t b;
  int64_t y;
  int64_t sum;  // C
};

// Returns 1 / odd modulo 2^64: every step doubles the bits that are right.
uint64_t InverseOf(uint64_t odd) {
  uint64_t inverse = odd;  // right in three bits
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// Tries factors A and B until (1) holds with a C of at most 17 bits, and with s on
// the side that rounding to even does not take.
std::vector<NearestTie> FindNearestTies(size_t count) {
  constexpr uint64_t kMask = (uint64_t{1} << kLowBits) - 1;
  constexpr uint64_t kLargestSum = uint64_t{1} << 17;
  constexpr uint64_t kLargestY = uint64_t{1} << 24;
  CounterRng rng(ContentKey("nearest_ties", 0, 1));
  const auto significand = [&] { return uint64_t{1} << 23 | rng.Next32() >> 9 | 1; };
  std::vector<NearestTie> found;
  while (found.size() < count) {
    const uint64_t a = significand();
    const uint64_t b = significand();
    const uint64_t inverse = InverseOf(a * b);
    for (const bool above : {true, false}) {
      const uint64_t sum = (above ? inverse : -inverse) & kMask;
      if (sum >= kLargestSum) continue;
      const Uint128 product = static_cast<Uint128>(sum) * (a * b);
      const auto top =
          static_cast<uint64_t>((above ? product - 1 : product + 1) >> kLowBits);
      for (uint64_t d = 511; d > 256; d -= 2) {
        const bool even_below = (d - 1) / 2 % 2 == 0;
        if (even_below != above || top % d != 0 || top / d >= kLargestY) continue;
        found.push_back({static_cast<int64_t>(a), static_cast<int64_t>(b),
                         static_cast<int64_t>(top / d), static_cast<int64_t>(sum)});
        break;
      }
    }
  }
  return found;
}

}  // namespace

void FillMatMulNearestTies(MatMulQuestion& question) {
  static const std::vector<NearestTie> ties = FindNearestTies(4);
  constexpr int64_t kRows = 3;
  constexpr int64_t kColumns = 23;
  constexpr int kScale = -30;  // a_scale and b_scale lie in [2^-7, 2^-6)
  // Zero points of 0: sums can have either sign, or are positive.
  DirectedSums sums(question, kRows, kColumns, 17, 0);
  question.y_zero_point = static_cast<uint8_t>(IntegerCode(question.y, -128));
  const NearestTie& tie = question.rng.Pick(ties);
  const auto code = [&](int64_t significand, int exponent) {
    return RoundNearest(question.scale, ToUnrounded(Dyadic(significand, exponent)));
  };
  for (uint64_t& scale : question.a_scales) scale = code(tie.a, kScale);
  for (uint64_t& scale : question.b_scales) scale = code(tie.b, kScale);
  question.y_scale = code(tie.y, 2 * kScale + kLowBits + 1);
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column) {
      // Neighbours, so that not all are the same.
      const int64_t next = column % 3 == 0 ? 0 : question.rng.Between(-9, 9);
      sums.Choose(row, column, tie.sum + next);
    }
  }
}

}  // namespace qconform::generators
