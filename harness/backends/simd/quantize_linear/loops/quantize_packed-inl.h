// Runs by one scale whose codes of less than 8 bits are packed in registers (QL-50,
// QL-52). Where there is none, codes go through a buffer (pack_codes-inl.h).
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

#include "harness/backends/simd/core/pack_codes-inl.h"
#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/pack-inl.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_linear-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !HWY_HAVE_SCALABLE

constexpr int BitsOf(PackedSink sink) {
  return sink == PackedSink::kFloat6 ? 6 : sink == PackedSink::kInteger2 ? 2 : 4;
}
constexpr bool IsFloat(PackedSink sink) {
  return sink == PackedSink::kFloat4 || sink == PackedSink::kFloat6;
}

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

// The lowest bytes of JoinWords.
template <int kBits, class D8, class V8>
HWY_INLINE auto JoinCodes(D8 d8, V8 codes) {
  using Word = std::conditional_t<kBits == 4, uint16_t, uint32_t>;
  return LowBytes(hn::Repartition<Word, D8>(), JoinWords<kBits>(d8, codes));
}

// Stores the packed codes of a block. kStreamed: out is aligned to their number of bytes.
// Highway streams at least 16 of them.
template <Writes kWrites, class D, class V>
HWY_INLINE void StorePacked(V codes, D d, uint8_t* HWY_RESTRICT out) {
  if constexpr (kWrites == Writes::kStreamed && hn::MaxLanes(D()) >= 16) {
    hn::Stream(codes, d, out);
  } else {
    hn::StoreU(codes, d, out);
  }
}

#if HWY_ARCH_X86
// Stores a vector of codes of 6 bits: three quarters of its bytes, and no others.
template <class D8, class V8>
HWY_INLINE void StoreSixBits(D8 d8, V8 codes, uint8_t* HWY_RESTRICT out) {
  const V8 bytes = LowestBytesOfFours<3>(d8, JoinFours<6>(d8, codes));
  const hn::Half<D8> half;
  const hn::Half<decltype(half)> quarter;
  hn::StoreU(hn::LowerHalf(half, bytes), half, out);
  hn::StoreU(hn::LowerHalf(quarter, hn::UpperHalf(half, bytes)), quarter,
             out + hn::Lanes(half));
}
#endif

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
// rne(x / s) of four vectors, at most `top`; smaller quotients and NaN give the lowest
// INT32. The greatest code is that of top s, and of all x beyond. Step by step for all
// four: one after the other, a CPU would fill its pipes less well.
template <Division kDivision, class D, class VI = hn::VFromD<hn::RebindToSigned<D>>>
HWY_INLINE Four<VI> LoadFourAtMost(D d, const Run& run, float top,
                                   const float* HWY_RESTRICT x) {
  using V = hn::VFromD<D>;
  const size_t n = hn::Lanes(d);
  Four<V> q = {LoadX(d, x), LoadX(d, x + n), LoadX(d, x + 2 * n), LoadX(d, x + 3 * n)};
  const V scale = hn::Set(d, *run.scale);
  const V most = hn::Set(d, top);
  if constexpr (IsReciprocal(kDivision)) {
    const BlockOperands<kDivision, Operands::kUniform, Sink::kInteger8> operands(run, 0);
    const V limit = hn::Mul(scale, most);
    constexpr auto clamp = ClampX<Clamp::kAbove, D>;
    q = {clamp(d, q.a, limit), clamp(d, q.b, limit), clamp(d, q.c, limit),
         clamp(d, q.d, limit)};
    const Four<V> low = {operands.MulLow(q.a, 0), operands.MulLow(q.b, 1),
                         operands.MulLow(q.c, 2), operands.MulLow(q.d, 3)};
    q = {operands.MulAddHigh(q.a, low.a, 0), operands.MulAddHigh(q.b, low.b, 1),
         operands.MulAddHigh(q.c, low.c, 2), operands.MulAddHigh(q.d, low.d, 3)};
  } else {
    const auto divide = [&](V v) HWY_ATTR {
      return hn::Min(most, hn::Div(v, scale));  // keeps NaN
    };
    q = {divide(q.a), divide(q.b), divide(q.c), divide(q.d)};
  }
  constexpr auto round = RoundToInt32<Above::kInRange, D>;
  return {round(d, q.a), round(d, q.b), round(d, q.c), round(d, q.d)};
}

