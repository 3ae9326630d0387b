#include "harness/backends/onnxruntime/classify.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace qconform::ort {
namespace {

bool Has(const Failure& failure, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
    return failure.text.find(text) != std::string::npos;
  });
}

// Whether the text says that there is no kernel for the operator, its types, its shapes
// or the opset_version; such a model is declined, not held to be invalid. Some kernels
// say so only when they run: those that take one scale and zero point per tensor check
// that there is only one.
bool SaysNoKernel(const Failure& failure) {
  return failure.code == ORT_NOT_IMPLEMENTED ||
         Has(failure, {"Could not find an implementation", "Failed to find kernel",
                       "fallback to CPU EP has been", "is under development",
                       "max supported IR version", "is not a registered function/op",
                       "No Op registered for", "is not currently registered or supported",
                       "not supported", "not implemented", "Tensor type mismatch",
                       "IsScalarOr1ElementVector("});
}

// Returns the text from one of these words on, without the newline at its end, because
// the library puts a place in its source before them. Other texts are returned unchanged.
std::string From(std::initializer_list<std::string_view> words, const std::string& text) {
  for (const std::string_view word : words) {
    const size_t at = text.find(word);
    if (at == std::string::npos) continue;
    return text.substr(at, text.find_last_not_of('\n') + 1 - at);
  }
  return text;
}

}  // namespace

Verdict ClassifyCreation(const Failure& failure) {
  if (failure.code == ORT_EP_FAIL || failure.code == ORT_MODEL_REQUIRES_COMPILATION ||
      SaysNoKernel(failure)) {
    return Unsupported{
        From({"Unsupported model IR version", "ONNX Runtime only"}, failure.text), ""};
  }
  if (failure.code == ORT_INVALID_GRAPH || failure.code == ORT_INVALID_PROTOBUF ||
      failure.code == ORT_INVALID_ARGUMENT ||
      Has(failure, {"ShapeInferenceError", "TypeInferenceError", "Type Error",
                    "This is an invalid model"})) {
    return Refused{failure.text};
  }
  return BackendError{BackendError::Kind::kFailed, failure.text};
}

Verdict ClassifyRun(const Failure& failure) {
  if (SaysNoKernel(failure)) return Unsupported{failure.text, ""};
  // A kernel that checks its operands prints the condition that failed.
  if (failure.code == ORT_INVALID_ARGUMENT || failure.code == ORT_INVALID_GRAPH ||
      Has(failure, {" was false."})) {
    return Refused{failure.text};
  }
  return BackendError{BackendError::Kind::kFailed, failure.text};
}

}  // namespace qconform::ort
