// Parts of an onnx::GraphProto as plain structs. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_READ_PROTO_H_
#define QCONFORM_CASES_MODEL_READ_PROTO_H_

#include <string>

#include "cases/model/model.h"
#include "oracle/base/attribute.h"
#include "oracle/base/result.h"

namespace onnx {
class AttributeProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace qconform {

// Whether it is a Constant node of ONNX's own domain.
bool IsConstant(const onnx::NodeProto& node);

// An Error if the text is not UTF-8 or has characters that cannot be printed. `what` says
// in errors what it is.
Status CheckText(const std::string& text, const std::string& what);
// The same of a name, which may not be empty. `what` says in errors whose name it is.
Status CheckName(const std::string& name, const std::string& what);

// An Error for the types of attributes that Attribute does not have.
Result<Attribute> ReadAttribute(const onnx::AttributeProto& proto);

// Returns the value of a Constant node. An Error if it is sparse, or a text.
Result<onnx::TensorProto> TensorOfConstant(const onnx::NodeProto& node);
Result<Initializer> ReadConstant(const onnx::NodeProto& node);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_READ_PROTO_H_
