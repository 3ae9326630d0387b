// The encode stage: a quotient in a FLOAT lane to a code in the same lane, and
// codes of four vectors to bytes.
#if defined(QCONFORM_SIMD_ENCODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ENCODE_INL_H_
#undef QCONFORM_SIMD_ENCODE_INL_H_
#else
#define QCONFORM_SIMD_ENCODE_INL_H_
#endif

#include "harness/backends/simd/core/code_format.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Beyond every integer target's range, whatever the zero point.
inline constexpr float kBeyondIntegers = 0x1p18f;

// Returns rne(q) for |q| <= 2^18, at least 2^18 for larger q, and at most -2^18
// for smaller q and for NaN.
// kInRange: nothing lies above 2^18.
enum class Above : uint8_t { kPossible, kInRange };
template <Above kAbove, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> RoundToInt32(D d, V q) {
#if HWY_ARCH_X86
  using VI = hn::VFromD<hn::RebindToSigned<D>>;
  // cvtps2dq gives -2^31 for NaN and for all that does not fit; minps returns
  // its second operand for NaN. Highway's NearestInt pays for more than that.
  if constexpr (kAbove == Above::kPossible) q = hn::Min(hn::Set(d, kBeyondIntegers), q);
#if HWY_TARGET <= HWY_AVX3
  return VI{_mm512_cvtps_epi32(q.raw)};
#elif HWY_TARGET == HWY_AVX2
  return VI{_mm256_cvtps_epi32(q.raw)};
#else
  return VI{_mm_cvtps_epi32(q.raw)};
#endif
#else
  const V low = hn::Set(d, -kBeyondIntegers);
  q = hn::IfThenElse(hn::Gt(q, low), q, low);  // NaN is not greater
  return hn::NearestInt(hn::Min(q, hn::Set(d, kBeyondIntegers)));
#endif
}

// Returns the code of |q| in the grid, with the sign of `sign_of`.
//
// Let |q| lie in [2^e, 2^(e+1)), e not below the smallest normal exponent, and
// m be the mantissa bits. u = 2^(e+23-m) has the unit 2^(e-m), the grid's: the
// bits of |q| + u, less those of u, are |q| rounded to nearest even in units of
// the grid, in [2^m, 2^(m+1)] (below 2^m for subnormals). With 2^m for each
// step of the exponent above the smallest this is the code, carries included.
// Magnitudes are clamped first, which commutes with rounding: to the largest
// finite value where overflow saturates, else to the grid's next value above
// it, whose code is that of the overflow in all four float8 formats.
template <Sink kSink, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> EncodeFloat(D d, V q, V sign_of,
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
  const auto sign_bit = hn::And(hn::BitCast(du, sign_of), hn::Set(du, 0x80000000u));
  auto sign = hn::ShiftRightSame(sign_bit, grid.sign_shift);
  if constexpr (kSink == Sink::kFloat8Fnuz) {  // these have no -0
    sign = hn::IfThenElseZero(hn::Ne(code, hn::Zero(du)), sign);
  }
  const auto nan = hn::RebindMask(du, hn::IsNaN(q));
  return hn::IfThenElse(nan, hn::Set(du, grid.nan_code), hn::Or(code, sign));
}

// Two vectors as one of lanes half as wide, saturated. x86 packs in 128-bit blocks:
// InOrder() mends their order. Of other targets' Reorder, SVE's interleaves both
// vectors, at any length.
template <class D, class V>
HWY_INLINE hn::VFromD<D> PackPair(D d, V a, V b) {
#if HWY_ARCH_X86
  return hn::ReorderDemote2To(d, a, b);
#else
  return hn::OrderedDemote2To(d, a, b);
#endif
}

// Four vectors of INT32 lanes as one of bytes, in PackPair's order.
template <class D8, class VI>
HWY_INLINE hn::VFromD<D8> PackBytes(D8 d8, VI a, VI b, VI c, VI d) {
  const hn::RepartitionToWide<hn::RebindToSigned<D8>> d16;
  return PackPair(d8, PackPair(d16, a, b), PackPair(d16, c, d));
}

// Two vectors of words, ab and cd, of the sums of these and `add`, all saturated.
template <class D16, class VI, class V16 = hn::VFromD<D16>>
HWY_INLINE void PackSums(D16 d16, VI a, VI b, VI c, VI d, int32_t add, V16& ab, V16& cd) {
  ab = PackPair(d16, a, b);
  cd = PackPair(d16, c, d);
  if (add == 0) return;
  const auto sum = hn::Set(d16, static_cast<int16_t>(add));
  ab = hn::SaturatedAdd(ab, sum);
  cd = hn::SaturatedAdd(cd, sum);
}

