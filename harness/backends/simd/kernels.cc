// The kernels of every target, put together from their parts.

#include "harness/backends/simd/kernels.h"

#include <array>
#include <vector>

#include "harness/backends/simd/highway_targets.h"
#include "hwy/highway.h"

namespace qconform::simd {

const Kernels* KernelsOf(int64_t target_bit) {
  static const std::vector<Kernels> all = [] {
    std::vector<Kernels> kernels;
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
      kernels.push_back(k);
    }
    return kernels;
  }();
  for (const Kernels& kernels : all) {
    if (kernels.target == target_bit) return &kernels;
  }
  return nullptr;
}

}  // namespace qconform::simd
