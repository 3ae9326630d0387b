// What is worked out once for a scale or a zero point, before the elements
// come.
#if defined(QCONFORM_SIMD_SCALES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_SCALES_INL_H_
#undef QCONFORM_SIMD_SCALES_INL_H_
#else
#define QCONFORM_SIMD_SCALES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
void OffsetsLoop(const std::byte* HWY_RESTRICT in, size_t n, int32_t min,
                 int32_t* HWY_RESTRICT out) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<T, decltype(d)> dt;
  const size_t lanes = hn::Lanes(d);
  const auto vmin = hn::Set(d, min);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(dt, reinterpret_cast<const T*>(in) + i);
    hn::StoreU(hn::Sub(hn::PromoteTo(d, v), vmin), d, out + i);
  }
  for (; i < n; ++i) {
    T v;
    std::memcpy(&v, in + i * sizeof(T), sizeof(T));
    out[i] = v - min;
  }
}

inline void Offsets(DataType type, const std::byte* in, size_t n, int32_t min,
                    int32_t* out) {
  switch (type) {
    case DataType::kUint8:
      return OffsetsLoop<uint8_t>(in, n, min, out);
    case DataType::kInt8:
      return OffsetsLoop<int8_t>(in, n, min, out);
    case DataType::kUint16:
      return OffsetsLoop<uint16_t>(in, n, min, out);
    default:
      return OffsetsLoop<int16_t>(in, n, min, out);
  }
}

// Stores the first `count` lanes. A store by a mask takes several times as long (Zen 5).
template <class D>
HWY_INLINE void StoreFirst(hn::VFromD<D> v, D d, float* HWY_RESTRICT to, size_t count) {
  count == hn::Lanes(d) ? hn::StoreU(v, d, to) : hn::StoreN(v, d, to, count);
}

// The first `left` elements, or a vector of them; the memory after them may be missing.
template <class D, typename T>
HWY_INLINE hn::VFromD<D> LoadFirst(D d, const T* HWY_RESTRICT from, size_t left) {
  return left >= hn::Lanes(d) ? hn::LoadU(d, from) : hn::LoadN(d, from, left);
}

// Reciprocals of a vector of scales; returns which of them are in range.
template <bool kTwoParts, bool kIsFloat, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::MFromD<D> ReciprocalsOfVector(D d, V scale, float clamp, V& high, V& low,
                                             V& limit) {
  high = hn::Div(hn::Set(d, 1.0f), scale);
  low = high;
  if constexpr (kTwoParts) {
    SplitReciprocal(d, scale, high, low);
    if constexpr (kIsFloat) RoundDownHigh(d, scale, high, low);
  }
  if constexpr (kIsFloat) limit = hn::Mul(scale, hn::Set(d, clamp));
  return hn::And(hn::Ge(scale, hn::Set(d, kReciprocalMin)),
                 hn::Le(scale, hn::Set(d, kReciprocalMax)));
}

// Reciprocals of whole vectors of scales; returns whether all are in range.
template <bool kTwoParts, bool kIsFloat>
HWY_INLINE bool ReciprocalsOfVectors(const float* HWY_RESTRICT scale, size_t n,
                                     float clamp, float* HWY_RESTRICT high,
                                     float* HWY_RESTRICT low, float* HWY_RESTRICT limit) {
  const hn::ScalableTag<float> d;
  auto in_range = hn::Eq(hn::Zero(d), hn::Zero(d));
  auto l = hn::Zero(d), limits = hn::Zero(d), h = hn::Zero(d);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto ok = ReciprocalsOfVector<kTwoParts, kIsFloat>(d, hn::LoadU(d, scale + i),
                                                             clamp, h, l, limits);
    in_range = hn::And(in_range, ok);
    hn::StoreU(h, d, high + i);
    if constexpr (kTwoParts) hn::StoreU(l, d, low + i);
    if constexpr (kIsFloat) hn::StoreU(limits, d, limit + i);
  }
  return hn::AllTrue(d, in_range);
}

