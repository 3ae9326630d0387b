// The x on both sides of a boundary between codes of y, for any scale.
//
// Let q- < q+ be the neighbouring FLOAT quotients between which y changes, and m
// their midpoint. For a FLOAT scale s > 0 the quotient round(x / s) is q+ or more
// exactly if x > s m: a tie x = s m is impossible, as m has 25 significant bits, of
// which the last is set, so that s m has 25 or more and is no FLOAT. (m is a normal
// number: q+ is far above the subnormals for every type of y.) So the largest FLOAT
// below s m is the last x with the code before the boundary, and the smallest FLOAT
// above it the first with the code after it. s m is exact in DOUBLE: 49 bits.
#ifndef QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARIES_H_
#define QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARIES_H_

#include <cstdint>

namespace qconform::quantize_linear {

// Returns m, exactly. Precondition: both are codes of finite FLOATs of one sign,
// neighbours, and neither is zero or subnormal.
double MidpointOf(uint32_t below, uint32_t above);

// Codes of FLOAT, in the order of values; infinity beyond the largest finite.
struct BesideBoundary {
  uint32_t below = 0;
  uint32_t above = 0;
};
// Preconditions: `scale` is the code of a positive finite FLOAT, and midpoint a
// MidpointOf.
BesideBoundary BesideOf(uint32_t scale, double midpoint);

}  // namespace qconform::quantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_QUANTIZE_LINEAR_PROOFS_BOUNDARIES_H_
