// Reads and writes model.onnx and *.pb. Only this folder uses onnx.proto and ONNX's
// checker.
#ifndef QCONFORM_CASES_MODEL_SERIALIZE_H_
#define QCONFORM_CASES_MODEL_SERIALIZE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the bytes of a ModelProto with this one node, or with the nodes of this graph,
// whose name is then its op_type; tensors in raw_data.
// Deterministic: equal models give equal bytes on every machine.
std::string SerializeModel(const Model& model);

// Returns the model in `bytes`. Constant nodes count as initializers; a graph
// input with an initializer is that initializer. Several nodes are one node with a body:
// they are sorted if they have to be, and its op_type is the graph's name if that is a
// family's, otherwise kGraphOpType. Opset and IR version are not checked. Returns an
// Error if the bytes are not a ModelProto, if the graph does not have 1 to
// kMostGraphNodes nodes, if these have a cycle, if a tensor's type, shape or data is not
// valid, or for types that the project does not know, sizes that are not numbers,
// external data, sparse initializers, functions, and names that are not UTF-8. The
// operator itself is not checked: CheckModel does that.
Result<Model> ParseModel(std::string_view bytes);

// Returns the operators of a model's nodes in their order, without Constant. If the
// domain is not ONNX's own, it is put in front ("com.example.Foo"). Use it to describe
// models that ParseModel rejects.
Result<std::vector<std::string>> OperatorsOf(std::string_view bytes);

// The field of a TensorProto that data is written to.
enum class TensorField {
  kRawData,    // raw_data
  kInt32Data,  // int32_data if the type has its elements there, otherwise raw_data
};

// Returns the bytes of a TensorProto. Deterministic.
// Precondition, here and above: a tensor's data has the size that its type and
// shape require.
std::string SerializeTensor(const Tensor& tensor, std::string_view name,
                            TensorField field = TensorField::kRawData);

// Returns the tensor in a TensorProto's bytes, whichever field holds its data: raw_data,
// int32_data, float_data or double_data. raw_data packs elements narrower than a byte; so
// does int32_data, except for 6-bit elements, which have an entry each. Bits that belong
// to no element are ignored, and are 0 in the tensor. Returns an Error if type,
// dimensions and data do not agree.
Result<Tensor> ParseTensor(std::string_view bytes);

// Runs ONNX's checker, and strict shape inference with its data propagation.
// The Error has the phase, "checker" or "shape inference", and ONNX's message.
Status CheckModel(std::string_view bytes);

// The release of the ONNX library that is linked, such as "1.20.0".
std::string_view OnnxVersion();

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_SERIALIZE_H_
