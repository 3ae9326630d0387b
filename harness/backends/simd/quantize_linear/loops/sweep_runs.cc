// The inner function on the x of sweeps, for every target: the blocks of
// quantize_linear-inl.h, on x that come from elsewhere than a tensor.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/quantize_linear/loops/sweep_kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/quantize_linear/loops/sweep_runs.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/quantize_linear/loops/quantize_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

// x of memory, with bits flipped.
struct FlippedSource {
  const float* x;
  uint32_t flipped;
  HWY_INLINE FlippedSource operator+(size_t n) const { return {x + n, flipped}; }
};
template <Rounds kRounds = Rounds::kNow, class D>
HWY_INLINE hn::VFromD<D> LoadX(D d, FlippedSource source) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, hn::LoadU(d, source.x));
  return hn::BitCast(d, hn::Xor(bits, hn::Set(du, source.flipped)));
}

// Whether a row gives its codes, in the bits of `mask`.
template <Division kDivision, Sink kSink, Nearness kNearness>
HWY_INLINE bool MatchesRow(const Run& run, FlippedSource x, size_t columns,
                           const CodeOf<kSink>* HWY_RESTRICT expected, uint32_t mask) {
  using Code = CodeOf<kSink>;
  const hn::ScalableTag<float> d;
  const hn::Repartition<Code, decltype(d)> dc;
  const size_t block = 4 * hn::Lanes(d);
  HWY_ALIGN Code made[4 * hn::MaxLanes(d)];
  auto different = hn::Zero(dc);
  for (size_t i = 0; i < columns; i += block) {
    QuantizeBlock<kDivision, Operands::kUniform, kSink, kNearness>(run, i, x + i, made);
    for (size_t j = 0; j < block; j += hn::Lanes(dc)) {
      const auto code = hn::Load(dc, made + j);
      different = hn::Or(different, hn::Xor(code, hn::LoadU(dc, expected + i + j)));
    }
  }
  different = hn::And(different, hn::Set(dc, static_cast<Code>(mask)));
  return hn::AllTrue(dc, hn::Eq(different, hn::Zero(dc)));
}

template <Division kDivision, Sink kSink>
size_t MatchRows(const Run& caller_run, const RowsToMatch& rows) {
  const auto* expected = static_cast<const CodeOf<kSink>*>(rows.codes);
  Run run = caller_run;
  const int32_t offset = *caller_run.offset;
  run.offset = &offset;
  for (size_t row = 0; row < rows.rows; ++row) {
    // Copies, so that they stay in registers.
    const Reciprocals& of = rows.reciprocals;
    const float uniform[4] = {rows.scale[row], of.high[row], of.low[row], of.limit[row]};
    run.scale = &uniform[0];
    run.reciprocals = {&uniform[1], &uniform[2], &uniform[3]};
    const FlippedSource x{rows.x + row * rows.stride, rows.flipped[row]};
    bool matches = false;
    // As QuantizeRun chooses.
    bool rounded = false;
    if constexpr (kMayNeedRounded<kDivision, kSink>) {
      rounded = !IsFarFromWords(uniform[0]);
      if (rounded) {
        matches = MatchesRow<kDivision, kSink, Nearness::kRounded>(run, x, rows.columns,
                                                                   expected, rows.mask);
      }
    }
    if (!rounded) {
      matches = MatchesRow<kDivision, kSink, Nearness::kSameSide>(run, x, rows.columns,
                                                                  expected, rows.mask);
    }
    if (!matches) return row;
  }
  return rows.rows;
}

template <Division kDivision, Sink kSink>
constexpr void FillMatch(MatchTable& table) {
  table.by[IsReciprocal(kDivision)][static_cast<int>(kSink)] =
      MatchRows<kDivision, kSink>;
}

constexpr MatchTable MakeMatchTable() {
  MatchTable table = {};
  FillMatch<Division::kFloat, Sink::kInteger8>(table);
  FillMatch<Division::kFloat, Sink::kInteger16>(table);
  FillMatch<Division::kFloat, Sink::kFloat8>(table);
  FillMatch<Division::kFloat, Sink::kFloat8Fnuz>(table);
#if HWY_NATIVE_FMA
  FillMatch<Division::kFloatReciprocal, Sink::kInteger8>(table);
  FillMatch<Division::kFloatReciprocal, Sink::kInteger16>(table);
  FillMatch<Division::kFloatReciprocal, Sink::kFloat8>(table);
  FillMatch<Division::kFloatReciprocal, Sink::kFloat8Fnuz>(table);
#endif
  return table;
}

// A constant: naming a target must not run any of its instructions.
constexpr MatchTable kTable = MakeMatchTable();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {
const MatchTable* MatchRuns(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}
}  // namespace qconform::simd
#endif  // HWY_ONCE
