// The kernels of every target, put together from their parts.

#include "harness/backends/simd/quantize_linear/kernels.h"

#include <array>

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {

const Kernels* KernelsOf(int64_t target_bit) {
  static const OfTargets<Kernels> of_targets = [] {
    OfTargets<Kernels> kernels;
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
      kernels.Add(k);
    }
    return kernels;
  }();
  for (const Kernels& kernels : of_targets.all()) {
    if (kernels.target == target_bit) return &kernels;
  }
  return nullptr;
}

}  // namespace qconform::simd
