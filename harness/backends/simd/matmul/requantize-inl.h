// From sums to codes: v = C * a_scale * b_scale / y_scale, rounded once, for all
// lanes that fast arithmetic can decide. The others are found here, and left to
// RepairCodes. docs/requantization.md has the proof in full.
#if defined(QCONFORM_SIMD_MATMUL_REQUANTIZE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_MATMUL_REQUANTIZE_INL_H_
#undef QCONFORM_SIMD_MATMUL_REQUANTIZE_INL_H_
#else
#define QCONFORM_SIMD_MATMUL_REQUANTIZE_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/matmul/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// C of one vector of the tile's row `i`, from column j.
template <Correction kCorrection, class D, class V = hn::VFromD<D>>
HWY_INLINE V Sums(D d, const TileArgs& tile, size_t i, size_t j) {
  const V c = hn::Load(d, tile.c + i * kMaxColumns + j);
  const V term = hn::Set(d, tile.row_term[i]);
  if constexpr (kCorrection == Correction::kSums) {
    return hn::Add(c, term);
  } else {
    const V a = hn::Mul(hn::Set(d, tile.row_a[i]), hn::LoadU(d, tile.column_a + j));
    const V b = hn::Mul(term, hn::LoadU(d, tile.column_b + j));
    return hn::Add(c, hn::Add(a, b));
  }
}

template <Correction kCorrection>
void CorrectTile(const TileArgs& tile) {
  const hn::CappedTag<int32_t, kMaxColumns / 4> d;
  for (size_t i = 0; i < tile.rows; ++i) {
    for (size_t j = 0; j < tile.columns; j += hn::Lanes(d)) {
      hn::Store(Sums<kCorrection>(d, tile, i, j), d, tile.c + i * kMaxColumns + j);
    }
  }
}

template <Correction kCorrection>
void StoreTile(const TileArgs& tile) {
  const hn::CappedTag<int32_t, kMaxColumns / 4> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < tile.rows; ++i) {
    auto* y = reinterpret_cast<int32_t*>(tile.y + i * tile.y_stride);
    size_t j = 0;
    for (; j + lanes <= tile.columns; j += lanes) {
      hn::StoreU(Sums<kCorrection>(d, tile, i, j), d, y + j);
    }
    if (j < tile.columns) {
      hn::StoreN(Sums<kCorrection>(d, tile, i, j), d, y + j, tile.columns - j);
    }
  }
}

// u = v + zero_point + 1/2 + 2^-13 is computed as a fixed-point number with 15
// bits after the point, with an error below 2^-13: its floor is the code, unless
// the eight lowest values of the fraction say that v may lie on, or beyond, the
// boundary below.
//
// Sums in [256, 512) have the unit 2^-15: adding 256 - smallest rounds to that,
// and leaves (u - smallest) * 2^15 in the low bits. For lanes within y's range
// |v| < 2^8, so that C, the factors, and the product are wrong by at most
// 2^-24 |v| <= 2^-16 each (three roundings, four without fused multiply-add), and
// the sum by 2^-16: 5 * 2^-16 < 2^-13 in all. Other lanes are so far out that
// clamping makes them right; it leaves them one half away from any boundary.
template <Correction kCorrection, Multiplier kMultiplier>
void RequantizeTile(const TileArgs& tile) {
  const hn::CappedTag<int32_t, kMaxColumns / 4> di;
  const hn::RebindToFloat<decltype(di)> df;
  const hn::RebindToUnsigned<decltype(di)> du;
  using VF = hn::VFromD<decltype(df)>;
  using VU = hn::VFromD<decltype(du)>;
  const size_t lanes = hn::Lanes(di);
  constexpr bool kExact = kMultiplier == Multiplier::kExactColumn;
  const VF magic = hn::Set(df, tile.fixed_point.base);
  const VF low = hn::Set(df, tile.fixed_point.bottom);
  const VF high = hn::Set(df, tile.fixed_point.top);

  const VU flip = hn::Set(du, tile.fixed_point.flip);

  for (size_t i = 0; i < tile.rows; ++i) {
    uint8_t* HWY_RESTRICT y = tile.y + i * tile.y_stride;
    // u, or rne(v), in the low bits.
    const auto fixed = [&](size_t j) HWY_ATTR -> VU {
      VF c = hn::ConvertTo(df, Sums<kCorrection>(di, tile, i, j));
      if constexpr (kMultiplier == Multiplier::kRowAndColumn) {
        c = hn::Mul(c, hn::Set(df, tile.row_factor[i]));
      }
      const VF sum = hn::MulAdd(c, hn::LoadU(df, tile.column_factor + j), magic);
      return hn::BitCast(du, hn::Min(hn::Max(sum, low), high));
    };
    const auto code = [&](VU u) HWY_ATTR -> VU {
      if constexpr (kExact) {
        return hn::Add(u, hn::Set(du, static_cast<uint32_t>(tile.zero_point)));
      } else {
        return hn::Xor(hn::ShiftRight<kFixedBits>(u), flip);
      }
    };
    for (size_t j = 0; j < tile.columns; j += 4 * lanes) {
      const VU u0 = fixed(j);
      const VU u1 = fixed(j + lanes);
      const VU u2 = fixed(j + 2 * lanes);
      const VU u3 = fixed(j + 3 * lanes);
      HWY_ALIGN uint8_t partial[kMaxColumns];
      const bool whole = j + 4 * lanes <= tile.columns;
      uint8_t* out = whole ? y + j : partial;
      StoreBytes(du, code(u0), code(u1), code(u2), code(u3), out);
      if constexpr (!kExact) {
        const VU bits = hn::Set(du, kUndecided);
        const auto is_zero = [&](VU u) HWY_ATTR {
          return hn::Eq(hn::And(u, bits), hn::Zero(du));
        };
        const auto undecided =
            hn::Or(hn::Or(is_zero(u0), is_zero(u1)), hn::Or(is_zero(u2), is_zero(u3)));
        if (HWY_UNLIKELY(!hn::AllFalse(du, undecided))) {
          HWY_ALIGN int32_t sums[kMaxColumns];
          HWY_ALIGN uint32_t all[kMaxColumns];
          for (size_t v = 0; v < 4; ++v) {
            hn::Store(Sums<kCorrection>(di, tile, i, j + v * lanes), di,
                      sums + v * lanes);
          }
          hn::Store(u0, du, all);
          hn::Store(u1, du, all + lanes);
          hn::Store(u2, du, all + 2 * lanes);
          hn::Store(u3, du, all + 3 * lanes);
          RepairCodes(*tile.repairs, tile.row + i, tile.column + j,
                      std::min(4 * lanes, tile.columns - j), sums, all, out);
        }
      }
      if (!whole) std::memcpy(y + j, partial, tile.columns - j);
    }
  }
}

