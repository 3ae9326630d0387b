// The inner function of QuantizeLinear: a run of contiguous elements, with one
// scale, a scale for each block or for each element, to codes. What the library
// runs, the proofs and the benchmarks include.
//
//   code = encode(round_P(x / scale), zero_point)                          (1)
#if defined(QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/encode-inl.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/load-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Sink kSink>
using CodeOf =
    std::conditional_t<kSink == Sink::kInteger16, uint16_t,
                       std::conditional_t<kSink == Sink::kQuotient, float, uint8_t>>;

template <Division kDivision>
using LoaderOf =
    std::conditional_t<TypeOfX(kDivision) == DataType::kFloat16, LoadFloat16,
                       std::conditional_t<TypeOfX(kDivision) == DataType::kBfloat16,
                                          LoadBfloat16, LoadFloat>>;

// Where x comes from: memory, or for sweeps consecutive codes of FLOAT.
template <class Loader, class D>
HWY_INLINE hn::VFromD<D> LoadFrom(D d, const typename Loader::Raw* x) {
  return Loader::Load(d, x);
}
struct CodeSource {
  uint32_t first;
  HWY_INLINE CodeSource operator+(size_t n) const {
    return {first + static_cast<uint32_t>(n)};
  }
};
template <class Loader, class D>
HWY_INLINE hn::VFromD<D> LoadFrom(D d, CodeSource x) {
  return hn::BitCast(d, hn::Iota(hn::RebindToUnsigned<D>(), x.first));
}

constexpr bool IsIntegerSink(Sink sink) {
  return sink == Sink::kInteger8 || sink == Sink::kInteger16;
}

// Position of the operands of element `element` of a run.
template <Operands kOperands>
HWY_INLINE size_t ScaleIndex(const Run& run, size_t element) {
  if constexpr (kOperands == Operands::kUniform) return 0;
  if constexpr (kOperands == Operands::kBlocks) return element >> run.block_shift;
  return element;
}
template <Operands kOperands>
HWY_INLINE size_t OffsetIndex(const Run& run, size_t element) {
  return kOperands == Operands::kVectorScale ? 0 : ScaleIndex<kOperands>(run, element);
}

// values[index], or the vector that begins there.
template <Operands kOperands, class D, typename T>
HWY_INLINE hn::VFromD<D> LoadOperand(D d, const T* values, size_t index) {
  if constexpr (kOperands == Operands::kVectorScale || kOperands == Operands::kVectors) {
    return hn::LoadU(d, values + index);
  } else {
    return hn::Set(d, values[index]);
  }
}

// One vector of quotients. `x` points to it; it is `element` of the run.
template <Division kDivision, Operands kOperands, Sink kSink, class D, class Source>
HWY_INLINE hn::VFromD<D> LoadQuotient(D d, const Run& run, size_t element, Source x) {
  using V = hn::VFromD<D>;
  V q = LoadFrom<LoaderOf<kDivision>>(d, x);
  const size_t index = ScaleIndex<kOperands>(run, element);
  if constexpr (kDivision == Division::kDone) {
    return q;
  } else if constexpr (IsReciprocal(kDivision)) {
    // x * low may overflow for a BFLOAT16 scale, to an infinity of either sign.
    constexpr bool kBelowIsLowest = HWY_ARCH_X86 && IsIntegerSink(kSink) &&
                                    kDivision != Division::kBfloat16Reciprocal;
    constexpr Clamp kClamp = kBelowIsLowest ? Clamp::kAbove : Clamp::kBoth;
    V limit;
    if constexpr (kOperands == Operands::kUniform) {
      limit = hn::Mul(hn::Set(d, *run.scale), hn::Set(d, kBeyondIntegers));
    } else {
      limit = hn::Set(d, hwy::HighestValue<float>());  // saves loading a scale
    }
    q = MulReciprocal<kClamp>(d, q, limit,
                              LoadOperand<kOperands>(d, run.reciprocal, index),
                              LoadOperand<kOperands>(d, run.reciprocal_low, index));
  } else {
    q = hn::Div(q, LoadOperand<kOperands>(d, run.scale, index));
  }
  if constexpr (TypeOfX(kDivision) == DataType::kFloat16) return RoundToFloat16(d, q);
  if constexpr (TypeOfX(kDivision) == DataType::kBfloat16) return RoundToBfloat16(d, q);
  return q;
}

// One vector of quotients as integers. kWithOffset adds the offsets.
template <Division kDivision, Operands kOperands, Sink kSink, bool kWithOffset, class D,
          class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadInteger(D d, const Run& run,
                                                         size_t element, Source x) {
  constexpr bool kClamped =
      kDivision == Division::kFloatReciprocal && kOperands == Operands::kUniform;
  constexpr Above kAbove = kClamped ? Above::kInRange : Above::kPossible;
  const auto q = LoadQuotient<kDivision, kOperands, kSink>(d, run, element, x);
  const auto integer = RoundToInt32<kAbove>(d, q);
  if constexpr (kWithOffset) {
    const hn::RebindToSigned<D> di;
    constexpr Operands kOffsets =
        kOperands == Operands::kVectorScale ? Operands::kUniform : kOperands;
    const size_t index = OffsetIndex<kOperands>(run, element);
    return hn::Add(integer, LoadOperand<kOffsets>(di, run.offset, index));
  } else {
    return integer;
  }
}

