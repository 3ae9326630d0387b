// The bounds of the elements of one float node, from those of its operands.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_FLOAT_NODE_BOUNDS_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_FLOAT_NODE_BOUNDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/graphs/bounds/bounded_element.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/structure.h"
#include "oracle/graphs/wiring.h"

namespace qconform {

// The elements of each value of a graph that are known so far; empty: the composition's
// codes are data of the section.
using BoundedValues = std::vector<std::vector<BoundedElement>>;

class FloatNodeBounds {
 public:
  // `is_quantized_behind` as BoundArithmetic has it. All must outlive it.
  FloatNodeBounds(const GraphNode& node, const Composition& so_far,
                  const BoundedValues& values, const NumberFormat& format,
                  bool is_quantized_behind)
      : node_(node),
        so_far_(so_far),
        values_(values),
        format_(&format),
        arithmetic_(format, is_quantized_behind) {}

  // Returns an element of an output that is not a position.
  BoundedElement Element(const Wiring& wiring, const WiredOutput& wired, size_t i) const;

  // Returns an element of an operand.
  BoundedElement Operand(const WiredElement& source) const;

 private:
  BoundedElement Converted(BoundedElement element, const WiredElement& source) const;
  BoundedElement SumOfProducts(const Wiring& wiring, const WiredOutput& wired, size_t i,
                               std::span<const WiredElement> sources) const;
  BoundedElement Mean(std::span<const WiredElement> sources, int64_t divisor) const;

  const GraphNode& node_;
  const Composition& so_far_;
  const BoundedValues& values_;
  const NumberFormat* format_;
  BoundArithmetic arithmetic_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_FLOAT_NODE_BOUNDS_H_
