// Which model a QuantizeLinear problem is: types (QL-30), granularity (QL-31 to
// QL-34), and where the scale of an element lies.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "oracle/core/scale_layout.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

struct QuantizeLinearLayout : ScaleLayout {
  DataType y = DataType::kUndefined;
};

struct QuantizeLinearResolution {
  ModelValidity validation;
  QuantizeLinearLayout layout;  // meaningless where the model is invalid
};

// Resolves types, attributes and shapes. Open models get their plain meaning.
QuantizeLinearResolution Resolve(const QuantizeLinearProblem& problem);

// The same of operands whose data may be missing.
QuantizeLinearResolution ResolveWithoutData(const QuantizeLinearProblem& problem);

// The operands as problems of this kind have them.
ScaledOperands OperandsOf(const QuantizeLinearProblem& problem);

// Returns the codes from which element `index` of y is computed. Precondition: the model
// is not invalid.
std::vector<ElementOperand> OperandsOfElement(const QuantizeLinearProblem& problem,
                                              int64_t index);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_LAYOUT_H_
