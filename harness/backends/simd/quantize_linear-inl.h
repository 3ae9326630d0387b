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
using LoaderOf = std::conditional_t<
    kDivision == Division::kFloat16, LoadFloat16,
    std::conditional_t<kDivision == Division::kBfloat16, LoadBfloat16, LoadFloat>>;

constexpr bool IsIntegerSink(Sink sink) {
  return sink == Sink::kInteger8 || sink == Sink::kInteger16;
}

// Where the operands of elements [element, element + n) of a run are.
template <Operands kOperands>
class OperandIndex {
 public:
  OperandIndex(const Run& run, size_t element)
      : shift_(run.block_shift), element_(element) {}
  // Of the vector that begins at this element + i.
  HWY_INLINE size_t Scale(size_t i) const {
    if constexpr (kOperands == Operands::kUniform) return 0;
    if constexpr (kOperands == Operands::kBlocks) return (element_ + i) >> shift_;
    return element_ + i;
  }
  HWY_INLINE size_t Offset(size_t i) const {
    return kOperands == Operands::kVectorScale ? 0 : Scale(i);
  }

 private:
  int shift_;
  size_t element_;
};

// One vector of quotients. `x` points to it, `index` to its scale.
template <Division kDivision, Operands kOperands, Sink kSink, class D>
HWY_INLINE hn::VFromD<D> LoadQuotient(D d, const Run& run,
                                      const typename LoaderOf<kDivision>::Raw* x,
                                      size_t index) {
  using V = hn::VFromD<D>;
  const V v = LoaderOf<kDivision>::Load(d, x);
  constexpr bool kVectors =
      kOperands == Operands::kVectorScale || kOperands == Operands::kVectors;
  const auto operand = [&](const float* values) HWY_ATTR {
    if constexpr (kVectors) {
      return hn::LoadU(d, values + index);
    } else {
      return hn::Set(d, values[index]);
    }
  };
  if constexpr (kDivision == Division::kDone) {
    return v;
  } else if constexpr (kDivision == Division::kReciprocal) {
    constexpr Clamp kClamp =
        HWY_ARCH_X86 && IsIntegerSink(kSink) ? Clamp::kAbove : Clamp::kBoth;
    const V limit = hn::Mul(operand(run.scale), hn::Set(d, kBeyondIntegers));
    return MulReciprocal<kClamp>(d, v, limit, operand(run.reciprocal),
                                 operand(run.reciprocal_low));
  } else {
    const V q = hn::Div(v, operand(run.scale));
    if constexpr (kDivision == Division::kFloat16) return RoundToFloat16(d, q);
    if constexpr (kDivision == Division::kBfloat16) return RoundToBfloat16(d, q);
    return q;
  }
}

// Quantizes four vectors, the elements of the run that begin at `element`; `x`
// and `out` point to theirs.
template <Division kDivision, Operands kOperands, Sink kSink>
HWY_INLINE void QuantizeBlock(const Run& run, size_t element,
                              const typename LoaderOf<kDivision>::Raw* HWY_RESTRICT x,
                              CodeOf<kSink>* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t lanes = hn::Lanes(d);
  const OperandIndex<kOperands> index(run, element);

  const auto quotient = [&](size_t i) HWY_ATTR {
    return LoadQuotient<kDivision, kOperands, kSink>(d, run, x + i * lanes,
                                                     index.Scale(i * lanes));
  };
  constexpr bool kOneOffset =
      kOperands == Operands::kUniform || kOperands == Operands::kVectorScale;
  const auto integer = [&](size_t i) HWY_ATTR {
    constexpr Above kAbove =
        kDivision == Division::kReciprocal ? Above::kInRange : Above::kPossible;
    return RoundToInt32<kAbove>(d, quotient(i));
  };
  const auto with_offset = [&](size_t i) HWY_ATTR {
    const size_t at = index.Offset(i * lanes);
    if constexpr (kOperands == Operands::kVectors) {
      return hn::Add(integer(i), hn::LoadU(di, run.offset + at));
    } else {
      return hn::Add(integer(i), hn::Set(di, run.offset[at]));
    }
  };

  if constexpr (kSink == Sink::kQuotient) {
    for (size_t i = 0; i < 4; ++i) hn::StoreU(quotient(i), d, out + i * lanes);
  } else if constexpr (kSink == Sink::kInteger16) {
    const hn::Repartition<uint16_t, decltype(d)> d16;
    hn::StoreU(EncodeWords(d16, with_offset(0), with_offset(1), run.integers), d16, out);
    hn::StoreU(EncodeWords(d16, with_offset(2), with_offset(3), run.integers), d16,
               out + 2 * lanes);
  } else if constexpr (kSink == Sink::kInteger8) {
    const hn::Repartition<uint8_t, decltype(d)> d8;
    if constexpr (kOneOffset) {
      hn::StoreU(EncodeBytes(d8, integer(0), integer(1), integer(2), integer(3),
                             *run.offset, run.integers),
                 d8, out);
    } else {
      hn::StoreU(EncodeBytes(d8, with_offset(0), with_offset(1), with_offset(2),
                             with_offset(3), run.integers),
                 d8, out);
    }
  } else {
    const hn::Repartition<uint8_t, decltype(d)> d8;
    const auto code = [&](size_t i) HWY_ATTR {
      const auto q = quotient(i);
      auto sign_of = q;
      if constexpr (kDivision == Division::kReciprocal)
        sign_of = hn::LoadU(d, x + i * lanes);
      return hn::BitCast(di, EncodeFloat<kSink>(d, q, sign_of, run.floats));
    };
    hn::StoreU(InOrder(d8, PackBytes(d8, code(0), code(1), code(2), code(3))), d8, out);
  }
}

