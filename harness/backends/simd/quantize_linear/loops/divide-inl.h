// The division stage: quotients rounded to P, and zero points added to
// quotients exactly. Working values are FLOAT lanes, whatever P is.
//
// FLOAT16 and BFLOAT16 quotients are rounded twice, to FLOAT by the division
// and then to P. The second rounding sees the right side of every midpoint m of
// P, so the result is that of one rounding: let x = X 2^a, s = S 2^b with
// integers X, S < 2^p, and m = M 2^f with M < 2^(p+1). If x / s is not m
// itself, then |x - s m| is at least the finer unit of its two terms, so that
//     |x / s - m| / m >= 1 / (S M) > 2^-(2p+1)  or  >= (about) 1 / X > 2^-p.
// FLOAT's error is at most 2^-24 relative: less for p = 11, where 2p+1 = 23.
// FLOAT16 quotients of FLOAT16 operands are never subnormal in FLOAT; those of
// a BFLOAT16 x that is not rounded (RoundedX) may be, and are 0. For
// BFLOAT16 they are, with an absolute error of 2^-150, but then m is at least
// one half of BFLOAT16's smallest subnormal, 2^-134, and the distance at least
// 2^-134 / max(S, X) > 2^-142.
#if defined(QCONFORM_SIMD_DIVIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_DIVIDE_INL_H_
#undef QCONFORM_SIMD_DIVIDE_INL_H_
#else
#define QCONFORM_SIMD_DIVIDE_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "harness/backends/simd/core/round-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rounds BFLOAT16 numbers below 2^16 to FLOAT16: those below 2^-14 become multiples of
// 2^-24, which is the unit of their sums with 3/4. The sums of others are exact, as v has
// 8 bits. Greater numbers move by 2^-24 of themselves at most. Zeros lose their signs.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundToSubnormals(D d, V v) {
  const V unit = hn::Set(d, 0.75f);
  return hn::Sub(hn::Add(v, unit), unit);
}

#if HWY_ARCH_X86
// The same as RoundToFloat16, by 2 operations less, where only rne(v) counts, |v| <=
// 2^18: of P with kBits bits, FLOAT16 or BFLOAT16. Subnormals are rounded as if they were
// none, which all are 0 to integers, and P's infinity is a number beyond all integer
// targets. v below -2^18 or NaN may come out as NaN.
//
// With 2^e <= |v| < 2^(e+1), 1.5 * 2^(e+24-kBits) + v has the unit 2^(e+1-kBits), P's at
// v, whatever the sign of v. Neither product is rounded.
//
// RoundByBinade: 2^e, with the sign of v or none, is `binade`, or that is above it. What
// it takes is that binade * up is finite; 0 leaves v as it is.
template <int kBits, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundByBinade(D d, V v, V binade) {
  const V up = hn::Set(d, 1.5f * static_cast<float>(1 << (24 - kBits)));
  return hn::NegMulAdd(binade, up, hn::MulAdd(binade, up, v));
}
template <int kBits, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundBeforeInteger(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  const auto exponent = hn::And(hn::BitCast(du, v), hn::Set(du, 0x7F800000u));
  return RoundByBinade<kBits>(d, v, hn::BitCast(d, exponent));
}

// The same by one operation less, |v| <= 2^18 as above: for v of 16 bits at most where
// kBits is 8, or a quotient of two numbers of P the code of which has 8 bits at most.
//
// With 2^e <= |v| < 2^(e+1), t = v (2^(24-kBits) + 1) has the unit 2^(e+1-kBits), P's at
// v, unless it lies beyond 2^(e+25-kBits). v 2^(24-kBits) is a multiple of that, an even
// one where v is a tie, so that t less that is v rounded to P. t lies beyond only for v
// within 2^(kBits-24) of 2^(e+1). v of 16 bits does not, nor does x / s, which misses
// 2^(e+1) by 2^-kBits of it, unless it is 2^(e+1). Then q, which is below by 2^-23 of it
// at most, comes out as 2^(e+1) or one unit less: 1/2 or less is 0, up to 128 is an
// integer still, and 255 and 256 saturate, whatever the zero point.
template <int kBits, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundShort(D d, V v) {
  const V up = hn::Set(d, static_cast<float>(1 << (24 - kBits)));
  return hn::NegMulAdd(v, up, hn::MulAdd(v, up, v));
}
#endif

