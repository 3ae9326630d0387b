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

#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/load-inl.h"
#include "harness/backends/simd/x_source-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out[i] = Loader(in[i]), rounded to P.
template <class Loader, DataType kP>
void ConvertLoop(const std::byte* HWY_RESTRICT in, size_t n, float* HWY_RESTRICT out) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const Raw* raw = reinterpret_cast<const Raw*>(in);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(RoundToP<kP>(d, Loader::Load(d, raw + i)), d, out + i);
  }
  if (i < n) {  // the same on a padded copy
    Raw rest[hn::MaxLanes(d)] = {};
    float result[hn::MaxLanes(d)];
    std::memcpy(rest, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    hn::StoreU(RoundToP<kP>(d, Loader::Load(d, rest)), d, result);
    std::memcpy(out + i, result, (n - i) * sizeof(float));
  }
}

// The loader whose FLOATs, rounded to P, are the elements rounded to P once.
template <DataType kP>
void ConvertTo(DataType type, const std::byte* in, size_t n, float* out) {
  switch (type) {
    case DataType::kFloat:
      return ConvertLoop<LoadFloat, kP>(in, n, out);
    case DataType::kFloat16:
      return ConvertLoop<LoadFloat16, kP>(in, n, out);
    case DataType::kBfloat16:
      return ConvertLoop<LoadBfloat16, kP>(in, n, out);
    case DataType::kInt32:
      // To FLOAT16 by way of FLOAT: exact below 2^24, and infinite above.
      if constexpr (kP == DataType::kBfloat16) {
        return ConvertLoop<LoadInt32ToOdd, kP>(in, n, out);
      } else {
        return ConvertLoop<LoadInt32, kP>(in, n, out);
      }
    default:
      return ConvertLoop<LoadFloat8E8M0, kP>(in, n, out);
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
      const size_t size = type == DataType::kFloat        ? 4
                          : type == DataType::kFloat8E8M0 ? 1
                                                          : 2;
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
