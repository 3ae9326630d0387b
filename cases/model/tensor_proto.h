// Tensor to and from onnx::TensorProto: the part that models and *.pb files
// share. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_TENSOR_PROTO_H_
#define QCONFORM_CASES_MODEL_TENSOR_PROTO_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cases/model/serialize.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace google::protobuf {
class MessageLite;
}
namespace onnx {
class TensorProto;
}

namespace qconform {

// Writes type, shape and data, and the name if it is not empty.
// Precondition: the tensor's data has the size that type and shape require.
void WriteTensorProto(const Tensor& tensor, std::string_view name, TensorField field,
                      onnx::TensorProto& proto);

// Returns the tensor. `what` names it in errors ("initializer 'scale'").
Result<Tensor> ReadTensorProto(const onnx::TensorProto& proto, const std::string& what);

// Returns the project's type with this number, or an Error that names the type.
Result<DataType> ReadDataType(int64_t number, const std::string& what);

// Returns the number of elements, or an Error if a dimension is negative, the rank is
// above 64, or the tensor would not fit into any memory.
Result<int64_t> ReadElementCount(std::span<const int64_t> shape, const std::string& what);

// Parses `bytes` into a message without printing; false if they are not such a message.
bool ParseQuietly(std::string_view bytes, google::protobuf::MessageLite& message);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_TENSOR_PROTO_H_