// Scales s for which MulReciprocal takes the place of division.
inline constexpr float kReciprocalMin = 0x1p-100f;
inline constexpr float kReciprocalMax = 0x1p60f;

// Returns q = x * (high + low) with one rounding in addition to that of x * low, where
// high = round(1 / s) and low = round(1 / s - high), FLOAT all: those of vector i. Or, of
// reciprocals of one part, x * high (FLOAT16 and BFLOAT16, below).
//
// This is no division: q may be round(x / s)'s neighbour. But both are on the
// same side of every boundary k + 1/2 of an integer target of at most 8 bits,
// or on it, |k| <= 255. That was checked for each of the 2^23 significands of
// s, with both neighbours of each boundary (reciprocal_test.cc). It holds for
// every s in [2^-100, 2^60], as all terms scale with powers of two: nothing
// here is subnormal or infinite for x between the boundaries. Boundaries of
// float8 and FLOAT4E2M1 have at most 5 significant bits: they are such k + 1/2
// times powers of two. And q is monotone in x, for |low| <= 2^-23 high (docs/proofs.md),
// so that no other x can be wrong. `qconform prove all-scales` goes through all scales.
//
// FLOAT16 and BFLOAT16 x and s: only q = x * high, rounded to P, is the quotient rounded
// to P. Each of its two roundings is wrong by less than 2^-24, relatively. Let X, S and M
// be odd, M of p + 1 bits, as midpoints m of P have them. S M is odd and above 2^p: it is
// no X 2^k, and differs from it by 1 at least, so that x / s misses m by 1 / (S M) of it.
// With S < 2^11 and M < 2^12 that is above 2^-23 (1 + 2^-12), and q stays on its side of
// m.
//
// Midpoints of FLOAT16's subnormals have fewer bits and may be hit: 137 of 2^20 pairs of
// significands, each at 11 places, are rounded to another subnormal than x / s. Integers,
// FLOAT8E4M3FN, FLOAT8E4M3FNUZ and FLOAT4E2M1 are 0 there, and FLOAT8E5M2 and
// FLOAT8E5M2FNUZ have the same codes for both: `qconform prove plane` has gone through
// all x and s.
//
// 16-bit targets: a boundary is m = M 2^f with M = 2^8 N +- 1, odd and of 25 bits
// (k + 1/2 has 17 bits at most, and m lies half a unit of FLOAT
// next to it). With x = X 2^a and s = S 2^b, S of 24 bits, X 2^24 or X 2^25 stands
// against S M: they differ by an integer c, which is not 0, and q, wrong by less than
// 2^-47 before its rounding, can be on another side of m than x / s only if |c| <= 4.
// But c = S M = +-S modulo 2^8. So q is right for every scale the last 8 bits of which,
// as a signed number, are 0 or beyond +-4: IsFarFromWords. CorrectQuotient is
// for the others.
//
// A zero's sign is lost by two parts of two signs: it is x's, as s is positive.
template <class OperandsOfBlock, class V>
HWY_INLINE V MulReciprocal(V x, const OperandsOfBlock& operands, size_t i) {
  if constexpr (OperandsOfBlock::kHasTwoParts) {
    return operands.MulAddHigh(x, operands.MulLow(x, i), i);
  } else {
    return operands.MulHigh(x, i);
  }
}

