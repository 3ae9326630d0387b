// Codes of 2, 4 and 6 bits, one in each byte, to the bit stream of a packed tensor, whose
// first element takes the lowest bits (QL-50, QL-52). Four codes are whole bytes of it:
// one, two or three.
#if defined(QCONFORM_SIMD_PACK_CODES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_PACK_CODES_INL_H_
#undef QCONFORM_SIMD_PACK_CODES_INL_H_
#else
#define QCONFORM_SIMD_PACK_CODES_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns lanes of 32 bits, the lowest 4 kBits of which are their four codes; what comes
// above is unspecified. Precondition: no code has higher bits.
template <int kBits, class D8, class V8>
HWY_INLINE V8 JoinFours(D8 d8, V8 codes) {
  const hn::Repartition<int16_t, D8> d16;
  const hn::Repartition<int32_t, D8> d32;
#if HWY_ARCH_X86
  // c0 + 2^kBits c1 in words, then the same of these; no sum saturates.
  const auto of_pair = hn::Set(d16, static_cast<int16_t>((1 << (8 + kBits)) + 1));
  const auto of_four = hn::Set(d32, (1 << (16 + 2 * kBits)) + 1);
  const auto pairs = hn::SatWidenMulPairwiseAdd(
      d16, codes, hn::BitCast(hn::RebindToSigned<D8>(), of_pair));
  return hn::BitCast(d8, hn::WidenMulPairwiseAdd(d32, pairs, hn::BitCast(d16, of_four)));
#else
  const hn::RebindToUnsigned<decltype(d16)> du16;
  const hn::RebindToUnsigned<decltype(d32)> du32;
  const auto words = hn::BitCast(du16, codes);
  const auto pairs =
      hn::BitwiseIfThenElse(hn::Set(du16, static_cast<uint16_t>((1 << kBits) - 1)), words,
                            hn::ShiftRight<8 - kBits>(words));
  const auto halves = hn::BitCast(du32, pairs);
  return hn::BitCast(d8,
                     hn::BitwiseIfThenElse(hn::Set(du32, (1u << (2 * kBits)) - 1), halves,
                                           hn::ShiftRight<16 - 2 * kBits>(halves)));
#endif
}

// Where a vector of up to 512 bits gets its lanes from if the first kKept of each four of
// them move together.
template <class Lane, size_t kKept>
constexpr std::array<Lane, 64 / sizeof(Lane)> KeptOfFours() {
  std::array<Lane, 64 / sizeof(Lane)> from = {};
  for (size_t to = 0; to < from.size() / 4 * kKept; ++to) {
    from[to] = static_cast<Lane>(to / kKept * 4 + to % kKept);
  }
  return from;
}

// Returns the lowest kBytes of each lane of 32 bits, one after the other. They fill that
// part of a vector; the bytes after it are unspecified.
template <size_t kBytes, class D8, class V8>
HWY_INLINE V8 LowestBytesOfFours(D8 d8, V8 fours) {
  alignas(64) static constexpr auto kOrder = KeptOfFours<uint8_t, kBytes>();
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  return hn::TableLookupLanes(fours, hn::SetTableIndices(d8, kOrder.data()));
#else
  // In each block of 16 bytes; then the lanes that are filled, of all blocks.
  const V8 blocks = hn::TableLookupBytes(fours, hn::LoadDup128(d8, kOrder.data()));
  [[maybe_unused]] const hn::Repartition<uint32_t, D8> d32;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  alignas(64) static constexpr auto kLanes = KeptOfFours<uint32_t, kBytes>();
  const auto order = hn::SetTableIndices(d32, kLanes.data());
  return hn::BitCast(d8, hn::TableLookupLanes(hn::BitCast(d32, blocks), order));
#elif HWY_MAX_BYTES > 16  // SVE
  const auto in_block = hn::And(hn::Iota(d32, 0), hn::Set(d32, 3u));
  const auto filled = hn::Lt(in_block, hn::Set(d32, static_cast<uint32_t>(kBytes)));
  return hn::BitCast(d8, hn::Compress(hn::BitCast(d32, blocks), filled));
#else
  return blocks;
#endif
#endif
}

// Packs n codes of kBits into ceil(n kBits / 8) bytes and writes no others. Higher bits
// of a code are ignored; unused bits of the last byte are 0.
template <int kBits>
HWY_INLINE void PackCodes(const uint8_t* HWY_RESTRICT codes, size_t n,
                          uint8_t* HWY_RESTRICT out) {
  static_assert(kBits == 2 || kBits == 4 || kBits == 6);
  const hn::ScalableTag<uint8_t> d8;
  const size_t lanes = hn::Lanes(d8);
  const auto pack = [&](auto of) HWY_ATTR {
    of = hn::And(of, hn::Set(d8, static_cast<uint8_t>((1 << kBits) - 1)));
    return LowestBytesOfFours<kBits / 2>(d8, JoinFours<kBits>(d8, of));
  };
  size_t i = 0;
  // Whole vectors are stored, each over what the one before it left unspecified.
  for (; (n - i) * kBits >= 8 * lanes; i += lanes) {
    hn::StoreU(pack(hn::LoadU(d8, codes + i)), d8, out + i * kBits / 8);
  }
  for (; i < n; i += lanes) {
    const size_t left = HWY_MIN(n - i, lanes);
    hn::StoreN(pack(hn::LoadN(d8, codes + i, left)), d8, out + i * kBits / 8,
               (left * kBits + 7) / 8);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_PACK_CODES_INL_H_
