// Makes a backend from the text of --backend.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_REGISTRY_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "oracle/base/result.h"

namespace qconform {

using BackendOptions = std::map<std::string, std::string>;

// Returns the backend that `spec` names: KIND or KIND:TARGET ("simd", "simd:AVX2",
// "oracle"). Returns an Error if the kind, the target or an option is unknown, or if the
// target does not run on this machine: a forced choice is never replaced by another one.
Result<std::unique_ptr<Backend>> MakeBackend(std::string_view spec,
                                             const BackendOptions& options);

// One line of `qconform list backends`.
struct BackendListing {
  std::string spec;
  std::string sentence;
  bool available = true;  // on this machine
};
// Lists all backends. Looks for ONNX Runtime's library and loads it for its version.
std::vector<BackendListing> ListBackends();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_REGISTRY_H_
