#include "harness/backends/simd/matmul/vnni.h"

#if defined(__x86_64__) && defined(__GNUC__)

// g++ 12 finds fault with its own header's undefined vectors.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#define QCONFORM_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define QCONFORM_VNNI_INLINE QCONFORM_VNNI __attribute__((always_inline)) inline

namespace qconform::simd {
namespace {

// Tiles of fewer rows spend their time on b, which the CPU fetches by itself.
constexpr int kPrefetchRows = 4;
// Longer rows would not stay in L1 until they are read.
constexpr size_t kPrefetchSteps = 512;

// kRows * kVectors accumulators, which stay in registers: at most 24, together with
// kVectors words of b and one of a.
template <int kRows, int kVectors>
using Sums = __m512i[kRows][kVectors];

template <int kVectors>
QCONFORM_VNNI_INLINE void Load(const int32_t* from, __m512i (&sums)[kVectors]) {
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sums[v] = _mm512_loadu_si512(from + v * 16);
}
template <int kVectors>
QCONFORM_VNNI_INLINE void Store(const __m512i* sums, void* to) {
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    _mm512_storeu_si512(static_cast<int32_t*>(to) + v * 16, sums[v]);
  }
}

// Adds `steps` words' products to the sums. Slots up to kSlot have the rows from `a` on,
// the others those from `before` on. The products of u8 by s8 and their sum of four are
// exact, the sum with the accumulator is modulo 2^32 (vpdpbusd, not ...ds). As many words
// as all slots read are fetched from `ahead` on, evenly, unless it is nullptr.
template <int kSlot, int kRows, int kVectors>
QCONFORM_VNNI_INLINE void Accumulate(const uint32_t* a, const uint32_t* before,
                                     size_t a_stride, const uint32_t* b, size_t steps,
                                     const uint32_t* ahead, Sums<kRows, kVectors>& sums) {
  for (; steps != 0; --steps) {
    __m512i words[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) words[v] = _mm512_load_si512(b + v * 16);
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      int word;  // of bytes, where a is read in place
      __builtin_memcpy(&word, (i <= kSlot ? a : before) + i * a_stride, sizeof word);
      const __m512i x = _mm512_set1_epi32(word);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = _mm512_dpbusd_epi32(sums[i][v], x, words[v]);
      }
    }
    if (ahead != nullptr) {
      __builtin_prefetch(ahead);
      ahead += kRows;
    }
    ++a;
    ++before;
    b += kVectors * 16;
  }
}

template <int kRows, int kVectors>
QCONFORM_VNNI void MultiplyTile(const ProductArgs& args) {
  Sums<kRows, kVectors> sums;
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    Load<kVectors>(args.init + i * args.init_stride, sums[i]);
  }
  Accumulate<kRows - 1, kRows, kVectors>(args.a, args.a, args.a_stride, args.b,
                                         args.steps, nullptr, sums);
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) Store<kVectors>(sums[i], args.c + i * kMaxColumns);
}

// Byte i of the result is byte 0 of dword i % 16 of vector i / 16; vector v's byte
// lies in bits [8 v, 8 v + 8) of each of its dwords, whose other bits do not matter.
QCONFORM_VNNI_INLINE __m512i GatherBytes(__m512i v0, __m512i v1, __m512i v2, __m512i v3) {
  constexpr __mmask64 kOdd = 0xAAAAAAAAAAAAAAAA;
  constexpr __mmask64 kUpper = 0xCCCCCCCCCCCCCCCC;
  const __m512i bytes = _mm512_mask_blend_epi8(
      kUpper, _mm512_mask_blend_epi8(kOdd, v0, v1), _mm512_mask_blend_epi8(kOdd, v2, v3));
  // Each 128 bits are 4 by 4 bytes, and then the vector is 4 by 4 dwords.
  const __m512i transpose = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, _mm512_shuffle_epi8(bytes, transpose));
}

