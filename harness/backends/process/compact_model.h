// A model as bytes for a child of this program: the content of ModelProto, several times
// as fast to write and to read. Other workers get a ModelProto.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_

#include <string>
#include <string_view>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// The layout belongs to one build of the program, because both sides are the same build.
std::string EncodeCompactModel(const Model& model);

// Returns an Error if the bytes are not those of EncodeCompactModel.
Result<Model> DecodeCompactModel(std::string_view bytes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_
