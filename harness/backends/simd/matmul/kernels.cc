// The products' kernels of every target, and the table that finds them.

#include "harness/backends/simd/matmul/kernels.h"

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/matmul/kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/matmul/multiply-inl.h"
#include "harness/backends/simd/matmul/requantize-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

size_t PairColumns() { return 4 * hn::Lanes(SumTag()); }

template <Correction kCorrection>
constexpr void FillMultipliers(void (*(&table)[kMultiplierCount])(const TileArgs&)) {
  using enum Multiplier;
  table[static_cast<int>(kColumn)] = RequantizeTile<kCorrection, kColumn>;
  table[static_cast<int>(kRowAndColumn)] = RequantizeTile<kCorrection, kRowAndColumn>;
  table[static_cast<int>(kExactColumn)] = RequantizeTile<kCorrection, kExactColumn>;
}

constexpr MatMulKernels MakeMatMulKernels() {
  MatMulKernels k = {};
  k.target = HWY_TARGET;
  k.pair_columns = PairColumns;
  k.multiply_pairs = MultiplyPairs;
  k.lay_out_row[static_cast<int>(WordForm::kPairs)] = LayOutRowAsPairs;
  k.lay_out_row[static_cast<int>(WordForm::kQuads)] = LayOutRowAsQuads;
  k.pack_panel[static_cast<int>(WordForm::kPairs)] = PackPanelAsPairs;
  k.pack_panel[static_cast<int>(WordForm::kQuads)] = PackPanelAsQuads;
  FillMultipliers<Correction::kSums>(k.requantize[static_cast<int>(Correction::kSums)]);
  FillMultipliers<Correction::kProducts>(
      k.requantize[static_cast<int>(Correction::kProducts)]);
  k.store[static_cast<int>(Correction::kSums)] = StoreTile<Correction::kSums>;
  k.store[static_cast<int>(Correction::kProducts)] = StoreTile<Correction::kProducts>;
  k.correct[static_cast<int>(Correction::kSums)] = CorrectTile<Correction::kSums>;
  k.correct[static_cast<int>(Correction::kProducts)] = CorrectTile<Correction::kProducts>;
  k.enclose = Enclose;
  k.scale = ScaleSums;
  k.round_to_integers = RoundToIntegers;
  k.round_to_float8 = RoundToFloat8<Sink::kFloat8>;
  k.round_to_float8_fnuz = RoundToFloat8<Sink::kFloat8Fnuz>;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr MatMulKernels kMatMulKernels = MakeMatMulKernels();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const MatMulKernels* MatMulKernelsOf(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kMatMulKernels);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