// u, or rne(v), of a row's sums, as RequantizeTile of
// requantize-inl.h has it, whose arithmetic this is.
template <Multiplier kMultiplier, int kVectors>
QCONFORM_VNNI_INLINE void Fix(const TileArgs& tile, size_t row, __m512i (&sums)[kVectors],
                              __m512i (&u)[4]) {
  const __m512i term = _mm512_set1_epi32(tile.row_term[row]);
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    sums[v] = _mm512_add_epi32(sums[v], term);
    __m512 c = _mm512_cvtepi32_ps(sums[v]);
    if constexpr (kMultiplier == Multiplier::kRowAndColumn) {
      c = _mm512_mul_ps(c, _mm512_set1_ps(tile.row_factor[row]));
    }
    c = _mm512_fmadd_ps(c, _mm512_loadu_ps(tile.column_factor + v * 16),
                        _mm512_set1_ps(tile.fixed_point.base));
    c = _mm512_max_ps(c, _mm512_set1_ps(tile.fixed_point.bottom));
    u[v] = _mm512_castps_si512(_mm512_min_ps(c, _mm512_set1_ps(tile.fixed_point.top)));
  }
#pragma GCC unroll 8
  for (int v = kVectors; v < 4; ++v) u[v] = u[0];
}

template <Multiplier kMultiplier>
QCONFORM_VNNI_INLINE __m512i Codes(const TileArgs& tile, const __m512i (&u)[4]) {
  if constexpr (kMultiplier == Multiplier::kExactColumn) {
    const __m512i zero_point = _mm512_set1_epi32(tile.zero_point);
    return GatherBytes(_mm512_add_epi32(u[0], zero_point),
                       _mm512_slli_epi32(_mm512_add_epi32(u[1], zero_point), 8),
                       _mm512_slli_epi32(_mm512_add_epi32(u[2], zero_point), 16),
                       _mm512_slli_epi32(_mm512_add_epi32(u[3], zero_point), 24));
  } else {
    const __m512i codes = GatherBytes(_mm512_srli_epi32(u[0], kFixedBits),
                                      _mm512_srli_epi32(u[1], kFixedBits - 8),
                                      _mm512_slli_epi32(u[2], 16 - kFixedBits),
                                      _mm512_slli_epi32(u[3], 24 - kFixedBits));
    const auto flip = static_cast<int>(tile.fixed_point.flip);
    return _mm512_xor_si512(codes, _mm512_set1_epi32(flip));
  }
}

// INT32 y. Vectors before the last are whole.
template <int kVectors>
QCONFORM_VNNI_INLINE void StoreSums(const TileArgs& tile, size_t row, __mmask64 columns,
                                    const __m512i (&sums)[kVectors]) {
  const __m512i term = _mm512_set1_epi32(tile.row_term[row]);
  auto* y = reinterpret_cast<int32_t*>(tile.y + row * tile.y_stride);
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    const __m512i sum = _mm512_add_epi32(sums[v], term);
    if (v + 1 < kVectors) {
      _mm512_storeu_si512(y + v * 16, sum);
    } else {
      const auto last = static_cast<__mmask16>(columns >> (v * 16));
      _mm512_mask_storeu_epi32(y + v * 16, last, sum);
    }
  }
}

// A row that has lanes to repair.
struct Undecided {
  alignas(64) int32_t sums[kVnniColumns];
  alignas(64) uint32_t fixed[kVnniColumns];
  size_t row;
};

// Room of a call, for what has no register.
struct Rest {
  alignas(64) int32_t begun[kVnniRows][kVnniColumns];
  alignas(64) int32_t sums[kVnniRows][kVnniColumns];
  Undecided undecided[16];
  size_t count = 0;  // of them
};

// Repairs the rows that wait for it, all at once: this integer arithmetic keeps the whole
// core busy.
QCONFORM_VNNI __attribute__((noinline, cold)) void Repair(const TileArgs& tile,
                                                          Rest& rest) {
  const __m512i bits = _mm512_set1_epi32(kUndecided);
  for (const Undecided* at = rest.undecided; at != rest.undecided + rest.count; ++at) {
    uint64_t lanes = 0;
    for (size_t i = 0; i < tile.columns; i += 16) {
      const __m512i u = _mm512_load_si512(at->fixed + i);
      lanes |= uint64_t{_mm512_testn_epi32_mask(u, bits)} << i;
    }
    lanes &= ~uint64_t{0} >> (kMaxColumns - tile.columns);
    RepairLanes(*tile.repairs, tile.row + at->row, tile.column, lanes, at->sums,
                at->fixed, tile.y + at->row * tile.y_stride);
  }
  rest.count = 0;
}