template <bool kTwoParts, bool kIsFloat>
bool ReciprocalsOfAll(const float* HWY_RESTRICT scale, size_t n, float clamp,
                      float* HWY_RESTRICT high, float* HWY_RESTRICT low,
                      float* HWY_RESTRICT limit) {
  const hn::ScalableTag<float> d;
  const size_t rest = n % hn::Lanes(d);
  const size_t whole = n - rest;
  const bool all =
      ReciprocalsOfVectors<kTwoParts, kIsFloat>(scale, whole, clamp, high, low, limit);
  if (rest == 0) return all;
  // Behind the end: ones. Arrays of a vector each would be read before they are written
  // whole.
  const auto v = hn::LoadNOr(hn::Set(d, 1.0f), d, scale + whole, rest);
  auto h = hn::Zero(d), l = hn::Zero(d), limits = hn::Zero(d);
  const auto in_range =
      ReciprocalsOfVector<kTwoParts, kIsFloat>(d, v, clamp, h, l, limits);
  hn::StoreN(h, d, high + whole, rest);
  if constexpr (kTwoParts) hn::StoreN(l, d, low + whole, rest);
  if constexpr (kIsFloat) hn::StoreN(limits, d, limit + whole, rest);
  return hn::AllTrue(d, in_range) && all;
}

inline bool MakeReciprocals(const float* HWY_RESTRICT scale, size_t n, float clamp,
                            float* HWY_RESTRICT high, float* HWY_RESTRICT low,
                            float* HWY_RESTRICT limit) {
  if (low == nullptr) {
    return clamp == 0 ? ReciprocalsOfAll<false, false>(scale, n, clamp, high, low, limit)
                      : ReciprocalsOfAll<false, true>(scale, n, clamp, high, low, limit);
  }
  return clamp == 0 ? ReciprocalsOfAll<true, false>(scale, n, clamp, high, low, limit)
                    : ReciprocalsOfAll<true, true>(scale, n, clamp, high, low, limit);
}

// 1 / s of INT32 scales in two FLOATs: high is not above it, so that low is not negative
// and no zero loses its sign. The sum is wrong by less than 2^-44 of it. `value` is s as
// a FLOAT, or the one above.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
using OfInt32 = hn::ScalableTag<float>;
// s is value + rest. In units of the last places of value and high 1 - value high is less
// than the significand of value, so that it is exact. With rest high it is below 2^-22,
// and each of three roundings is wrong by 2^-24 of that at most.
template <class D, class VI, class V = hn::VFromD<D>>
HWY_INLINE void SplitReciprocalOfInt32(D d, VI scale, V& value, V& high, V& low) {
  constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
  constexpr int kDown = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
  const V one = hn::Set(d, 1.0f);
  value = V{_mm512_cvt_roundepi32_ps(scale.raw, kUp)};
  high = V{_mm512_div_round_ps(one.raw, value.raw, kDown)};
  // 2^31 becomes -2^31, which is the same modulo 2^32.
  const V rest = hn::ConvertTo(d, hn::Sub(scale, VI{_mm512_cvttps_epi32(value.raw)}));
  const V error = hn::NegMulAdd(rest, high, hn::NegMulAdd(value, high, one));
  const V product = hn::Mul(error, high);
  low = hn::MulAdd(product, error, product);
}
#else
using OfInt32 = hn::Rebind<float, hn::ScalableTag<double>>;
// The DOUBLE is wrong by 2^-53, the difference exact, and low by 2^-47 of 1 / s.
template <class D, class VI, class V = hn::VFromD<D>>
HWY_INLINE void SplitReciprocalOfInt32(D d, VI scale, V& value, V& high, V& low) {
  const hn::Rebind<double, D> dd;
  const hn::RebindToUnsigned<decltype(dd)> du;
  const auto of_float = hn::Set(du, ~((uint64_t{1} << 29) - 1));
  const auto inverse = hn::Div(hn::Set(dd, 1.0), hn::PromoteTo(dd, scale));
  const auto down = hn::BitCast(dd, hn::And(hn::BitCast(du, inverse), of_float));
  value = hn::ConvertTo(d, scale);
  high = hn::DemoteTo(d, down);
  low = hn::DemoteTo(d, hn::Sub(inverse, down));
}
#endif

