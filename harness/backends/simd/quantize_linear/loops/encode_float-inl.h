// The encode stage of float targets for x86: four vectors of quotients to a vector of
// bytes, most of the way in lanes of 16 bits.
#if defined(QCONFORM_SIMD_ENCODE_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#undef QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#else
#define QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86

// Quotients have their signs by AVX-512, which compares magnitudes by one instruction,
// unless these are taken from x; else they lose them in AtMost.
enum class Signs : uint8_t { kKept, kDropped };
#if HWY_TARGET <= HWY_AVX3
// The one of the lesser, or of the greater, magnitude, with the sign of v or none.
// `limit` for NaN, which NanBytes mends.
template <Signs kSigns = Signs::kKept, class D, class V = hn::VFromD<D>>
HWY_INLINE V AtMost(D, V v, V limit) {
  return V{_mm512_range_ps(v.raw, limit.raw, kSigns == Signs::kKept ? 0x2 : 0xA)};
}
template <Signs kSigns = Signs::kKept, class D, class V = hn::VFromD<D>>
HWY_INLINE V AtLeast(D d, V v, V limit) {
  if constexpr (kSigns == Signs::kKept) {
    return V{_mm512_range_ps(v.raw, limit.raw, 0x3)};
  } else {  // of magnitudes, at twice the rate
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::Max(hn::BitCast(di, v), hn::BitCast(di, limit)));
  }
}

// Returns an L with L * high within 2^-14 of clamp, relatively: x clamped to it gives
// quotients that are rounded to clamp, as those of all that lies above are.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LimitNearClamp(D d, V high, float clamp) {
  return hn::Mul(V{_mm512_rcp14_ps(high.raw)}, hn::Set(d, clamp));
}

#else
// The lesser one of |v| and limit, and limit for NaN, which NanBytes mends.
template <Signs kSigns = Signs::kKept, class D, class V = hn::VFromD<D>>
HWY_INLINE V AtMost(D, V v, V limit) {
  return hn::Min(hn::Abs(v), limit);  // minps returns its second operand for NaN
}
// The greater one of magnitudes.
template <Signs kSigns = Signs::kKept, class D, class V = hn::VFromD<D>>
HWY_INLINE V AtLeast(D, V magnitude, V limit) {
  return hn::Max(magnitude, limit);
}
#endif

// Returns q without its mantissa: the smallest number of its binade, with its sign.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V BinadeOf(D d, V q) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::And(hn::BitCast(du, q), hn::Set(du, 0xFF800000u)));
}

// Four vectors that belong to one of bytes.
template <class V>
struct Four {
  V a, b, c, d;
};

template <class D, class V = hn::VFromD<D>>
HWY_INLINE Four<V> BinadesOf(D d, const Four<V>& q) {
  return {BinadeOf(d, q.a), BinadeOf(d, q.b), BinadeOf(d, q.c), BinadeOf(d, q.d)};
}

// Rounds q to P, where only its code of 8 bits or less counts. Subnormals of BFLOAT16 are
// 0 in every target, and P's infinity is a number beyond all of them. To FLOAT16 by
// RoundBeforeInteger, but with P's subnormals, and zeros lose their signs.
//
// To BFLOAT16 the nearest, ties away from 0, as there are none: x and s have 8 bits each,
// and q is on the same side of every midpoint as x / s, which is none (MulReciprocal).
// What NaN becomes is mended by NanBytes.
template <DataType kP, Signs kSigns, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundBeforeFloat8(D d, V q, [[maybe_unused]] V binade) {
  if constexpr (kP == DataType::kFloat) {
    return q;
  } else if constexpr (kP == DataType::kBfloat16) {
    const hn::RebindToUnsigned<D> du;
    const auto sum = hn::Add(hn::BitCast(du, q), hn::Set(du, 0x8000u));
    return hn::BitCast(d, hn::And(sum, hn::Set(du, 0xFFFF0000u)));
  } else {
    return RoundByBinade<11>(d, q, AtLeast<kSigns>(d, binade, hn::Set(d, 0x1p-14f)));
  }
}

#if HWY_TARGET <= HWY_AVX3_DL
// Rows of bits, for each bit of a code the one that it is taken from: bit 7 for the sign.
inline constexpr uint64_t kFloat4Rows = 0x0102048000000000;
inline constexpr uint64_t kFloat6Rows = 0x0102040810800000;

