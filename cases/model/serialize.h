// model.onnx and *.pb: the only door to onnx.proto and to ONNX's checker.
#ifndef QCONFORM_CASES_MODEL_SERIALIZE_H_
#define QCONFORM_CASES_MODEL_SERIALIZE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the bytes of a ModelProto with this one node; tensors in raw_data.
// Deterministic: equal models give equal bytes on every machine.
std::string SerializeModel(const Model& model);

// Returns the model in `bytes`. An error where they are no ModelProto, where
// the graph has another number of nodes than one, or where a tensor's type,
// shape or data is not sound. Constant nodes count as initializers; a graph input
// with an initializer is that initializer. Opset and IR version are read as they
// come. Errors too: types that the project does not know, sizes that are not
// numbers, external data, sparse initializers, functions, names that are not
// UTF-8. The operator itself is not checked: CheckModel does that.
Result<Model> ParseModel(std::string_view bytes);

// Returns the operators of a model's nodes in their order, Constant left out; the
// domain stands in front ("com.example.Foo") where it is not ONNX's own. For
// models that ParseModel would refuse, of which one wants to know what they are.
Result<std::vector<std::string>> OperatorsOf(std::string_view bytes);

// Where the data of a TensorProto is written.
enum class TensorField {
  kRawData,    // raw_data
  kInt32Data,  // int32_data if the type has its elements there, otherwise raw_data
};

// Returns the bytes of a TensorProto. Deterministic.
// Precondition, here and above: a tensor's data has the size that its type and
// shape ask for.
std::string SerializeTensor(const Tensor& tensor, std::string_view name,
                            TensorField field = TensorField::kRawData);

// Returns the tensor in a TensorProto's bytes, whichever field holds its data:
// raw_data, int32_data, float_data or double_data. raw_data packs elements narrower
// than a byte; so does int32_data, but for 6-bit elements, which have an entry each.
// Bits that belong to no element are ignored, and are 0 in the tensor. An error where
// type, dimensions and data do not agree.
Result<Tensor> ParseTensor(std::string_view bytes);

// Runs ONNX's checker, and strict shape inference with its data propagation.
// The error carries the phase, "checker" or "shape inference", and ONNX's words.
Status CheckModel(std::string_view bytes);

// The release of the ONNX library that is linked, such as "1.20.0".
std::string_view OnnxVersion();

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_SERIALIZE_H_
