// Codes of 2, 4 and 6 bits, one in each byte (DQ-50).
#if defined(QCONFORM_SIMD_UNPACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_UNPACK_INL_H_
#undef QCONFORM_SIMD_UNPACK_INL_H_
#else
#define QCONFORM_SIMD_UNPACK_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/dequantize_linear/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dequantize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Codes in the lowest bits of bytes, widened.
template <int kBits, Widening kWidening, class D, class V = hn::VFromD<D>>
HWY_INLINE V Widen(D d, V codes) {
  if constexpr (kWidening == Widening::kSign) {
    const V sign = hn::Set(d, static_cast<uint8_t>(1 << (kBits - 1)));
    return hn::Sub(hn::Xor(codes, sign), sign);
  }
  if constexpr (kWidening == Widening::kToTop) {
    const hn::Repartition<uint16_t, D> d16;  // no code reaches the byte above
    return hn::BitCast(d, hn::ShiftLeft<8 - kBits>(hn::BitCast(d16, codes)));
  }
  return codes;
}

// A vector of packed bytes to 8 / kBits vectors of codes.
template <int kBits, Widening kWidening, class D, class V = hn::VFromD<D>>
HWY_INLINE void UnpackVector(D d, V bytes, uint8_t* HWY_RESTRICT out) {
  const hn::Repartition<uint16_t, D> d16;
  const size_t lanes = hn::Lanes(d);
  const V mask = hn::Set(d, static_cast<uint8_t>((1 << kBits) - 1));
  const auto words = hn::BitCast(d16, bytes);
  const auto codes = [&](auto shifted) HWY_ATTR {
    return Widen<kBits, kWidening>(d, hn::And(hn::BitCast(d, shifted), mask));
  };
  if constexpr (kBits == 4) {
    const V low = codes(words);
    const V high = codes(hn::ShiftRight<4>(words));
    hn::StoreU(hn::InterleaveWholeLower(d, low, high), d, out);
    hn::StoreU(hn::InterleaveWholeUpper(d, low, high), d, out + lanes);
  } else {
    const V c0 = codes(words);
    const V c1 = codes(hn::ShiftRight<2>(words));
    const V c2 = codes(hn::ShiftRight<4>(words));
    const V c3 = codes(hn::ShiftRight<6>(words));
    const auto store = [&](V first, V second, uint8_t* to) HWY_ATTR {
      const auto a = hn::BitCast(d16, first);
      const auto b = hn::BitCast(d16, second);
      hn::StoreU(hn::BitCast(d, hn::InterleaveWholeLower(d16, a, b)), d, to);
      hn::StoreU(hn::BitCast(d, hn::InterleaveWholeUpper(d16, a, b)), d, to + lanes);
    };
    store(hn::InterleaveWholeLower(d, c0, c1), hn::InterleaveWholeLower(d, c2, c3), out);
    store(hn::InterleaveWholeUpper(d, c0, c1), hn::InterleaveWholeUpper(d, c2, c3),
          out + 2 * lanes);
  }
}

template <int kBits, Widening kWidening>
void UnpackLoop(const uint8_t* HWY_RESTRICT in, size_t n, uint8_t* HWY_RESTRICT out) {
  constexpr size_t kCodes = 8 / kBits;  // of a byte
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  const size_t bytes = (n + kCodes - 1) / kCodes;
  size_t i = 0;
  for (; i + lanes <= bytes; i += lanes) {
    UnpackVector<kBits, kWidening>(d, hn::LoadU(d, in + i), out + i * kCodes);
  }
  if (i < bytes) {
    HWY_ALIGN uint8_t rest[hn::MaxLanes(d) * kCodes];
    UnpackVector<kBits, kWidening>(d, hn::LoadN(d, in + i, bytes - i), rest);
    for (size_t j = i * kCodes; j < n; ++j) out[j] = rest[j - i * kCodes];
  }
}

// The lowest 24 bits are four codes: each to the upper bits of its byte.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V SpreadSixes(D d, V w) {
  const V low = hn::Or(hn::And(hn::ShiftLeft<2>(w), hn::Set(d, 0xFCu)),
                       hn::And(hn::ShiftLeft<4>(w), hn::Set(d, 0xFC00u)));
  const V high = hn::Or(hn::And(hn::ShiftLeft<6>(w), hn::Set(d, 0xFC0000u)),
                        hn::And(hn::ShiftLeft<8>(w), hn::Set(d, 0xFC000000u)));
  return hn::Or(low, high);
}

// Four codes are three bytes, which go to the lowest bytes of 32 bits, and from there to
// the upper six bits of each byte. Blocks of 16 codes are 12 bytes.
inline void UnpackSixes(const uint8_t* HWY_RESTRICT in, size_t n,
                        uint8_t* HWY_RESTRICT out) {
  const hn::FixedTag<uint8_t, 16> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  alignas(16) static constexpr uint8_t kThrees[16] = {0, 1, 2, 0x80, 3, 4,  5,  0x80,
                                                      6, 7, 8, 0x80, 9, 10, 11, 0x80};
  const auto threes = hn::Load(d, kThrees);
  const auto unpack = [&](auto bytes) HWY_ATTR {
    const auto w = hn::BitCast(d32, hn::TableLookupBytesOr0(bytes, threes));
    return hn::BitCast(d, SpreadSixes(d32, w));
  };
  const size_t bytes = (n * 6 + 7) / 8;
  size_t i = 0;
  size_t at = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  const hn::ScalableTag<uint8_t> wide;  // 64 codes of 48 bytes
  const hn::Repartition<uint32_t, decltype(wide)> wide32;
  alignas(64) static constexpr auto kOfAll = [] {
    std::array<uint8_t, 64> from{};
    for (size_t k = 0; k < 64; ++k) from[k] = static_cast<uint8_t>(k / 4 * 3 + k % 4);
    return from;
  }();
  const auto of_all = hn::SetTableIndices(wide, kOfAll.data());
  for (; at + 64 <= bytes; at += 48, i += 64) {
    const auto w =
        hn::BitCast(wide32, hn::TableLookupLanes(hn::LoadU(wide, in + at), of_all));
    hn::StoreU(hn::BitCast(wide, SpreadSixes(wide32, w)), wide, out + i);
  }
#endif
  for (; at + 16 <= bytes; at += 12, i += 16) {
    hn::StoreU(unpack(hn::LoadU(d, in + at)), d, out + i);
  }
  for (; i < n; at += 12, i += 16) {
    const auto part = hn::LoadN(d, in + at, HWY_MIN(bytes - at, size_t{12}));
    hn::StoreN(unpack(part), d, out + i, HWY_MIN(n - i, size_t{16}));
  }
}

template <int kBits>
void UnpackBits(Widening widening, const uint8_t* in, size_t n, uint8_t* out) {
  if (widening == Widening::kSign) return UnpackLoop<kBits, Widening::kSign>(in, n, out);
  if (widening == Widening::kToTop)
    return UnpackLoop<kBits, Widening::kToTop>(in, n, out);
  UnpackLoop<kBits, Widening::kZeros>(in, n, out);
}

inline void Unpack(int bits, Widening widening, const std::byte* in, size_t n,
                   uint8_t* out) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(in);
  if (bits == 6) return UnpackSixes(bytes, n, out);
  bits == 4 ? UnpackBits<4>(widening, bytes, n, out)
            : UnpackBits<2>(widening, bytes, n, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_UNPACK_INL_H_
