// Runs of any length, by the inner function.
#if defined(QCONFORM_SIMD_QUANTIZE_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_linear-inl.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_part-inl.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_uniform-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Division kDivision, Sink kSink>
HWY_INLINE void ShiftOperands(Run& run, size_t by) {
  if constexpr (IsReciprocal(kDivision)) run.reciprocals = run.reciprocals + by;
  if constexpr (kDivision != Division::kDone) {
    if (run.scale != nullptr) run.scale += by;
  }
  if constexpr (IsIntegerSink(kSink)) run.offset += run.one_offset ? 0 : by;
}

// Whether codes may be written past the caches.
template <Division kDivision, Sink kSink>
constexpr bool kMayStream = kSink != Sink::kQuotient &&
                            (kIsUsual<kDivision, kSink> || kDivision == Division::kFloat);

// Calls `function` with those of the runs that follow each other and need rounded
// quotients, or do not, and with whether they do.
template <Division kDivision, Sink kSink, class Function>
HWY_INLINE void ForEachNeed(const Run& run, const Function& function) {
  const size_t x_bytes = run.n * SizeOfX<kDivision>(run);
  const size_t out_bytes = run.n * sizeof(CodeOf<kSink>);
  for (size_t first = 0, end = 0; first < run.runs; first = end) {
    const bool is_far = IsFarFromWords(run.scale[first]);
    while (++end < run.runs && IsFarFromWords(run.scale[end]) == is_far) {
    }
    Run part = run;
    part.x = static_cast<const std::byte*>(run.x) + first * x_bytes;
    part.out = static_cast<std::byte*>(run.out) + first * out_bytes;
    part.runs = end - first;
    part.stream = run.stream && run.runs == 1;
    if (run.x_next != 0) part.x_next = run.x_next - first * run.n;
    ShiftOperands<kDivision, kSink>(part, first);
    function(part, !is_far);
  }
}

// Returns how many elements ahead x is fetched in each of the rows that take turns, at
// most run.n; 0 where there are none.
template <Division kDivision, Operands kOperands>
HWY_INLINE size_t AheadOfRows(const Run& run) {
  if (!HasRows(kOperands) || run.x_next == 0 || run.rows == 1) return 0;
  return HWY_MIN(kAhead / (SizeOfX<kDivision>(run) * run.rows), run.n);
}

// Returns how many bytes ahead of element i x is fetched, or 0; from the end of a row on,
// the next row is fetched. of_rows is AheadOfRows.
template <Division kDivision, Operands kOperands, Sink kSink, DataType kX>
HWY_INLINE size_t BytesAhead(const Run& run, size_t of_rows, size_t i) {
  constexpr bool kShort =
      kDivision == Division::kFloatReciprocal && kSink == Sink::kInteger16;
  if (run.x_next == 0) return 0;
  if (!HasRows(kOperands) || run.rows == 1) return kShort ? kAheadShort : kAhead;
  const size_t elements = i + of_rows < run.n ? of_rows : of_rows + run.x_next - run.n;
  return elements * SizeOfX<kDivision, kX>(run);
}

// Quantizes a block of each row, and fetches the bytes that lie `ahead` of it, unless 0.
template <Nearness kNearness, Writes kWrites, Packs kPacks, DataType kX,
          Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Offsets kOffsets, class Source>
HWY_INLINE void QuantizeRows(
    const Run& run,
    const BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets>& operands,
    size_t rows, size_t ahead, Source x, CodeOf<kSink>* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const size_t bytes = 4 * hn::Lanes(d) * SizeOfX<kDivision, kX>(run);
  const size_t out_stride = PlacesOf<kPacks>(run, run.out_stride);
  HWY_ALIGN CodeOf<kSink> codes[4 * hn::MaxLanes(d)];
  for (size_t row = 0; row < rows; ++row) {
    if (ahead != 0) WillReadOnce(BytesOf(x), ahead, bytes);
    if constexpr (kWrites == Writes::kStreamed) {
      QuantizeBlockBy<kDivision, kOperands, kSink, kNearness>(run, operands, x, codes);
      StreamBlock(codes, out);
    } else {
      QuantizeBlockBy<kDivision, kOperands, kSink, kNearness, kPacks>(run, operands, x,
                                                                      out);
    }
    x += run.x_stride;
    out += out_stride;
  }
}

// Fetches the lines of n codes of each row, less than a block, which will be written: a
// store that waited for one would hold up the next ones.
template <typename Code>
HWY_INLINE void FetchToWrite(const Code* out, size_t n, size_t rows, size_t stride) {
  for (size_t row = 0; row < rows; ++row, out += stride) {
    WillWriteAll(out, n * sizeof(Code));
  }
}

