// What the bounds of a float section allow at its ends: codes of a QuantizeLinear, floats
// that the graph gives, positions (GR-05, GR-14, GR-17, GR-18).
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTION_ENDS_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTION_ENDS_H_

#include <span>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/graphs/bounds/bounded_element.h"
#include "oracle/graphs/bounds/float_node_bounds.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// Each widens the elements of an output of a node, whose codes are the composition's.
// `is_wider`: by the bounds of reduced precision. `exact` gets which elements are in the
// exact case.

// `elements` are those of what is quantized.
Status WidenQuantized(const GraphNode& node, const Composition& so_far,
                      std::span<const BoundedElement> elements, bool is_wider,
                      ComposedValue& output, std::vector<bool>& exact);

void WidenFloats(std::span<const BoundedElement> elements, bool is_wider,
                 ComposedValue& output, std::vector<bool>& exact);

// Of ArgMax and ArgMin. `format` is that of their operand.
void WidenPositions(const Wiring& wiring, const FloatNodeBounds& bounds,
                    const NumberFormat& format, bool is_wider, ComposedValue& output);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTION_ENDS_H_
