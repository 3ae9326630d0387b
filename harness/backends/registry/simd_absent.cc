#include "harness/backends/registry/simd_backend.h"

namespace qconform {

Result<std::unique_ptr<Backend>> MakeSimdBackend(std::string_view,
                                                 const BackendOptions&) {
  return Error{
      "backend simd: expected a program with kernels, got one that was built with "
      "QCONFORM_KERNELS=OFF; --backend names another backend"};
}

std::vector<std::string> CompiledSimdTargets() { return {}; }
std::vector<std::string> SupportedSimdTargets() { return {}; }
std::string SimdOptionsText() { return ""; }

}  // namespace qconform