// Whether blocks of one scale are some of ours, which take turns as rows do.
template <Operands kOperands, size_t kSpan>
constexpr bool kLongBlocks = (kOperands == Operands::kBlocks) && (kSpan == 4);

// Which blocks of a run a loop is for, and of how many elements ahead rows are fetched.
struct Stretch {
  size_t first, last;  // elements with which the first one and the last one begin
  size_t step;         // from the first to the second, where operands are uniform
  size_t block;        // from any other to the next, where kLongBlocks; else four vectors
  size_t rows;
  size_t ahead_of_rows;
};

// Quantizes them, of x and to codes from `x` and `out` on.
template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Offsets kOffsets, Nearness kNearness, Kind kKind, DataType kX, Writes kWrites,
          Packs kPacks>
HWY_INLINE void QuantizeStretch(const Run& caller_run, const std::byte* x_bytes,
                                CodeOf<kSink>* HWY_RESTRICT out, const Stretch& stretch) {
  // A copy that no store to `out` can change, so that it stays in registers.
  Run run = caller_run;
  float uniform[4] = {};
  if constexpr (kOperands == Operands::kUniform) {
    KeepScale<kDivision, IsFloatSink(kSink)>(run, uniform);
  }
  int32_t offset = 0;
  if constexpr (IsIntegerSink(kSink) && kOffsets == Offsets::kOne) {
    offset = *run.offset;
    SetKind<CodeOf<kSink>, kKind>(run, offset);
    run.offset = &offset;
  }
  const auto x = SourceAt<kDivision, kX>(run, x_bytes);
  constexpr bool kLong = kLongBlocks<kOperands, kSpan>;
  const size_t rows = HasRows(kOperands) || kLong ? stretch.rows : 1;
  const size_t block = kLong ? stretch.block : 4 * hn::Lanes(hn::ScalableTag<float>());
  const size_t last = stretch.last;
  // Others than these begin with a block: a variable step would cost them time.
  size_t step = kOperands == Operands::kUniform ? stretch.step : block;
  for (size_t i = stretch.first;;) {
    const BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets> operands(run, i);
    const size_t ahead =
        BytesAhead<kDivision, kOperands, kSink, kX>(run, stretch.ahead_of_rows, i);
    QuantizeRows<kNearness, kWrites, kPacks, kX>(run, operands, rows, ahead, x + i,
                                                 out + PlacesOf<kPacks>(run, i));
    if (i == last) return;
    i = HWY_MIN(i + step, last);
    if constexpr (kOperands == Operands::kUniform) step = block;
  }
}
// The same as a separate function, so that the loop has all registers.
template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Offsets kOffsets, Nearness kNearness, DataType kX, Writes kWrites, Packs kPacks>
HWY_NOINLINE void QuantizeStretchOfX(const Run& run, const std::byte* x_bytes,
                                     CodeOf<kSink>* HWY_RESTRICT out,
                                     const Stretch& stretch) {
  QuantizeStretch<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness, Kind::kAny, kX,
                  kWrites, kPacks>(run, x_bytes, out, stretch);
}