template <class D8, class V8>
HWY_INLINE V8 InOrder(D8 d8, V8 v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  // Each block holds four bytes of a, four of b, of c, of d.
  const hn::Repartition<uint32_t, D8> d32;
#if HWY_TARGET == HWY_AVX2
  alignas(32) static constexpr uint32_t kOrder[8] = {0, 4, 1, 5, 2, 6, 3, 7};
#else
  alignas(64) static constexpr uint32_t kOrder[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                      2, 6, 10, 14, 3, 7, 11, 15};
#endif
  return hn::BitCast(
      d8, hn::TableLookupLanes(hn::BitCast(d32, v), hn::SetTableIndices(d32, kOrder)));
#else
  (void)d8;
  return v;
#endif
}

// Stores the lowest byte of each lane of a, b, c, d, in this order.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreBytes(D du, V a, V b, V c, V d, uint8_t* HWY_RESTRICT out) {
  const hn::Repartition<uint8_t, D> d8;
  const hn::RebindToSigned<D> di;
  const V mask = hn::Set(du, 0xFFu);
  const auto low = [&](V v) HWY_ATTR { return hn::BitCast(di, hn::And(v, mask)); };
  hn::StoreU(InOrder(d8, PackBytes(d8, low(a), low(b), low(c), low(d))), d8, out);
}

// Clamps bytes to the range of the target, and adds min. A branch that is always
// foreseen costs less than what it leaves out.
template <class D8, class V8>
HWY_INLINE V8 FromOffset(D8 d8, V8 code, const IntegerGrid& grid) {
  if (grid.range != 0xFF) {
    code = hn::Min(code, hn::Set(d8, static_cast<uint8_t>(grid.range)));
  }
  if (grid.min != 0) code = hn::Add(code, hn::Set(d8, static_cast<uint8_t>(grid.min)));
  return code;
}

// Integers of at most 8 bits: the codes of four vectors q, where `offset` is
// zero_point - min of all.
//
// Packing saturates to INT16, the sum with -128 <= zero point <= 255 saturates too,
// and packing to bytes clamps it to the range of UINT8 or INT8: as nothing between
// wraps, this is clamp(rne(q) + zero_point - min, 0, 255), or the same of INT8. The
// range of narrower targets and min follow, on bytes.
template <class D8, class VI>
HWY_INLINE hn::VFromD<D8> EncodeBytes(D8 d8, VI a, VI b, VI c, VI d, int32_t offset,
                                      const IntegerGrid& grid) {
  const hn::RebindToSigned<D8> di8;
  const hn::RepartitionToWide<hn::RebindToSigned<D8>> d16;
  const bool is_int8 = grid.min == -128;
  hn::VFromD<decltype(d16)> ab, cd;
  PackSums(d16, a, b, c, d, is_int8 ? offset + grid.min : offset, ab, cd);
  if (is_int8) return InOrder(d8, hn::BitCast(d8, PackPair(di8, ab, cd)));
  return InOrder(d8, FromOffset(d8, PackPair(d8, ab, cd), grid));
}

// The same where the offsets have been added in INT32 lanes, which cannot wrap:
// they are not negative, and q is at most 2^18.
template <class D8, class VI>
HWY_INLINE hn::VFromD<D8> EncodeBytes(D8 d8, VI a, VI b, VI c, VI d,
                                      const IntegerGrid& grid) {
  const auto code = PackBytes(d8, a, b, c, d);
  return InOrder(d8, FromOffset(d8, code, grid));
}

// Integers of 16 bits: the codes of two vectors, where offsets have been added, or
// `offset` is that of all. Packing clamps to the range of UINT16; or to that of INT16,
// where the zero point itself is added. That cannot be negative: -2^31 would wrap.
template <bool kAdded, class D16, class VI>
HWY_INLINE hn::VFromD<D16> EncodeWords(D16 d16, VI a, VI b, int32_t offset,
                                       const IntegerGrid& grid) {
  const hn::DFromV<VI> d32;
  const auto add = [&](int32_t v) HWY_ATTR {
    if (v == 0) return;
    a = hn::Add(a, hn::Set(d32, v));
    b = hn::Add(b, hn::Set(d32, v));
  };
  if constexpr (!kAdded) {
    const int32_t zero_point = offset + grid.min;
    if (grid.min != 0 && zero_point >= 0) {
      add(zero_point);
      return hn::BitCast(d16, hn::OrderedDemote2To(hn::RebindToSigned<D16>(), a, b));
    }
    add(offset);
  }
  const auto code = hn::OrderedDemote2To(d16, a, b);
  if (grid.min == 0) return code;
  return hn::Add(code, hn::Set(d16, static_cast<uint16_t>(grid.min)));
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ENCODE_INL_H_
