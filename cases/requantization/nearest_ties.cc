#include "cases/requantization/nearest_ties.h"

#include <vector>

#include "cases/core/counter_rng.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

// Returns 1 / odd modulo 2^64: every step doubles the bits that are right.
uint64_t InverseOf(uint64_t odd) {
  uint64_t inverse = odd;  // right in three bits
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// Tries factors A and B until (1) holds with a C of at most 17 bits, and with s on
// the side that rounding to even does not take.
std::vector<NearestTie> FindNearestTies(size_t count) {
  constexpr uint64_t kMask = (uint64_t{1} << kNearestTieBits) - 1;
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
          static_cast<uint64_t>((above ? product - 1 : product + 1) >> kNearestTieBits);
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

std::span<const NearestTie> NearestTies() {
  static const std::vector<NearestTie> ties = FindNearestTies(4);
  return ties;
}

}  // namespace qconform::generators
