// Inputs of a graph with constant weights that show a kernel which adds pairs of products
// with saturation to 16 bits, although the bounds of sums are wide (GR-06).
#ifndef QCONFORM_HARNESS_GRAPHS_SUMS_TELLING_INPUTS_H_
#define QCONFORM_HARNESS_GRAPHS_SUMS_TELLING_INPUTS_H_

#include <cstddef>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/graphs/workspace.h"
#include "oracle/base/node.h"
#include "oracle/base/result.h"

namespace qconform::graphs {

// Returns at most `most` inputs for the first operands of sums of 8-bit codes by constant
// INT8 weights, those that show most first. In each of them two neighbouring terms are so
// large that they leave the range of 16 bits, and all others are 0 but those that bring
// the result into its range. Together they have such a pair of each column of the
// weights, and pairs at the beginning, in the middle and at the end of the sum.
//
// Of a column no pair of which exceeds 16 bits by more than the bound, there are none. No
// such column: the result is empty.
std::vector<TellingInput> InputsOfPairs(const Workspace& graph, const Node& outer,
                                        size_t most);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_SUMS_TELLING_INPUTS_H_
