// The inner function of QuantizeLinear: four vectors of contiguous elements, with one
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
#include "harness/backends/simd/encode_float-inl.h"
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

// Where x comes from: memory; sweeps have a source of their own.
template <class Loader, class D>
HWY_INLINE hn::VFromD<D> LoadFrom(D d, const typename Loader::Raw* x) {
  return Loader::Load(d, x);
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

// How near to x / scale quotients by FLOAT's reciprocals come: on the same side of
// the target's boundaries, or round(x / scale).
enum class Nearness : uint8_t { kSameSide, kRounded };

// Whether kDivision's reciprocals are right for some scales only. Then there is one
// scale, and a run looks at it.
template <Division kDivision, Sink kSink>
constexpr bool kMayNeedRounded =
    kDivision == Division::kFloatReciprocal&& kSink == Sink::kInteger16;

// One vector of quotients. `x` points to it; it is `element` of the run.
template <Division kDivision, Operands kOperands, Sink kSink,
          Nearness kNearness = Nearness::kSameSide, class D, class Source>
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
    const V high = LoadOperand<kOperands>(d, run.reciprocal, index);
    const V low = LoadOperand<kOperands>(d, run.reciprocal_low, index);
    constexpr bool kRounded = kNearness == Nearness::kRounded;
    static_assert(!kRounded || kOperands == Operands::kUniform);
    V limit;
    if constexpr (kOperands == Operands::kUniform) {
      limit = hn::Mul(hn::Set(d, *run.scale), hn::Set(d, kBeyondIntegers));
    } else {
      limit = hn::Set(d, hwy::HighestValue<float>());  // saves loading a scale
    }
    const V x_clamped = ClampX<kClamp>(d, q, limit);
    q = MulReciprocal(d, x_clamped, high, low);
    if constexpr (kRounded) {
      return CorrectQuotient(d, x_clamped, hn::Set(d, *run.scale), high, q);
    }
  } else {
    q = hn::Div(q, LoadOperand<kOperands>(d, run.scale, index));
  }
  if constexpr (TypeOfX(kDivision) == DataType::kFloat16) return RoundToFloat16(d, q);
  if constexpr (TypeOfX(kDivision) == DataType::kBfloat16) return RoundToBfloat16(d, q);
  return q;
}

// One vector of quotients as integers. kWithOffset adds the offsets.
template <Division kDivision, Operands kOperands, Sink kSink, bool kWithOffset,
          Nearness kNearness, class D, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadInteger(D d, const Run& run,
                                                         size_t element, Source x) {
  constexpr bool kClamped =
      kDivision == Division::kFloatReciprocal && kOperands == Operands::kUniform;
  constexpr Above kAbove = kClamped ? Above::kInRange : Above::kPossible;
  const auto q = LoadQuotient<kDivision, kOperands, kSink, kNearness>(d, run, element, x);
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

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Four vectors of float codes, as bytes.
//
// With reciprocals x is clamped in place of q: to clamp s, rounded, q of which is so
// near to the clamp that it is rounded to it, as is x / s of all that lies above. Where
// scales differ, or P is not FLOAT, x is only kept in range, and q is clamped as well.
template <Division kDivision, Operands kOperands, Sink kSink, class D, class D8,
          class Source>
HWY_INLINE hn::VFromD<D8> LoadFloatBytes(D d, D8 d8, const Run& run, size_t element,
                                         Source x) {
  using V = hn::VFromD<D>;
  const size_t n = hn::Lanes(d);
  const V clamp = hn::Set(d, run.floats.clamp);
  Four<V> of_x, q;
  if constexpr (IsReciprocal(kDivision)) {
    constexpr bool kOfX =
        kOperands == Operands::kUniform && kDivision == Division::kFloatReciprocal;
    V limit;
    if constexpr (kOperands == Operands::kUniform) {
      const V most = kOfX ? clamp : hn::Set(d, kBeyondIntegers);
      limit = hn::Mul(hn::Set(d, *run.scale), most);
    } else {
      limit = hn::Set(d, hwy::HighestValue<float>());
    }
    const auto load = [&](size_t i, V& from) HWY_ATTR {
      from = LoadFrom<LoaderOf<kDivision>>(d, x + i);
      const size_t index = ScaleIndex<kOperands>(run, element + i);
      V v = MulReciprocal(d, Magnitude(d, from, limit),
                          LoadOperand<kOperands>(d, run.reciprocal, index),
                          LoadOperand<kOperands>(d, run.reciprocal_low, index));
      if constexpr (kDivision == Division::kFloat16Reciprocal) v = RoundToFloat16(d, v);
      if constexpr (kDivision == Division::kBfloat16Reciprocal) v = RoundToBfloat16(d, v);
      return kOfX ? v : hn::Min(v, clamp);
    };
    q = {load(0, of_x.a), load(n, of_x.b), load(2 * n, of_x.c), load(3 * n, of_x.d)};
  } else {
    const auto load = [&](size_t i, V& from) HWY_ATTR {
      from = LoadQuotient<kDivision, kOperands, kSink>(d, run, element + i, x + i);
      return Magnitude(d, from, clamp);
    };
    q = {load(0, of_x.a), load(n, of_x.b), load(2 * n, of_x.c), load(3 * n, of_x.d)};
  }
  const auto codes = EncodeMagnitudes<kSink>(d, d8, q, of_x, run.floats);
  return NanBytes(d8, of_x, run.floats.nan_code, codes);
}
#endif

// Quantizes four vectors, the elements of the run that begin at `element`; `x`
// and `out` point to theirs.
template <Division kDivision, Operands kOperands, Sink kSink,
          Nearness kNearness = Nearness::kSameSide, class Source>
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
    const auto load = [&](size_t i) HWY_ATTR {
      return LoadInteger<kDivision, kOperands, kSink, kWithOffset, kNearness>(
          d, run, e + i * n, x + i * n);
    };
    const auto a = load(0);
    const auto b = load(1);
    const auto c = load(2);
    const auto f = load(3);
    if constexpr (kSink == Sink::kInteger16) {
      hn::StoreU(EncodeWords(d16, a, b, run.integers), d16, out);
      hn::StoreU(EncodeWords(d16, c, f, run.integers), d16, out + 2 * n);
    } else if constexpr (kWithOffset) {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, run.integers), d8, out);
    } else {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, *run.offset, run.integers), d8, out);
    }
  } else {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    hn::StoreU(LoadFloatBytes<kDivision, kOperands, kSink>(d, d8, run, e, x), d8, out);
#else
    const auto a = LoadFloatCode<kDivision, kOperands, kSink>(d, run, e, x);
    const auto b = LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + n, x + n);
    const auto c =
        LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + 2 * n, x + 2 * n);
    const auto f =
        LoadFloatCode<kDivision, kOperands, kSink>(d, run, e + 3 * n, x + 3 * n);
    hn::StoreU(InOrder(d8, PackBytes(d8, a, b, c, f)), d8, out);
#endif
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
