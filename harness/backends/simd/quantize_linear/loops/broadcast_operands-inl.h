// The operands of blocks of one reciprocal each, for AVX-512: values that are the same
// for all lanes come from memory, as operands of the instructions that take them.
#if defined(QCONFORM_SIMD_BROADCAST_OPERANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_BROADCAST_OPERANDS_INL_H_
#undef QCONFORM_SIMD_BROADCAST_OPERANDS_INL_H_
#else
#define QCONFORM_SIMD_BROADCAST_OPERANDS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/block_operands-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The same instructions by intrinsics use a separate load for a value that is used twice,
// which takes as long as a multiplication (Zen 4).

template <class V>
HWY_INLINE V MulBroadcast(V a, const float* b) {
  V product;
  asm("vmulps %2%{1to16%}, %1, %0" : "=v"(product.raw) : "v"(a.raw), "m"(*b));
  return product;
}
template <class V>
HWY_INLINE V MulAddBroadcast(V a, const float* b, V add) {
  asm("vfmadd132ps %2%{1to16%}, %1, %0" : "+v"(a.raw) : "v"(add.raw), "m"(*b));
  return a;
}
template <class V>
HWY_INLINE V NegMulAddBroadcast(V a, const float* b, V add) {
  asm("vfnmadd132ps %2%{1to16%}, %1, %0" : "+v"(a.raw) : "v"(add.raw), "m"(*b));
  return a;
}
// As AtMost.
template <Signs kSigns, class V>
HWY_INLINE V AtMostBroadcast(V a, const float* b) {
  V least;
  if constexpr (kSigns == Signs::kKept) {
    asm("vrangeps $2, %2%{1to16%}, %1, %0" : "=v"(least.raw) : "v"(a.raw), "m"(*b));
  } else {
    asm("vrangeps $10, %2%{1to16%}, %1, %0" : "=v"(least.raw) : "v"(a.raw), "m"(*b));
  }
  return least;
}
template <class VI>
HWY_INLINE VI AddBroadcast(VI a, const int32_t* b) {
  VI sum;
  asm("vpaddd %2%{1to16%}, %1, %0" : "=v"(sum.raw) : "v"(a.raw), "m"(*b));
  return sum;
}
// Of the bits of b.
template <class VI>
HWY_INLINE VI SubBroadcast(VI a, const float* b) {
  VI difference;
  asm("vpsubd %2%{1to16%}, %1, %0" : "=v"(difference.raw) : "v"(a.raw), "m"(*b));
  return difference;
}

template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan,
          Offsets kOffsets>
requires(kOperands == Operands::kBlocks && IsReciprocal(kDivision) &&
         kSpan != 4) class BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets> {
  using D = hn::ScalableTag<float>;
  using V = hn::VFromD<D>;
  using VI = hn::VFromD<hn::RebindToSigned<D>>;

 public:
  static constexpr bool kHasTwoParts = HasTwoParts(kDivision);

  HWY_INLINE BlockOperands(const Run& run, size_t element)
      : high_(run.reciprocals.high),
        low_(run.reciprocals.low),
        limit_(run.reciprocals.limit),
        offset_(run.offset),
        block_shift_(run.block_shift),
        element_(element) {}

  HWY_INLINE V High(size_t i) const { return hn::Set(D(), *HighAt(i)); }
  HWY_INLINE V Low(size_t i) const { return hn::Set(D(), *LowAt(i)); }
  HWY_INLINE V Limit(size_t i) const {
    static_assert(IsIntegerSink(kSink));
    const hn::RebindToSigned<D> di;
    const VI bits = hn::Set(di, static_cast<int32_t>(kBitsOfLimit<kSink>));
    return hn::BitCast(D(), SubBroadcast(bits, HighAt(i)));
  }
  HWY_INLINE V MulLow(V x, size_t i) const { return MulBroadcast(x, LowAt(i)); }
  HWY_INLINE V MulHigh(V x, size_t i) const { return MulBroadcast(x, HighAt(i)); }
  HWY_INLINE V MulAddHigh(V x, V add, size_t i) const {
    return MulAddBroadcast(x, HighAt(i), add);
  }
  HWY_INLINE V NegMulAddHigh(V x, V add, size_t i) const {
    return NegMulAddBroadcast(x, HighAt(i), add);
  }
  template <Signs kSigns = Signs::kKept>
  HWY_INLINE V AtMostLimit(V x, size_t i) const {
    return AtMostBroadcast<kSigns>(x, limit_ + IndexAt(i));
  }
  HWY_INLINE VI AddOffset(VI v, size_t i) const {
    return AddBroadcast(v, offset_ + IndexAt(i));
  }

 private:
  // Of the first of kSpan vectors, so that they share it.
  HWY_INLINE size_t IndexAt(size_t i) const {
    return (element_ + i / kSpan * kSpan * hn::Lanes(D())) >> block_shift_;
  }
  HWY_INLINE const float* HighAt(size_t i) const { return high_ + IndexAt(i); }
  HWY_INLINE const float* LowAt(size_t i) const { return low_ + IndexAt(i); }

  // A member of more than one pointer would not stay in registers.
  const float* const high_;
  const float* const low_;
  const float* const limit_;
  const int32_t* const offset_;
  const int block_shift_;
  const size_t element_;
};

#endif  // AVX3

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_BROADCAST_OPERANDS_INL_H_
