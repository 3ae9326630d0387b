#include "harness/backends/simd/core/public_tensors.h"

#include "harness/backends/simd/core/targets.h"

namespace qconform::kernels {

size_t ByteSize(Type type, int64_t count) noexcept {
  return PackedByteSize(TypeOf(type), count);
}

std::string_view InstructionSet() noexcept {
  const auto target = simd::FindTarget(int64_t{0});
  return target ? target->name : "none";
}

}  // namespace qconform::kernels