// Quantizes runs of any length. The last block of one overlaps elements that are done;
// that of a run shorter than a block lies over the next run, which comes later.
template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Offsets kOffsets, Nearness kNearness, Kind kKind = Kind::kAny>
void QuantizeRunBy(const Run& caller_run) {
  Run run = caller_run;  // with the operands of one run at a time, if they are uniform
  constexpr bool kOneOffset = IsIntegerSink(kSink) && kOffsets == Offsets::kOne;
  const auto take_uniform = [&](size_t index) HWY_ATTR {
    if constexpr (kOperands == Operands::kUniform && kDivision != Division::kDone) {
      run.scale = caller_run.scale + index;
      if constexpr (IsReciprocal(kDivision)) {
        run.reciprocals = caller_run.reciprocals + index;
      }
    }
    if constexpr (kOneOffset) {
      run.offset = caller_run.offset + (caller_run.one_offset ? 0 : index);
    }
  };

  using Code = CodeOf<kSink>;
  constexpr auto quantize_part = QuantizePart<kDivision, kOperands, kSink, kNearness>;
  // Codes of 16 bits have loops of each type only by one scale, to save object code.
  constexpr bool kTells =
      kTellsX<kDivision, kSink, kOffsets, kNearness> && kSink != Sink::kInteger16;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t block = 4 * lanes;
  const size_t n = run.n;
  // Elements [begin, begin + count) of each row, at most four vectors and one of its
  // ends.
  const auto quantize_ends = [&](size_t begin, size_t count) HWY_ATTR {
    if constexpr (kOperands == Operands::kBlocks) {
      quantize_part(caller_run, begin, count);
    } else {
      const size_t element = begin == 0 ? 0 : n - 4 * lanes;
      QuantizeEnd<kDivision, kOperands, kSink, kNearness>(caller_run, element,
                                                          begin - element, count);
    }
  };
  const auto* x_bytes = static_cast<const std::byte*>(run.x);
  const size_t n_bytes = n * SizeOfX<kDivision>(run);
  Code* HWY_RESTRICT out = static_cast<Code*>(run.out);
  size_t rows = HasRows(kOperands) ? run.rows : 1;
  if constexpr (kLongBlocks<kOperands, kSpan>) {
    rows = (size_t{1} << run.block_shift) / block;
    run.x_stride = block;
    run.out_stride = block;
    block *= rows;
  }
  const size_t of_rows = AheadOfRows<kDivision, kOperands>(run);
  const size_t runs = kOperands == Operands::kUniform ? run.runs : 1;
  size_t first = 0;
  size_t last = n < block ? 0 : n - block;
  bool streams = false;
  size_t first_step = block;
  if constexpr (kSink != Sink::kQuotient) {
    // Packed codes do not go to `out`.
    const size_t before =
        run.stream || (kOperands == Operands::kUniform && run.pack_shift == 0)
            ? ElementsBeforeStream<kOperands>(run, out, lanes, kSpan)
            : n;
    streams = kMayStream<kDivision, kSink> && run.stream && before + block <= n;
    if (!run.stream && before != 0 && before + 4 * block <= n) {
      first_step = before;  // a store that crosses lines costs as much as two
    }
    if (streams) {
      // What is streamed is not touched again: that costs as much as reading it.
      const size_t end = n - (n - before) % block;
      if (before != 0) quantize_ends(0, before);
      if (end != n) FetchToWrite(out + end, n - end, rows, run.out_stride);
      first = before;
      last = end - block;
    }
  }

  for (size_t index = 0; index < runs; ++index, x_bytes += n_bytes, out += n) {
    if (n < block && (runs - index) * n < block) {
      Run part = caller_run;
      part.x = x_bytes;
      part.out = out;
      if constexpr (kOperands == Operands::kUniform) {
        ShiftOperands<kDivision, kSink>(part, index);
      }
      quantize_part(part, 0, n);
      continue;
    }
    take_uniform(index);
    if constexpr (kOperands == Operands::kUniform) {
      if (!streams && run.x_next == 0) {
        run.x = x_bytes;
        run.out = PlaceOf(caller_run, out);
        QuantizeUniform<kDivision, kSink, kNearness>(run, first_step);
        continue;
      }
    }
    const Stretch stretch = {first, last, first_step, block, rows, of_rows};
    if constexpr (kTells) {
      TellX<kDivision>(run, [&](auto x_type) HWY_ATTR {
        constexpr DataType kX = decltype(x_type)::value;
        constexpr auto streamed =
            QuantizeStretchOfX<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness,
                               kX, Writes::kStreamed, Packs::kNever>;
        constexpr auto cached =
            QuantizeStretchOfX<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness,
                               kX, Writes::kCached, Packs::kNever>;
        if constexpr (PacksOf(kSink, kKind) != Packs::kNever) {
          constexpr auto packed =
              QuantizeStretchOfX<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness,
                                 kX, Writes::kCached, Packs::kAlways>;
          if (run.pack_shift != 0) {
            return packed(run, x_bytes, PlaceOf(caller_run, out), stretch);
          }
        }
        (streams ? streamed : cached)(run, x_bytes, out, stretch);
      });
    } else if (streams) {
      if constexpr (kMayStream<kDivision, kSink>) {
        QuantizeStretch<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness, kKind,
                        DataType::kUndefined, Writes::kStreamed, Packs::kNever>(
            run, x_bytes, out, stretch);
      }
    } else {
      QuantizeStretch<kDivision, kOperands, kSink, kSpan, kOffsets, kNearness, kKind,
                      DataType::kUndefined, Writes::kCached, PacksOf(kSink, kKind)>(
          run, x_bytes, out, stretch);
    }
  }
  if constexpr (kSink != Sink::kQuotient) {
    const size_t end = last + block;
    if (streams && end != n) quantize_ends(end, n - end);
  }
}

