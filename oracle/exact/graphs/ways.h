// What an element of a graph may be, as expressions of what is not rounded (reach.h), and
// how choosers and casts pass that on.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_WAYS_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_WAYS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "oracle/exact/graphs/admit.h"
#include "oracle/exact/graphs/graph.h"
#include "oracle/exact/graphs/reach.h"
#include "oracle/exact/graphs/wires.h"

namespace qconform::exact {

// What an element may be; empty: no more is known than the composition says.
struct Ways {
  std::vector<ReachPointer> reaches;  // floats
  std::vector<uint64_t> codes;        // others
};

struct TracedElement {
  Ways admissible;
  Ways open;  // with what `reduced_precision` allows
};

struct Traced {
  Section section = Section::kBits;  // since the last QuantizeLinear
  Section strongest = Section::kBits;
  // Of the result of a QuantizeLinear: that of its operand.
  Section section_of_quantize = Section::kBits;
  bool is_dequantized = false;
  std::vector<TracedElement> elements;
};

// Whether the code is that of a finite number.
bool IsNumberCode(int type, uint64_t code);

// Whether it is a float type of at least 16 bits.
bool IsFloatType(int type);

// An input, or the result of a node whose answers are bits.
Traced Untraced(const GraphTensor& tensor);

// The ways of the operands of an element, as lists of reaches, one for each combination.
// Nothing where an operand has none, or where there are too many.
using Combinations = std::vector<std::vector<ReachPointer>>;
std::optional<Combinations> Combine(const std::vector<const Ways*>& operands);

// What Relu, Clip and the nodes that choose the largest or the least give of operands
// `x`. Of Clip `x` ends with the bounds, and `is_low` says which is the lower one.
ReachPointer Choice(const GraphNode& node, const std::vector<ReachPointer>& x,
                    const std::vector<bool>& is_low);

// GR-18: the indices that may be those of the largest, or least.
Ways IndexWays(const GraphNode& node, const Wire& wire,
               const std::function<const Ways&(const Place&)>& ways_at,
               uint64_t canonical, bool is_open, bool behind_bounded, int type);

// Cast from one type to another.
Ways CastWays(const Ways& from, int type, int to);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_WAYS_H_
