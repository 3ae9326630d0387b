// Elements of x and y_scale as FLOAT lanes.
#if defined(QCONFORM_SIMD_LOAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_LOAD_INL_H_
#undef QCONFORM_SIMD_LOAD_INL_H_
#else
#define QCONFORM_SIMD_LOAD_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each of these loads Lanes(d) elements of one type as FLOAT lanes.

struct LoadFloat {
  using Raw = float;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    return hn::LoadU(d, in);
  }
};

struct LoadFloat16 {
  using Raw = uint16_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint16_t, D> d16;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
    const hn::Rebind<hwy::float16_t, D> dh;
    return hn::PromoteTo(d, hn::BitCast(dh, hn::LoadU(d16, in)));  // F16C
#else
    // Highway's emulation takes infinities and NaN for numbers.
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(d16, in));
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    const auto wide = hn::ShiftLeft<13>(magnitude);
    const auto normal = hn::Add(wide, hn::Set(du, (127u - 15u) << 23));
    // 2^-14 + subnormal, less 2^-14: exact, and no FLOAT is subnormal on the
    // way.
    const auto offset = hn::Set(du, (127u - 14u) << 23);
    const auto subnormal = hn::BitCast(
        du, hn::Sub(hn::BitCast(d, hn::Add(wide, offset)), hn::BitCast(d, offset)));
    const auto number =
        hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x0400u)), subnormal, normal);
    const auto special = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(du, 0x7BFFu)),
                                            hn::Set(du, 0x7F800000u));
    return hn::BitCast(d, hn::Or(hn::Or(number, special), sign));
#endif
  }
};

struct LoadBfloat16 {
  using Raw = uint16_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint16_t, D> d16;
    const auto words = hn::LoadU(d16, in);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    if constexpr (hn::MaxLanes(D()) == 16) {
      // Words to the upper halves and zeros to the lower ones at once.
      alignas(64) static constexpr uint16_t kUpper[32] = {
          0, 0, 0, 1, 0, 2,  0, 3,  0, 4,  0, 5,  0, 6,  0, 7,
          0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 13, 0, 14, 0, 15};
      const auto places = hn::Load(hn::ScalableTag<uint16_t>(), kUpper);
      return hn::VFromD<D>{_mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(
          0xAAAAAAAA, places.raw, _mm512_castsi256_si512(words.raw)))};
    }
#endif
    const hn::RebindToUnsigned<D> du;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, words)));
  }
};

struct LoadInt32 {
  using Raw = int32_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::RebindToSigned<D> di;
    return hn::ConvertTo(d, hn::LoadU(di, in));
  }
};

// INT32 on the way to BFLOAT16: FLOAT's 24 bits, rounded to odd, so that the rounding to
// 8 bits is the only one that counts. Magnitudes below 2^24 are exact.
struct LoadInt32ToOdd {
  using Raw = int32_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    const auto v = hn::LoadU(di, in);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    // Toward zero, and the last bit set where that was not exact. The result is below
    // 2^31, and can be converted back.
    const hn::VFromD<D> f{
        _mm512_cvt_roundepi32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    const hn::VFromD<decltype(di)> back{_mm512_cvttps_epi32(f.raw)};
    const auto inexact = hn::RebindMask(du, hn::Ne(back, v));
    const auto bits = hn::BitCast(du, f);
    return hn::BitCast(d, hn::IfThenElse(inexact, hn::Or(bits, hn::Set(du, 1u)), bits));
#else
    // In two's complement too, v lies between v with its lowest 8 bits cleared and the
    // next multiple of 256: setting bit 8 takes the odd one.
    const auto low = hn::Set(du, 0xFFu);
    const auto bits = hn::BitCast(du, v);
    const auto sticky = hn::Add(hn::And(bits, low), low);
    const auto odd = hn::BitCast(di, hn::AndNot(low, hn::Or(bits, sticky)));
    const auto limit = hn::Set(di, 1 << 24);
    const auto small = hn::And(hn::Lt(v, limit), hn::Gt(v, hn::Neg(limit)));
    return hn::ConvertTo(d, hn::IfThenElse(small, v, odd));
#endif
  }
};

// Code c is 2^(c-127): FLOAT's exponent field. 0 is FLOAT's subnormal 2^-127
// and 255 NaN; both differ from a bare exponent field by the upper mantissa
// bit.
struct LoadFloat8E8M0 {
  using Raw = uint8_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint8_t, D> d8;
    const hn::RebindToUnsigned<D> du;
    const auto code = hn::PromoteTo(du, hn::LoadU(d8, in));
    const auto edge = hn::Or(hn::Eq(code, hn::Zero(du)), hn::Eq(code, hn::Set(du, 255u)));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<23>(code),
                                 hn::IfThenElseZero(edge, hn::Set(du, 0x400000u))));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_LOAD_INL_H_
