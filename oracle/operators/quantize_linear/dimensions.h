// The dimensions of a QuantizeLinear problem: x's own, "x_0", "x_1", ...
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_DIMENSIONS_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_DIMENSIONS_H_

#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

// An Error, citing the clause, if the model is invalid. The operands' data may be
// missing.
Result<Dimensions> QuantizeLinearDimensions(const QuantizeLinearProblem& problem);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_DIMENSIONS_H_