// x is clamped to +-LimitOfX, for the sake of infinities: inf * high and inf * low may
// be of two signs. That saturates every target and keeps q in the range of RoundToInt32.
// NaN stays NaN. kAbove leaves out the lower clamp: smaller x may
// then come out as NaN or any infinity, all of which x86's conversion to INT32 takes for
// the lowest integer.
enum class Clamp : uint8_t { kBoth, kAbove };
template <Clamp kClamp, class D, class V = hn::VFromD<D>>
HWY_INLINE V ClampX(D, V x, V limit) {
#if HWY_ARCH_X86
  x = hn::Min(limit, x);  // minps returns its second operand for NaN
  return kClamp == Clamp::kBoth ? hn::Max(hn::Neg(limit), x) : x;
#else
  x = hn::IfThenElse(hn::Gt(x, limit), limit, x);  // other minima drop NaN
  return kClamp == Clamp::kBoth
             ? hn::IfThenElse(hn::Lt(x, hn::Neg(limit)), hn::Neg(limit), x)
             : x;
#endif
}
// Returns an L with L * high in 2^k [1, 1.125], for high in [2^-60, 2^100]: if high is
// 2^e (1 + f), the difference of bits is that of 2^(k-e-1) (2 - f).
constexpr uint32_t LimitBits(uint32_t k) { return (k + 254u) << 23; }
template <uint32_t kBits, class D, class V = hn::VFromD<D>>
HWY_INLINE V LimitOfX(D d, V high) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::Sub(hn::Set(du, kBits), hn::BitCast(du, high)));
}

// Whether MulReciprocal is right for 16-bit targets.
inline bool IsFarFromWords(float scale) {
  uint32_t bits;
  std::memcpy(&bits, &scale, sizeof(bits));
  const uint32_t last = bits & 0xFFu;
  return last == 0 || (last > 4 && last < 0x100 - 4);
}

// Returns round(x / s) for q of MulReciprocal, without its clamp, and high =
// round(1 / s): Markstein's step. q is one of the two FLOATs around x / s, so that
// r = x - s q is exact. In units of q's last place, and with S as above, r h is
// r / s but for |r / s| S 2^-48. Where x / s misses a midpoint by c / 2S, c >= 1,
// r / s is at most 1/2 + c / 2S, and (1/2 + c / 2S) S 2^-48 < c / 2S, as S (S + c) <
// 2^48 c. Holds where r is not subnormal: q of 1/2 at least, s of 2^-100 at least.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V CorrectQuotient(D, V x, V scale, V high, V q) {
  return hn::MulAdd(hn::NegMulAdd(scale, q, x), high, q);
}

// Exact quotients (x + x_low) / s, by an integer s of 31 bits, |x_low| <= 2^-24 |x|:
// returns a FLOAT on the side of every boundary m of the target on which the quotient is,
// or m. high and low >= 0 are 1 / s but for 2^-44 of it, q is what they give, rounded to
// FLOAT; `rest` is x * low + x_low * high. Where x was clamped, x_low is of what it was
// before, and moves q, which is beyond all codes, by 64 at most.
//
// Before that rounding q is wrong by less than 2^-43 of itself: it is on the right side,
// or is a boundary itself. Then the remainder decides. No zero loses its sign.

// Boundaries of at most 9 bits: the last 15 bits of q are 0. e = x / s - q is wrong by
// less than 2^-43 q: in units of 2^-48 q, 9 are the reciprocal's, 4 those of `rest`, 3 of
// what of x is left out of it, and 5 of two differences. Let q = m = M 2^f, M
// odd, with 2^l <= M < 2^(l+1), l <= 8. Where x / s is not m it misses it by 2^-31 / M of
// it or more: then 3 2^14 e is at least 0.6 2^(f-15), above half of q's unit, 2^(f+l-24),
// and q moves to the right side. Where it is m, q stays. As e is at most half of q's
// unit, 2^(E-24), q moves by at most 0.75 2^(E-8): no q of few bits reaches another
// boundary, as both are multiples of 2^(E-8).
template <class D, class OperandsOfBlock, class V = hn::VFromD<D>>
HWY_INLINE V ExactForBytes(D d, V x, V rest, const OperandsOfBlock& operands, size_t i) {
  const hn::RebindToUnsigned<D> du;
  const V q = operands.MulAddHigh(x, rest, i);
  const auto bits = hn::BitCast(du, q);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::MFromD<D> few{_mm512_testn_epi32_mask(bits.raw, hn::Set(du, 0x7FFFu).raw)};
#else
  const auto few =
      hn::RebindMask(d, hn::Eq(hn::And(bits, hn::Set(du, 0x7FFFu)), hn::Zero(du)));
#endif
  const V minus_error = hn::Sub(operands.NegMulAddHigh(x, q, i), rest);  // +0 for zeros
  return hn::IfThenElse(few, hn::NegMulAdd(minus_error, hn::Set(d, 0x3p14f), q), q);
}

