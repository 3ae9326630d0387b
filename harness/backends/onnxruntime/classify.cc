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

}  // namespace

Verdict ClassifyCreation(const Failure& failure) {
  if (failure.code == ORT_NOT_IMPLEMENTED || failure.code == ORT_EP_FAIL ||
      failure.code == ORT_MODEL_REQUIRES_COMPILATION ||
      Has(failure, {"Could not find an implementation", "fallback to CPU EP has been",
                    "is under development", "max supported IR version"})) {
    return Unsupported{failure.text, ""};
  }
  if (failure.code == ORT_INVALID_GRAPH || failure.code == ORT_INVALID_PROTOBUF ||
      failure.code == ORT_INVALID_ARGUMENT ||
      Has(failure, {"ShapeInferenceError", "TypeInferenceError", "Type Error",
                    "This is an invalid model", "is not a registered function/op"})) {
    return Refused{failure.text};
  }
  return BackendError{BackendError::Kind::kFailed, failure.text};
}

Verdict ClassifyRun(const Failure& failure) {
  // "Tensor type mismatch": the kernel was chosen for types that it does not read.
  if (failure.code == ORT_NOT_IMPLEMENTED || Has(failure, {"Tensor type mismatch"})) {
    return Unsupported{failure.text, ""};
  }
  // A kernel that checks its operands says which condition does not hold.
  if (failure.code == ORT_INVALID_ARGUMENT || failure.code == ORT_INVALID_GRAPH ||
      Has(failure, {" was false."})) {
    return Refused{failure.text};
  }
  return BackendError{BackendError::Kind::kFailed, failure.text};
}

}  // namespace qconform::ort
