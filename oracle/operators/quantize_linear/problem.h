// From the attributes and operands of a node to the problem that the evaluation takes.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PROBLEM_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PROBLEM_H_

#include <span>

#include "oracle/base/attribute.h"
#include "oracle/core/operator.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {

// An Error if an attribute is of the wrong kind. Other attributes are ignored.
Result<QuantizeLinearAttributes> ReadQuantizeLinearAttributes(
    std::span<const Attribute> attributes);

// An Error if x or y_scale is missing. The problem's views are those of the operands.
Result<QuantizeLinearProblem> QuantizeLinearProblemOf(
    int since_version, const QuantizeLinearAttributes& attributes,
    const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_PROBLEM_H_
