// Translates ONNX Runtime's error codes and messages into the harness' words.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_

#include <variant>

#include "harness/backends/backend.h"
#include "harness/backends/onnxruntime/library.h"

namespace qconform::ort {

using Verdict = std::variant<Unsupported, Refused, BackendError>;

// Classifies a session that could not be made. Unsupported: no kernel, or an unknown type
// or opset. Refused: the library considers the model invalid.
Verdict ClassifyCreation(const Failure& failure);

// Classifies a run that failed. Refused: the library considers the inputs invalid.
Verdict ClassifyRun(const Failure& failure);

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
