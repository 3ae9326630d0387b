// Results so near to a tie that arithmetic in DOUBLE takes them for one: what
// separates a chain of DOUBLE operations from the exact requantization.
//
// With integers A, B (significands of a_scale and b_scale, 24 bits) and a sum C,
//
//   C A B = d Y 2^33 + s,   s = +1 or -1, d odd, Y of at most 24 bits             (1)
//
// so that with y_scale = Y 2^(..) the exact result is d / 2, a tie, but for one part
// in 2^60 or so. DOUBLE holds 53 bits: it drops s, and rounds the tie to even.
#ifndef QCONFORM_CASES_REQUANTIZATION_NEAREST_TIES_H_
#define QCONFORM_CASES_REQUANTIZATION_NEAREST_TIES_H_

#include <cstdint>
#include <span>

namespace qconform::generators {

struct NearestTie {
  int64_t a;  // A, B and Y of (1)
  int64_t b;
  int64_t y;
  int64_t sum;  // C
};

// The power of two in (1).
inline constexpr int kNearestTieBits = 33;

// Returns a few solutions, always the same ones.
std::span<const NearestTie> NearestTies();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_REQUANTIZATION_NEAREST_TIES_H_
