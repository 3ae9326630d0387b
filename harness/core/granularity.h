// How the scales and zero points of a node lie, in the words of its cells.
#ifndef QCONFORM_HARNESS_CORE_GRANULARITY_H_
#define QCONFORM_HARNESS_CORE_GRANULARITY_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "oracle/base/node.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// `granularities` are those of the operator's cells, at least one. `shape_of` returns the
// shape of an input of the node by its name. Returns "" if a shape is not known.
std::string GranularityOfNode(
    const Operator& op, const Node& node, std::span<const std::string> granularities,
    const std::function<std::optional<Shape>(const std::string&)>& shape_of);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_GRANULARITY_H_
