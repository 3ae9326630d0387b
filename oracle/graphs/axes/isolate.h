// One element of a graph's output, with only the elements that it comes from.
#ifndef QCONFORM_ORACLE_GRAPHS_AXES_ISOLATE_H_
#define QCONFORM_ORACLE_GRAPHS_AXES_ISOLATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns BoundOperator::IsolateElement of a graph whose nodes act on each element by
// itself; scales are per tensor. An Error if the element comes from another node, from
// blocks, or from several elements of one operand: such a graph can only be cut along its
// dimensions.
Result<std::vector<Tensor>> IsolateGraphElement(const GraphStructure& structure,
                                                const Composition& composition,
                                                size_t output, int64_t index);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_AXES_ISOLATE_H_
