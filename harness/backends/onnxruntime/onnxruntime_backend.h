// ONNX Runtime as a backend, through its C API and loaded when asked for: the CPU's
// kernels, a provider that the library has, or one from a provider library.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_

#include <map>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/bench/peer.h"
#include "oracle/tensor/result.h"

namespace qconform {

// Options: see options.h. Errors: an unknown option, a library that is not there or
// too old, a provider that is not known; and where ONNX Runtime's headers were not
// found when the project was built.
Result<std::unique_ptr<Backend>> MakeOnnxRuntimeBackend(
    const std::map<std::string, std::string>& options);

// The same as a peer of benchmarks; `threads` among the options is not allowed: it
// comes with each node.
Result<std::unique_ptr<Peer>> MakeOnnxRuntimePeer(
    const std::map<std::string, std::string>& options);

// Whether the headers were there. The library is looked for later.
bool OnnxRuntimeIsBuiltIn();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
