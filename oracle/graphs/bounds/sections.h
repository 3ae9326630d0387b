// Float sections of a graph: where a clause allows more than the composition, because
// operations may be fused or their order is open (GR-05, GR-06, GR-13).
//
// A section begins with DequantizeLinear nodes, Casts from integers and float operands.
// It ends with a QuantizeLinear, or with a float output of the graph.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTIONS_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTIONS_H_

#include <cstddef>
#include <vector>

#include "oracle/base/reading.h"
#include "oracle/graphs/structure.h"

namespace qconform {

struct Sections {
  // What is known of a value.
  struct Value {
    bool is_dequantized = false;  // a DequantizeLinear lies before it in its section
    bool is_computed = false;     // an operation of GR-05 or GR-06 does
    bool has_operation = false;   // one of GR-05
    bool has_sum = false;         // one of GR-06
    bool is_needed = false;       // the bounds of some end depend on it
    // Nodes that move and choose, and then a QuantizeLinear, follow (GR-18).
    bool is_quantized_behind = false;
    bool is_bounded_output = false;
  };

  std::vector<Value> values;
  // Nodes whose own readings the bounds take in: their digits do not matter there.
  std::vector<bool> is_inside;
  // The names of the bounds; none: the graph has no section that has some.
  std::vector<Reading> bounds;
  std::vector<Reading> wider;
};

Sections FindSections(const GraphStructure& structure);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_SECTIONS_H_
