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

#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/kernels.h"
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

inline ReciprocalRange Reciprocals(const float* HWY_RESTRICT scale, size_t n,
                                   float* HWY_RESTRICT high, float* HWY_RESTRICT low) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto lowest = hn::Set(d, kReciprocalMin);
  const auto lowest_of_many = hn::Set(d, kReciprocalMinOfMany);
  const auto highest = hn::Set(d, kReciprocalMax);
  bool uniform = true;
  bool all = true;
  for (size_t i = 0; i < n; i += lanes) {
    // Beyond the end: ones.
    const size_t count = HWY_MIN(lanes, n - i);
    float s[hn::MaxLanes(d)];
    hn::VFromD<decltype(d)> v, h, l;
    if (count == lanes) {
      v = hn::LoadU(d, scale + i);
    } else {
      hn::StoreU(hn::Set(d, 1.0f), d, s);
      std::memcpy(s, scale + i, count * sizeof(float));
      v = hn::LoadU(d, s);
    }
    SplitReciprocal(d, v, h, l);
    uniform &= hn::AllTrue(d, hn::And(hn::Ge(v, lowest), hn::Le(v, highest)));
    all &= hn::AllTrue(d, hn::Ge(v, lowest_of_many));
    if (count == lanes) {
      hn::StoreU(h, d, high + i);
      hn::StoreU(l, d, low + i);
    } else {
      hn::StoreU(h, d, s);
      std::memcpy(high + i, s, count * sizeof(float));
      hn::StoreU(l, d, s);
      std::memcpy(low + i, s, count * sizeof(float));
    }
  }
  if (!uniform) return ReciprocalRange::kNone;
  return all ? ReciprocalRange::kAll : ReciprocalRange::kUniform;
}

// Short runs of one value each: whole vectors are written, the next run writes
// over what was too much.
inline void Repeat(const void* values, size_t count, size_t repeat, void* out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = static_cast<const uint8_t*>(values);  // need not be aligned
  auto* to = static_cast<uint32_t*>(out);
  for (size_t i = 0; i < count; ++i, to += repeat) {
    uint32_t bits;
    std::memcpy(&bits, from + i * sizeof(bits), sizeof(bits));
    const auto v = hn::Set(d, bits);
    for (size_t j = 0; j < repeat; j += lanes) hn::StoreU(v, d, to + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_SCALES_INL_H_