// Moves q by one unit in its last place where `moves`: up where rest has its sign.
template <class D, class M, class V = hn::VFromD<D>>
HWY_INLINE V StepTo(D d, V q, V rest, M moves) {
  const hn::RebindToSigned<D> di;
  const auto step =
      hn::Or(hn::BroadcastSignBit(hn::BitCast(di, hn::Xor(q, rest))), hn::Set(di, 1));
  const auto bits = hn::BitCast(di, q);
  return hn::BitCast(d,
                     hn::Add(bits, hn::IfThenElseZero(hn::RebindMask(di, moves), step)));
}

#if HWY_HAVE_FLOAT64
// Half a vector of x + x_low - q s, in DOUBLE: exact, as q is a boundary of 18 bits at
// most. s is the integer next to 1 / (high + low).
template <class DD, class V = hn::VFromD<DD>>
HWY_INLINE hn::VFromD<hn::Rebind<float, DD>> RestOfHalf(DD dd, V q, V x, V x_low, V high,
                                                        V low) {
  const V s = hn::Round(hn::Div(hn::Set(dd, 1.0), hn::Add(high, low)));
  const V rest = hn::Sub(hn::Add(x, x_low), hn::Mul(q, s));
  return hn::DemoteTo(hn::Rebind<float, DD>(), rest);
}

