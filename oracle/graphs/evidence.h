// What evidence shows of an element of a graph: the elements of the inputs that it comes
// from, and why it is free.
#ifndef QCONFORM_ORACLE_GRAPHS_EVIDENCE_H_
#define QCONFORM_ORACLE_GRAPHS_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// `value` is that of the graph. An input's element is named "x" if it is the only one of
// its input, else "x[3]".
Result<std::vector<ElementOperand>> OperandsOfValue(const GraphStructure& structure,
                                                    const Composition& composition,
                                                    size_t value, int64_t index);

// Returns the reason that the first node on the element's way has that makes it free.
Result<std::optional<FreeInput>> FreeInputOfValue(const GraphStructure& structure,
                                                  const Composition& composition,
                                                  size_t value, int64_t index);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_EVIDENCE_H_
