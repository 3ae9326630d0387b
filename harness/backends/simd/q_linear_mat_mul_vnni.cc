#include "harness/backends/simd/q_linear_mat_mul_vnni.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include <utility>

#define QCONFORM_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

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
QCONFORM_VNNI void MultiplyTile(const ProductArgs& args) {
  __m512i sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = _mm512_loadu_si512(args.init + i * args.init_stride + v * 16);
    }
  }
  const uint32_t* a = args.a;
  const uint32_t* b = args.b;
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
      const __m512i x = _mm512_set1_epi32(static_cast<int>(a[i * args.a_stride]));
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = _mm512_dpbusd_epi32(sums[i][v], x, words[v]);
      }
    }
    ++a;
    b += kVectors * 16;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      _mm512_storeu_si512(args.c + i * kMaxColumns + v * 16, sums[i][v]);
    }
  }
}

using Tile = void (*)(const ProductArgs&);

struct Tiles {
  Tile of[kVnniRows][kVnniColumns / kVnniGranule];
};

template <int kRows>
constexpr void Fill(Tile (&row)[4]) {
  row[0] = MultiplyTile<kRows, 1>;
  row[1] = MultiplyTile<kRows, 2>;
  row[2] = MultiplyTile<kRows, 3>;
  row[3] = MultiplyTile<kRows, 4>;
}

constexpr Tiles MakeTiles() {
  Tiles tiles = {};
  Fill<1>(tiles.of[0]);
  Fill<2>(tiles.of[1]);
  Fill<3>(tiles.of[2]);
  Fill<4>(tiles.of[3]);
  Fill<5>(tiles.of[4]);
  Fill<6>(tiles.of[5]);
  return tiles;
}

}  // namespace

bool HasVnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

void MultiplyVnni(const ProductArgs& args) {
  static constexpr Tiles kTiles = MakeTiles();
  kTiles.of[args.rows - 1][args.width / kVnniGranule - 1](args);
}

}  // namespace qconform::simd

#else

namespace qconform::simd {

bool HasVnni() { return false; }
void MultiplyVnni(const ProductArgs&) {}

}  // namespace qconform::simd

#endif
