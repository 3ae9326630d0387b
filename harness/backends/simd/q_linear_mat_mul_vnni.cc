#include "harness/backends/simd/q_linear_mat_mul_vnni.h"

#if defined(__x86_64__) && defined(__GNUC__)

// g++ 12 finds fault with its own header's undefined vectors.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#define QCONFORM_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define QCONFORM_VNNI_INLINE QCONFORM_VNNI __attribute__((always_inline)) inline

namespace qconform::simd {
namespace {

// Four words of all columns ahead: panels that come from L2 arrive in time. Tiles of
// few rows read b faster than that: the CPU's own prefetching serves them better.
constexpr int kPrefetchBytes = 1024;
constexpr int kPrefetchRows = 4;

// kRows * kVectors accumulators, which stay in registers: at most 24, beside
// kVectors words of b and one of a. The products of u8 by s8 and their sum of four
// are exact, the sum with the accumulator is modulo 2^32 (vpdpbusd, not ...ds).
template <int kRows, int kVectors>
QCONFORM_VNNI_INLINE void Accumulate(const ProductArgs& args,
                                     __m512i (&sums)[kRows][kVectors]) {
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = _mm512_loadu_si512(args.init + i * args.init_stride + v * 16);
    }
  }
  const uint32_t* a = args.a;
  const uint32_t* b = args.b;
  const size_t a_stride = args.a_stride;
  for (size_t step = args.steps; step != 0; --step) {
    __m512i words[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      words[v] = _mm512_load_si512(b + v * 16);
      if constexpr (kRows >= kPrefetchRows) {
        _mm_prefetch(reinterpret_cast<const char*>(b + v * 16) + kPrefetchBytes,
                     _MM_HINT_T0);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      int word;  // of bytes, where a is read in place
      __builtin_memcpy(&word, a + i * a_stride, sizeof word);
      const __m512i x = _mm512_set1_epi32(word);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = _mm512_dpbusd_epi32(sums[i][v], x, words[v]);
      }
    }
    ++a;
    b += kVectors * 16;
  }
}

template <int kRows, int kVectors>
QCONFORM_VNNI void MultiplyTile(const ProductArgs& args) {
  __m512i sums[kRows][kVectors];
  Accumulate<kRows, kVectors>(args, sums);
  int32_t* c = args.c;
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      _mm512_storeu_si512(c + i * kMaxColumns + v * 16, sums[i][v]);
    }
  }
}

// Bits of `a` where `mask` is set, of b elsewhere.
QCONFORM_VNNI_INLINE __m512i Select(__m512i mask, __m512i a, __m512i b) {
  return _mm512_ternarylogic_epi32(mask, a, b, 0xCA);
}

// Byte i of the result is byte 0 of dword i % 16 of vector i / 16; vector v's byte
// lies in bits [8 v, 8 v + 8) of each of its dwords, whose other bits do not matter.
QCONFORM_VNNI_INLINE __m512i GatherBytes(__m512i v0, __m512i v1, __m512i v2, __m512i v3) {
  const __m512i even = _mm512_set1_epi32(0x00FF00FF);
  const __m512i low = _mm512_set1_epi32(0x0000FFFF);
  const __m512i bytes = Select(low, Select(even, v0, v1), Select(even, v2, v3));
  // Each 128 bits are 4 by 4 bytes, and then the vector is 4 by 4 dwords.
  const __m512i transpose = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(bytes, transpose));
}

// As RequantizeTile of q_linear_mat_mul_requantize-inl.h, whose arithmetic this is,
// on sums that are still in registers.
template <Multiplier kMultiplier, int kRows, int kVectors>
QCONFORM_VNNI void MultiplyTileToCodes(const ProductArgs& args, const TileArgs& tile) {
  constexpr bool kExact = kMultiplier == Multiplier::kExactColumn;
  __m512i sums[kRows][kVectors];
  // y arrives while products are made: a store that waits would hold up those behind.
  for (size_t i = 0; i < kRows; ++i) __builtin_prefetch(tile.y + i * tile.y_stride, 1);
  Accumulate<kRows, kVectors>(args, sums);
  // The next tile begins where this one did.
  for (int i = 0; i < kPrefetchBytes / 64; ++i) {
    __builtin_prefetch(reinterpret_cast<const char*>(args.b) + i * 64);
  }

  const __m512 magic = _mm512_set1_ps(tile.fixed_point.base);
  const __m512 low = _mm512_set1_ps(tile.fixed_point.bottom);
  const __m512 high = _mm512_set1_ps(tile.fixed_point.top);
  const __m512i undecided_bits = _mm512_set1_epi32(kUndecided);
  const __m512i zero_point = _mm512_set1_epi32(tile.zero_point);
  const __mmask64 columns = ~uint64_t{0} >> (kMaxColumns - tile.columns);
  uint8_t* y = tile.y;
  uint32_t repairs = 0;  // rows
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    const __m512i term = _mm512_set1_epi32(tile.row_term[i]);
    __m512i u[4];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = _mm512_add_epi32(sums[i][v], term);
      __m512 c = _mm512_cvtepi32_ps(sums[i][v]);
      if constexpr (kMultiplier == Multiplier::kRowAndColumn) {
        c = _mm512_mul_ps(c, _mm512_set1_ps(tile.row_factor[i]));
      }
      const __m512 factor = _mm512_loadu_ps(tile.column_factor + v * 16);
      c = _mm512_fmadd_ps(c, factor, magic);
      u[v] = _mm512_castps_si512(_mm512_min_ps(_mm512_max_ps(c, low), high));
    }
