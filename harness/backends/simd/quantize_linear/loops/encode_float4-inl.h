// FLOAT4E2M1 by reciprocals, from x of two bytes: signs are those of x, and magnitudes of
// quotients become codes by tables, most of the way in lanes of 8 or 16 bits. For CPUs
// that permute bytes freely.
#if defined(QCONFORM_SIMD_ENCODE_FLOAT4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_ENCODE_FLOAT4_INL_H_
#undef QCONFORM_SIMD_ENCODE_FLOAT4_INL_H_
#else
#define QCONFORM_SIMD_ENCODE_FLOAT4_INL_H_
#endif

#include <array>
#include <bit>
#include <cstdint>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/encode_float-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// Boundaries between the codes of magnitudes, k and k + 1 for k = 0 to 6, in units of
// 1/4 (QL-20). Ties go to the even code.
inline constexpr unsigned kFloat4Boundaries[7] = {1, 3, 5, 7, 10, 14, 20};

// For w = floor(4 |q|) + ceil(4 |q|) the code of q, which depends only on w, as all
// boundaries are multiples of 1/4.
constexpr std::array<uint8_t, 64> Float4CodesOfSums() {
  std::array<uint8_t, 64> codes = {};
  for (unsigned w = 0; w < 64; ++w) {
    for (unsigned k = 0; k < 7; ++k) {
      const unsigned boundary = 2 * kFloat4Boundaries[k];
      codes[w] += w > boundary || (w == boundary && k % 2 == 1);
    }
  }
  return codes;
}

// P of kBits bits: quotients before they are rounded to P, as v = floor(2^13 |q|). What P
// rounds to a boundary are those within half of its unit there, and no quotient is that
// far from it exactly (MulReciprocal). Returns the least v of code k + 1, an integer
// above or below boundary k.
template <int kBits>
constexpr unsigned LeastOfNextCode(unsigned k) {
  const unsigned boundary = kFloat4Boundaries[k] << 11;
  const unsigned half = std::bit_floor(boundary) >> kBits;
  return k % 2 == 0 ? boundary + half : boundary - half;
}

// Whether no two of these lie in one cell of 2^11, nor on a boundary.
template <int kBits>
constexpr bool CellsTellFloat4Codes() {
  for (unsigned k = 0; k < 7; ++k) {
    const unsigned least = LeastOfNextCode<kBits>(k);
    if (least == kFloat4Boundaries[k] << 11) return false;
    if (k > 0 && least >> 11 == LeastOfNextCode<kBits>(k - 1) >> 11) return false;
  }
  return true;
}

// To v of a cell this is added, modulo 2^16, which makes bits 12 to 14 of the sum the
// code.
template <int kBits>
constexpr std::array<uint16_t, 32> Float4AddendsOfCells() {
  static_assert(CellsTellFloat4Codes<kBits>());
  std::array<uint16_t, 32> addends = {};
  for (unsigned cell = 0; cell < 32; ++cell) {
    unsigned code = 0;
    unsigned from = cell << 11;  // that v of which the sum is code << 12
    for (unsigned k = 0; k < 7; ++k) {
      const unsigned least = LeastOfNextCode<kBits>(k);
      if (least >> 11 > cell) break;
      code = k + 1;
      if (least > from) from = least;
    }
    addends[cell] = static_cast<uint16_t>((code << 12) - from);
  }
  return addends;
}

// floor(2^13 |q|) of 2 Lanes(d) quotients below 8, |q| being magnitude * high, in order:
// 2^10 + |q|, rounded down, has these bits. The product is not rounded before the sum.
template <class D16, class V>
HWY_INLINE hn::VFromD<D16> FixedProducts(D16 d16, V a, V high_a, V b, V high_b) {
  const hn::DFromV<V> d;
  const V unit = hn::Set(d, 0x1p10f);
  const auto sum = [&](V magnitude, V high) HWY_ATTR {
    constexpr int kDown = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return hn::BitCast(
        d16, V{_mm512_fmadd_round_ps(magnitude.raw, high.raw, unit.raw, kDown)});
  };
  return hn::ConcatEven(d16, sum(b, high_b), sum(a, high_a));
}

// Bits 12 to 14 of the words returned are the codes of v.
template <int kBits, class D16, class V16 = hn::VFromD<D16>>
HWY_INLINE V16 Float4Words(D16 d16, V16 v) {
  alignas(64) static constexpr std::array<uint16_t, 32> kAddends =
      Float4AddendsOfCells<kBits>();
  const auto cells = hn::IndicesFromVec(d16, hn::ShiftRight<11>(v));
  return hn::Add(v, hn::TableLookupLanes(hn::Load(d16, kAddends.data()), cells));
}

// Returns words with bit 15 of x.
template <class D16, class V16>
HWY_INLINE V16 WithSigns(D16 d16, V16 x, V16 words) {
  // The mask is the second operand, as the first is overwritten, and x not needed again.
  return V16{_mm512_ternarylogic_epi32(x.raw, hn::Set(d16, uint16_t{0x8000}).raw,
                                       words.raw, 0xE2)};
}

// floor(4 q) + ceil(4 q) of four vectors of quotients, 0 <= q < 8, as bytes in order.
template <class D8, class V>
HWY_INLINE hn::VFromD<D8> SumsOfFloorAndCeil(D8 d8, const Four<V>& q) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const V unit = hn::Set(d, 0x1p21f);
  // The lowest bytes of 2^21 + q, rounded in both directions.
  const auto sum = [&](V v) HWY_ATTR {
    constexpr int kDown = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
    const V floor{_mm512_add_round_ps(v.raw, unit.raw, kDown)};
    const V ceil{_mm512_add_round_ps(v.raw, unit.raw, kUp)};
    return hn::BitCast(d8, hn::Add(hn::BitCast(du, floor), hn::BitCast(du, ceil)));
  };
  alignas(64) static constexpr uint8_t kLowest[64] = {
      0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
      64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124};
  const auto lowest = hn::SetTableIndices(d8, kLowest);
  const auto ab = hn::TwoTablesLookupLanes(d8, sum(q.a), sum(q.b), lowest);
  const auto cd = hn::TwoTablesLookupLanes(d8, sum(q.c), sum(q.d), lowest);
  return hn::ConcatLowerLower(d8, cd, ab);
}

// The codes for such sums, with the signs of the bytes `signs`.
template <class D8, class V8>
HWY_INLINE V8 Float4FromSums(D8 d8, V8 sums, V8 signs) {
  alignas(64) static constexpr std::array<uint8_t, 64> kCodes = Float4CodesOfSums();
  const V8 codes =
      hn::TableLookupLanes(hn::Load(d8, kCodes.data()), hn::IndicesFromVec(d8, sums));
  return FromSignAndCode(d8, signs, codes, kFloat4Rows);
}

// The same for the upper bytes of what WithSigns returns.
template <class D8, class V8>
HWY_INLINE V8 Float4FromBytes(D8, V8 bytes) {
  // Bits 4 to 7 as 0 to 3.
  const auto rows =
      hn::Set(hn::Repartition<uint64_t, D8>(), uint64_t{0x1020408000000000});
  return V8{_mm512_gf2p8affine_epi64_epi8(bytes.raw, rows.raw, 0)};
}

#endif  // AVX3_DL

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_ENCODE_FLOAT4_INL_H_
