// The bounds of float sections (GR-05, GR-06, GR-13 to GR-19): which codes an element may
// have if operations are fused, or their order is another one.
//
// Of each float element v is known with no rounding at all, as the sum of its terms T_i,
// with sum|T_i| and the number of operations on the way. docs/bounds.md has the proof.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "oracle/graphs/composition.h"
#include "oracle/graphs/real.h"
#include "oracle/graphs/sections.h"
#include "oracle/graphs/structure.h"

namespace qconform {

// An element of a float value in a section.
struct BoundedElement {
  enum class Kind : uint8_t {
    kNumber,
    kGiven,  // NaN or an infinity that the operands have: only the composition is right
    kFree,   // anything: it left the range of its type, or divides by what may be zero
  };
  Kind kind = Kind::kNumber;
  // The exact value. An interval where it comes from several codes, or where not all of
  // its digits are kept.
  RealInterval value{};
  Real magnitude{};        // sum|T_i|, or more
  Real underflow{};        // what results below the least normal number add to the error
  int64_t count = 0;       // operations on the longest way
  bool has_slack = false;  // GR-05 and GR-13: gamma(m + 2)
  int64_t terms = 0;       // K of a sum
  int digits = 24;         // of the tensors' type: u = 2^-digits
  // GR-16. `is_exact`: all scales and factors are powers of two, and no value is out of
  // the type's normal range. All terms are multiples of 2^lowest.
  bool is_exact = true;
  int lowest = 0;
  Real step{};  // of an integer sum, which the section multiplies (GR-14); 0: none
  // GR-18: behind a chooser, the ends with the error of what lies before it, and that of
  // the QuantizeLinear behind it.
  bool is_closed = false;
  RealInterval within{};
  RealInterval wider{};
};

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
  class NodeBounds;

  const GraphStructure& structure_;
  const Sections& sections_;
  bool is_wider_;
  std::vector<std::vector<BoundedElement>>
      elements_;  // by value; empty: it is not needed
  std::vector<std::vector<bool>> exact_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_H_