#pragma GCC unroll 8
    for (int v = kVectors; v < 4; ++v) u[v] = u[0];
    __m512i codes;
    if constexpr (kExact) {
      codes = GatherBytes(_mm512_add_epi32(u[0], zero_point),
                          _mm512_slli_epi32(_mm512_add_epi32(u[1], zero_point), 8),
                          _mm512_slli_epi32(_mm512_add_epi32(u[2], zero_point), 16),
                          _mm512_slli_epi32(_mm512_add_epi32(u[3], zero_point), 24));
    } else {
      codes = GatherBytes(_mm512_srli_epi32(u[0], kFixedBits),
                          _mm512_srli_epi32(u[1], kFixedBits - 8),
                          _mm512_slli_epi32(u[2], 16 - kFixedBits),
                          _mm512_slli_epi32(u[3], 24 - kFixedBits));
      __mmask16 undecided = 0;
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        undecided = _kor_mask16(undecided, _mm512_testn_epi32_mask(u[v], undecided_bits));
      }
      if (__builtin_expect(!_kortestz_mask16_u8(undecided, undecided), 0)) {
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
          _mm512_store_si512(args.c + i * kMaxColumns + v * 16, sums[i][v]);
          _mm512_store_si512(tile.fixed + i * kMaxColumns + v * 16, u[v]);
        }
        repairs |= 1u << i;
      }
    }
    if (kVectors == 4 && tile.columns == kMaxColumns) {
      _mm512_storeu_si512(y, codes);
    } else {
      _mm512_mask_storeu_epi8(y, columns, codes);
    }
    y += tile.y_stride;
  }
  if (__builtin_expect(repairs != 0, 0)) {
    for (; repairs != 0; repairs &= repairs - 1) {
      const auto i = static_cast<size_t>(__builtin_ctz(repairs));
      const int32_t* c = args.c + i * kMaxColumns;
      const uint32_t* fixed = tile.fixed + i * kMaxColumns;
      uint64_t lanes = 0;
      for (int v = 0; v < kVectors; ++v) {
        const __m512i u = _mm512_load_si512(fixed + v * 16);
        lanes |= uint64_t{_mm512_testn_epi32_mask(u, undecided_bits)} << (v * 16);
      }
      RepairLanes(*tile.repairs, tile.row + i, tile.column, lanes & columns, c, fixed,
                  tile.y + i * tile.y_stride);
    }
  }
}

using SumsTile = void (*)(const ProductArgs&);
using CodesTile = void (*)(const ProductArgs&, const TileArgs&);

struct SumsTiles {
  SumsTile of[kVnniRows][kVnniColumns / kVnniGranule];
};
struct CodesTiles {
  CodesTile of[kVnniRows][kVnniColumns / kVnniGranule];
};

template <int kRows>
constexpr void Fill(SumsTile (&row)[4]) {
  row[0] = MultiplyTile<kRows, 1>;
  row[1] = MultiplyTile<kRows, 2>;
  row[2] = MultiplyTile<kRows, 3>;
  row[3] = MultiplyTile<kRows, 4>;
}
template <Multiplier kMultiplier, int kRows>
constexpr void Fill(CodesTile (&row)[4]) {
  row[0] = MultiplyTileToCodes<kMultiplier, kRows, 1>;
  row[1] = MultiplyTileToCodes<kMultiplier, kRows, 2>;
  row[2] = MultiplyTileToCodes<kMultiplier, kRows, 3>;
  row[3] = MultiplyTileToCodes<kMultiplier, kRows, 4>;
}

constexpr SumsTiles MakeTiles() {
  SumsTiles tiles = {};
  Fill<1>(tiles.of[0]);
  Fill<2>(tiles.of[1]);
  Fill<3>(tiles.of[2]);
  Fill<4>(tiles.of[3]);
  Fill<5>(tiles.of[4]);
  Fill<6>(tiles.of[5]);
  return tiles;
}
template <Multiplier kMultiplier>
constexpr CodesTiles MakeCodesTiles() {
  CodesTiles tiles = {};
  Fill<kMultiplier, 1>(tiles.of[0]);
  Fill<kMultiplier, 2>(tiles.of[1]);
  Fill<kMultiplier, 3>(tiles.of[2]);
  Fill<kMultiplier, 4>(tiles.of[3]);
  Fill<kMultiplier, 5>(tiles.of[4]);
  Fill<kMultiplier, 6>(tiles.of[5]);
  return tiles;
}

}  // namespace

bool HasVnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

void MultiplyVnni(const ProductArgs& args) {
  static constexpr SumsTiles kTiles = MakeTiles();
  kTiles.of[args.rows - 1][args.width / kVnniGranule - 1](args);
}

void MultiplyVnniToCodes(const ProductArgs& args, const TileArgs& tile,
                         Multiplier multiplier) {
  using enum Multiplier;
  static constexpr CodesTiles kTiles[kMultiplierCount] = {MakeCodesTiles<kColumn>(),
                                                          MakeCodesTiles<kRowAndColumn>(),
                                                          MakeCodesTiles<kExactColumn>()};
  const CodesTiles& tiles = kTiles[static_cast<int>(multiplier)];
  tiles.of[args.rows - 1][args.width / kVnniGranule - 1](args, tile);
}

}  // namespace qconform::simd

#else

namespace qconform::simd {

bool HasVnni() { return false; }
void MultiplyVnni(const ProductArgs&) {}
void MultiplyVnniToCodes(const ProductArgs&, const TileArgs&, Multiplier) {}

}  // namespace qconform::simd

#endif
