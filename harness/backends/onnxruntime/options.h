// The options of the ONNX Runtime backend, as --backend-option gives them.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIONS_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIONS_H_

#include <map>
#include <string>

#include "oracle/base/result.h"

namespace qconform {

struct OnnxRuntimeOptions {
  // "CPUExecutionProvider", or a name that the library or ep_library knows. Nodes that
  // another provider would leave to the CPU are unsupported, so that the CPU's answers
  // do not pass for the provider's.
  std::string provider = "CPUExecutionProvider";
  std::string ep_library;         // path of an execution provider library, or empty
  std::string opt_level = "all";  // disable, basic, extended, layout, all
  int threads = 1;                // within an operator
  std::string library;            // path of libonnxruntime.so; empty: find_library.h
  bool list_optimizers = false;   // in the backend's details, at this opt_level
  // Keys "session.*" and "optimization.*".
  std::map<std::string, std::string> session_config;
  std::map<std::string, std::string> provider_options;  // keys "ep.*", without "ep."
};

// An Error names the unknown key or value and what was expected.
Result<OnnxRuntimeOptions> ParseOnnxRuntimeOptions(
    const std::map<std::string, std::string>& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_OPTIONS_H_