// Runs of several scales, but one zero point: the most usual ones have loops of their
// own.
template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Nearness kNearness>
HWY_INLINE void QuantizeByOneOffset(const Run& run) {
  constexpr Offsets kOne = Offsets::kOne;
  constexpr bool kUsual =
      HasRows(kOperands) ? kSink == Sink::kInteger8 : kSpan != 1 && IsIntegerSink(kSink);
  if constexpr (kDivision == Division::kFloatReciprocal && kUsual) {
    switch (KindOf<CodeOf<kSink>>(run)) {
      case Kind::kUnsignedZero:
        return QuantizeRunBy<kDivision, kOperands, kSink, kSpan, kOne, kNearness,
                             Kind::kUnsignedZero>(run);
      case Kind::kSignedZero:
        return QuantizeRunBy<kDivision, kOperands, kSink, kSpan, kOne, kNearness,
                             Kind::kSignedZero>(run);
      default:
        break;
    }
  }
  QuantizeRunBy<kDivision, kOperands, kSink, kSpan, kOne, kNearness>(run);
}

// Blocks of at least kSpan vectors.
template <Division kDivision, Sink kSink, size_t kSpan, Nearness kNearness>
HWY_INLINE void QuantizeBlocksOf(const Run& run) {
  constexpr Operands kBlocks = Operands::kBlocks;
  if (run.one_offset) {
    return QuantizeByOneOffset<kDivision, kBlocks, kSink, kSpan, kNearness>(run);
  }
  QuantizeRunBy<kDivision, kBlocks, kSink, kSpan, Offsets::kEach, kNearness>(run);
}
template <Division kDivision, Sink kSink, Nearness kNearness>
void QuantizeBlocks(const Run& run) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  const size_t of_block = (size_t{1} << run.block_shift) / lanes;
  // By AVX-512 operands from memory cost less than a load for four vectors.
  constexpr bool kBroadcasts =
      HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 && IsReciprocal(kDivision);
  const size_t vectors = kBroadcasts && of_block == 4 ? 2 : HWY_MIN(of_block, 4);
  const auto* out = static_cast<const CodeOf<kSink>*>(run.out);
  const auto begins_right = [&](size_t span) HWY_ATTR {
    return !run.stream ||
           ElementsBeforeStream<Operands::kBlocks>(run, out, lanes, span) != run.n;
  };
  if constexpr (kIsUsual<kDivision, kSink>) {
    if (vectors == 4 && begins_right(4)) {
      return QuantizeBlocksOf<kDivision, kSink, 4, kNearness>(run);
    }
    if (vectors >= 2 && begins_right(2)) {
      return QuantizeBlocksOf<kDivision, kSink, 2, kNearness>(run);
    }
  }
  QuantizeBlocksOf<kDivision, kSink, 1, kNearness>(run);
}

template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness>
HWY_INLINE void QuantizeRunOf(const Run& run) {
  if constexpr (kOperands == Operands::kBlocks && IsIntegerSink(kSink)) {
    return QuantizeBlocks<kDivision, kSink, kNearness>(run);
  }
  if constexpr (kOperands == Operands::kVectorScale) {
    return QuantizeByOneOffset<kDivision, kOperands, kSink, 1, kNearness>(run);
  }
  QuantizeRunBy<kDivision, kOperands, kSink, 1, OffsetsOf(kOperands), kNearness>(run);
}

// Chooses among these at run time.
template <Division kDivision, Operands kOperands, Sink kSink>
void QuantizeRun(const Run& run) {
  if constexpr (kMayNeedExact<kDivision>) {
    if (run.exact) {
      return QuantizeRunOf<kDivision, kOperands, kSink, Nearness::kExact>(run);
    }
  }
  if constexpr (!kMayNeedRounded<kDivision, kSink>) {
    QuantizeRunOf<kDivision, kOperands, kSink, Nearness::kSameSide>(run);
  } else if constexpr (kOperands == Operands::kUniform) {
    ForEachNeed<kDivision, kSink>(run, [](const Run& part, bool rounded) HWY_ATTR {
      rounded ? QuantizeRunOf<kDivision, kOperands, kSink, Nearness::kRounded>(part)
              : QuantizeRunOf<kDivision, kOperands, kSink, Nearness::kSameSide>(part);
    });
  } else {
    HWY_ABORT(
        "16-bit targets take several scales' reciprocals for exact quotients alone");
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_RUN_INL_H_
