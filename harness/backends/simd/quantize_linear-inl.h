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

#include "harness/backends/simd/block_operands-inl.h"
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

// How near to x / scale quotients by FLOAT's reciprocals come: on the same side of
// the target's boundaries, or round(x / scale).
enum class Nearness : uint8_t { kSameSide, kRounded };

// Whether kDivision's reciprocals are right for some scales only. Then there is one
// scale, and a run looks at it.
template <Division kDivision, Sink kSink>
constexpr bool kMayNeedRounded =
    kDivision == Division::kFloatReciprocal&& kSink == Sink::kInteger16;

// Whether quotients may lie above kBeyondIntegers. Those by reciprocals are of a clamped
// x, but FLOAT16 has an infinity below; RoundBeforeInteger makes none, of a clamped q.
template <Division kDivision, Sink kSink>
constexpr Above kAboveOf =
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    IsReciprocal(kDivision) || TypeOfX(kDivision) != DataType::kFloat
#else
    IsReciprocal(kDivision) &&
            (kSink == Sink::kInteger8 || kDivision != Division::kFloat16Reciprocal)
#endif
        ? Above::kInRange
        : Above::kPossible;

// Vector i of a block's quotients. `x` points to it.
template <Division kDivision, Sink kSink, Nearness kNearness = Nearness::kSameSide,
          class D, class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<D> LoadQuotient(D d, const Run& run,
                                      const OperandsOfBlock& operands, size_t i,
                                      Source x) {
  using V = hn::VFromD<D>;
  V q = LoadFrom<LoaderOf<kDivision>>(d, x);
  if constexpr (kDivision == Division::kDone) {
    return q;
  } else if constexpr (IsReciprocal(kDivision)) {
    constexpr Clamp kClamp =
        HWY_ARCH_X86 && IsIntegerSink(kSink) ? Clamp::kAbove : Clamp::kBoth;
    const V x_clamped = ClampX<kClamp>(d, q, operands.Limit(i));
    q = MulReciprocal(d, x_clamped, operands.High(i), operands.Low(i));
    if constexpr (kNearness == Nearness::kRounded) {
      const V scale = hn::Set(d, *run.scale);  // of all
      return CorrectQuotient(d, x_clamped, scale, operands.High(i), q);
    }
  } else {
    q = hn::Div(q, operands.Scale(i));
  }
  constexpr DataType kP = TypeOfX(kDivision);
  if constexpr (kP == DataType::kFloat) return q;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (IsIntegerSink(kSink)) {
    if constexpr (!IsReciprocal(kDivision))
      q = hn::Min(hn::Set(d, kBeyondIntegers), q);  // keeps NaN
    constexpr int kBits = kP == DataType::kFloat16 ? 11 : 8;
    return RoundBeforeInteger<kBits>(d, q);
  }
#endif
  return kP == DataType::kFloat16 ? RoundToFloat16(d, q) : RoundToBfloat16(d, q);
}

// Vector i of a block's quotients as integers. kWithOffset adds the offsets.
template <Division kDivision, Sink kSink, bool kWithOffset, Nearness kNearness, class D,
          class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadInteger(D d, const Run& run,
                                                         const OperandsOfBlock& operands,
                                                         size_t i, Source x) {
  const auto q = LoadQuotient<kDivision, kSink, kNearness>(d, run, operands, i, x);
  const auto integer = RoundToInt32<kAboveOf<kDivision, kSink>>(d, q);
  if constexpr (kWithOffset) {
    return hn::Add(integer, operands.Offset(i));
  } else {
    return integer;
  }
}

