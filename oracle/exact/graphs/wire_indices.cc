#include "oracle/exact/graphs/wire_indices.h"

#include <algorithm>
#include <utility>

namespace qconform::exact::wiring {

// The index of a place as one number for each dimension.
Dims Unfolded(size_t index, const Dims& shape) {
  Dims at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = static_cast<int64_t>(index % static_cast<size_t>(shape[d]));
    index /= static_cast<size_t>(shape[d]);
  }
  return at;
}

size_t Folded(const Dims& at, const Dims& shape) {
  size_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    index = index * static_cast<size_t>(shape[d]) + static_cast<size_t>(at[d]);
  }
  return index;
}

size_t AxisOf(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

const Dims& ShapeAt(const Optionals& operands, size_t i) { return operands.at(i)->shape; }

bool Has(const Optionals& operands, size_t i) {
  return i < operands.size() && operands[i].has_value();
}

// The integers of an operand, or of the attribute that older definitions have.
std::optional<Dims> IntegersOf(const GraphNode& node, const Optionals& operands,
                               size_t operand, const std::string& attribute) {
  if (Has(operands, operand)) return IndicesOf(*operands[operand]);
  if (node.Has(attribute)) return node.Integers(attribute);
  return std::nullopt;
}

Wire From(size_t operand, size_t index) { return {.places = {Place{operand, index}}}; }

// One wire for each element of `shape`; `source` has the index in operand 0 of the
// element at these indices.
WiredOutput Moved(Dims shape, const Dims& from,
                  const std::function<Dims(const Dims&)>& source) {
  WiredOutput output;
  for (size_t i = 0; i < CountOf(shape); ++i) {
    output.elements.push_back(From(0, Folded(source(Unfolded(i, shape)), from)));
  }
  output.shape = std::move(shape);
  return output;
}

// The same elements in the same order.
WiredOutput Reshaped(Dims shape) {
  WiredOutput output;
  for (size_t i = 0; i < CountOf(shape); ++i) output.elements.push_back(From(0, i));
  output.shape = std::move(shape);
  return output;
}

// The shape that both broadcast to.
Dims Broadcast(const Dims& one, const Dims& other) {
  Dims shape(std::max(one.size(), other.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto size = [&](const Dims& dims) {
      return i < dims.size() ? dims[dims.size() - 1 - i] : 1;
    };
    shape[shape.size() - 1 - i] = size(one) == 1 ? size(other) : size(one);
  }
  return shape;
}

// The indices in a tensor of shape `from` that is broadcast.
Dims Narrowed(const Dims& at, const Dims& from) {
  Dims narrowed(at.end() - static_cast<std::ptrdiff_t>(from.size()), at.end());
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == 1) narrowed[d] = 0;
  }
  return narrowed;
}

}  // namespace qconform::exact::wiring
