// ONNX Runtime as a backend, through its C API and loaded when asked for: the CPU's
// kernels, a provider that the library has, or one from a provider library.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_

#include <map>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/core/peer.h"
#include "oracle/base/result.h"

namespace qconform {

// Options: see options.h. Errors: an unknown option, a library that is not there or
// too old for what is asked, a provider that is not known.
Result<std::unique_ptr<Backend>> MakeOnnxRuntimeBackend(
    const std::map<std::string, std::string>& options);

// The same as a peer of benchmarks; `threads` among the options is not allowed: it
// comes with each node.
Result<std::unique_ptr<Peer>> MakeOnnxRuntimePeer(
    const std::map<std::string, std::string>& options);

// Looks for the library and loads it, as the backend without the option library=PATH
// would. Returns its version and path in words; an Error says how to get one.
Result<std::string> FindOnnxRuntime();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