// Codes of row `row`, the complete sums of which are sums[kSlot].
template <Multiplier kMultiplier, int kSlot, int kRows, int kVectors>
QCONFORM_VNNI_INLINE void FinishRow(const TileArgs& tile, size_t row, __mmask64 columns,
                                    Sums<kRows, kVectors>& sums, Rest& rest) {
  if constexpr (kMultiplier == Multiplier::kNone) {
    StoreSums<kVectors>(tile, row, columns, sums[kSlot]);
    return;
  }
  __m512i u[4];
  Fix<kMultiplier, kVectors>(tile, row, sums[kSlot], u);
  _mm512_mask_storeu_epi8(tile.y + row * tile.y_stride, columns,
                          Codes<kMultiplier>(tile, u));
  if constexpr (kMultiplier != Multiplier::kExactColumn) {
    // A lane is zero where a vector has one that is undecided. Comparisons take the
    // time of dot products, minima do not.
    const __m512i bits = _mm512_set1_epi32(kUndecided);
    __m512i least = _mm512_and_si512(u[0], bits);
#pragma GCC unroll 8
    for (int v = 1; v < kVectors; ++v) {
      least = _mm512_min_epu32(least, _mm512_and_si512(u[v], bits));
    }
    const __mmask16 undecided = _mm512_testn_epi32_mask(least, least);
    if (__builtin_expect(!_kortestz_mask16_u8(undecided, undecided), 0)) {
      Undecided& one = rest.undecided[rest.count++];
      Store<kVectors>(sums[kSlot], one.sums);
      Store<kVectors>(u, one.fixed);
      one.row = row;
      if (rest.count == sizeof rest.undecided / sizeof one) {
#pragma GCC unroll 8
        for (int i = 0; i < kRows; ++i) Store<kVectors>(sums[i], rest.sums[i]);
        Repair(tile, rest);
#pragma GCC unroll 8
        for (int i = 0; i < kRows; ++i) Load<kVectors>(rest.sums[i], sums[i]);
      }
    }
  }
}

// The same for slots from kSlot on, whose rows follow `row`.
template <Multiplier kMultiplier, int kSlot, int kRows, int kVectors>
QCONFORM_VNNI_INLINE void FinishAll(const TileArgs& tile, size_t row, __mmask64 columns,
                                    Sums<kRows, kVectors>& sums, Rest& rest) {
  FinishRow<kMultiplier, kSlot, kRows, kVectors>(tile, row + kSlot, columns, sums, rest);
  if constexpr (kSlot + 1 < kRows) {
    FinishAll<kMultiplier, kSlot + 1, kRows, kVectors>(tile, row, columns, sums, rest);
  }
}

// What the turns of a call share.
struct Turns {
  const ProductArgs& args;
  const TileArgs& tile;
  const size_t count;
  const __mmask64 columns;
  Rest& rest;
};

// Turn `turn` from slot kSlot on: a and `before` are its rows and those of the last one,
// b the words from kSlot's on.
template <Multiplier kMultiplier, int kSlot, int kRows, int kVectors>
QCONFORM_VNNI_INLINE void Turn(const Turns& turns, size_t turn, const uint32_t* a,
                               const uint32_t* before, const uint32_t* b,
                               Sums<kRows, kVectors>& sums) {
  const ProductArgs& args = turns.args;
  const TileArgs& tile = turns.tile;
  const size_t row = turn * kRows + kSlot;
  // y arrives while products are made: a store that waits would hold up the next ones.
  __builtin_prefetch(tile.y + row * tile.y_stride, 1);
  if (turn != 0) {
    FinishRow<kMultiplier, kSlot, kRows, kVectors>(tile, row - kRows, turns.columns, sums,
                                                   turns.rest);
  } else if (kSlot != 0) {
    Store<kVectors>(sums[kSlot], turns.rest.begun[kSlot]);
  }
  const bool begun = kSlot != 0 && turn + 1 == turns.count;
  Load<kVectors>(begun ? turns.rest.begun[kSlot] : args.init + row * args.init_stride,
                 sums[kSlot]);
  const size_t part = args.steps / kRows;
  const size_t steps = kSlot + 1 < kRows ? part : args.steps - part * kSlot;
  // The slot's next row, or that of the next panel, comes from L2 meanwhile: it has as
  // many words as all slots read now.
  const size_t next = turn + 1 < turns.count ? row + kRows : kSlot;
  const bool fetch = kRows >= kPrefetchRows && args.steps <= kPrefetchSteps;
  Accumulate<kSlot, kRows, kVectors>(a, before, args.a_stride, b, steps,
                                     fetch ? args.a + next * args.a_stride : nullptr,
                                     sums);
  if constexpr (kSlot + 1 < kRows) {
    Turn<kMultiplier, kSlot + 1, kRows, kVectors>(turns, turn, a + steps, before + steps,
                                                  b + steps * kVectors * 16, sums);
  }
}

