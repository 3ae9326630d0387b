// The encode stage of float targets for AVX-512: four vectors of quotients to a vector
// of bytes, most of the way in lanes of 16 bits.
#if defined(QCONFORM_SIMD_ENCODE_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#undef QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#else
#define QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
#endif

#include "harness/backends/simd/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// min(|v|, limit); limit for NaN, which NanBytes mends.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Magnitude(D, V v, V limit) {
  return V{_mm512_range_ps(v.raw, limit.raw, 0xA)};  // of the lesser magnitude, sign 0
}

// Four vectors that belong to one of bytes.
template <class V>
struct Four {
  V a, b, c, d;
};

// Returns the codes of magnitudes that are at most grid.clamp, or so near to it that
// they are rounded to it, with the signs of `sign_of` (QL-20 to QL-26).
//
// With u of EncodeFloat, the exponent field of |q| + u is that of u, and its last bits
// are |q| in units of the grid, at most 2^(m+1): the code is
//     (exponent field - that at the smallest normal exponent) 2^m + last bits,
// which takes the upper and the lower half of the sum's bits, 16 each.
template <Sink kSink, class D, class D8, class V>
HWY_INLINE hn::VFromD<D8> EncodeMagnitudes(D d, D8 d8, const Four<V>& q,
                                           const Four<V>& sign_of,
                                           const FloatGrid& grid) {
  const hn::RebindToUnsigned<D> du;
  const hn::Repartition<uint16_t, D> d16;
  const int mantissa_bits = 23 - grid.mantissa_shift;
  const auto field = hn::Set(du, 0x7F800000u);
  const auto shift = hn::Set(du, static_cast<uint32_t>(grid.mantissa_shift) << 23);
  const auto rounded = [&](V v) HWY_ATTR {
    const V normal = hn::Max(v, hn::Set(d, grid.min_normal));
    const auto unit = hn::And(hn::BitCast(du, normal), field);
    return hn::BitCast(
        d16, hn::MulAdd(hn::BitCast(d, unit),
                        hn::BitCast(d, hn::Add(shift, hn::Set(du, 127u << 23))), v));
  };
  const auto offset = hn::Set(
      d16,
      static_cast<uint16_t>(grid.code_offset + (static_cast<uint32_t>(grid.mantissa_shift)
                                                << mantissa_bits)));
  const auto to_code = hn::Set(d16, static_cast<uint16_t>(7 - mantissa_bits));
  const auto to_sign = hn::Set(d16, static_cast<uint16_t>(grid.sign_shift - 16));
  const auto sign_bit =
      hn::Set(d16, static_cast<uint16_t>(0x8000 >> (grid.sign_shift - 16)));
  const auto words = [&](V v, V w, V v_sign, V w_sign) HWY_ATTR {
    const auto low = rounded(v);
    const auto high = rounded(w);
    const auto steps = hn::ConcatEven(d16, high, low);
    const auto exponent = hn::Shr(hn::ConcatOdd(d16, high, low), to_code);
    const auto code = hn::Sub(hn::Add(exponent, steps), offset);
    const auto tops =
        hn::ConcatOdd(d16, hn::BitCast(d16, w_sign), hn::BitCast(d16, v_sign));
    auto sign = hn::And(hn::Shr(tops, to_sign), sign_bit);
    if constexpr (kSink == Sink::kFloat8Fnuz) {  // these have no -0
      sign = hn::IfThenElseZero(hn::Ne(code, hn::Zero(d16)), sign);
    }
    return hn::Or(code, sign);
  };
  return hn::OrderedTruncate2To(d8, words(q.a, q.b, sign_of.a, sign_of.b),
                                words(q.c, q.d, sign_of.c, sign_of.d));
}

// Returns `codes` with nan_code where v is NaN.
template <class D8, class V>
HWY_INLINE hn::VFromD<D8> NanBytes(D8 d8, const Four<V>& v, uint32_t nan_code,
                                   hn::VFromD<D8> codes) {
  const auto unordered = [](V a, V b) HWY_ATTR -> uint64_t {
    return _mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q);
  };
  if (HWY_LIKELY((unordered(v.a, v.b) | unordered(v.c, v.d)) == 0)) return codes;
  const uint64_t nan = unordered(v.a, v.a) | unordered(v.b, v.b) << 16 |
                       unordered(v.c, v.c) << 32 | unordered(v.d, v.d) << 48;
  using V8 = hn::VFromD<D8>;
  return V8{_mm512_mask_blend_epi8(nan, codes.raw,
                                   hn::Set(d8, static_cast<uint8_t>(nan_code)).raw)};
}

#endif  // AVX3

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ENCODE_FLOAT_INL_H_