// The lowest bits of `code`, with bit 7 of `signs` as their sign.
template <class D8, class V8>
HWY_INLINE V8 FromSignAndCode(D8 d8, V8 signs, V8 code, uint64_t rows) {
  const V8 all = hn::BitwiseIfThenElse(hn::Set(d8, uint8_t{0x80}), signs, code);
  const auto rows_of_all = hn::Set(hn::Repartition<uint64_t, D8>(), rows);
  return V8{_mm512_gf2p8affine_epi64_epi8(all.raw, rows_of_all.raw, 0)};
}
#endif

// Returns the codes of quotients the magnitudes of which are at most grid.clamp, or so
// near to it that they are rounded to it (QL-20 to QL-26). `binades` are theirs, or those
// they had before they were rounded to P, and have their signs, those of zeros too; or
// the bytes `signs` have (kDropped), or `signed_as`, where magnitudes have none.
//
// With u of EncodeFloat, which has the sign of q where that has one, the exponent field
// of q + u is that of u, and its last bits are |q| in units of the grid, at most 2^(m+1),
// which a q that was rounded to the next binade has: the code is
//     (exponent field - that at the smallest normal exponent) 2^m + last bits,
// which takes the upper and the lower half of the sum's bits, 16 each; of the result,
// and of the subtrahend, the last 8 bits suffice.
//
// kAligned: as AlignExponents made it, nothing has to be subtracted.
#if HWY_TARGET <= HWY_AVX3
// kKept: the sign is the sum's.
template <Sink kSink, bool kAligned, Signs kSigns, class D, class D8, class V>
HWY_INLINE hn::VFromD<D8> EncodeQuotients(D d, D8 d8, const Four<V>& q,
                                          const Four<V>& binades,
                                          const Four<V>& /*signed_as*/,
                                          [[maybe_unused]] hn::VFromD<D8> signs,
                                          const FloatGrid& grid) {
  const hn::RebindToUnsigned<D> du;
  const hn::Repartition<uint16_t, D> d16;
  using V16 = hn::VFromD<decltype(d16)>;
  const int mantissa_bits = 23 - grid.mantissa_shift;
  const V min_normal = hn::Set(d, grid.min_normal);
  const V up = hn::BitCast(
      d, hn::Set(du, (static_cast<uint32_t>(grid.mantissa_shift) + 127u) << 23));
  const auto sum = [&](V v, V binade) HWY_ATTR {
    return hn::BitCast(d16, hn::MulAdd(AtLeast<kSigns>(d, binade, min_normal), up, v));
  };
#if HWY_TARGET <= HWY_AVX3_DL
  // 2^8 times that, by one multiplication of both halves, the upper of which is signed:
  // the code is in byte 1, the sign in byte 3.
  const hn::Repartition<int16_t, D> di16;
  const hn::Repartition<int32_t, D> di32;
  const auto weights =
      hn::BitCast(di16, hn::Set(di32, int32_t{2} << (16 + mantissa_bits) | 0x100));
  const auto by_byte = [&](V16 v) HWY_ATTR {
    return hn::BitCast(d8, hn::WidenMulPairwiseAdd(di32, hn::BitCast(di16, v), weights));
  };
  alignas(64) static constexpr uint8_t kOrder[64] = {
      1,  5,  9,  13, 17, 21, 25, 29, 33, 37,  41,  45,  49,  53,  57,  61,
      65, 69, 73, 77, 81, 85, 89, 93, 97, 101, 105, 109, 113, 117, 121, 125,
      3,  7,  11, 15, 19, 23, 27, 31, 35, 39,  43,  47,  51,  55,  59,  63,
      67, 71, 75, 79, 83, 87, 91, 95, 99, 103, 107, 111, 115, 119, 123, 127};
  const auto order = hn::SetTableIndices(d8, kOrder);
  const auto ab = hn::TwoTablesLookupLanes(by_byte(sum(q.a, binades.a)),
                                           by_byte(sum(q.b, binades.b)), order);
  const auto cd = hn::TwoTablesLookupLanes(by_byte(sum(q.c, binades.c)),
                                           by_byte(sum(q.d, binades.d)), order);
  auto code = hn::ConcatLowerLower(d8, cd, ab);
  const auto tops = kSigns == Signs::kKept ? hn::ConcatUpperUpper(d8, cd, ab) : signs;
#else
  static_assert(kSigns == Signs::kKept);
  const auto to_code = hn::Set(d16, static_cast<uint16_t>(7 - mantissa_bits));
  const auto words = [&](V16 low, V16 high, V16& tops) HWY_ATTR {
    tops = hn::ConcatOdd(d16, high, low);
    return hn::BitCast(d8,
                       hn::Add(hn::Shr(tops, to_code), hn::ConcatEven(d16, high, low)));
  };
  V16 tops_ab, tops_cd;
  const auto ab = words(sum(q.a, binades.a), sum(q.b, binades.b), tops_ab);
  const auto cd = words(sum(q.c, binades.c), sum(q.d, binades.d), tops_cd);
  auto code = hn::ConcatEven(d8, cd, ab);
  const auto tops = hn::ConcatOdd(d8, hn::BitCast(d8, tops_cd), hn::BitCast(d8, tops_ab));
#endif
  const auto sign_bit = hn::Set(d8, uint8_t{0x80});
  if constexpr (!kAligned) {
    const uint32_t offset =
        grid.code_offset + (static_cast<uint32_t>(grid.mantissa_shift) << mantissa_bits);
    code = hn::Sub(code, hn::Set(d8, static_cast<uint8_t>(offset)));
  }
  if constexpr (kSink == Sink::kFloat8Fnuz) {  // these have no -0
    const auto sign = hn::And(tops, sign_bit);
    return hn::Or(code, hn::IfThenElseZero(hn::Ne(code, hn::Zero(d8)), sign));
  } else {
    if (HWY_UNLIKELY(grid.sign_shift != 24)) {  // FLOAT4E2M1 and float6
#if HWY_TARGET <= HWY_AVX3_DL
      return FromSignAndCode(d8, tops, code,
                             grid.sign_shift == 28 ? kFloat4Rows : kFloat6Rows);
#else
      const auto sign = hn::BitCast(d16, hn::And(tops, sign_bit));
      return hn::OrAnd(hn::BitCast(d8, hn::ShiftRightSame(sign, grid.sign_shift - 24)),
                       code, hn::Set(d8, uint8_t{0x7F}));
#endif
    }
    return hn::BitwiseIfThenElse(sign_bit, tops, code);
  }
}
#else
// One multiplication of both halves of a sum, the upper of which is 2^7 times its
// exponent field, gives the code 2^(7-m) times, and packs keep it: it is below 2^15.
template <Sink kSink, bool kAligned, Signs kSigns, class D, class D8, class V>
HWY_INLINE hn::VFromD<D8> EncodeQuotients(D d, D8 d8, const Four<V>& q,
                                          const Four<V>& binades,
                                          const Four<V>& signed_as,
                                          hn::VFromD<D8> /*signs*/,
                                          const FloatGrid& grid) {
  static_assert(kSigns == Signs::kKept);
  const hn::RebindToSigned<D> di;
  const hn::RebindToSigned<D8> di8;
  const hn::Repartition<int16_t, D> di16;
  const hn::Repartition<uint16_t, D> d16;
  using VI = hn::VFromD<decltype(di)>;
  using V16 = hn::VFromD<decltype(d16)>;
  const int to_code = grid.mantissa_shift - 16;  // 7 - m
  const V min_normal = hn::Set(d, grid.min_normal);
  const V up = hn::BitCast(
      d, hn::Set(di, static_cast<int32_t>((grid.mantissa_shift + 127) << 23)));
  const auto weights = hn::BitCast(di16, hn::Set(di, 1 << 16 | 1 << to_code));
  const auto code_of = [&](V v, V binade) HWY_ATTR -> VI {
    const V sum = hn::MulAdd(AtLeast(d, binade, min_normal), up, v);
    return hn::WidenMulPairwiseAdd(di, hn::BitCast(di16, sum), weights);
  };
  const V16 offset = hn::Set(
      d16, static_cast<uint16_t>((grid.code_offset << to_code) +
                                 (static_cast<uint32_t>(grid.mantissa_shift) << 7)));
  // A shift to the right by a multiplication, the operand of which comes from memory.
  const V16 shift = hn::Set(d16, static_cast<uint16_t>(1 << (16 - to_code)));
  const auto words = [&](VI low, VI high) HWY_ATTR {
    const V16 sums = hn::Sub(hn::BitCast(d16, PackPair(di16, low, high)), offset);
    return hn::BitCast(di16, hn::MulHigh(sums, shift));
  };
  const auto ab = words(code_of(q.a, binades.a), code_of(q.b, binades.b));
  const auto cd = words(code_of(q.c, binades.c), code_of(q.d, binades.d));
  const auto code = PackPair(d8, ab, cd);
  // Packed as integers, FLOATs keep their signs.
  auto sign = hn::BitCast(
      d8, PackBytes(di8, hn::BitCast(di, signed_as.a), hn::BitCast(di, signed_as.b),
                    hn::BitCast(di, signed_as.c), hn::BitCast(di, signed_as.d)));
  sign = hn::And(sign, hn::Set(d8, uint8_t{0x80}));
  if constexpr (kSink == Sink::kFloat8Fnuz) {  // these have no -0
    sign = hn::IfThenElseZero(hn::Ne(code, hn::Zero(d8)), sign);
  } else if (HWY_UNLIKELY(grid.sign_shift != 24)) {  // FLOAT4E2M1 and float6
    sign =
        hn::BitCast(d8, hn::ShiftRightSame(hn::BitCast(d16, sign), grid.sign_shift - 24));
  }
  return InOrder(d8, hn::Or(code, sign));
}
#endif