// Making the codes of all rows at once would keep dot products waiting. Those of one row
// are made meanwhile, as dot products keep only half of the vector units busy. So each of
// the kRows slots ends its row, and begins the next, at another word of b. Words are
// taken in a circle, which changes no sum. In the first turn slots begin with the first
// part of their last row, whose sums wait till then.
template <Multiplier kMultiplier, int kRows, int kVectors>
QCONFORM_VNNI void MultiplyRowsToCodes(const ProductArgs& args, const TileArgs& tile,
                                       size_t count) {
  Rest rest;
  const Turns turns = {.args = args,
                       .tile = tile,
                       .count = count,
                       .columns = ~uint64_t{0} >> (kMaxColumns - tile.columns),
                       .rest = rest};
  const size_t last = (count - 1) * kRows;
  Sums<kRows, kVectors> sums;
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    Load<kVectors>(args.init + (last + i) * args.init_stride, sums[i]);
  }
  const uint32_t* a = args.a;
  const uint32_t* before = args.a + last * args.a_stride;
  for (size_t turn = 0; turn < count; ++turn) {
    Turn<kMultiplier, 0, kRows, kVectors>(turns, turn, a, before, args.b, sums);
    before = a;
    a += kRows * args.a_stride;
  }
  FinishAll<kMultiplier, 0, kRows, kVectors>(tile, last, turns.columns, sums, rest);
  if (rest.count != 0) Repair(tile, rest);
}

// By rows, and by vectors, less one.
using SumsTile = void (*)(const ProductArgs&);
using CodesTiles = void (*)(const ProductArgs&, const TileArgs&, size_t turns);

template <int kRows>
constexpr SumsTile kSumsTile[] = {MultiplyTile<kRows, 1>, MultiplyTile<kRows, 2>,
                                  MultiplyTile<kRows, 3>, MultiplyTile<kRows, 4>};
constexpr const SumsTile* kSumsTiles[kVnniRows] = {
    kSumsTile<1>, kSumsTile<2>, kSumsTile<3>, kSumsTile<4>, kSumsTile<5>, kSumsTile<6>};

template <Multiplier kMultiplier, int kRows>
constexpr CodesTiles kCodesTile[] = {MultiplyRowsToCodes<kMultiplier, kRows, 1>,
                                     MultiplyRowsToCodes<kMultiplier, kRows, 2>,
                                     MultiplyRowsToCodes<kMultiplier, kRows, 3>,
                                     MultiplyRowsToCodes<kMultiplier, kRows, 4>};
template <Multiplier kMultiplier>
constexpr const CodesTiles* kCodesTiles[kVnniRows] = {
    kCodesTile<kMultiplier, 1>, kCodesTile<kMultiplier, 2>, kCodesTile<kMultiplier, 3>,
    kCodesTile<kMultiplier, 4>, kCodesTile<kMultiplier, 5>, kCodesTile<kMultiplier, 6>};
constexpr const CodesTiles* const* kCodesTilesOf[kMultiplierCount] = {
    kCodesTiles<Multiplier::kColumn>, kCodesTiles<Multiplier::kRowAndColumn>,
    kCodesTiles<Multiplier::kExactColumn>, kCodesTiles<Multiplier::kNone>};

}  // namespace

bool HasVnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

void MultiplyVnni(const ProductArgs& args) {
  kSumsTiles[args.rows - 1][args.width / kVnniGranule - 1](args);
}

void MultiplyVnniToCodes(const ProductArgs& args, const TileArgs& tile,
                         Multiplier multiplier, size_t tiles) {
  kCodesTilesOf[static_cast<int>(multiplier)][args.rows - 1]
               [args.width / kVnniGranule - 1](args, tile, tiles);
}

}  // namespace qconform::simd

#else

namespace qconform::simd {

bool HasVnni() { return false; }
void MultiplyVnni(const ProductArgs&) {}
void MultiplyVnniToCodes(const ProductArgs&, const TileArgs&, Multiplier, size_t) {}

}  // namespace qconform::simd

#endif
