// All runs of one Division.
#if defined(QCONFORM_SIMD_RUN_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_RUN_TABLE_INL_H_
#undef QCONFORM_SIMD_RUN_TABLE_INL_H_
#else
#define QCONFORM_SIMD_RUN_TABLE_INL_H_
#endif

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_packed-inl.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_run-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

template <Division kDivision, Operands kOperands, Sink kSink>
constexpr void Fill(RunTable& table) {
  table.run[static_cast<int>(kOperands)][static_cast<int>(kSink)] =
      QuantizeRun<kDivision, kOperands, kSink>;
}

template <Division kDivision, Operands kOperands>
constexpr void FillSinks(RunTable& table) {
  Fill<kDivision, kOperands, Sink::kInteger8>(table);
  // Reciprocals are right for 16 bits by one scale after a look at it; or exact.
  if constexpr (!kMayNeedRounded<kDivision, Sink::kInteger16> ||
                kMayNeedExact<kDivision> || kOperands == Operands::kUniform) {
    Fill<kDivision, kOperands, Sink::kInteger16>(table);
  }
  // Float targets have no zero point here: it is added to the quotient before.
  if constexpr (kOperands != Operands::kVectors) {
    Fill<kDivision, kOperands, Sink::kFloat8>(table);
    Fill<kDivision, kOperands, Sink::kFloat8Fnuz>(table);
  }
}

template <Division kDivision>
constexpr RunTable MakeRunTable() {
  RunTable table = {};
#if !HWY_NATIVE_FMA
  if constexpr (IsReciprocal(kDivision)) return table;
#endif
  FillSinks<kDivision, Operands::kUniform>(table);
  FillSinks<kDivision, Operands::kVectors>(table);
  if constexpr (kDivision != Division::kDone) {
    FillSinks<kDivision, Operands::kVectorScale>(table);
  }
  FillSinks<kDivision, Operands::kBlocks>(table);
  if constexpr (kDivision != Division::kDone && !IsReciprocal(kDivision)) {
    // Reciprocals never: of one part, FLOAT16's subnormals may be others.
    Fill<kDivision, Operands::kUniform, Sink::kQuotient>(table);
    Fill<kDivision, Operands::kVectorScale, Sink::kQuotient>(table);
  }
#if !HWY_HAVE_SCALABLE
  if constexpr (kDivision == Division::kFloat ||
                kDivision == Division::kFloatReciprocal) {
    FillPacked<kDivision>(table);
  }
#endif
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_RUN_TABLE_INL_H_
