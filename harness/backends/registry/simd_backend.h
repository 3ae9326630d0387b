// The built-in kernels as a backend, one for each compiled target. A build with
// QCONFORM_KERNELS=OFF has no targets, and MakeSimdBackend says so.
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

// `target` as SupportedTargets names it; "" is the best. Options: threads=N;
// requantization=exact|f32_multiplier (QLinearMatMul: canonical, or the reading of
// MM-02 that deployed backends follow).
Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options);

// Names of targets, best first: those that this program contains, and those of them that
// this CPU can run.
std::vector<std::string> CompiledSimdTargets();
std::vector<std::string> SupportedSimdTargets();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_