// float8 y: v + zero_point lies within [low, high]. v is wrong by 2^-22 |v| at
// most (four roundings), the sum by 2^-24 more of its own; twice that covers
// the roundings here. Beyond 2^20 everything saturates alike.
void Enclose(const int32_t* c, size_t n, const float* row_factor,
             const float* column_factor, float zero_point, float* low, float* high) {
  const hn::CappedTag<int32_t, kMaxColumns / 4> di;
  const hn::RebindToFloat<decltype(di)> df;
  using VF = hn::VFromD<decltype(df)>;
  const VF most = hn::Set(df, 0x1p20f);
  const VF factor = hn::Set(df, row_factor != nullptr ? *row_factor : 1.0f);
  // The buffers are whole vectors.
  for (size_t j = 0; j < n; j += hn::Lanes(di)) {
    const VF sum = hn::Mul(hn::ConvertTo(df, hn::LoadU(di, c + j)), factor);
    VF v = hn::Mul(sum, hn::LoadU(df, column_factor + j));
    v = hn::Max(hn::Min(v, most), hn::Neg(most));
    const VF w = hn::Add(v, hn::Set(df, zero_point));
    const VF error = hn::Add(hn::Mul(hn::Abs(v), hn::Set(df, 0x1p-21f)),
                             hn::Mul(hn::Abs(w), hn::Set(df, 0x1p-23f)));
    hn::StoreU(hn::Sub(w, error), df, low + j);
    hn::StoreU(hn::Add(w, error), df, high + j);
  }
}

// MM-02's f32_multiplier: v = f32(C) * factor, both rounded to FLOAT.
void ScaleSums(const int32_t* c, size_t n, const float* factor, float* v) {
  const hn::CappedTag<int32_t, kMaxColumns / 4> di;
  const hn::RebindToFloat<decltype(di)> df;
  for (size_t j = 0; j < n; j += hn::Lanes(di)) {
    hn::StoreU(
        hn::Mul(hn::ConvertTo(df, hn::LoadU(di, c + j)), hn::LoadU(df, factor + j)), df,
        v + j);
  }
}

// clamp(rne(v) + zero_point) in integers; NaN gives the smallest (QL-12).
void RoundToIntegers(const float* v, size_t n, int32_t zero_point, int32_t smallest,
                     uint8_t* codes) {
  const hn::CappedTag<float, kMaxColumns / 4> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using V = hn::VFromD<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  const V low = hn::Set(d, static_cast<float>(smallest - zero_point));
  const V high = hn::Set(d, static_cast<float>(smallest - zero_point + 255));
  const V magic = hn::Set(d, 12582912.0f);  // 1.5 * 2^23: its unit is 1
  const auto code = [&](size_t j) HWY_ATTR {
    const V x = hn::LoadU(d, v + j);
    const V clamped = hn::Min(hn::IfThenElse(hn::Gt(x, low), x, low), high);
    return hn::Add(hn::BitCast(du, hn::Add(clamped, magic)),
                   hn::Set(du, static_cast<uint32_t>(zero_point)));
  };
  for (size_t j = 0; j < n; j += 4 * lanes) {
    StoreBytes(du, code(j), code(j + lanes), code(j + 2 * lanes), code(j + 3 * lanes),
               codes + j);
  }
}

// Zero has no sign (MM-12).
template <Sink kSink>
void RoundToFloat8(const float* v, size_t n, const FloatGrid& grid, uint8_t* codes) {
  const hn::CappedTag<float, kMaxColumns / 4> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const size_t lanes = hn::Lanes(d);
  const auto code = [&](size_t j) HWY_ATTR {
    const auto x = hn::LoadU(d, v + j);
    const auto signed_code = EncodeFloat<kSink>(d, x, x, grid);
    if constexpr (kSink == Sink::kFloat8Fnuz) {
      return signed_code;
    } else {
      return hn::IfThenElseZero(hn::Ne(signed_code, hn::Set(du, 0x80u)), signed_code);
    }
  };
  for (size_t j = 0; j < n; j += 4 * lanes) {
    StoreBytes(du, code(j), code(j + lanes), code(j + 2 * lanes), code(j + 3 * lanes),
               codes + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_MATMUL_REQUANTIZE_INL_H_
