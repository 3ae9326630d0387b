// The operands of a block of four vectors: scales or their reciprocals, and offsets.
#if defined(QCONFORM_SIMD_BLOCK_OPERANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_BLOCK_OPERANDS_INL_H_
#undef QCONFORM_SIMD_BLOCK_OPERANDS_INL_H_
#else
#define QCONFORM_SIMD_BLOCK_OPERANDS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "harness/backends/simd/quantize_linear/loops/encode_float-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr bool IsIntegerSink(Sink sink) {
  return sink == Sink::kInteger8 || sink == Sink::kInteger16;
}

constexpr bool HasRows(Operands operands) {
  return operands == Operands::kVectorScale || operands == Operands::kVectors;
}

// Whether there is one zero point for all, or one for each scale.
enum class Offsets : uint8_t { kOne, kEach };
constexpr Offsets OffsetsOf(Operands operands) {
  return operands == Operands::kVectors || operands == Operands::kBlocks ? Offsets::kEach
                                                                         : Offsets::kOne;
}

// Position of the operands of element `element` of a run.
template <Operands kOperands>
HWY_INLINE size_t ScaleIndex(const Run& run, size_t element) {
  if constexpr (kOperands == Operands::kUniform) return 0;
  if constexpr (kOperands == Operands::kBlocks) {
    return element >> run.block_shift;
  }
  return element;
}

// values[index], or the vector that begins there.
template <Operands kOperands, class D, typename T>
HWY_INLINE hn::VFromD<D> LoadOperand(D d, const T* values, size_t index) {
  if constexpr (HasRows(kOperands)) {
    return hn::LoadU(d, values + index);
  } else {
    return hn::Set(d, values[index]);
  }
}

// The bits of LimitOfX, for a limit that saturates all of an integer sink's targets.
template <Sink kSink>
constexpr uint32_t kBitsOfLimit = LimitBits(kSink == Sink::kInteger8 ? 14 : 18);

// What each of a block's four vectors, i = 0 to 3, is quantized with. Held in registers,
// so that rows that share operands can take turns; but SVE's vectors cannot be members:
// there they are loaded whenever they are asked for. broadcast_operands-inl.h has another
// one, for blocks by AVX-512.
//
// kSpan: this many vectors, 1, 2 or 4, have the same scale, if scales are of blocks.
template <Division kDivision, Operands kOperands, Sink kSink, size_t kSpan = 1,
          Offsets kOffsets = OffsetsOf(kOperands)>
class BlockOperands {
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::VFromD<D>;
  using VI = hn::VFromD<DI>;
  static constexpr bool kAddsOffsets = IsIntegerSink(kSink) && kOffsets == Offsets::kEach;
  static constexpr Operands kOffsetOperands =
      kOffsets == Offsets::kOne ? Operands::kUniform : kOperands;

 public:
  static constexpr bool kHasTwoParts = HasTwoParts(kDivision);

  // Of the block that begins with `element` of the run.
  HWY_INLINE BlockOperands(const Run& run, size_t element)
#if HWY_HAVE_SCALABLE || HWY_TARGET_IS_SVE
      : run_(run), element_(element) {
  }
  HWY_INLINE V Scale(size_t i) const { return LoadScale(run_, IndexAt(i)); }
  HWY_INLINE V High(size_t i) const { return LoadHigh(run_, IndexAt(i)); }
  HWY_INLINE V Low(size_t i) const { return LoadLow(run_, IndexAt(i)); }
  HWY_INLINE V Limit(size_t i) const { return LimitOf(run_, IndexAt(i), High(i)); }
  HWY_INLINE VI Offset(size_t i) const { return LoadOffset(run_, IndexAt(i)); }
#else
  {
    LoadVector(run, element, 0, a_);
    if constexpr (kStep == 1) LoadVector(run, element, 1, b_);
    if constexpr (kStep <= 2) LoadVector(run, element, 2, c_);
    if constexpr (kStep == 1) LoadVector(run, element, 3, d_);
  }
  HWY_INLINE V Scale(size_t i) const { return At(i).scale; }
  HWY_INLINE V High(size_t i) const { return At(i).scale; }
  HWY_INLINE V Low(size_t i) const { return At(i).low; }
  // Magnitudes of x are clamped to it: see ClampX.
  HWY_INLINE V Limit(size_t i) const { return At(i).limit; }
  HWY_INLINE VI Offset(size_t i) const { return At(i).offset; }
#endif
  HWY_INLINE V MulLow(V x, size_t i) const { return hn::Mul(x, Low(i)); }
  HWY_INLINE V MulHigh(V x, size_t i) const { return hn::Mul(x, High(i)); }
  HWY_INLINE V MulAddHigh(V x, V add, size_t i) const {
    return hn::MulAdd(x, High(i), add);
  }
  HWY_INLINE V NegMulAddHigh(V x, V add, size_t i) const {
    return hn::NegMulAdd(x, High(i), add);
  }
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  template <Signs kSigns = Signs::kKept>
  HWY_INLINE V AtMostLimit(V x, size_t i) const {
    return AtMost<kSigns>(D(), x, Limit(i));
  }
  // Multiplies the reciprocal of one scale for all by a power of two.
  HWY_INLINE void Multiply(float factor) {
    static_assert(kOperands == Operands::kUniform && IsReciprocal(kDivision));
    a_.scale = hn::Mul(a_.scale, hn::Set(D(), factor));
    a_.low = hn::Mul(a_.low, hn::Set(D(), factor));
  }
#endif
  HWY_INLINE VI AddOffset(VI v, size_t i) const { return hn::Add(v, Offset(i)); }