// The quotients r of four vectors as bytes, clamped to [-offset, range - offset], which
// INT8 holds: from above as FLOATs, from below as bytes. Packs leave four of each vector
// side by side, in each block of 16.
template <Division kDivision, int kBits, class DI8>
HWY_INLINE hn::VFromD<DI8> LoadClamped(DI8 di8, const Run& run,
                                       const float* HWY_RESTRICT x) {
  const hn::RepartitionToWide<DI8> di16;
  const int32_t offset = *run.offset;
  const auto top = static_cast<float>((1 << kBits) - 1 - offset);
  const auto r = LoadFourAtMost<kDivision>(hn::ScalableTag<float>(), run, top, x);
  const auto ab = hn::ReorderDemote2To(di16, r.a, r.b);
  const auto cd = hn::ReorderDemote2To(di16, r.c, r.d);
  return hn::Max(hn::ReorderDemote2To(di8, ab, cd),
                 hn::Set(di8, static_cast<int8_t>(-offset)));
}

// Words of two such r each, r0 + 16 r1. The words of vector v are 2 v and 2 v + 1 of each
// block of 8.
template <Division kDivision, class D8>
HWY_INLINE hn::VFromD<D8> LoadPairs(D8, const Run& run, const float* HWY_RESTRICT x) {
  const hn::RebindToSigned<D8> di8;
  const hn::RepartitionToWide<hn::RebindToSigned<D8>> di16;
  const auto weights = hn::BitCast(D8(), hn::Set(di16, int16_t{0x1001}));
  const auto r = LoadClamped<kDivision, 4>(di8, run, x);
  return hn::VFromD<D8>{_mm512_maddubs_epi16(weights.raw, r.raw)};
}

// Returns the bytes of y for sums, modulo 256, of a byte's r, each at its place: the sum
// of these and of the offsets is that of codes from 0 to range, so that nothing is
// carried. In two's complement code + min, with min = -2^(kBits - 1) or 0, is code ^ min.
template <int kBits, class D8, class V8 = hn::VFromD<D8>>
HWY_INLINE V8 FromSums(D8 d8, const Run& run, V8 sums) {
  constexpr int32_t kEach = kBits == 4 ? 0x11 : 0x55;
  const auto offsets = hn::Set(d8, static_cast<uint8_t>(*run.offset * kEach));
  const auto flip = hn::Set(d8, static_cast<uint8_t>(-run.integers.min * kEach));
  return hn::Xor(hn::Add(sums, offsets), flip);
}

// Writes the codes of kVectors vectors of x: four, or eight of 4 bits, the bytes of which
// are then put in order together.
template <Division kDivision, PackedSink kSink, Writes kWrites, size_t kVectors>
HWY_INLINE void QuantizeIntegersPackedBlock(const Run& run, const float* HWY_RESTRICT x,
                                            uint8_t* HWY_RESTRICT out) {
  constexpr int kBits = BitsOf(kSink);
  const hn::ScalableTag<uint8_t> d8;
  using V8 = hn::VFromD<decltype(d8)>;
  if constexpr (kBits == 4) {
    const V8 pairs = LoadPairs<kDivision>(d8, run, x);
    if constexpr (kVectors == 8) {
      const size_t n = hn::Lanes(hn::ScalableTag<float>());
      const V8 others = LoadPairs<kDivision>(d8, run, x + 4 * n);
      alignas(64) static constexpr uint8_t kOrder[64] = {
          0,  2,  16, 18, 32,  34,  48,  50,  4,  6,  20, 22, 36,  38,  52,  54,
          8,  10, 24, 26, 40,  42,  56,  58,  12, 14, 28, 30, 44,  46,  60,  62,
          64, 66, 80, 82, 96,  98,  112, 114, 68, 70, 84, 86, 100, 102, 116, 118,
          72, 74, 88, 90, 104, 106, 120, 122, 76, 78, 92, 94, 108, 110, 124, 126};
      const auto order = hn::SetTableIndices(d8, kOrder);
      const V8 sums = hn::TwoTablesLookupLanes(d8, pairs, others, order);
      StorePacked<kWrites>(FromSums<kBits>(d8, run, sums), d8, out);
    } else {
      const hn::Half<decltype(d8)> half;
      const auto sums = PairsInOrder(d8, pairs);
      StorePacked<kWrites>(FromSums<kBits>(half, run, sums), half, out);
    }
  } else {
    static_assert(kVectors == 4);
    // Words of four bytes, one of each vector in each block.
    const hn::RebindToSigned<decltype(d8)> di8;
    const hn::Repartition<int32_t, decltype(d8)> d32;
    const V8 weights = hn::BitCast(d8, hn::Set(d32, 0x40100401));
    const auto r = LoadClamped<kDivision, kBits>(di8, run, x);
    const V8 joined{_mm512_dpbusd_epi32(hn::Zero(d32).raw, weights.raw, r.raw)};
    const hn::Half<hn::Half<decltype(d8)>> quarter;
    const auto sums = FoursInOrder(d8, joined);
    StorePacked<kWrites>(FromSums<kBits>(quarter, run, sums), quarter, out);
  }
}
#endif

