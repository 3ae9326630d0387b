// Rounding of FLOAT lanes to narrower formats, and to odd.
#if defined(QCONFORM_SIMD_ROUND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ROUND_INL_H_
#undef QCONFORM_SIMD_ROUND_INL_H_
#else
#define QCONFORM_SIMD_ROUND_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rounds to FLOAT16's grid, with its subnormals and its overflow to infinity.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundToFloat16(D d, V v) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  const hn::Rebind<hwy::float16_t, D> dh;
  return hn::PromoteTo(d, hn::DemoteTo(dh, v));  // F16C: nearest even, subnormals
#else
  // 2^(e+13) has the unit 2^(e-10), which is FLOAT16's at 2^e: adding and
  // subtracting it rounds. e stops at FLOAT16's smallest normal exponent, -14.
  const hn::RebindToSigned<D> di;
  const V magnitude = hn::Abs(v);
  const auto exponent = hn::And(hn::BitCast(di, hn::Max(magnitude, hn::Set(d, 0x1p-14f))),
                                hn::Set(di, 0x7F800000));
  const V unit = hn::BitCast(d, hn::Add(exponent, hn::Set(di, 13 << 23)));
  const V rounded = hn::Sub(hn::Add(magnitude, unit), unit);
  // 65520 is the tie between 65504 and 65536, which is even: infinity.
  const V inf = hn::Inf(d);
  const auto overflow = hn::Ge(magnitude, hn::Set(d, 65520.0f));
  const V number = hn::CopySign(hn::IfThenElse(overflow, inf, rounded), v);
  return hn::IfThenElse(hn::IsNaN(v), v, number);
#endif
}

// Rounds to BFLOAT16's grid: nearest even in the upper 16 bits.
// Precondition: the lower 16 bits of a NaN are zero, as they are in BFLOAT16
// and in what arithmetic makes of them (else the carry could leave NaN).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundToBfloat16(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu)));
  return hn::BitCast(d, hn::And(rounded, hn::Set(du, 0xFFFF0000u)));
}

// Returns a + b rounded to odd: exact sums as they are, others as that one of
// the two neighbours whose last bit is set. A later rounding to a format with
// at least two bits less then gives what one rounding of the exact sum gives.
// Zero counts as absent: a + (+-0) is a, with its sign.
// Holds for FLOAT and DOUBLE lanes where |b| is far below the largest finite.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V OddSum(D d, V a, V b) {
  const hn::RebindToSigned<D> di;
  const V zero = hn::Zero(d);
  const auto one = hn::Set(di, 1);
  // -0 is what addition leaves every a with.
  b = hn::IfThenElse(hn::Eq(b, zero), hn::Neg(zero), b);
  // Knuth's two-sum: error = (a + b) - sum, exactly.
  const V sum = hn::Add(a, b);
  const V b_part = hn::Sub(sum, a);
  const V error = hn::Add(hn::Sub(a, hn::Sub(sum, b_part)), hn::Sub(b, b_part));
  // False for the NaN that an infinity makes of it.
  const auto inexact = hn::Or(hn::Lt(error, zero), hn::Gt(error, zero));
  const auto bits = hn::BitCast(di, sum);
  const auto even = hn::Eq(hn::And(bits, one), hn::Zero(di));
  // One step of the magnitude: up where the error has the sum's sign.
  const auto step =
      hn::Or(hn::BroadcastSignBit(hn::Xor(bits, hn::BitCast(di, error))), one);
  const auto move = hn::And(hn::RebindMask(di, inexact), even);
  return hn::BitCast(d, hn::Add(bits, hn::IfThenElseZero(move, step)));
}

// Clears the lowest kBits bits and keeps in the bit above whether any was set:
// rounding to odd.
template <int kBits, class D, class V = hn::VFromD<D>>
HWY_INLINE V ClearToOdd(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  const auto low = hn::Set(du, (uint64_t{1} << kBits) - 1);
  const auto bits = hn::BitCast(du, v);
  const auto sticky = hn::Add(hn::And(bits, low), low);
  return hn::BitCast(d, hn::AndNot(low, hn::Or(bits, sticky)));
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ROUND_INL_H_