inline void MakeReciprocalsOfInt32(const std::byte* HWY_RESTRICT scale, size_t n,
                                   float clamp, float* HWY_RESTRICT high,
                                   float* HWY_RESTRICT low, float* HWY_RESTRICT limit) {
  const auto* s = reinterpret_cast<const int32_t*>(scale);
  const OfInt32 d;
  const hn::RebindToSigned<OfInt32> di;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < n; i += lanes) {
    const size_t count = HWY_MIN(lanes, n - i);
    const auto of = LoadFirst(di, s + i, count);
    hn::VFromD<OfInt32> v, h, l;
    SplitReciprocalOfInt32(d, of, v, h, l);
    StoreFirst(h, d, high + i, count);
    StoreFirst(l, d, low + i, count);
    if (clamp != 0) StoreFirst(hn::Mul(v, hn::Set(d, clamp)), d, limit + i, count);
  }
}

template <typename T>
inline IntegerRange RangeOf(const std::byte* in, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  auto lower = hn::Set(d, hwy::HighestValue<T>());
  auto upper = hn::Set(d, hwy::LowestValue<T>());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, reinterpret_cast<const T*>(in) + i);
    lower = hn::Min(lower, v);
    upper = hn::Max(upper, v);
  }
  IntegerRange range = {hn::ReduceMin(d, lower), hn::ReduceMax(d, upper)};
  for (; i < n; ++i) {
    T v;
    std::memcpy(&v, in + i * sizeof(T), sizeof(T));
    range.least = HWY_MIN(range.least, v);
    range.most = HWY_MAX(range.most, v);
  }
  return range;
}

// Runs of one value each. If a vector holds several of them it is put together from
// a vector of values; if one takes several vectors, the next run overwrites the
// surplus.
inline void Repeat(const void* values, size_t count, size_t repeat, void* out) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToFloat<decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const uint32_t*>(values);
  auto* to = static_cast<uint32_t*>(out);
  const size_t total = count * repeat;
  size_t done = 0;
  if (repeat < lanes) {
    // Lane i has value (phase + i) / repeat; in the middle between two numbers, so
    // that FLOAT's error does not matter.
    const auto each = hn::Set(df, 1.0f / static_cast<float>(repeat));
    const auto middle = hn::Add(hn::Iota(df, 0), hn::Set(df, 0.5f));
    const size_t whole = lanes / repeat;
    const size_t part = lanes % repeat;
    size_t phase = 0;
    for (size_t value = 0; value + lanes <= count && done < total; done += lanes) {
      const auto at = hn::Add(middle, hn::Set(df, static_cast<float>(phase)));
      const auto index = hn::ConvertTo(di, hn::Mul(at, each));
      const auto v =
          hn::TableLookupLanes(hn::LoadU(d, from + value), hn::IndicesFromVec(d, index));
      hn::StoreU(v, d, to + done);
      value += whole;
      phase += part;
      if (phase >= repeat) {
        phase -= repeat;
        ++value;
      }
    }
  }
  for (size_t i = done / repeat; i < count; ++i) {
    const auto v = hn::Set(d, from[i]);
    for (size_t j = 0; j < repeat; j += lanes) hn::StoreU(v, d, to + i * repeat + j);
  }
}

