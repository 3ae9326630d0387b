// Index arithmetic that the wires of movers and of other nodes share, by the judge.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_WIRE_INDICES_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_WIRE_INDICES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/exact/graphs/wires.h"

namespace qconform::exact::wiring {

using Dims = std::vector<int64_t>;
using Optionals = std::vector<std::optional<Codes>>;

// The index of a place as one number for each dimension.
Dims Unfolded(size_t index, const Dims& shape);

size_t Folded(const Dims& at, const Dims& shape);

size_t AxisOf(int64_t axis, size_t rank);

const Dims& ShapeAt(const Optionals& operands, size_t i);

bool Has(const Optionals& operands, size_t i);

// The integers of an operand, or of the attribute that older definitions have.
std::optional<Dims> IntegersOf(const GraphNode& node, const Optionals& operands,
                               size_t operand, const std::string& attribute);

Wire From(size_t operand, size_t index);

// One wire for each element of `shape`; `source` has the index in operand 0 of the
// element at these indices.
WiredOutput Moved(Dims shape, const Dims& from,
                  const std::function<Dims(const Dims&)>& source);

// The same elements in the same order.
WiredOutput Reshaped(Dims shape);

// The shape that both broadcast to.
Dims Broadcast(const Dims& one, const Dims& other);

// The indices in a tensor of shape `from` that is broadcast.
Dims Narrowed(const Dims& at, const Dims& from);

// Returns the wires of a mover.
std::vector<WiredOutput> WiresOfMover(const GraphNode& node, const Optionals& operands);

}  // namespace qconform::exact::wiring

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_WIRE_INDICES_H_
