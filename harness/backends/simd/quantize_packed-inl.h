// Runs by one scale whose codes of 4 or 2 bits are packed in registers (QL-50). Where
// there is none, codes go through a buffer (pack-inl.h).
#if defined(QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/quantize_linear-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !HWY_HAVE_SCALABLE

constexpr int BitsOf(PackedSink sink) { return sink == PackedSink::kInteger2 ? 2 : 4; }

// The lowest byte of each lane.
template <class D, class V>
HWY_INLINE auto LowBytes(D d, V v) {
  return hn::TruncateTo(hn::Rebind<uint8_t, D>(), hn::BitCast(d, v));
}

// Of a vector that JoinCodes returns. Not DFromV: SVE's vectors have no length of
// their own.
template <int kBits, class D8>
using JoinedTag =
    hn::Rebind<uint8_t,
               hn::Repartition<std::conditional_t<kBits == 4, uint16_t, uint32_t>, D8>>;

// Joins neighbours among codes of kBits: c0 + 2^kBits c1 (+ ...), none of which is
// more than a byte, in the lowest byte of a lane as wide as these codes' bytes.
template <int kBits, class D8, class V8>
HWY_INLINE auto JoinCodes(D8, V8 codes) {
  const hn::Repartition<int16_t, D8> d16;
  const hn::Repartition<int8_t, D8> di8;
  const auto weights =
      hn::BitCast(di8, hn::Set(d16, static_cast<int16_t>((1 << (8 + kBits)) + 1)));
  const auto pairs = hn::SatWidenMulPairwiseAdd(d16, codes, weights);
  if constexpr (kBits == 4) {
    return LowBytes(hn::Repartition<uint16_t, D8>(), pairs);
  } else {
    const hn::Repartition<int32_t, D8> d32;
    const auto wide = hn::BitCast(d16, hn::Set(d32, (16 << 16) + 1));
    return LowBytes(hn::Repartition<uint32_t, D8>(),
                    hn::WidenMulPairwiseAdd(d32, pairs, wide));
  }
}

