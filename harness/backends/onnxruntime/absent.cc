// In place of the backend, where ONNX Runtime's headers were not found.
#include "harness/backends/onnxruntime/onnxruntime_backend.h"

namespace qconform {
namespace {

Error NotBuiltIn() {
  return {
      "backend onnxruntime was not built in: ONNX Runtime's headers were not found. "
      "'script/bootstrap --with onnxruntime' fetches them and the library; then "
      "configure and build again"};
}

}  // namespace

Result<std::unique_ptr<Backend>> MakeOnnxRuntimeBackend(
    const std::map<std::string, std::string>&) {
  return NotBuiltIn();
}

Result<std::unique_ptr<Peer>> MakeOnnxRuntimePeer(
    const std::map<std::string, std::string>&) {
  return NotBuiltIn();
}

bool OnnxRuntimeIsBuiltIn() { return false; }

}  // namespace qconform
