// What a node does in a quantized model, by its operator.
#ifndef QCONFORM_CASES_GRAPHS_NODE_KIND_H_
#define QCONFORM_CASES_GRAPHS_NODE_KIND_H_

#include <cstdint>
#include <string_view>

namespace qconform {

enum class NodeKind : uint8_t {
  kDequantize,       // codes become floats
  kQuantize,         // floats become codes
  kDynamicQuantize,  // the same, with a scale and a zero point that it gives as well
  kIntegerSum,       // codes become sums of INT32
  kCast,
  kProduct,  // Mul
  kSum,      // Add
  kOther,
};

// Returns the kind of an operator of ONNX's own domain.
NodeKind KindOf(std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_CASES_GRAPHS_NODE_KIND_H_
