// The encode stage: a quotient in a FLOAT lane to a code in the same lane, and
// codes of four vectors to bytes.
#if defined(QCONFORM_SIMD_ENCODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ENCODE_INL_H_
#undef QCONFORM_SIMD_ENCODE_INL_H_
#else
#define QCONFORM_SIMD_ENCODE_INL_H_
#endif

#include "harness/backends/simd/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns max(v, low), and low for NaN.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V MaxOrLow(D, V v, V low) {
#if HWY_ARCH_X86
  return hn::Max(v, low);  // maxps returns its second operand if either is NaN
#else
  return hn::IfThenElse(hn::Gt(v, low), v, low);
#endif
}

// Returns clamp(rne(q) + zero_point, min, max) in the lowest 22 bits of each
// lane, where low = min - zero_point and high = max - zero_point (QL-10, QL-11);
// NaN gives min (QL-12).
//
// Clamping to integers commutes with rounding. 1.5 * 2^23 has the unit 1: adding
// it rounds to nearest even, and what it leaves in the lowest 22 bits is the
// integer in two's complement. The zero point is added after that, exactly: all
// values lie in [2^23, 2^24).
template <class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> EncodeInteger(D d, V q, V low, V high,
                                                             V zero_point) {
  const hn::RebindToUnsigned<D> du;
  const V clamped = hn::Min(MaxOrLow(d, q, low), high);
  const V rounded = hn::Add(clamped, hn::Set(d, 12582912.0f));
  return hn::BitCast(du, hn::Add(rounded, zero_point));
}

// Returns the code of q in the grid (QL-20 to QL-26).
//
// Let |q| lie in [2^e, 2^(e+1)), e not below the smallest normal exponent, and m
// be the mantissa bits. u = 2^(e+23-m) has the unit 2^(e-m), the grid's: the
// bits of |q| + u, less those of u, are |q| rounded to nearest even in units of
// the grid, in [2^m, 2^(m+1)] (below 2^m for subnormals). With 2^m for each step
// of the exponent above the smallest this is the code, carries included.
// Magnitudes are clamped first, which commutes with rounding: to the largest
// finite value where overflow saturates, else to the grid's next value above it,
// whose code is that of the overflow in all four float8 formats.
template <Sink kSink, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> EncodeFloat(D d, V q,
                                                           const FloatGrid& grid) {
  const hn::RebindToUnsigned<D> du;
  const V magnitude = hn::Min(hn::Abs(q), hn::Set(d, grid.clamp));
  const auto exponent =
      hn::And(hn::BitCast(du, hn::Max(magnitude, hn::Set(d, grid.min_normal))),
              hn::Set(du, 0x7F800000u));
  const auto unit =
      hn::Add(exponent, hn::Set(du, static_cast<uint32_t>(grid.mantissa_shift) << 23));
  const V sum = hn::Add(magnitude, hn::BitCast(d, unit));
  const auto steps = hn::Sub(hn::BitCast(du, sum), unit);
  const auto base = hn::Sub(hn::ShiftRightSame(exponent, grid.mantissa_shift),
                            hn::Set(du, grid.code_offset));
  const auto code = hn::Add(base, steps);
  const auto sign_bit = hn::And(hn::BitCast(du, q), hn::Set(du, 0x80000000u));
  auto sign = hn::ShiftRightSame(sign_bit, grid.sign_shift);
  if constexpr (kSink == Sink::kFloat8Fnuz) {  // these have no -0
    sign = hn::IfThenElseZero(hn::Ne(code, hn::Zero(du)), sign);
  }
  const auto nan = hn::RebindMask(du, hn::IsNaN(q));
  return hn::IfThenElse(nan, hn::Set(du, grid.nan_code), hn::Or(code, sign));
}

// Stores the lowest byte of each lane of a, b, c, d, in this order.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreBytes(D du, V a, V b, V c, V d, uint8_t* HWY_RESTRICT out) {
  const hn::Repartition<uint8_t, D> d8;
  const hn::Repartition<uint16_t, D> d16;
  const hn::Repartition<int16_t, D> di16;
  const hn::RebindToSigned<D> di;
  const V mask = hn::Set(du, 0xFFu);
  const auto ia = hn::BitCast(di, hn::And(a, mask));
  const auto ib = hn::BitCast(di, hn::And(b, mask));
  const auto ic = hn::BitCast(di, hn::And(c, mask));
  const auto id = hn::BitCast(di, hn::And(d, mask));
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  // In each 128-bit block four bytes of a, b, c, d: one permutation at the end.
  const auto ab = hn::ReorderDemote2To(di16, ia, ib);
  const auto cd = hn::ReorderDemote2To(di16, ic, id);
  const V mixed = hn::BitCast(du, hn::ReorderDemote2To(d8, ab, cd));
  constexpr uint32_t kBlocks = HWY_TARGET == HWY_AVX2 ? 2 : 4;
  alignas(64) static constexpr uint32_t kTwo[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  alignas(64) static constexpr uint32_t kFour[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                     2, 6, 10, 14, 3, 7, 11, 15};
  const auto order = hn::SetTableIndices(du, kBlocks == 2 ? kTwo : kFour);
  hn::StoreU(hn::BitCast(d8, hn::TableLookupLanes(mixed, order)), d8, out);
  (void)d16;
#else
  const auto ab = hn::OrderedDemote2To(di16, ia, ib);
  const auto cd = hn::OrderedDemote2To(di16, ic, id);
  hn::StoreU(hn::OrderedDemote2To(d8, ab, cd), d8, out);
  (void)d16;
#endif
}

// Stores the lowest 16 bits of each lane of a and b, in this order.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreWords(D du, V a, V b, uint16_t* HWY_RESTRICT out) {
  const hn::Repartition<uint16_t, D> d16;
  hn::StoreU(hn::OrderedTruncate2To(d16, a, b), d16, out);
  (void)du;
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ENCODE_INL_H_
