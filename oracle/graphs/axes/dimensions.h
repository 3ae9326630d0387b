// The dimensions of a graph's problem (oracle/core/dimensions.h): those of its nodes,
// joined through the values between them.
#ifndef QCONFORM_ORACLE_GRAPHS_AXES_DIMENSIONS_H_
#define QCONFORM_ORACLE_GRAPHS_AXES_DIMENSIONS_H_

#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// Returns the dimensions of a valid graph. It reads only types and shapes, and the data
// of operands that give shapes, axes, indices or amounts. Where these have no data, it
// knows the operands' axes alone, and each of them is a dimension that is whole.
Result<Dimensions> GraphDimensions(const GraphStructure& structure,
                                   const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_AXES_DIMENSIONS_H_
