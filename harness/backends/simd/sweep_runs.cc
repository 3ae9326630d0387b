// The inner function on consecutive codes of FLOAT, for every target.

#include "harness/backends/simd/highway_targets.h"
#include "harness/backends/simd/sweep_kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/sweep_runs.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/quantize_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

template <Division kDivision, Sink kSink>
constexpr void FillCodesRun(CodesTable& table) {
  table.run[IsReciprocal(kDivision)][static_cast<int>(kSink)] =
      QuantizeCodes<kDivision, kSink>;
}

constexpr CodesTable MakeCodesTable() {
  CodesTable table = {};
  FillCodesRun<Division::kFloat, Sink::kInteger8>(table);
  FillCodesRun<Division::kFloat, Sink::kInteger16>(table);
  FillCodesRun<Division::kFloat, Sink::kFloat8>(table);
  FillCodesRun<Division::kFloat, Sink::kFloat8Fnuz>(table);
#if HWY_NATIVE_FMA
  FillCodesRun<Division::kFloatReciprocal, Sink::kInteger8>(table);
  FillCodesRun<Division::kFloatReciprocal, Sink::kInteger16>(table);
  FillCodesRun<Division::kFloatReciprocal, Sink::kFloat8>(table);
  FillCodesRun<Division::kFloatReciprocal, Sink::kFloat8Fnuz>(table);
#endif
  return table;
}

// A constant: naming a target must not run any of its instructions.
constexpr CodesTable kTable = MakeCodesTable();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {
const CodesTable* CodesRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}
}  // namespace qconform::simd
#endif  // HWY_ONCE
