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

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/block_operands-inl.h"
#include "harness/backends/simd/quantize_linear/loops/broadcast_operands-inl.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "harness/backends/simd/quantize_linear/loops/encode_float-inl.h"
#include "harness/backends/simd/quantize_linear/loops/encode_float4-inl.h"
#include "harness/backends/simd/quantize_linear/loops/pack-inl.h"
#include "harness/backends/simd/quantize_linear/loops/x_source-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Sink kSink>
using CodeOf =
    std::conditional_t<kSink == Sink::kInteger16, uint16_t,
                       std::conditional_t<kSink == Sink::kQuotient, float, uint8_t>>;

// How near to x / scale quotients by FLOAT's reciprocals come: on the same side of
// the target's boundaries as the quotient rounded to FLOAT, or as the exact one; or
// round(x / scale).
enum class Nearness : uint8_t { kSameSide, kExact, kRounded };

// Whether kDivision's reciprocals are right for some scales only. Then there is one
// scale, and a run looks at it.
template <Division kDivision, Sink kSink>
constexpr bool kMayNeedRounded = (kSink == Sink::kInteger16) && IsReciprocal(kDivision) &&
                                 (PrecisionOf(kDivision) == DataType::kFloat);

// When x is rounded to P. To BFLOAT16 that takes less if infinities need not stay: x has
// none once it is clamped, and AtMost takes their images for the clamp. By these scales
// its subnormals are 0 in every target.
template <Division kDivision, Sink kSink>
constexpr Rounds kRoundsOf =
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    kDivision == Division::kBfloat16Reciprocal&& kSink != Sink::kQuotient ? Rounds::kLater
                                                                          :
#endif
                                                                          Rounds::kNow;

// Whether x is clamped: before it is rounded, or where a reciprocal has two parts
// (ClampX). Else quotients are, as those by division, and those to floats where AtMost
// may take NaN.
template <Division kDivision, Sink kSink>
constexpr bool kClampsX =
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
    !IsFloatSink(kSink) &&
#endif
    (HasTwoParts(kDivision) || kRoundsOf<kDivision, kSink> == Rounds::kLater);

// Whether quotients may lie above kBeyondIntegers.
template <Division kDivision, Sink kSink>
constexpr Above kAboveOf =
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    PrecisionOf(kDivision) != DataType::kFloat ||  // RoundBeforeInteger takes no more
#endif
            kClampsX<kDivision, kSink>
        ? Above::kInRange
        : Above::kPossible;

// Whether codes are written past the caches.
enum class Writes : uint8_t { kCached, kStreamed };

// Whether a run may ask for exact quotients.
template <Division kDivision>
constexpr bool kMayNeedExact = kDivision == Division::kFloatReciprocalOfAny;

// Exact quotients of vector x, of which `loaded` are the FLOATs and `clamped` those that
// count: on the right side of every boundary, or on it. No quotient of a clamped x lies
// above that of the limit, if the target is a float.
template <Sink kSink, class D, class OperandsOfBlock, class Source,
          class V = hn::VFromD<D>>