// Boundaries k + 1/2 of 16-bit targets. x / s may miss them by 2^-49 of it.
template <class D, class OperandsOfBlock, class V = hn::VFromD<D>>
HWY_INLINE V ExactForWords(D d, V x, V x_low, V rest_of_q,
                           const OperandsOfBlock& operands, size_t i) {
  const V q = operands.MulAddHigh(x, rest_of_q, i);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  // q less the integer below it, at once: exact for all q next to a half but -0.5 +
  // 2^-25, which is 0 either way.
  const V above{_mm512_reduce_ps(q.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
  const auto may_be = hn::Eq(above, hn::Set(d, 0.5f));
#else
  const auto may_be = hn::Eq(hn::Abs(hn::Sub(q, hn::Round(q))), hn::Set(d, 0.5f));
#endif
  if (HWY_LIKELY(hn::AllFalse(d, may_be))) return q;
  const V high = operands.High(i);
  const V low = operands.Low(i);
  const hn::RepartitionToWide<D> dd;
  const auto lower =
      RestOfHalf(dd, hn::PromoteLowerTo(dd, q), hn::PromoteLowerTo(dd, x),
                 hn::PromoteLowerTo(dd, x_low), hn::PromoteLowerTo(dd, high),
                 hn::PromoteLowerTo(dd, low));
  const auto upper =
      RestOfHalf(dd, hn::PromoteUpperTo(dd, q), hn::PromoteUpperTo(dd, x),
                 hn::PromoteUpperTo(dd, x_low), hn::PromoteUpperTo(dd, high),
                 hn::PromoteUpperTo(dd, low));
  const V rest = hn::Combine(d, upper, lower);
  return StepTo(d, q, rest, hn::AndNot(hn::Eq(rest, hn::Zero(d)), may_be));
}
#endif

template <class D, class V = hn::VFromD<D>>
HWY_INLINE void SplitReciprocal(D d, V scale, V& high, V& low) {
  const V one = hn::Set(d, 1.0f);
  high = hn::Div(one, scale);
  // r / s without a second division, r = 1 - s h, which is exact: 1 / s = h / (1 - r), so
  // that r / s = r h + (r h) r + ...; rounding only r h, one bit less accurate, makes
  // two codes wrong for one significand of 2^23. reciprocal_test.cc: it is round(r / s)
  // for every significand.
  const V rest = hn::NegMulAdd(scale, high, one);
  const V product = hn::Mul(rest, high);
  const V error = hn::MulSub(rest, high, product);
  low = hn::Add(product, hn::MulAdd(product, rest, error));
}

// Makes `low` of a reciprocal's two parts not negative. Then no zero's sign is lost: x *
// high and x * low have that of x.
//
// low, now up to 2^-23 high, is rounded once more: q of MulReciprocal is wrong by less
// than 2^-45 before its rounding. Boundaries of float targets have 5 bits at most: in the
// words used there for 16-bit targets, M = +-1 modulo 2^20, and c = +-S modulo 2^20 would
// have to be 16 at most. The 256 significands with such last bits are tried, each at
// every boundary (reciprocal_test.cc). For one of them, all bits of which are set, that
// rounding is a tie which goes to the wrong side.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void RoundDownHigh(D d, V scale, V& high, V& low) {
  const hn::RebindToSigned<D> di;
  const auto significand = hn::Set(di, 0x7FFFFF);
  const auto step = hn::BroadcastSignBit(hn::BitCast(di, low));  // -1 or 0
  const auto all_set = hn::Eq(hn::And(hn::BitCast(di, scale), significand), significand);
  const V below = hn::BitCast(d, hn::Add(hn::BitCast(di, high), step));
  const V sum = hn::Add(low, hn::Sub(high, below));
  low = hn::BitCast(d, hn::Sub(hn::BitCast(di, sum), hn::IfThenElseZero(all_set, step)));
  high = below;
}

#if HWY_HAVE_FLOAT64
// Returns a FLOAT that every target rounds as it would round the DOUBLE: 24
// bits, rounded to odd (boundaries of 16-bit targets have 18 bits at most).
// Overflow gives infinity and underflow zero, as in any target.
template <class DF, class DD, class VD = hn::VFromD<DD>>
HWY_INLINE hn::VFromD<DF> OddFloat(DF df, DD dd, VD v) {
  return hn::DemoteTo(df, ClearToOdd<29>(dd, v));
}

// One vector of DOUBLE quotients, with the zero point.
//
// kExactQuotient: |s| < 2^31 is an integer (INT32). Then a boundary m of the
// target has x / s + z = m where x + z s = m s. z s is exact; n = x + z s,
// rounded to odd with 44 bits, lies on the same side of m s as the exact sum,
// for m s has 36 bits at most. n / s then is at least 2^-44 away from m,
// relatively, or m itself: rounding it to DOUBLE changes no side.
// Without a zero point: multiply_double-inl.h.
template <ZeroPointSum kSum, class DD, class VD = hn::VFromD<DD>>
HWY_INLINE VD QuotientDouble(DD dd, VD x, VD scale, VD zero_point) {
  static_assert(kSum != ZeroPointSum::kNone);
  if constexpr (kSum == ZeroPointSum::kRoundedQuotient) {
    return OddSum(dd, hn::Div(x, scale), zero_point);
  } else {
    const VD zero = hn::Zero(dd);
    const auto absent = hn::Eq(zero_point, zero);
    const VD shift = hn::IfThenElse(absent, zero_point, hn::Mul(zero_point, scale));
    const VD n = ClearToOdd<9>(dd, OddSum(dd, x, shift));
    const VD q = hn::Div(n, scale);
    // A sum that cancels is +0, whatever the sign of the scale.
    const VD sum = hn::IfThenElse(absent, q, hn::Add(q, zero));
    // Infinite and NaN zero points follow IEEE 754's addition.
    const VD special = hn::Add(hn::Div(x, scale), zero_point);
    return hn::IfThenElse(hn::IsFinite(zero_point), sum, special);
  }
}
#endif  // HWY_HAVE_FLOAT64

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_DIVIDE_INL_H_