// Rows of one vector at most, each of `count` <= length values: element i is value
// i / tile / repeat * tile + i % tile of its row. The next row overwrites the
// surplus.
inline void PermuteRows(const void* values, size_t rows, size_t length, size_t count,
                        size_t tile, size_t repeat, void* out) {
  const hn::ScalableTag<uint32_t> d;
  const auto* from = static_cast<const uint32_t*>(values);
  auto* to = static_cast<uint32_t*>(out);
  HWY_ALIGN uint32_t of[hn::MaxLanes(d)] = {};
  for (size_t i = 0; i < length; ++i) {
    of[i] = static_cast<uint32_t>(i / tile / repeat * tile + i % tile);
  }
  const auto indices = hn::IndicesFromVec(d, hn::Load(d, of));
  for (size_t row = 0; row < rows; ++row, from += count, to += length) {
    const auto v = LoadFirst(d, from, (rows - row) * count);
    hn::StoreU(hn::TableLookupLanes(v, indices), d, to);
  }
}

inline void RepeatInRows(const void* values, size_t rows, size_t length, size_t repeat,
                         void* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const size_t count = (length - 1) / repeat + 1;
  if (length <= lanes) return PermuteRows(values, rows, length, count, 1, repeat, out);
  const auto* from = static_cast<const uint32_t*>(values);
  auto* to = static_cast<uint32_t*>(out);
  for (size_t row = 0; row < rows; ++row, to += length) {
    for (size_t at = 0; at < length; at += repeat) {
      const auto v = hn::Set(d, *from++);
      const size_t end = HWY_MIN(at + repeat, length);
      for (size_t i = at; i < end; i += lanes) hn::StoreU(v, d, to + i);
    }
  }
}

inline void TileRows(const void* values, size_t rows, size_t length, size_t count,
                     void* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const uint32_t*>(values);
  auto* to = static_cast<uint32_t*>(out);
  HWY_ALIGN uint32_t of[hn::MaxLanes(d)];
  for (size_t i = 0, value = 0; i < lanes; ++i) {
    of[i] = static_cast<uint32_t>(value);
    if (++value == count) value = 0;
  }
  const auto size = hn::Set(d, static_cast<uint32_t>(count));
  const auto step = hn::Set(d, static_cast<uint32_t>(lanes % count));
  for (size_t row = 0; row < rows; ++row, from += count, to += length) {
    const auto v = LoadFirst(d, from, (rows - row) * count);  // `count` of them count
    auto index = hn::Load(d, of);
    for (size_t i = 0; i < length; i += lanes) {
      hn::StoreU(hn::TableLookupLanes(v, hn::IndicesFromVec(d, index)), d, to + i);
      index = hn::Add(index, step);
      index = hn::IfThenElse(hn::Ge(index, size), hn::Sub(index, size), index);
    }
  }
}

// For tiles of many values, or whose last one comes less often: whole vectors, each of
// which overwrites the surplus of the one before.
inline void TileInRows(const void* values, size_t rows, size_t length, size_t tile,
                       size_t repeat, void* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const size_t tiles = length / tile;
  const size_t count = ((tiles - 1) / repeat + 1) * tile;
  if (length <= lanes) return PermuteRows(values, rows, length, count, tile, repeat, out);
  const auto* from = static_cast<const uint32_t*>(values);
  const uint32_t* const end = from + rows * count;
  auto* to = static_cast<uint32_t*>(out);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t at = 0; at < tiles; at += repeat, from += tile) {
      const size_t times = HWY_MIN(repeat, tiles - at);
      // The memory after the last value may be missing.
      const bool is_last = static_cast<size_t>(end - from) < tile + lanes;
      if (tile <= lanes && !is_last) {
        const auto v = hn::LoadU(d, from);
        for (size_t i = 0; i < times; ++i, to += tile) hn::StoreU(v, d, to);
        continue;
      }
      for (size_t i = 0; i < times; ++i, to += tile) {
        for (size_t j = 0; j < tile; j += lanes) {
          const size_t left = static_cast<size_t>(end - from) - j;
          hn::StoreU(LoadFirst(d, from + j, left), d, to + j);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_SCALES_INL_H_
