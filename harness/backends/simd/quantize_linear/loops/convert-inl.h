// Scales as working values, each with one rounding to P (QL-09); and x and scales as
// DOUBLE.
#if defined(QCONFORM_SIMD_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_CONVERT_INL_H_
#undef QCONFORM_SIMD_CONVERT_INL_H_
#else
#define QCONFORM_SIMD_CONVERT_INL_H_
#endif

#include <cstddef>
#include <cstring>

#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/x_source-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes(d) elements of a type of x, or FLOAT8E8M0, rounded to P.
template <DataType kP, class D>
HWY_INLINE hn::VFromD<D> LoadElements(D d, AnyX<kP> source) {
  if (source.type() != DataType::kFloat8E8M0) return LoadX(d, source);
  const auto* codes = reinterpret_cast<const uint8_t*>(source.x);
  return RoundToP<kP>(d, LoadFloat8E8M0::Load(d, codes));
}

// out[i] = in[i], rounded to P once.
template <DataType kP>
void ConvertTo(DataType type, const std::byte* HWY_RESTRICT in, size_t n,
               float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const size_t size = static_cast<size_t>(BitWidth(type)) / 8;
  const int shift = static_cast<int>(size / 2);  // log2 of 1, 2 and 4
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(LoadElements(d, AnyX<kP>{in + i * size, type, shift}), d, out + i);
  }
  if (i < n) {  // the same on a padded copy
    std::byte rest[hn::MaxLanes(d) * sizeof(float)] = {};
    float result[hn::MaxLanes(d)];
    std::memcpy(rest, in + i * size, (n - i) * size);
    hn::StoreU(LoadElements(d, AnyX<kP>{rest, type, shift}), d, result);
    std::memcpy(out + i, result, (n - i) * sizeof(float));
  }
}

inline void Scales(DataType type, const std::byte* in, size_t n, DataType precision,
                   float* out) {
  switch (precision) {
    case DataType::kFloat16:
      return ConvertTo<DataType::kFloat16>(type, in, n, out);
    case DataType::kBfloat16:
      return ConvertTo<DataType::kBfloat16>(type, in, n, out);
    default:
      return ConvertTo<DataType::kFloat>(type, in, n, out);
  }
}

#if HWY_HAVE_FLOAT64
inline void ToDouble(DataType type, const std::byte* HWY_RESTRICT in, size_t n,
                     double* HWY_RESTRICT out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<int32_t, decltype(d)> di;
  const size_t lanes = hn::Lanes(d);
  // FLOAT holds every value of the other types.
  HWY_ALIGN float part[256];
  for (size_t begin = 0; begin < n; begin += 256) {
    const size_t count = HWY_MIN(n - begin, size_t{256});
    double* to = out + begin;
    HWY_ALIGN double result[hn::MaxLanes(d)];
    if (type == DataType::kInt32) {
      std::memcpy(part, in + begin * 4, count * 4);
    } else {
      const size_t size = static_cast<size_t>(BitWidth(type)) / 8;
      ConvertTo<DataType::kFloat>(type, in + begin * size, count, part);
    }
    for (size_t i = 0; i < count; i += lanes) {
      const auto v = hn::LoadU(df, part + i);
      const auto wide = type == DataType::kInt32 ? hn::PromoteTo(d, hn::BitCast(di, v))
                                                 : hn::PromoteTo(d, v);
      if (i + lanes <= count) {
        hn::StoreU(wide, d, to + i);
      } else {
        hn::Store(wide, d, result);
        std::memcpy(to + i, result, (count - i) * sizeof(double));
      }
    }
  }
}
#endif  // HWY_HAVE_FLOAT64

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_CONVERT_INL_H_
