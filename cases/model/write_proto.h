// Plain structs as parts of an onnx::GraphProto. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_WRITE_PROTO_H_
#define QCONFORM_CASES_MODEL_WRITE_PROTO_H_

#include "oracle/base/node.h"

namespace onnx {
class NodeProto;
}  // namespace onnx

namespace qconform {

// Writes an operator with its operands and attributes.
void WriteNode(const Node& node, onnx::NodeProto& proto);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_WRITE_PROTO_H_
