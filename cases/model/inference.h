// Types and shapes of a graph's values by ONNX's shape inference. Private to this folder.
#ifndef QCONFORM_CASES_MODEL_INFERENCE_H_
#define QCONFORM_CASES_MODEL_INFERENCE_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "cases/model/model_file.h"

namespace onnx {
class ModelProto;
class TensorProto;
class TypeProto;
}  // namespace onnx

namespace qconform {

// Whether the data of a tensor is missing in the message: it was left out of the
// skeleton, or lies in another file.
bool IsWithoutData(const onnx::TensorProto& tensor);

// Calls `visit` for the type of each graph input, graph output and value_info.
void ForEachType(
    const onnx::ModelProto& model,
    const std::function<void(const std::string&, const onnx::TypeProto&)>& visit);

// Makes a skeleton fit for ONNX's checker and inference: constants without data become
// graph inputs, ONNX's domain is "" everywhere, every domain is imported, and calls of
// the model's functions are nodes of a domain that nobody knows.
void PrepareForInference(onnx::ModelProto& model);

// Adds what ONNX's inference finds to the model's value_info. What ONNX throws is
// dropped: what was found until then stays.
void InferTypes(onnx::ModelProto& model);

// Adds the types of values that operators of other domains give, as far as the nodes that
// read them imply them, and what follows from these.
void ImplyTypes(onnx::ModelProto& model);

// Infers again with a size for every open dimension. `prepared` is a model after
// PrepareForInference and InferTypes.
KnownShapes InferWith(const onnx::ModelProto& prepared, const Sizes& sizes);

// Whether a graph input or output has a dimension without a fixed size.
bool HasOpenDimensions(const onnx::ModelProto& model);

// Returns what ONNX's checker says against the model; empty: nothing.
std::string CheckerMessage(const onnx::ModelProto& model);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_INFERENCE_H_
