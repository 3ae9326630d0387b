// A QuantizeLinear or DequantizeLinear inside a graph, by its elements: which scale and
// which zero point each of them has.
#ifndef QCONFORM_ORACLE_GRAPHS_BOUNDS_SCALED_NODE_H_
#define QCONFORM_ORACLE_GRAPHS_BOUNDS_SCALED_NODE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/structure.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct ScaledNode {
  TensorView x{};
  DataType scale_type = DataType::kUndefined;
  std::vector<uint64_t> scale_codes;
  std::vector<ExactValue> scales;
  std::vector<uint64_t> zero_points;  // codes; none: there is no such operand
  // Of each element of x, in row-major order.
  std::vector<uint32_t> scale_of;
  bool has_one_zero_point = false;  // for all scales

  const ExactValue& ScaleOf(size_t index) const { return scales[scale_of[index]]; }
  // Returns the position in `zero_points`. Precondition: there are some.
  size_t ZeroPointOf(size_t index) const {
    return has_one_zero_point ? 0 : scale_of[index];
  }

  // An Error if the node is invalid.
  static Result<ScaledNode> Create(const GraphNode& node, const Operands& operands);
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_BOUNDS_SCALED_NODE_H_
