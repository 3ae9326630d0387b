#include "harness/operators/quantize_linear/proofs/boundaries.h"

#include <bit>
#include <cmath>

namespace qconform::quantize_linear {

double MidpointOf(uint32_t below, uint32_t above) {
  return (static_cast<double>(std::bit_cast<float>(below)) +
          static_cast<double>(std::bit_cast<float>(above))) /
         2;
}

BesideBoundary BesideOf(uint32_t scale, double midpoint) {
  const double product = static_cast<double>(std::bit_cast<float>(scale)) * midpoint;
  const double magnitude = std::fabs(product);
  // Codes of one sign are in the order of magnitudes.
  uint32_t inner = std::bit_cast<uint32_t>(static_cast<float>(magnitude));
  if (static_cast<double>(std::bit_cast<float>(inner)) > magnitude) --inner;
  const uint32_t outer = inner + 1;
  if (product > 0) return {inner, outer};
  const uint32_t sign = 0x80000000;
  return {sign | outer, sign | inner};
}

}  // namespace qconform::quantize_linear
