// From the text of --backend to a backend.
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

// Returns the backend that `spec` names: KIND or KIND:TARGET ("simd",
// "simd:AVX2", "oracle"). An Error where the kind, the target or an option is
// not known, or the target does not run on this machine: a forced choice never
// becomes another one.
Result<std::unique_ptr<Backend>> MakeBackend(std::string_view spec,
                                             const BackendOptions& options);

// One line of `qconform list backends`.
struct BackendListing {
  std::string spec;
  std::string sentence;
  bool available = true;  // on this machine
};
// All of them. Looks for ONNX Runtime's library, and loads it to learn its version.
std::vector<BackendListing> ListBackends();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_REGISTRY_H_
