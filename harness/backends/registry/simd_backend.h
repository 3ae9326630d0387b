// The built-in kernels as a backend, one for each compiled target.
#ifndef QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_

#include <memory>
#include <string_view>

#include "harness/backends/backend.h"
#include "harness/backends/registry/registry.h"
#include "oracle/tensor/result.h"

namespace qconform {

// `target` as SupportedTargets names it; "" is the best. Options: threads=N;
// requantization=exact|f32_multiplier (QLinearMatMul: canonical, or the reading of
// MM-02 that deployed backends follow).
Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view target,
                                                 const BackendOptions& options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_REGISTRY_SIMD_BACKEND_H_