HWY_INLINE V ExactQuotient(D d, const OperandsOfBlock& operands, size_t i, Source x,
                           V loaded, V clamped) {
  V x_low = hn::Zero(d);
  V rest = operands.MulLow(clamped, i);
  if (x.has_low) {
    x_low = LoadLowOfInt32(d, x.x, loaded);
    if constexpr (IsFloatSink(kSink)) {
      x_low = hn::IfThenElseZero(hn::Eq(loaded, clamped), x_low);
    }
    rest = operands.MulAddHigh(x_low, rest, i);
  }
  if constexpr (kSink == Sink::kInteger16) {
    return ExactForWords(d, clamped, x_low, rest, operands, i);
  } else {
    return ExactForBytes(d, clamped, rest, operands, i);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
// x of `type` to BFLOAT16; loses the sign of zeros, and makes NaN of infinities.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundClamped(D d, DataType type, V x) {
  if (type == DataType::kBfloat16) return x;
  // Limits have more bits, and move by 2^-8 of themselves at most: they are beyond all
  // integers, or so near to a grid's largest value that they are rounded to it.
  if (type == DataType::kFloat16) return RoundShort<8>(d, x);
  return RoundBeforeInteger<8>(d, x);
}
#endif

// Vector i of a block's quotients: of `loaded`, which is that of `x`.
template <Division kDivision, Sink kSink, Nearness kNearness = Nearness::kSameSide,
          class D, class OperandsOfBlock, class Source, class V = hn::VFromD<D>>
HWY_INLINE V Quotient(D d, const Run& run, const OperandsOfBlock& operands, size_t i,
                      Source x, V loaded) {
  V from = loaded;  // x, or q that is there
  if constexpr (kClampsX<kDivision, kSink>) {
    constexpr Clamp kClamp =
        HWY_ARCH_X86 && IsIntegerSink(kSink) ? Clamp::kAbove : Clamp::kBoth;
    from = ClampX<kClamp>(d, from, operands.Limit(i));
    if constexpr (kRoundsOf<kDivision, kSink> == Rounds::kLater) {
      from = RoundClamped(d, x.type(), from);
    }
  }
  V q = from;
  if constexpr (kNearness == Nearness::kExact) {
    return ExactQuotient<kSink>(d, operands, i, x, loaded, from);
  } else if constexpr (kDivision == Division::kDone) {
    return q;
  } else if constexpr (IsReciprocal(kDivision)) {
    q = MulReciprocal(from, operands, i);
    if constexpr (kNearness == Nearness::kRounded) {
      const V scale = hn::Set(d, *run.scale);  // of all
      return CorrectQuotient(d, from, scale, operands.High(i), q);
    }
  } else {
    q = hn::Div(from, operands.Scale(i));
  }
  constexpr DataType kP = PrecisionOf(kDivision);
  if constexpr (kP == DataType::kFloat) return q;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (IsIntegerSink(kSink)) {
    if constexpr (!kClampsX<kDivision, kSink>) {
      q = hn::Min(hn::Set(d, kBeyondIntegers), q);  // keeps NaN
    }
    constexpr int kBits = kP == DataType::kFloat16 ? 11 : 8;
    return kSink == Sink::kInteger8 ? RoundShort<kBits>(d, q)
                                    : RoundBeforeInteger<kBits>(d, q);
  }
#endif
  return kP == DataType::kFloat16 ? RoundToFloat16(d, q) : RoundToBfloat16(d, q);
}

// The same as integers. kWithOffset adds the offsets.
template <Division kDivision, Sink kSink, bool kWithOffset, Nearness kNearness, class D,
          class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Integer(D d, const Run& run,
                                                     const OperandsOfBlock& operands,
                                                     size_t i, Source x,
                                                     hn::VFromD<D> loaded) {
  const auto q = Quotient<kDivision, kSink, kNearness>(d, run, operands, i, x, loaded);
  const auto integer = RoundToInt32<kAboveOf<kDivision, kSink>>(d, q);
  if constexpr (kWithOffset) {
    return operands.AddOffset(integer, i);
  } else {
    return integer;
  }
}

#if !HWY_ARCH_X86
// Vector i of a block's float codes.
template <Division kDivision, Sink kSink, Nearness kNearness, class D,
          class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadFloatCode(
    D d, const Run& run, const OperandsOfBlock& operands, size_t i, Source x) {
  const auto loaded = LoadX(d, x);
  const auto q = Quotient<kDivision, kSink, kNearness>(d, run, operands, i, x, loaded);
  const auto sign_of = IsReciprocal(kDivision) ? loaded : q;
  return hn::BitCast(hn::RebindToSigned<D>(),
                     EncodeFloat<kSink>(d, q, sign_of, run.floats));
}

#else  // HWY_ARCH_X86
// Vector i of quotients by reciprocals, `from` being x: the magnitude is at most the
// clamp, or so near to it that it is rounded to it, as x is clamped to about clamp s;
// where x is not, q is. Not rounded to P yet, it has the sign of zeros where AtMost keeps
// signs, as no part of a reciprocal is negative.
template <Division kDivision, Nearness kNearness, Signs kSigns, class D,
          class OperandsOfBlock, class Source, class V = hn::VFromD<D>>
HWY_INLINE V FloatQuotient(D d, const OperandsOfBlock& operands, size_t i, Source x,
                           V from, V clamp) {
  constexpr bool kClamps = kClampsX<kDivision, Sink::kFloat8>;
  V rounded = from;
  if constexpr (kClamps) rounded = operands.template AtMostLimit<kSigns>(from, i);
  if constexpr (kRoundsOf<kDivision, Sink::kFloat8> == Rounds::kLater) {
    rounded = RoundClamped(d, x.type(), rounded);
    // That of zeros, which INT32 has not, and which BFLOAT16 has kept.
    const bool lost_sign = x.type() == DataType::kFloat || x.type() == DataType::kFloat16;
    if (kClamps && kSigns == Signs::kKept && lost_sign) {
      rounded = hn::CopySign(rounded, from);
    }
  }
  V q;
  if constexpr (kNearness == Nearness::kExact) {
    q = ExactQuotient<Sink::kFloat8>(d, operands, i, x, from, rounded);
  } else {
    q = MulReciprocal(rounded, operands, i);
  }
  return kClamps ? q : AtMost<kSigns>(d, q, clamp);
}

// Four of them, rounded to P, with the binades that they had before.
template <Division kDivision, Nearness kNearness, Signs kSigns, class D,
          class OperandsOfBlock, class Source, class V = hn::VFromD<D>>
HWY_INLINE void FloatQuotients(D d, const OperandsOfBlock& operands, Source x, V clamp,
                               const Four<V>& from, Four<V>& q, Four<V>& binades) {
  constexpr auto quotient =
      FloatQuotient<kDivision, kNearness, kSigns, D, OperandsOfBlock, Source>;
  constexpr auto round = RoundBeforeFloat8<PrecisionOf(kDivision), kSigns, D>;
  const size_t n = hn::Lanes(d);
  q = {quotient(d, operands, 0, x, from.a, clamp),
       quotient(d, operands, 1, x + n, from.b, clamp),
       quotient(d, operands, 2, x + 2 * n, from.c, clamp),
       quotient(d, operands, 3, x + 3 * n, from.d, clamp)};
  binades = BinadesOf(d, q);
  q = {round(d, q.a, binades.a), round(d, q.b, binades.b), round(d, q.c, binades.c),
       round(d, q.d, binades.d)};
}

// Four vectors of float codes, as bytes.
//
// With reciprocals x may be clamped in place of q (kClampsX): to about clamp s, q of
// which is so near to the clamp that it is rounded to it, as is x / s of all that lies
// above.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness, class D,
          class D8, class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<D8> LoadFloatBytes(D d, D8 d8, const Run& run,
                                         const OperandsOfBlock& operands, Source x) {
  using V = hn::VFromD<D>;
  const size_t n = hn::Lanes(d);
  constexpr bool kAligned = HWY_TARGET <= HWY_AVX3 && kOperands == Operands::kUniform &&
                            IsReciprocal(kDivision) && kSink == Sink::kFloat8 &&
                            kNearness == Nearness::kSameSide &&
                            PrecisionOf(kDivision) == DataType::kFloat;
  // Words have the signs, which costs the least where bytes are permuted freely.
  constexpr bool kFromWords = HWY_TARGET <= HWY_AVX3_DL && IsReciprocal(kDivision) &&
                              kIsWords<Source> && kNearness == Nearness::kSameSide;
  constexpr Signs kSigns = kFromWords ? Signs::kDropped : Signs::kKept;
  FloatGrid grid = run.floats;
  const V clamp = hn::Set(d, run.floats.clamp);
  // One after the other, so that all take one branch on the type.
  constexpr Rounds kRounds = kRoundsOf<kDivision, kSink>;
  Four<V> of_x = {LoadX<kRounds>(d, x), LoadX<kRounds>(d, x + n),
                  LoadX<kRounds>(d, x + 2 * n), LoadX<kRounds>(d, x + 3 * n)};
  Four<V> q, binades;
  if constexpr (kAligned) {
    OperandsOfBlock aligned = operands;
    aligned.Multiply(AlignExponents(grid));
    FloatQuotients<kDivision, kNearness, kSigns>(d, aligned, x, clamp, of_x, q, binades);
  } else if constexpr (IsReciprocal(kDivision)) {
    FloatQuotients<kDivision, kNearness, kSigns>(d, operands, x, clamp, of_x, q, binades);
  } else {
    constexpr auto quotient =
        Quotient<kDivision, kSink, Nearness::kSameSide, D, OperandsOfBlock, Source>;
    of_x = {quotient(d, run, operands, 0, x, of_x.a),
            quotient(d, run, operands, 1, x + n, of_x.b),
            quotient(d, run, operands, 2, x + 2 * n, of_x.c),
            quotient(d, run, operands, 3, x + 3 * n, of_x.d)};
    q = {AtMost(d, of_x.a, clamp), AtMost(d, of_x.b, clamp), AtMost(d, of_x.c, clamp),
         AtMost(d, of_x.d, clamp)};
    binades = BinadesOf(d, q);
  }
  auto signs = hn::Zero(d8);
  if constexpr (kFromWords) signs = UpperBytes(d8, x);
  return NanBytes(
      d8, of_x, run.floats.nan_code,
      EncodeQuotients<kSink, kAligned, kSigns>(d, d8, q, binades, of_x, signs, grid));
}

#if HWY_TARGET <= HWY_AVX3_DL
// Four vectors of FLOAT4E2M1 codes, as bytes, of words of x. x is clamped to about 6 s,
// which saturates (QL-24), and so are infinities.
template <Division kDivision, class D, class D8, class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<D8> LoadFloat4Bytes(D d, D8 d8, const Run& run,
                                          const OperandsOfBlock& operands, Source x) {
  using V = hn::VFromD<D>;
  constexpr DataType kP = PrecisionOf(kDivision);
  constexpr Rounds kRounds = kRoundsOf<kDivision, Sink::kFloat8>;
  const hn::Repartition<uint16_t, D> d16;
  const size_t n = hn::Lanes(d);
  const Four<V> of_x = {LoadX<kRounds>(d, x), LoadX<kRounds>(d, x + n),
                        LoadX<kRounds>(d, x + 2 * n), LoadX<kRounds>(d, x + 3 * n)};
  const auto magnitude = [&](V v, size_t i) HWY_ATTR {
    const V clamped = operands.template AtMostLimit<Signs::kDropped>(v, i);
    return kRounds == Rounds::kLater ? RoundClamped(d, x.type(), clamped) : clamped;
  };
  const Four<V> m = {magnitude(of_x.a, 0), magnitude(of_x.b, 1), magnitude(of_x.c, 2),
                     magnitude(of_x.d, 3)};
  hn::VFromD<D8> codes;
  if constexpr (kP == DataType::kFloat) {
    const Four<V> q = {MulReciprocal(m.a, operands, 0), MulReciprocal(m.b, operands, 1),
                       MulReciprocal(m.c, operands, 2), MulReciprocal(m.d, operands, 3)};
    codes = Float4FromSums(d8, SumsOfFloorAndCeil(d8, q), UpperBytes(d8, x));
  } else {
    constexpr int kBits = kP == DataType::kFloat16 ? 11 : 8;
    const auto signed_codes = [&](hn::VFromD<decltype(d16)> fixed, Source of) HWY_ATTR {
      return hn::BitCast(
          d8, WithSigns(d16, LoadWords(d16, of), Float4Words<kBits>(d16, fixed)));
    };
    const auto ab = FixedProducts(d16, m.a, operands.High(0), m.b, operands.High(1));
    const auto cd = FixedProducts(d16, m.c, operands.High(2), m.d, operands.High(3));
    codes = Float4FromBytes(
        d8, hn::ConcatOdd(d8, signed_codes(cd, x + 2 * n), signed_codes(ab, x)));
  }
  return NanBytes(d8, of_x, run.floats.nan_code, codes);
}
#endif  // AVX3_DL

// Four vectors of float codes by the one or the other: those that are always packed are
// FLOAT4E2M1.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness,
          Packs kPacks, class D, class D8, class OperandsOfBlock, class Source>
HWY_INLINE hn::VFromD<D8> LoadFloatCodes(D d, D8 d8, const Run& run,
                                         const OperandsOfBlock& operands, Source x) {
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (kPacks == Packs::kAlways && kIsWords<Source>) {
    static_assert(kNearness == Nearness::kSameSide && IsReciprocal(kDivision));
    return LoadFloat4Bytes<kDivision>(d, d8, run, operands, x);
  } else {
    return LoadFloatBytes<kDivision, kOperands, kSink, kNearness>(d, d8, run, operands,
                                                                  x);
  }
#else
  return LoadFloatBytes<kDivision, kOperands, kSink, kNearness>(d, d8, run, operands, x);
#endif
}
#endif  // HWY_ARCH_X86

// Keeps the scale of a run that has one, or its reciprocal, in `kept`, which no store to
// `out` can change.
template <Division kDivision, bool kIsFloat>
HWY_INLINE void KeepScale(Run& run, float (&kept)[4]) {
  if constexpr (kDivision != Division::kDone) kept[0] = *run.scale;
  if constexpr (IsReciprocal(kDivision)) {
    kept[1] = *run.reciprocals.high;
    if constexpr (HasTwoParts(kDivision)) kept[2] = *run.reciprocals.low;
    if constexpr (kIsFloat) kept[3] = *run.reciprocals.limit;
  }
  run.scale = &kept[0];
  run.reciprocals = {&kept[1], &kept[2], &kept[3]};
}

// Quantizes four vectors by their operands; `x` and `out` point to theirs, `out` as
// PlaceOfPacked takes it.
template <Division kDivision, Operands kOperands, Sink kSink, Nearness kNearness,
          Packs kPacks = Packs::kNever, size_t kSpan, Offsets kOffsets, class Source>
HWY_INLINE void QuantizeBlockBy(
    const Run& run,
    const BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets>& operands, Source x,
    CodeOf<kSink>* HWY_RESTRICT out) {
  static_assert(kNearness != Nearness::kRounded || kOperands == Operands::kUniform);
  const hn::ScalableTag<float> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const size_t n = hn::Lanes(d);
  if constexpr (kSink == Sink::kQuotient) {
    for (size_t i = 0; i < 4; ++i) {
      const auto loaded = LoadX(d, x + i * n);
      hn::StoreU(Quotient<kDivision, kSink>(d, run, operands, i, x + i * n, loaded), d,
                 out + i * n);
    }
  } else if constexpr (IsIntegerSink(kSink)) {
    // One offset for all costs less where it is added late.
    constexpr bool kWithOffset = kOffsets == Offsets::kEach;
    using D = decltype(d);
    constexpr auto integer =
        Integer<kDivision, kSink, kWithOffset, kNearness, D,
                BlockOperands<kDivision, kOperands, kSink, kSpan, kOffsets>, Source>;
    constexpr Rounds kRounds = kRoundsOf<kDivision, kSink>;
    const auto x0 = LoadX<kRounds>(d, x);
    const auto x1 = LoadX<kRounds>(d, x + n);
    const auto x2 = LoadX<kRounds>(d, x + 2 * n);
    const auto x3 = LoadX<kRounds>(d, x + 3 * n);
    const auto a = integer(d, run, operands, 0, x, x0);
    const auto b = integer(d, run, operands, 1, x + n, x1);
    const auto c = integer(d, run, operands, 2, x + 2 * n, x2);
    const auto f = integer(d, run, operands, 3, x + 3 * n, x3);
    if constexpr (kSink == Sink::kInteger16) {
      const int32_t offset = kWithOffset ? 0 : *run.offset;
      hn::StoreU(EncodeWords<kWithOffset>(d16, a, b, offset, run.integers), d16, out);
      hn::StoreU(EncodeWords<kWithOffset>(d16, c, f, offset, run.integers), d16,
                 out + 2 * n);
    } else {
      const int32_t offset = kWithOffset ? 0 : *run.offset;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
      if (DoesPack<kPacks>(run)) {
        return StorePackedIntegers<kPacks>(d8, run, a, b, c, f, offset, out);
      }
#endif
      const auto codes = kWithOffset ? EncodeBytes(d8, a, b, c, f, run.integers)
                                     : EncodeBytes(d8, a, b, c, f, offset, run.integers);
      hn::StoreU(codes, d8, out);
    }
  } else {
#if HWY_ARCH_X86
    const auto codes = LoadFloatCodes<kDivision, kOperands, kSink, kNearness, kPacks>(
        d, d8, run, operands, x);
#if HWY_TARGET <= HWY_AVX3
    if (DoesPack<kPacks>(run)) return StoreNibbles<kPacks>(d8, run, codes, out);
#endif
    hn::StoreU(codes, d8, out);
#else
    const auto a = LoadFloatCode<kDivision, kSink, kNearness>(d, run, operands, 0, x);
    const auto b = LoadFloatCode<kDivision, kSink, kNearness>(d, run, operands, 1, x + n);
    const auto c =
        LoadFloatCode<kDivision, kSink, kNearness>(d, run, operands, 2, x + 2 * n);
    const auto f =
        LoadFloatCode<kDivision, kSink, kNearness>(d, run, operands, 3, x + 3 * n);
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