// Scales the grid by a power of two, which it returns, so that the number subtracted from
// codes of 8 bits is a multiple of 2^7, which changes nothing except the sign.
HWY_INLINE float AlignExponents(FloatGrid& grid) {
  uint32_t bits;
  std::memcpy(&bits, &grid.min_normal, sizeof(bits));
  const int exponent = static_cast<int>(bits >> 23) + grid.mantissa_shift;
  const int excess = exponent & ((1 << (grid.mantissa_shift - 16)) - 1);
  const uint32_t factor_bits = static_cast<uint32_t>(127 - excess) << 23;
  float factor;
  std::memcpy(&factor, &factor_bits, sizeof(factor));
  grid.min_normal *= factor;
  return factor;
}

// Returns `codes` with nan_code where v is NaN.
template <class D8, class V>
HWY_INLINE hn::VFromD<D8> NanBytes(D8 d8, const Four<V>& v, uint32_t nan_code,
                                   hn::VFromD<D8> codes) {
#if HWY_TARGET <= HWY_AVX3
  const auto unordered = [](V a, V b) HWY_ATTR -> uint64_t {
    return _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q);
  };
  const __mmask16 ordered = _mm512_mask_cmp_ps_mask(
      _mm512_cmp_ps_mask(v.a.raw, v.b.raw, _CMP_ORD_Q), v.c.raw, v.d.raw, _CMP_ORD_Q);
  if (HWY_LIKELY(_kortestc_mask16_u8(ordered, ordered))) return codes;
  const uint64_t nan = unordered(v.a, v.a) | unordered(v.b, v.b) << 16 |
                       unordered(v.c, v.c) << 32 | unordered(v.d, v.d) << 48;
  using V8 = hn::VFromD<D8>;
  return V8{_mm512_mask_blend_epi8(nan, codes.raw,
                                   hn::Set(d8, static_cast<uint8_t>(nan_code)).raw)};
#else
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToSigned<D8> di8;
  const auto any = hn::Or(hn::IsEitherNaN(v.a, v.b), hn::IsEitherNaN(v.c, v.d));
  if (HWY_LIKELY(hn::AllFalse(d, any))) return codes;
  const auto nan = [&](V of) HWY_ATTR {
    return hn::BitCast(di, hn::VecFromMask(d, hn::IsNaN(of)));
  };
  const auto bytes = PackBytes(di8, nan(v.a), nan(v.b), nan(v.c), nan(v.d));
  return hn::IfVecThenElse(InOrder(d8, hn::BitCast(d8, bytes)),
                           hn::Set(d8, static_cast<uint8_t>(nan_code)), codes);
#endif
}

#endif  // HWY_ARCH_X86

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
