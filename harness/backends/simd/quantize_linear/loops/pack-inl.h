// Codes of 4 and 2 bits that are packed in registers (QL-50). All others go through a
// buffer (pack_codes-inl.h).
#if defined(QCONFORM_SIMD_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_PACK_INL_H_
#undef QCONFORM_SIMD_PACK_INL_H_
#else
#define QCONFORM_SIMD_PACK_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !HWY_HAVE_SCALABLE
// Joins neighbours among codes of kBits, each of a byte or less: words
// c0 + 16 c1 of 16 bits, or c0 + 4 c1 + 16 c2 + 64 c3 of 32 bits.
template <int kBits, class D8, class V8>
HWY_INLINE auto JoinWords(D8, V8 codes) {
  const hn::Repartition<int16_t, D8> d16;
  const hn::Repartition<int8_t, D8> di8;
  const auto weights =
      hn::BitCast(di8, hn::Set(d16, static_cast<int16_t>((1 << (8 + kBits)) + 1)));
  const auto pairs = hn::SatWidenMulPairwiseAdd(d16, codes, weights);
  if constexpr (kBits == 4) {
    return hn::BitCast(D8(), pairs);
  } else {
    const hn::Repartition<int32_t, D8> d32;
    const auto wide = hn::BitCast(d16, hn::Set(d32, (16 << 16) + 1));
    return hn::BitCast(D8(), hn::WidenMulPairwiseAdd(d32, pairs, wide));
  }
}
#endif

// Whether kernels pack codes in registers: by AVX2 it would be too much code.
inline constexpr bool kPacksInRegisters = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

// Whether what stores codes packs them, or looks at Run::pack_shift.
enum class Packs : uint8_t { kNever, kAsRunSays, kAlways };
template <Packs kPacks>
HWY_INLINE bool DoesPack(const Run& run) {
  if constexpr (kPacks == Packs::kAsRunSays) return HWY_UNLIKELY(run.pack_shift != 0);
  return kPacks == Packs::kAlways;
}

// Returns how many elements of `out` n codes take.
template <Packs kPacks>
HWY_INLINE size_t PlacesOf(const Run& run, size_t n) {
  return kPacks == Packs::kAlways ? n >> run.pack_shift : n;
}

// Returns where a run's codes from `out` on go, of which run.out is the first.
template <typename Code>
HWY_INLINE Code* PlaceOf(const Run& run, Code* out) {
  if constexpr (kPacksInRegisters && sizeof(Code) == 1) {
    Code* const begin = static_cast<Code*>(run.out);
    return begin + (static_cast<size_t>(out - begin) >> run.pack_shift);
  }
  return out;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// Returns the lower bytes of words, two codes of 4 bits each, in order: those of
// PackBytes' bytes, of which each block of 16 holds two words of each vector.
template <class D8, class V8>
HWY_INLINE hn::VFromD<hn::Half<D8>> PairsInOrder(D8 d8, V8 pairs) {
  const hn::Half<D8> half;
#if HWY_TARGET <= HWY_AVX3_DL
  alignas(64) static constexpr uint8_t kOrder[64] = {
      0, 2,  16, 18, 32, 34, 48, 50, 4,  6,  20, 22, 36, 38, 52, 54,
      8, 10, 24, 26, 40, 42, 56, 58, 12, 14, 28, 30, 44, 46, 60, 62};
  return hn::LowerHalf(half,
                       hn::TableLookupLanes(pairs, hn::SetTableIndices(d8, kOrder)));
#else
  const hn::Repartition<uint16_t, D8> d16;
  return hn::TruncateTo(half, hn::BitCast(d16, InOrder(d8, pairs)));
#endif
}

// The same of words of 32 bits, four codes of 2 bits each.
template <class D8, class V8>
HWY_INLINE auto FoursInOrder(D8 d8, V8 fours) {
  const hn::Half<hn::Half<D8>> quarter;
#if HWY_TARGET <= HWY_AVX3_DL
  alignas(64) static constexpr uint8_t kOrder[64] = {0, 16, 32, 48, 4,  20, 36, 52,
                                                     8, 24, 40, 56, 12, 28, 44, 60};
  return hn::LowerHalf(quarter, hn::LowerHalf(hn::TableLookupLanes(
                                    fours, hn::SetTableIndices(d8, kOrder))));
#else
  const hn::Repartition<uint32_t, D8> d32;
  return hn::TruncateTo(quarter, hn::BitCast(d32, InOrder(d8, fours)));
#endif
}

// Returns where packed codes go: kAlways to `out`, else to PlaceOf(run, out). Those to
// come are fetched.
template <Packs kPacks>
HWY_INLINE uint8_t* PlaceOfPacked(const Run& run, uint8_t* out) {
  uint8_t* const to = kPacks == Packs::kAlways ? out : PlaceOf(run, out);
  if (run.x_next != 0) WillWrite(to, kAheadOfPacked);
  return to;
}

// Stores codes of 4 bits, one in each byte and nothing above, to PlaceOfPacked.
template <Packs kPacks, class D8, class V8>
HWY_INLINE void StoreNibbles(D8 d8, const Run& run, V8 codes, uint8_t* out) {
  uint8_t* const to = PlaceOfPacked<kPacks>(run, out);
  const hn::Half<D8> half;
  const auto pairs = JoinWords<4>(d8, codes);
#if HWY_TARGET <= HWY_AVX3_DL
  alignas(64) static constexpr uint8_t kEven[64] = {
      0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
      32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
  const auto even = hn::SetTableIndices(d8, kEven);
  hn::StoreU(hn::LowerHalf(half, hn::TableLookupLanes(pairs, even)), half, to);
#else
  const hn::Repartition<uint16_t, D8> d16;
  hn::StoreU(hn::TruncateTo(half, hn::BitCast(d16, pairs)), half, to);
#endif
}

// Stores integers of 4 or 2 bits, those of four vectors and `offset`, to PlaceOfPacked,
// as EncodeBytes would make them. In two's complement code + min, with min = -2^(bits-1)
// or 0, is code ^ min.
template <Packs kPacks, class D8, class VI>
HWY_INLINE void StorePackedIntegers(D8 d8, const Run& run, VI a, VI b, VI c, VI d,
                                    int32_t offset, uint8_t* out) {
  uint8_t* const to = PlaceOfPacked<kPacks>(run, out);
  const hn::Repartition<int16_t, D8> d16;
  hn::VFromD<decltype(d16)> ab, cd;
  PackSums(d16, a, b, c, d, offset, ab, cd);
  const auto codes = hn::Min(PackPair(d8, ab, cd),
                             hn::Set(d8, static_cast<uint8_t>(run.integers.range)));
  if (run.pack_shift == 1) {
    const hn::Half<D8> half;
    const auto flip = hn::Set(half, static_cast<uint8_t>(-run.integers.min * 0x11));
    hn::StoreU(hn::Xor(PairsInOrder(d8, JoinWords<4>(d8, codes)), flip), half, to);
  } else {
    const hn::Half<hn::Half<D8>> quarter;
    const auto flip = hn::Set(quarter, static_cast<uint8_t>(-run.integers.min * 0x55));
    hn::StoreU(hn::Xor(FoursInOrder(d8, JoinWords<2>(d8, codes)), flip), quarter, to);
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_PACK_INL_H_