// Stores the packed codes of a block. kStreamed: out is aligned to so many bytes. Highway
// streams no fewer than 16 of them.
template <Writes kWrites, class D, class V>
HWY_INLINE void StorePacked(V codes, D d, uint8_t* HWY_RESTRICT out) {
  if constexpr (kWrites == Writes::kStreamed && hn::MaxLanes(D()) >= 16) {
    hn::Stream(codes, d, out);
  } else {
    hn::StoreU(codes, d, out);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
// One vector of rne(x / s), at most `top`, and what is below or NaN is the lowest INT32.
// The greatest code is that of top s, and of all x beyond.
template <Division kDivision, class D>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> LoadAtMost(D d, const Run& run, float top,
                                                        const float* HWY_RESTRICT x) {
  auto q = LoadX(d, x);
  const auto scale = hn::Set(d, *run.scale);
  const auto most = hn::Set(d, top);
  if constexpr (IsReciprocal(kDivision)) {
    const BlockOperands<kDivision, Operands::kUniform, Sink::kInteger8> operands(run, 0);
    q = MulReciprocal(ClampX<Clamp::kAbove>(d, q, hn::Mul(scale, most)), operands, 0);
  } else {
    q = hn::Min(most, hn::Div(q, scale));  // keeps NaN
  }
  return RoundToInt32<Above::kInRange>(d, q);
}

// Writes the codes of four vectors of x.
//
// Quotients r, saturated to INT8, are clamped to [-offset, range - offset], which INT8
// holds: from above as FLOATs, from below as bytes. The sum of the r of a byte, each at
// its place, and of the offsets, is that of codes from 0 to range: no carry. What
// remains is to put bytes in order: packs leave four of each vector side by side.
template <Division kDivision, PackedSink kSink, Writes kWrites>
HWY_INLINE void QuantizeIntegersPackedBlock(const Run& run, const float* HWY_RESTRICT x,
                                            uint8_t* HWY_RESTRICT out) {
  constexpr int kBits = BitsOf(kSink);
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<int8_t> di8;
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<int16_t> di16;
  using V8 = hn::VFromD<decltype(d8)>;
  const size_t n = hn::Lanes(d);
  const int32_t offset = *run.offset;
  const auto top = static_cast<float>((1 << kBits) - 1 - offset);
  const auto load = [&](size_t i) HWY_ATTR {
    return LoadAtMost<kDivision>(d, run, top, x + i * n);
  };
  const auto ab = hn::ReorderDemote2To(di16, load(0), load(1));
  const auto cd = hn::ReorderDemote2To(di16, load(2), load(3));
  const auto r = hn::Max(hn::ReorderDemote2To(di8, ab, cd),
                         hn::Set(di8, static_cast<int8_t>(-offset)));
  if constexpr (kBits == 4) {
    // Words of two codes; vector v's are words 2 v and 2 v + 1 of each block of 8.
    const V8 weights = hn::BitCast(d8, hn::Set(di16, int16_t{0x1001}));
    const V8 joined{_mm512_maddubs_epi16(weights.raw, r.raw)};
    alignas(64) static constexpr uint8_t kOrder[64] = {
        0, 2,  16, 18, 32, 34, 48, 50, 4,  6,  20, 22, 36, 38, 52, 54,
        8, 10, 24, 26, 40, 42, 56, 58, 12, 14, 28, 30, 44, 46, 60, 62};
    const hn::Half<decltype(d8)> half;
    auto bytes = hn::LowerHalf(
        half, hn::TableLookupLanes(joined, hn::SetTableIndices(d8, kOrder)));
    bytes = hn::Add(bytes, hn::Set(half, static_cast<uint8_t>(offset * 0x11)));
    // In two's complement code + min, with min = -2^(kBits - 1) or 0, is code ^ min.
    const auto flip = static_cast<uint8_t>(-run.integers.min * 0x11);
    StorePacked<kWrites>(hn::Xor(bytes, hn::Set(half, flip)), half, out);
  } else {
    // Words of four bytes, one of each vector in each block.
    const hn::Repartition<int32_t, decltype(d8)> d32;
    const V8 weights = hn::BitCast(d8, hn::Set(d32, 0x40100401));
    const auto sum = hn::Set(d32, offset * 0x55);
    const V8 joined{_mm512_dpbusd_epi32(sum.raw, weights.raw, r.raw)};
    alignas(64) static constexpr uint8_t kOrder[64] = {0, 16, 32, 48, 4,  20, 36, 52,
                                                       8, 24, 40, 56, 12, 28, 44, 60};
    const hn::Half<hn::Half<decltype(d8)>> quarter;
    const auto bytes = hn::LowerHalf(
        quarter,
        hn::LowerHalf(hn::TableLookupLanes(joined, hn::SetTableIndices(d8, kOrder))));
    const auto flip = static_cast<uint8_t>(-run.integers.min * 0x55);
    StorePacked<kWrites>(hn::Xor(bytes, hn::Set(quarter, flip)), quarter, out);
  }
}
#endif

// Writes the codes of four vectors of x.
template <Division kDivision, PackedSink kSink, Writes kWrites>
HWY_INLINE void QuantizePackedBlock(const Run& run, const float* HWY_RESTRICT x,
                                    uint8_t* HWY_RESTRICT out) {
  constexpr int kBits = BitsOf(kSink);
  const hn::ScalableTag<float> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const size_t n = hn::Lanes(d);
  if constexpr (kSink == PackedSink::kFloat4) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    const BlockOperands<kDivision, Operands::kUniform, Sink::kFloat8> operands(run, 0);
    const auto codes =
        LoadFloatBytes<kDivision, Operands::kUniform, Sink::kFloat8, Nearness::kSameSide>(
            d, d8, run, operands, x);
    const auto bytes = JoinCodes<kBits>(d8, codes);
    StorePacked<kWrites>(bytes, JoinedTag<kBits, decltype(d8)>(), out);
#endif
  } else {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
    QuantizeIntegersPackedBlock<kDivision, kSink, kWrites>(run, x, out);
#else
    const BlockOperands<kDivision, Operands::kUniform, Sink::kInteger8> operands(run, 0);
    const auto load = [&](size_t i) HWY_ATTR {
      return Integer<kDivision, Sink::kInteger8, false, Nearness::kSameSide>(
          d, run, operands, i, x + i * n, LoadX(d, x + i * n));
    };
    const auto codes = EncodeBytes(d8, load(0), load(1), load(2), load(3), *run.offset,
                                   {.min = 0, .range = (1 << kBits) - 1});
    const auto bytes = JoinCodes<kBits>(d8, codes);
    const JoinedTag<kBits, decltype(d8)> d_bytes;
    // In two's complement code + min, with min = -2^(kBits - 1) or 0, is code ^ min.
    constexpr int kEach = kBits == 4 ? 0x11 : 0x55;
    const auto flip = hn::Set(d_bytes, static_cast<uint8_t>(-run.integers.min * kEach));
    StorePacked<kWrites>(hn::Xor(bytes, flip), d_bytes, out);
#endif
  }
}

// Quantizes a run of any length; out begins with its first element. Unused bits of the
// last byte are zero.
template <Division kDivision, PackedSink kSink>
void QuantizePacked(const Run& caller_run) {
  // Copies that no store to `out` can change.
  Run run = caller_run;
  float uniform[4] = {};
  KeepScale<kDivision, kSink == PackedSink::kFloat4>(run, uniform);
  const int32_t offset = *run.offset;
  run.offset = &offset;

  constexpr size_t kBits = BitsOf(kSink);
  const hn::ScalableTag<float> d;
  const size_t block = 4 * hn::Lanes(d);
  const float* HWY_RESTRICT x = static_cast<const float*>(run.x);
  uint8_t* HWY_RESTRICT out = static_cast<uint8_t*>(run.out);
  size_t i = 0;
  // The second block lies over the first, so that no store crosses a line.
  const size_t bytes_before =
      (0 - reinterpret_cast<uintptr_t>(out)) % (block * kBits / 8);
  size_t step = run.n < 4 * block || bytes_before == 0 ? block : bytes_before * 8 / kBits;
  constexpr auto quantize = QuantizePackedBlock<kDivision, kSink, Writes::kCached>;
  constexpr auto stream = QuantizePackedBlock<kDivision, kSink, Writes::kStreamed>;
  if (run.stream && run.n >= 4 * block) {
    quantize(run, x, out);
    for (i = step; i + block <= run.n; i += block) {
      stream(run, x + i, out + i * kBits / 8);
    }
  } else {
    for (; i + block <= run.n; i += step, step = block) {
      quantize(run, x + i, out + i * kBits / 8);
    }
  }
  if (i == run.n) return;
  HWY_ALIGN float padded[4 * hn::MaxLanes(d)] = {};
  HWY_ALIGN uint8_t bytes[4 * hn::MaxLanes(d)];
  std::memcpy(padded, x + i, (run.n - i) * sizeof(float));
  quantize(run, padded, bytes);
  const size_t bits = (run.n - i) * kBits;
  if (bits % 8 != 0) bytes[bits / 8] &= static_cast<uint8_t>((1 << bits % 8) - 1);
  std::memcpy(out + i * kBits / 8, bytes, (bits + 7) / 8);
}

template <Division kDivision>
constexpr void FillPacked(RunTable& table) {
  table.packed[static_cast<int>(PackedSink::kInteger4)] =
      QuantizePacked<kDivision, PackedSink::kInteger4>;
  table.packed[static_cast<int>(PackedSink::kInteger2)] =
      QuantizePacked<kDivision, PackedSink::kInteger2>;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  table.packed[static_cast<int>(PackedSink::kFloat4)] =
      QuantizePacked<kDivision, PackedSink::kFloat4>;
#endif
}

#endif  // !HWY_HAVE_SCALABLE

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_
