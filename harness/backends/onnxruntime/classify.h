// From ONNX Runtime's error codes and words to the harness's.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_

#include <variant>

#include "harness/backends/backend.h"
#include "harness/backends/onnxruntime/library.h"

namespace qconform::ort {

using Verdict = std::variant<Unsupported, Refused, BackendError>;

// Of a session that could not be made: no kernel, a type or opset that it does not
// know: Unsupported; a model that it holds to be invalid: Refused.
Verdict ClassifyCreation(const Failure& failure);

// Of a run that failed: inputs that it holds to be invalid: Refused.
Verdict ClassifyRun(const Failure& failure);

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_CLASSIFY_H_