// Quantizes a run of any length. The tail goes through the same block, on
// padded copies.
template <Division kDivision, Operands kOperands, Sink kSink>
void QuantizeRun(const Run& caller_run) {
  // Copies that no store to `out` can change, so that they stay in registers.
  Run run = caller_run;
  float uniform[3] = {};
  int32_t uniform_offset = 0;
  if constexpr (kOperands == Operands::kUniform && kDivision != Division::kDone) {
    uniform[0] = *run.scale;
    run.scale = &uniform[0];
    if constexpr (kDivision == Division::kReciprocal) {
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
  const size_t block = 4 * hn::Lanes(d);
  const X* x = static_cast<const X*>(run.x);
  Code* out = static_cast<Code*>(run.out);

  size_t i = 0;
  for (; i + block <= run.n; i += block) {
    QuantizeBlock<kDivision, kOperands, kSink>(run, i, x + i, out + i);
  }
  if (i == run.n) return;

  constexpr size_t kMaxBlock = 4 * hn::MaxLanes(d);
  constexpr bool kScales =
      kDivision != Division::kDone && kOperands != Operands::kUniform;
  constexpr bool kOffsets = IsIntegerSink(kSink) && (kOperands == Operands::kVectors ||
                                                     kOperands == Operands::kBlocks);
  const OperandIndex<kOperands> index(run, i);
  const size_t rest = run.n - i;
  HWY_ALIGN X padded[kMaxBlock] = {};
  HWY_ALIGN Code codes[kMaxBlock];
  // At most one operand for each element.
  HWY_ALIGN float scale[kScales ? kMaxBlock : 1] = {};
  HWY_ALIGN float high[kScales && kDivision == Division::kReciprocal ? kMaxBlock : 1] =
      {};
  HWY_ALIGN float low[kScales && kDivision == Division::kReciprocal ? kMaxBlock : 1] = {};
  HWY_ALIGN int32_t offset[kOffsets ? kMaxBlock : 1] = {};
  std::memcpy(padded, x + i, rest * sizeof(X));
  Run tail = run;
  if constexpr (kScales) {
    const size_t from = index.Scale(0);
    const size_t count = index.Scale(rest - 1) + 1 - from;
    std::memcpy(scale, run.scale + from, count * sizeof(float));
    tail.scale = scale;
    if constexpr (kDivision == Division::kReciprocal) {
      std::memcpy(high, run.reciprocal + from, count * sizeof(float));
      std::memcpy(low, run.reciprocal_low + from, count * sizeof(float));
      tail.reciprocal = high;
      tail.reciprocal_low = low;
    }
  }
  if constexpr (kOffsets) {
    const size_t from = index.Offset(0);
    const size_t count = index.Offset(rest - 1) + 1 - from;
    std::memcpy(offset, run.offset + from, count * sizeof(int32_t));
    tail.offset = offset;
  }
  QuantizeBlock<kDivision, kOperands, kSink>(tail, 0, padded, codes);
  std::memcpy(out + i, codes, rest * sizeof(Code));
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