 private:
  static constexpr size_t kStep = kOperands == Operands::kUniform ? 4 : kSpan;

  static HWY_INLINE size_t IndexOf(const Run& run, size_t element, size_t i) {
    return ScaleIndex<kOperands>(run, element + i * hn::Lanes(D()));
  }
  static HWY_INLINE V LoadScale(const Run& run, size_t index) {
    return LoadOperand<kOperands>(D(), run.scale, index);
  }
  static HWY_INLINE V LoadHigh(const Run& run, size_t index) {
    return LoadOperand<kOperands>(D(), run.reciprocals.high, index);
  }
  static HWY_INLINE V LoadLow(const Run& run, size_t index) {
    return LoadOperand<kOperands>(D(), run.reciprocals.low, index);
  }
  static HWY_INLINE V LimitOf(const Run& run, size_t index, V high) {
    if constexpr (IsFloatSink(kSink) && !HasRows(kOperands)) {
      return LoadOperand<kOperands>(D(), run.reciprocals.limit, index);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    } else if constexpr (IsFloatSink(kSink)) {
      return LimitNearClamp(D(), high, run.floats.clamp);
#endif
    } else {  // a load more costs more
      return LimitOfX<kBitsOfLimit<kSink>>(D(), high);
    }
  }
  static HWY_INLINE VI LoadOffset(const Run& run, size_t index) {
    return LoadOperand<kOffsetOperands>(DI(), run.offset,
                                        kOffsets == Offsets::kOne ? 0 : index);
  }

#if HWY_HAVE_SCALABLE || HWY_TARGET_IS_SVE
  HWY_INLINE size_t IndexAt(size_t i) const { return IndexOf(run_, element_, i); }

  const Run& run_;
  size_t element_;
#else
  struct Vector {
    HWY_INLINE Vector() {}  // an implicit one is not of the target, as NEON's members are
    V scale;                // or the high part of its reciprocal
    V low, limit;
    VI offset;
  };
  static HWY_INLINE void LoadVector(const Run& run, size_t element, size_t i, Vector& v) {
    const size_t index = IndexOf(run, element, i);
    if constexpr (IsReciprocal(kDivision)) {
      v.scale = LoadHigh(run, index);
      if constexpr (HasTwoParts(kDivision)) v.low = LoadLow(run, index);
      v.limit = LimitOf(run, index, v.scale);
    } else if constexpr (kDivision != Division::kDone) {
      v.scale = LoadScale(run, index);
    }
    if constexpr (kAddsOffsets) v.offset = LoadOffset(run, index);
  }
  HWY_INLINE const Vector& At(size_t i) const {
    if (i / kStep == 0) return a_;
    if (kStep == 2) return c_;
    return i == 1 ? b_ : i == 2 ? c_ : d_;
  }

  // Members of their own: an array would not stay in registers, nor would a run that
  // a member refers to.
  Vector a_, b_, c_, d_;
#endif
};

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_BLOCK_OPERANDS_INL_H_
