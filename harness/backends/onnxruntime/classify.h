// Translates ONNX Runtime's error codes and messages into the harness' words.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_

#include <variant>

#include "harness/backends/backend.h"
#include "harness/backends/onnxruntime/library.h"

namespace qconform::ort {

using Verdict = std::variant<Unsupported, Refused, BackendError>;

// Classifies a session that could not be made. Unsupported: the text says that there is
// no kernel for the operator, its types or shapes, or that the type or opset is unknown.
// Refused: the library took the model as its own and considers it invalid.
Verdict ClassifyCreation(const Failure& failure);

// Classifies a run that failed, by the same rule.
Verdict ClassifyRun(const Failure& failure);

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