// One vector of float codes.
template <Division kDivision, Operands kOperands, Sink kSink, class D, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadFloatCode(D d, const Run& run,
                                                           size_t element, Source x) {
  const auto q = LoadQuotient<kDivision, kOperands, kSink>(d, run, element, x);
  auto sign_of = q;
  if constexpr (IsReciprocal(kDivision)) sign_of = LoadFrom<LoaderOf<kDivision>>(d, x);
  return hn::BitCast(hn::RebindToSigned<D>(),
                     EncodeFloat<kSink>(d, q, sign_of, run.floats));
}

// Quantizes four vectors, the elements of the run that begin at `element`; `x`
// and `out` point to theirs.
template <Division kDivision, Operands kOperands, Sink kSink, class Source>
HWY_INLINE void QuantizeBlock(const Run& run, size_t element, Source x,
                              CodeOf<kSink>* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const size_t n = hn::Lanes(d);
  const size_t e = element;
  if constexpr (kSink == Sink::kQuotient) {
    for (size_t i = 0; i < 4 * n; i += n) {
      hn::StoreU(LoadQuotient<kDivision, kOperands, kSink>(d, run, e + i, x + i), d,
                 out + i);
    }
  } else if constexpr (IsIntegerSink(kSink)) {
    // One offset for all of several bytes costs less where it is added late.
    constexpr bool kWithOffset = kSink == Sink::kInteger16 ||
                                 kOperands == Operands::kVectors ||
                                 kOperands == Operands::kBlocks;
    const auto a = LoadInteger<kDivision, kOperands, kSink, kWithOffset>(d, run, e, x);
    const auto b =
        LoadInteger<kDivision, kOperands, kSink, kWithOffset>(d, run, e + n, x + n);
    const auto c = LoadInteger<kDivision, kOperands, kSink, kWithOffset>(
        d, run, e + 2 * n, x + 2 * n);
    const auto f = LoadInteger<kDivision, kOperands, kSink, kWithOffset>(
        d, run, e + 3 * n, x + 3 * n);
    if constexpr (kSink == Sink::kInteger16) {
      hn::StoreU(EncodeWords(d16, a, b, run.integers), d16, out);
      hn::StoreU(EncodeWords(d16, c, f, run.integers), d16, out + 2 * n);
    } else if constexpr (kWithOffset) {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, run.integers), d8, out);
    } else {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, *run.offset, run.integers), d8, out);
    }
  } else {
    const auto a = LoadFloatCode<kDivision, kOperands, kSink>(d, run, e, x);
    const auto b = LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + n, x + n);
    const auto c =
        LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + 2 * n, x + 2 * n);
    const auto f =
        LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + 3 * n, x + 3 * n);
    hn::StoreU(InOrder(d8, PackBytes(d8, a, b, c, f)), d8, out);
  }
}

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
template <Division kDivision, Operands kOperands, Sink kSink>
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
    QuantizeBlock<kDivision, kOperands, kSink>(part, 0, static_cast<const X*>(padded),
                                               codes);
    std::memcpy(out + row * run.out_stride, codes, n * sizeof(Code));
  }
}

// Quantizes a run of any length.
template <Division kDivision, Operands kOperands, Sink kSink>
void QuantizeRun(const Run& caller_run) {
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
          QuantizePart<kDivision, kOperands, kSink>(caller_run, i, block);
        if (before != 0) QuantizePart<kDivision, kOperands, kSink>(caller_run, i, before);
        i += before;
      }
    }
  }
  for (; i + block <= run.n; i += block) {
    const X* x_row = x + i;
    Code* out_row = out + i;
    // Operands are loaded once for all rows.
    for (size_t row = 0; row < rows; ++row) {
      QuantizeBlock<kDivision, kOperands, kSink>(run, i, x_row, stream ? codes : out_row);
      if constexpr (kSink != Sink::kQuotient) {
        if (stream) StreamBlock(codes, out_row);
      }
      x_row += run.x_stride;
      out_row += run.out_stride;
    }
  }
  if (i != run.n) QuantizePart<kDivision, kOperands, kSink>(caller_run, i, run.n - i);
}

// Quantizes the n FLOATs whose codes begin with `first`: the same blocks, on other
// x. For sweeps. Precondition: one scale, and n is a multiple of a block.
template <Division kDivision, Sink kSink>
void QuantizeCodes(const Run& caller_run, uint32_t first) {
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
    QuantizeBlock<kDivision, Operands::kUniform, kSink>(run, i, CodeSource{first} + i,
                                                        out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
