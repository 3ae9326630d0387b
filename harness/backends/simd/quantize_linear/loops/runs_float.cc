// The runs of every target for P = FLOAT, and for quotients that are there already.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/quantize_linear/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/quantize_linear/loops/runs_float.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/quantize_linear/loops/run_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
// Constants: naming a target must not run any of its instructions.
constexpr RunTable kDividedTable = MakeRunTable<Division::kFloat>();
constexpr RunTable kReciprocalTable = MakeRunTable<Division::kFloatReciprocal>();
constexpr RunTable kDoneTable = MakeRunTable<Division::kDone>();
}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const RunTable* FloatRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kDividedTable);
}

const RunTable* FloatReciprocalRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kReciprocalTable);
}

const RunTable* DoneRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kDoneTable);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
