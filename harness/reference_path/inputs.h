// The inputs of a model from files, and values of it that somebody else recorded.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_INPUTS_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_INPUTS_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "cases/model/model_file.h"
#include "harness/reference_path/reference_path.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the name of a value's file without its extension: every character that is not a
// letter, a digit, '.', '-' or '_' becomes '_'.
std::string FileNameOf(std::string_view value);

// Reads one tensor for each input of the graph from a folder: NAME.npy or NAME.pb with
// the name of the input, or input_I.pb or input_I.npy with its number, as ONNX's node
// tests have them. An Error says which input is missing, has another type or shape than
// the model declares, or would be read from the file of another input.
Result<NamedTensors> ReadInputs(const ModelFile& file,
                                const std::filesystem::path& folder);

// Reads those of the values `names` that a folder has, as NAME.npy or NAME.pb. An Error
// if it has none of them, if one has another type or rank than the model gives it, or if
// two values would be read from one file.
Result<NamedTensors> ReadActivations(const ModelFile& file, const ValueNames& names,
                                     const std::filesystem::path& folder);

// Returns the sizes that the inputs give to the model's open dimensions. An Error if two
// inputs give a name two sizes.
Result<Sizes> SizesOf(const ModelFile& file, const NamedTensors& inputs);

// Returns the first elements of a tensor along each axis, so that it has that shape.
// Precondition: the ranks are equal, and no size is larger than the tensor's.
Tensor CroppedTo(const Tensor& tensor, const Shape& shape);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_INPUTS_H_