// Vector i of a block's float codes.
template <Division kDivision, Sink kSink, class D, class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadFloatCode(
    D d, const Run& run, const OperandsOfBlock& operands, size_t i, Source x) {
  const auto q = LoadQuotient<kDivision, kSink>(d, run, operands, i, x);
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
          class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<D8> LoadFloatBytes(D d, D8 d8, const Run& run,
                                         const OperandsOfBlock& operands, Source x) {
  using V = hn::VFromD<D>;
  const size_t n = hn::Lanes(d);
  const V clamp = hn::Set(d, run.floats.clamp);
  constexpr bool kOne = kOperands == Operands::kUniform;
  constexpr bool kOfX = kOne && kDivision == Division::kFloatReciprocal;
  constexpr bool kAligned = kOfX && kSink == Sink::kFloat8;
  FloatGrid grid = run.floats;
  Four<V> of_x, q;
  if constexpr (IsReciprocal(kDivision)) {
    V high, low, limit_of_x;
    if constexpr (kOne) {
      high = operands.High(0);
      low = operands.Low(0);
      RoundDownHigh(d, hn::Set(d, *run.scale), high, low);
      if constexpr (kAligned) AlignExponents(d, high, low, grid);
    }
    if constexpr (kOfX) limit_of_x = hn::Mul(hn::Set(d, *run.scale), clamp);
    const auto load = [&](size_t i, V& from) HWY_ATTR {
      from = LoadFrom<LoaderOf<kDivision>>(d, x + i * n);
      V v;
      if constexpr (kOne) {
        v = MulReciprocal(d, AtMost(d, from, kOfX ? limit_of_x : operands.Limit(0)), high,
                          low);
      } else {
        v = MulReciprocal(d, AtMost(d, from, operands.Limit(i)), operands.High(i),
                          operands.Low(i));
        v = hn::CopySign(v, from);  // zero has lost its sign
      }
      if constexpr (kDivision == Division::kFloat16Reciprocal) v = RoundToFloat16(d, v);
      if constexpr (kDivision == Division::kBfloat16Reciprocal) v = RoundToBfloat16(d, v);
      return kOfX ? v : AtMost(d, v, clamp);
    };
    q = {load(0, of_x.a), load(1, of_x.b), load(2, of_x.c), load(3, of_x.d)};
  } else {
    const auto load = [&](size_t i, V& from) HWY_ATTR {
      from = LoadQuotient<kDivision, kSink>(d, run, operands, i, x + i * n);
      return AtMost(d, from, clamp);
    };
    q = {load(0, of_x.a), load(1, of_x.b), load(2, of_x.c), load(3, of_x.d)};
  }
  return NanBytes(d8, of_x, run.floats.nan_code,
                  EncodeQuotients<kSink, kAligned>(d, d8, q, grid));
}
#endif

// Keeps the scale of a run that has one, or its reciprocal, in `kept`, which no store to
// `out` can change.
template <Division kDivision>
HWY_INLINE void KeepScale(Run& run, float (&kept)[3]) {
  if constexpr (kDivision != Division::kDone) kept[0] = *run.scale;
  if constexpr (IsReciprocal(kDivision)) {
    kept[1] = *run.reciprocal;
    kept[2] = *run.reciprocal_low;
  }
  run.scale = &kept[0];
  run.reciprocal = &kept[1];
  run.reciprocal_low = &kept[2];
}

// Quantizes four vectors by their operands; `x` and `out` point to theirs.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness,
          size_t kSpan, Offsets kOffsets, class Source>
HWY_INLINE void QuantizeBlockBy(
    const Run& run,
    const BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets>& operands, Source x,
    CodeOf<kSink>* HWY_RESTRICT out) {
  static_assert(kNearness == Nearness::kSameSide || kOperands == Operands::kUniform);
  const hn::ScalableTag<float> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const size_t n = hn::Lanes(d);
  if constexpr (kSink == Sink::kQuotient) {
    for (size_t i = 0; i < 4; ++i) {
      hn::StoreU(LoadQuotient<kDivision, kSink>(d, run, operands, i, x + i * n), d,
                 out + i * n);
    }
  } else if constexpr (IsIntegerSink(kSink)) {
    // One offset for all costs less where it is added late.
    constexpr bool kWithOffset = kOffsets == Offsets::kEach;
    const auto load = [&](size_t i) HWY_ATTR {
      return LoadInteger<kDivision, kSink, kWithOffset, kNearness>(d, run, operands, i,
                                                                   x + i * n);
    };
    const auto a = load(0);
    const auto b = load(1);
    const auto c = load(2);
    const auto f = load(3);
    if constexpr (kSink == Sink::kInteger16) {
      const int32_t offset = kWithOffset ? 0 : *run.offset;
      hn::StoreU(EncodeWords<kWithOffset>(d16, a, b, offset, run.integers), d16, out);
      hn::StoreU(EncodeWords<kWithOffset>(d16, c, f, offset, run.integers), d16,
                 out + 2 * n);
    } else if constexpr (kWithOffset) {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, run.integers), d8, out);
    } else {
      hn::StoreU(EncodeBytes(d8, a, b, c, f, *run.offset, run.integers), d8, out);
    }
  } else {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    hn::StoreU(LoadFloatBytes<kDivision, kOperands, kSink>(d, d8, run, operands, x), d8,
               out);
#else
    const auto a = LoadFloatCode<kDivision, kSink>(d, run, operands, 0, x);
    const auto b = LoadFloatCode<kDivision, kSink>(d, run, operands, 1, x + n);
    const auto c = LoadFloatCode<kDivision, kSink>(d, run, operands, 2, x + 2 * n);
    const auto f = LoadFloatCode<kDivision, kSink>(d, run, operands, 3, x + 3 * n);
    hn::StoreU(InOrder(d8, PackBytes(d8, a, b, c, f)), d8, out);
#endif
  }
}

// The same for the elements of a run that begin at `element`.
template <Division kDivision, Operands kOperands, Sink kSink,
          Nearness kNearness = Nearness::kSameSide, class Source>
HWY_INLINE void QuantizeBlock(const Run& run, size_t element, Source x,
                              CodeOf<kSink>* HWY_RESTRICT out) {
  const BlockOperands<kDivision, kOperands, kSink> operands(run, element);
  QuantizeBlockBy<kDivision, kOperands, kSink, kNearness>(run, operands, x, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
