// The parts of a run that are not whole blocks: its ends, and lines that are streamed.
#if defined(QCONFORM_SIMD_QUANTIZE_PART_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_PART_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_PART_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_PART_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_linear-inl.h"
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

// Returns how many elements come before the first that can be streamed, or run.n if
// none can: whole cache lines can, in every row. In blocks the vectors of a scale stay
// together, and if they are four, all of a block. Short rows must not share lines with
// other rows: writing these would cost more than everything else.
template <Operands kOperands, typename Code>
HWY_INLINE size_t ElementsBeforeStream(const Run& run, const Code* out, size_t lanes,
                                       size_t vectors = 1) {
  constexpr size_t kShortRow = 1024;
  const size_t bytes = (0 - reinterpret_cast<uintptr_t>(out)) % kLine;
  const size_t elements = bytes / sizeof(Code);
  const bool in_step = run.rows == 1 || run.out_stride * sizeof(Code) % kLine == 0;
  const size_t together = vectors == 4 ? size_t{1} << run.block_shift : vectors * lanes;
  const bool in_blocks = kOperands != Operands::kBlocks || elements % together == 0;
  const bool whole_lines = bytes == 0 && run.n * sizeof(Code) % kLine == 0;
  const bool pays = !HasRows(kOperands) || run.n >= kShortRow || whole_lines;
  const bool possible = bytes % sizeof(Code) == 0 && in_step && in_blocks;
  return possible && pays && elements <= 4 * lanes && run.runs == 1 ? elements : run.n;
}

// Of type kX, unless that is kUndefined.
template <Division kDivision, DataType kX = DataType::kUndefined>
HWY_INLINE size_t SizeOfX(const Run& run) {
  const DataType type = kX == DataType::kUndefined ? run.x_type : kX;
  return TakesAnyX(kDivision) ? size_t{1} << SizeShiftOfX(type) : sizeof(float);
}

// Writes only codes [begin, begin + n) of the block of each row that begins with
// `element`: an end of the part that is streamed.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness>
HWY_NOINLINE void QuantizeEnd(const Run& run, size_t element, size_t begin, size_t n) {
  using Code = CodeOf<kSink>;
  HWY_ALIGN Code codes[4 * hn::MaxLanes(hn::ScalableTag<float>())];
  const BlockOperands<kDivision, kOperands, kSink> operands(run, element);
  auto x = SourceAt<kDivision>(run, run.x) + element;
  Code* out = static_cast<Code*>(run.out) + element;
  const size_t rows = HasRows(kOperands) ? run.rows : 1;
  for (size_t row = 0; row < rows; ++row) {
    QuantizeBlockBy<kDivision, kOperands, kSink, kNearness>(run, operands, x, codes);
    std::memcpy(out + begin, codes + begin, n * sizeof(Code));
    x += run.x_stride;
    out += run.out_stride;
  }
}

// Quantizes elements [begin, begin + n) of each row, at most a block, on padded copies.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness>
HWY_NOINLINE void QuantizePart(const Run& run, size_t begin, size_t n) {
  using Code = CodeOf<kSink>;
  constexpr size_t kMaxBlock = 4 * hn::MaxLanes(hn::ScalableTag<float>());
  // Operands of blocks are laid out one for each element.
  constexpr bool kLaysOut = kOperands == Operands::kBlocks;
  constexpr Operands kOf = !kLaysOut              ? kOperands
                           : IsIntegerSink(kSink) ? Operands::kVectors
                                                  : Operands::kVectorScale;
  constexpr bool kScales = kDivision != Division::kDone && HasRows(kOf);
  constexpr bool kOffsets = IsIntegerSink(kSink) && kOf == Operands::kVectors;
  HWY_DASSERT(run.pack_shift == 0);
  HWY_ALIGN std::byte padded[kMaxBlock * sizeof(float)] = {};
  HWY_ALIGN float scale[kScales ? kMaxBlock : 1] = {};
  HWY_ALIGN float high[kScales && IsReciprocal(kDivision) ? kMaxBlock : 1] = {};
  HWY_ALIGN float low[kScales && HasTwoParts(kDivision) ? kMaxBlock : 1] = {};
  HWY_ALIGN int32_t offset[kOffsets ? kMaxBlock : 1] = {};
  Run part = run;
  for (size_t i = 0; i < n; ++i) {
    const size_t at = ScaleIndex<kOperands>(run, begin + i);
    if constexpr (kScales && IsReciprocal(kDivision)) {
      high[i] = run.reciprocals.high[at];
      if constexpr (HasTwoParts(kDivision)) low[i] = run.reciprocals.low[at];
    } else if constexpr (kScales) {
      scale[i] = run.scale[at];
    }
    if constexpr (kOffsets) offset[i] = run.offset[run.one_offset ? 0 : at];
  }
  if constexpr (kScales && IsReciprocal(kDivision)) {
    part.reciprocals = {high, low, nullptr};
  } else if constexpr (kScales) {
    part.scale = scale;
  }
  if constexpr (kOffsets) part.offset = offset;
  const size_t rows = HasRows(kOperands) ? run.rows : 1;
  const size_t x_size = SizeOfX<kDivision>(run);
  const auto* x = static_cast<const std::byte*>(run.x) + begin * x_size;
  Code* out = static_cast<Code*>(run.out) + begin;
  part.x = padded;
  part.n = n;
  part.rows = 1;
  part.x_stride = part.out_stride = 0;
  for (size_t row = 0; row < rows; ++row) {
    std::memcpy(padded, x + row * run.x_stride * x_size, n * x_size);
    part.out = out + row * run.out_stride;
    QuantizeEnd<kDivision, kOf, kSink, kNearness>(part, 0, 0, n);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_PART_INL_H_
