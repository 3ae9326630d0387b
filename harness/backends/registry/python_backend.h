// Backends in Python by their short names: py:onnxruntime, py:onnx.reference,
// py:module:Class, py:folder/module:Class. An interpreter runs the worker of
// harness/backends/process/python, which lies beside this program. worker:NAME is one of
// harness/backends/workers, in Python or not.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_PYTHON_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_PYTHON_BACKEND_H_

#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/registry/registry.h"
#include "oracle/base/result.h"

namespace qconform {

// The text after "py:", such as "onnxruntime,opt_level=basic".
struct PythonTarget {
  std::string name;                  // "onnxruntime"
  std::vector<std::string> options;  // {"opt_level=basic"}
};
// Returns an Error if there is no name, or if an option is not KEY=VALUE. A comma before
// a word without '=' belongs to the value before it.
Result<PythonTarget> ParsePythonTarget(std::string_view text);

// Returns the command of the worker that serves `target` with its options and `options`.
// An empty `python` means python3: that of the virtual environment in which this program
// is installed, or otherwise the one in PATH. If `socket` is not empty, a process that
// listens on this Unix socket serves the backend, and the command only connects to it.
// Returns an Error if an option is given twice, or if this program has no worker beside
// it.
Result<std::vector<std::string>> PythonCommand(std::string_view target,
                                               const BackendOptions& options,
                                               const std::string& python,
                                               const std::string& socket);

// Returns the command of the worker of a real implementation, of which `target` is the
// text after "worker:", such as "tract" or "openvino,execution=PERFORMANCE". It runs with
// what `script/bootstrap --with NAME` unpacked: in the folder workers/NAME of one of
// ort::DepsFolders. Returns an Error if there is no such worker, if it was not unpacked,
// or if an option is given twice.
Result<std::vector<std::string>> NamedWorkerCommand(std::string_view target,
                                                    const BackendOptions& options);

// The workers that this program has, sorted, and whether each was unpacked.
struct WorkerListing {
  std::string name;
  bool available = false;
};
std::vector<WorkerListing> ListWorkers();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_PYTHON_BACKEND_H_
