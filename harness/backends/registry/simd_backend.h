// The built-in kernels as a backend, one for each compiled target. A build with
// QCONFORM_KERNELS=OFF has no targets, and MakeSimdBackend returns an Error.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/registry/registry.h"
#include "oracle/base/result.h"

namespace qconform {

// `target` is a name of SupportedSimdTargets; "" is the best. Options: threads=N, and
// those of the operators' kernels.
Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options);

// The names of the targets that this program contains, and of those that this CPU can
// run, best first.
std::vector<std::string> CompiledSimdTargets();
std::vector<std::string> SupportedSimdTargets();

// "threads=N, ...": the options of MakeSimdBackend, each with what it does.
std::string SimdOptionsText();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_
