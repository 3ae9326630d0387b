// Runs of any length, by the inner function.
#if defined(QCONFORM_SIMD_QUANTIZE_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/quantize_linear-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Writes what QuantizeBlock wrote to `codes` past the caches. Precondition: `out`
// is aligned to a vector.
template <typename Code>
HWY_INLINE void StreamBlock(const Code* HWY_RESTRICT codes, Code* HWY_RESTRICT out) {
  const hn::ScalableTag<Code> d;
  for (size_t i = 0; i < sizeof(Code); ++i) {
    hn::Stream(hn::Load(d, codes + i * hn::Lanes(d)), d, out + i * hn::Lanes(d));
  }
}

// Returns how many elements come before the first that can be streamed, or run.n
// where none can: whole cache lines are, in every row.
template <Operands kOperands, typename Code>
HWY_INLINE size_t ElementsBeforeStream(const Run& run, const Code* out, size_t lanes) {
  constexpr size_t kLine = 64;
  const size_t bytes = (0 - reinterpret_cast<uintptr_t>(out)) % kLine;
  const size_t elements = bytes / sizeof(Code);
  const bool in_step = run.rows == 1 || run.out_stride * sizeof(Code) % kLine == 0;
  // Vectors must not cross from a block to the next.
  const bool in_blocks = kOperands != Operands::kBlocks || elements % lanes == 0;
  const bool possible = bytes % sizeof(Code) == 0 && in_step && in_blocks;
  return possible && elements < run.n ? elements : run.n;
}

constexpr bool HasRows(Operands operands) {
  return operands == Operands::kVectorScale || operands == Operands::kVectors;
}

// Quantizes elements [begin, begin + n) of each row, at most a block, on padded
// copies.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness>
HWY_NOINLINE void QuantizePart(const Run& run, size_t begin, size_t n) {
  using X = typename LoaderOf<kDivision>::Raw;
  using Code = CodeOf<kSink>;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kMaxBlock = 4 * hn::MaxLanes(d);
  constexpr bool kScales =
      kDivision != Division::kDone && kOperands != Operands::kUniform;
  constexpr bool kOffsets = IsIntegerSink(kSink) && (kOperands == Operands::kVectors ||
                                                     kOperands == Operands::kBlocks);
  HWY_ALIGN X padded[kMaxBlock] = {};
  HWY_ALIGN Code codes[kMaxBlock];
  // At most one operand for each element.
  HWY_ALIGN float scale[kScales ? kMaxBlock : 1] = {};
  HWY_ALIGN float high[kScales && IsReciprocal(kDivision) ? kMaxBlock : 1] = {};
  HWY_ALIGN float low[kScales && IsReciprocal(kDivision) ? kMaxBlock : 1] = {};
  HWY_ALIGN int32_t offset[kOffsets ? kMaxBlock : 1] = {};
  const auto take = [&](const auto* from, auto* to) HWY_ATTR {
    if constexpr (kOperands == Operands::kBlocks) {  // one for each vector
      for (size_t i = 0; i < n; i += lanes) {
        to[i / lanes] = from[ScaleIndex<kOperands>(run, begin + i)];
      }
    } else {
      std::memcpy(to, from + begin, n * sizeof(*to));
    }
  };
  Run part = run;
  if constexpr (kOperands == Operands::kBlocks)
    part.block_shift = std::countr_zero(lanes);
  if constexpr (kScales && IsReciprocal(kDivision)) {
    take(run.reciprocal, high);
    take(run.reciprocal_low, low);
    part.reciprocal = high;
    part.reciprocal_low = low;
  } else if constexpr (kScales) {
    take(run.scale, scale);
    part.scale = scale;
  }
  if constexpr (kOffsets) {
    take(run.offset, offset);
    part.offset = offset;
  }
  const size_t rows = HasRows(kOperands) ? run.rows : 1;
  const X* x = static_cast<const X*>(run.x) + begin;
  Code* out = static_cast<Code*>(run.out) + begin;
  for (size_t row = 0; row < rows; ++row) {
    std::memcpy(padded, x + row * run.x_stride, n * sizeof(X));
    QuantizeBlock<kDivision, kOperands, kSink, kNearness>(
        part, 0, static_cast<const X*>(padded), codes);
    std::memcpy(out + row * run.out_stride, codes, n * sizeof(Code));
  }
}

