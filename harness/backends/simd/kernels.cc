// The kernels of every target, put together from their parts.

#include "harness/backends/simd/kernels.h"

#include <array>
#include <cstddef>
#include <type_traits>

#include "harness/backends/simd/highway_targets.h"
#include "harness/backends/simd/targets.h"
#include "hwy/highway.h"

namespace qconform::simd {
namespace {

#define QCONFORM_SIMD_COUNT(name) +1
static_assert(0 QCONFORM_SIMD_ALL_TARGETS(QCONFORM_SIMD_COUNT) <= kMostTargets);

struct AllKernels {
  std::array<Kernels, kMostTargets> of = {};
  size_t count = 0;
};
static_assert(std::is_trivially_destructible_v<AllKernels>);

}  // namespace

const Kernels* KernelsOf(int64_t target_bit) {
  // Nothing that is destroyed: the library may be called until the process has ended.
  static const AllKernels all = [] {
    AllKernels kernels;
    for (int bit = 0; bit < 63; ++bit) {
      const int64_t target = int64_t{1} << bit;
      const Kernels* stages = Stages(target);
      if (stages == nullptr) continue;
      Kernels k = *stages;
      // In the order of Division.
      const std::array<const RunTable*, kDivisionCount> runs = {
          FloatRuns(target),
          Float16Runs(target),
          Bfloat16Runs(target),
          FloatReciprocalRuns(target),
          Float16ReciprocalRuns(target),
          Bfloat16ReciprocalRuns(target),
          FloatReciprocalOfAnyRuns(target),
          DoneRuns(target)};
      for (size_t i = 0; i < runs.size(); ++i) k.runs[i] = runs[i];
      kernels.of[kernels.count++] = k;
    }
    return kernels;
  }();
  for (size_t i = 0; i < all.count; ++i) {
    if (all.of[i].target == target_bit) return &all.of[i];
  }
  return nullptr;
}

}  // namespace qconform::simd
