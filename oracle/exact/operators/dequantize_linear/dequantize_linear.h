// The judge of DequantizeLinear.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_

#include "oracle/exact/value.h"

namespace qconform::exact {

// Returns (x - x_zero_point) * x_scale before it is rounded. Precondition: all are
// finite.
mpq_class Dequantize(const mpq_class& x, const mpq_class& x_zero_point,
                     const mpq_class& x_scale);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