// Quantizes a run of any length.
template <Division kDivision, Operands kOperands, Sink kSink,
          Nearness kNearness = Nearness::kSameSide>
void QuantizeRun(const Run& caller_run) {
  if constexpr (kMayNeedRounded<kDivision, kSink> && kNearness == Nearness::kSameSide) {
    if (!IsFarFromWords(*caller_run.scale)) {
      return QuantizeRun<kDivision, kOperands, kSink, Nearness::kRounded>(caller_run);
    }
  }
  // Copies that no store to `out` can change, so that they stay in registers.
  Run run = caller_run;
  float uniform[3] = {};
  int32_t uniform_offset = 0;
  if constexpr (kOperands == Operands::kUniform && kDivision != Division::kDone) {
    uniform[0] = *run.scale;
    run.scale = &uniform[0];
    if constexpr (IsReciprocal(kDivision)) {
      uniform[1] = *run.reciprocal;
      uniform[2] = *run.reciprocal_low;
      run.reciprocal = &uniform[1];
      run.reciprocal_low = &uniform[2];
    }
  }
  if constexpr (IsIntegerSink(kSink) && (kOperands == Operands::kUniform ||
                                         kOperands == Operands::kVectorScale)) {
    uniform_offset = *run.offset;
    run.offset = &uniform_offset;
  }

  using X = typename LoaderOf<kDivision>::Raw;
  using Code = CodeOf<kSink>;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const size_t block = 4 * lanes;
  const X* HWY_RESTRICT x = static_cast<const X*>(run.x);
  Code* HWY_RESTRICT out = static_cast<Code*>(run.out);
  const size_t rows = HasRows(kOperands) ? run.rows : 1;

  HWY_ALIGN Code codes[4 * hn::MaxLanes(d)];
  size_t i = 0;
  bool stream = false;
  if constexpr (kSink != Sink::kQuotient) {
    if (run.stream) {
      size_t before = ElementsBeforeStream<kOperands>(run, out, lanes);
      stream = before != run.n;
      if (stream) {
        for (; before > block; before -= block, i += block)
          QuantizePart<kDivision, kOperands, kSink, kNearness>(caller_run, i, block);
        if (before != 0)
          QuantizePart<kDivision, kOperands, kSink, kNearness>(caller_run, i, before);
        i += before;
      }
    }
  }
  for (; i + block <= run.n; i += block) {
    const X* x_row = x + i;
    Code* out_row = out + i;
    // Operands are loaded once for all rows.
    for (size_t row = 0; row < rows; ++row) {
      QuantizeBlock<kDivision, kOperands, kSink, kNearness>(run, i, x_row,
                                                            stream ? codes : out_row);
      if constexpr (kSink != Sink::kQuotient) {
        if (stream) StreamBlock(codes, out_row);
      }
      x_row += run.x_stride;
      out_row += run.out_stride;
    }
  }
  if (i != run.n)
    QuantizePart<kDivision, kOperands, kSink, kNearness>(caller_run, i, run.n - i);
}

// Quantizes the n FLOATs whose codes begin with `first`: the same blocks, on other
// x. For sweeps. Precondition: one scale, and n is a multiple of a block.
template <Division kDivision, Sink kSink, Nearness kNearness = Nearness::kSameSide>
void QuantizeCodes(const Run& caller_run, uint32_t first) {
  if constexpr (kMayNeedRounded<kDivision, kSink> && kNearness == Nearness::kSameSide) {
    if (!IsFarFromWords(*caller_run.scale)) {
      return QuantizeCodes<kDivision, kSink, Nearness::kRounded>(caller_run, first);
    }
  }
  Run run = caller_run;
  const float uniform[3] = {*run.scale, *run.reciprocal, *run.reciprocal_low};
  const int32_t offset = *run.offset;
  run.scale = &uniform[0];
  run.reciprocal = &uniform[1];
  run.reciprocal_low = &uniform[2];
  run.offset = &offset;
  const size_t block = 4 * hn::Lanes(hn::ScalableTag<float>());
  auto* HWY_RESTRICT out = static_cast<CodeOf<kSink>*>(run.out);
  for (size_t i = 0; i < run.n; i += block) {
    QuantizeBlock<kDivision, Operands::kUniform, kSink, kNearness>(
        run, i, CodeSource{first} + i, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