// The vectors of a block.
template <PackedSink kSink>
constexpr size_t kVectorsOf =
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
    kSink == PackedSink::kInteger4 ? 8 :
#endif
                                   4;

// Writes the codes of kVectors vectors of x.
template <Division kDivision, PackedSink kSink, Writes kWrites, size_t kVectors = 4>
HWY_INLINE void QuantizePackedBlock(const Run& run, const float* HWY_RESTRICT x,
                                    uint8_t* HWY_RESTRICT out) {
  constexpr int kBits = BitsOf(kSink);
  const hn::ScalableTag<float> d;
  const hn::Repartition<uint8_t, decltype(d)> d8;
  const size_t n = hn::Lanes(d);
  if constexpr (IsFloat(kSink)) {
#if HWY_ARCH_X86
    const BlockOperands<kDivision, Operands::kUniform, Sink::kFloat8> operands(run, 0);
    const auto codes =
        LoadFloatBytes<kDivision, Operands::kUniform, Sink::kFloat8, Nearness::kSameSide>(
            d, d8, run, operands, x);
    if constexpr (kBits == 6) {
      StoreSixBits(d8, codes, out);
    } else {
      const auto bytes = JoinCodes<kBits>(d8, codes);
      StorePacked<kWrites>(bytes, JoinedTag<kBits, decltype(d8)>(), out);
    }
#endif
  } else {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
    QuantizeIntegersPackedBlock<kDivision, kSink, kWrites, kVectors>(run, x, out);
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
  KeepScale<kDivision, IsFloat(kSink)>(run, uniform);
  const int32_t offset = *run.offset;
  run.offset = &offset;

  constexpr size_t kBits = BitsOf(kSink);
  // A constant, so that no loop asks for it.
  if constexpr (IsFloat(kSink)) run.floats.sign_shift = 32 - kBits;
  constexpr size_t kVectors = kVectorsOf<kSink>;
  const hn::ScalableTag<float> d;
  const size_t block = kVectors * hn::Lanes(d);
  const float* HWY_RESTRICT x = static_cast<const float*>(run.x);
  uint8_t* HWY_RESTRICT out = static_cast<uint8_t*>(run.out);
  size_t i = 0;
  // The second block lies over the first, so that no store crosses a line, unless a block
  // is three quarters of one.
  const size_t bytes_before =
      kBits == 6 ? 0 : (0 - reinterpret_cast<uintptr_t>(out)) % (block * kBits / 8);
  size_t step = run.n < 4 * block || bytes_before == 0 ? block : bytes_before * 8 / kBits;
  constexpr auto quantize_four = QuantizePackedBlock<kDivision, kSink, Writes::kCached>;
  constexpr auto quantize =
      QuantizePackedBlock<kDivision, kSink, Writes::kCached, kVectors>;
  // Blocks of 6 bits are not streamed: they do not fill lines.
  constexpr Writes kStreamed = kBits == 6 ? Writes::kCached : Writes::kStreamed;
  constexpr auto stream = QuantizePackedBlock<kDivision, kSink, kStreamed, kVectors>;
  if ((run.stream || run.x_next != 0) && run.n >= 4 * block) {
    quantize(run, x, out);
    for (i = step; i + block <= run.n; i += block) {
      WillReadOnce(x + i, kAheadShort, block * sizeof(float));
      run.stream ? stream(run, x + i, out + i * kBits / 8)
                 : quantize(run, x + i, out + i * kBits / 8);
    }
  } else {
    for (; i + block <= run.n; i += step, step = block) {
      quantize(run, x + i, out + i * kBits / 8);
    }
  }
  if constexpr (kVectors == 8) {
    if (i + block / 2 <= run.n) {
      quantize_four(run, x + i, out + i * kBits / 8);
      i += block / 2;
    }
  }
  if (i == run.n) return;
  HWY_ALIGN float padded[4 * hn::MaxLanes(d)] = {};
  HWY_ALIGN uint8_t bytes[4 * hn::MaxLanes(d)];
  std::memcpy(padded, x + i, (run.n - i) * sizeof(float));
  quantize_four(run, padded, bytes);
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
#if HWY_ARCH_X86
  table.packed[static_cast<int>(PackedSink::kFloat4)] =
      QuantizePacked<kDivision, PackedSink::kFloat4>;
  table.packed[static_cast<int>(PackedSink::kFloat6)] =
      QuantizePacked<kDivision, PackedSink::kFloat6>;
#endif
}

#endif  // !HWY_HAVE_SCALABLE

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_PACKED_INL_H_
