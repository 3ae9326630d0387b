// ONNX Runtime as a backend, through its C API: the CPU's kernels, another provider of
// the library, or one from a provider library. The library is loaded when it is needed.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_

#include <map>
#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/core/bench/peer.h"
#include "oracle/base/result.h"

namespace qconform {

// Options: see options.h. Returns an Error if an option or the provider is unknown, or
// the library is missing or too old.
Result<std::unique_ptr<Backend>> MakeOnnxRuntimeBackend(
    const std::map<std::string, std::string>& options);

// The same as a peer of benchmarks. The option `threads` is not allowed, because each
// node brings its number.
Result<std::unique_ptr<Peer>> MakeOnnxRuntimePeer(
    const std::map<std::string, std::string>& options);

// Finds and loads the library as the backend without the option library=PATH does.
// Returns its version and path as text; an Error says how to get one.
Result<std::string> FindOnnxRuntime();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_ONNXRUNTIME_BACKEND_H_
