// A model as bytes between this program and a child of its own: what ModelProto
// says, several times as fast to write and to read. Other workers get ModelProto.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_

#include <string>
#include <string_view>

#include "cases/model/model.h"
#include "oracle/base/result.h"

namespace qconform {

// The layout belongs to one build of the program: both sides are the same one.
std::string EncodeCompactModel(const Model& model);

// An Error where the bytes are not those of EncodeCompactModel.
Result<Model> DecodeCompactModel(std::string_view bytes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_COMPACT_MODEL_H_
