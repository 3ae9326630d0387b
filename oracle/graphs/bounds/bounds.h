// The bounds of float sections (GR-05, GR-06, GR-13 to GR-19): which codes an element may
// have if operations are fused, or their order is another one.
//
// Of each float element v is known with no rounding at all, as the sum of its terms T_i,
// with sum|T_i| and the number of operations on the way. docs/bounds.md has the proof.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDS_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/graphs/bounds/float_node_bounds.h"
#include "oracle/graphs/bounds/sections.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// Widens the ends of the sections of a composition. Of other elements it passes on what
// the composition has.
class SectionBounds : public Widening {
 public:
  // `is_wider`: by the bounds of reduced precision.
  SectionBounds(const GraphStructure& structure, const Sections& sections, bool is_wider);

  Status Widen(const GraphNode& node, const Composition& so_far,
               std::span<ComposedValue> outputs) override;

  // Of each value whether its elements are ends of a section and in the exact case; empty
  // if it is no end.
  const std::vector<std::vector<bool>>& exact() const { return exact_; }

 private:
  Status Dequantize(const GraphNode& node, const Composition& so_far,
                    const ComposedValue& output);
  void Evaluate(const GraphNode& node, const Composition& so_far,
                std::span<ComposedValue> outputs);

  // Whether an operand from `first` on is computed in a section.
  bool HasComputedInput(const GraphNode& node, size_t first) const;

  const Sections& sections_;
  bool is_wider_;
  BoundedValues values_;
  std::vector<std::vector<bool>> exact_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_BOUNDS_H_
