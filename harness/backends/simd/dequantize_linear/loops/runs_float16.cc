// The runs of every target whose y is FLOAT16.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/dequantize_linear/loops/runs_float16.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/dequantize_linear/loops/dequantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dequantize {
namespace HWY_NAMESPACE {
// A constant: naming a target must not run any of its instructions.
constexpr RunTable kTable = MakeRunTable<Output::kFloat16>();
}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd::dequantize {

const RunTable* Float16Runs(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}

}  // namespace qconform::simd::dequantize
#endif  // HWY_ONCE
