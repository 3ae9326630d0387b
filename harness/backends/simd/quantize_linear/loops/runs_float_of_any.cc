// The runs of every target for P = FLOAT with x of another type, and for INT32 scales,
// by reciprocals.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/quantize_linear/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "harness/backends/simd/quantize_linear/loops/runs_float_of_any.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/quantize_linear/loops/run_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
// A constant: naming a target must not run any of its instructions.
constexpr RunTable kTable = MakeRunTable<Division::kFloatReciprocalOfAny>();
}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const RunTable* FloatReciprocalOfAnyRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
