// The stages of every target that are no runs.

#include "harness/backends/simd/highway_targets.h"
#include "harness/backends/simd/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/stages.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/convert-inl.h"
#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/load-inl.h"
#include "harness/backends/simd/pack-inl.h"
#include "harness/backends/simd/scales-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

void AddZeroPoint(const float* HWY_RESTRICT zero_point, size_t n, float* HWY_RESTRICT q) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(OddSum(d, hn::LoadU(d, q + i), hn::LoadU(d, zero_point + i)), d, q + i);
  }
  if (i < n) {
    float a[hn::MaxLanes(d)] = {};
    float b[hn::MaxLanes(d)] = {};
    std::memcpy(a, q + i, (n - i) * sizeof(float));
    std::memcpy(b, zero_point + i, (n - i) * sizeof(float));
    hn::StoreU(OddSum(d, hn::LoadU(d, a), hn::LoadU(d, b)), d, a);
    std::memcpy(q + i, a, (n - i) * sizeof(float));
  }
}

template <ZeroPointSum kSum>
void DivideDoubleLoop(const double* HWY_RESTRICT x, const double* HWY_RESTRICT scale,
                      const float* HWY_RESTRICT zero_point, size_t n,
                      float* HWY_RESTRICT q) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const auto divide = [&](const double* a, const double* b, const float* z)
                          HWY_ATTR -> hn::VFromD<decltype(df)> {
    const auto wide =
        kSum == ZeroPointSum::kNone ? hn::Zero(d) : hn::PromoteTo(d, hn::LoadU(df, z));
    return OddFloat(df, d,
                    QuotientDouble<kSum>(d, hn::LoadU(d, a), hn::LoadU(d, b), wide));
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const float* z = kSum == ZeroPointSum::kNone ? nullptr : zero_point + i;
    hn::StoreU(divide(x + i, scale + i, z), df, q + i);
  }
  if (i < n) {
    double a[hn::MaxLanes(d)] = {};
    double b[hn::MaxLanes(d)] = {};
    float z[hn::MaxLanes(d)] = {};
    std::memcpy(a, x + i, (n - i) * sizeof(double));
    std::memcpy(b, scale + i, (n - i) * sizeof(double));
    if (kSum != ZeroPointSum::kNone) {
      std::memcpy(z, zero_point + i, (n - i) * sizeof(float));
    }
    float result[hn::MaxLanes(df)];
    hn::StoreU(divide(a, b, z), df, result);
    std::memcpy(q + i, result, (n - i) * sizeof(float));
  }
}

void DivideDouble(ZeroPointSum sum, const double* x, const double* scale,
                  const float* zero_point, size_t n, float* q) {
  switch (sum) {
    case ZeroPointSum::kNone:
      return DivideDoubleLoop<ZeroPointSum::kNone>(x, scale, zero_point, n, q);
    case ZeroPointSum::kRoundedQuotient:
      return DivideDoubleLoop<ZeroPointSum::kRoundedQuotient>(x, scale, zero_point, n, q);
    case ZeroPointSum::kExactQuotient:
      return DivideDoubleLoop<ZeroPointSum::kExactQuotient>(x, scale, zero_point, n, q);
  }
}

// x as DOUBLE lanes.
template <class Loader, class D>
HWY_INLINE hn::VFromD<D> LoadDouble(D d, const typename Loader::Raw* x) {
  if constexpr (std::is_same_v<Loader, LoadInt32>) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<int32_t, D>(), x));
  } else {
    return hn::PromoteTo(d, Loader::Load(hn::Rebind<float, D>(), x));
  }
}

// Quotients by one scale, which is finite and not zero. With fused multiplication
// they are x * (1 / scale) in two parts, as in MulReciprocal: wrong by 2^-104
// before the one rounding, so that they are on the same side of every boundary m of
// a target as x / scale, which is m or 2^-49 away from it (QuotientDouble). x is
// clamped, for infinities; 2^200 / scale saturates every target.
template <class Loader>
void DivideByOneLoop(const std::byte* HWY_RESTRICT in, double scale, size_t n,
                     float* HWY_RESTRICT q) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const double high = 1.0 / scale;
  const auto vscale = hn::Set(d, scale);
  const auto vhigh = hn::Set(d, high);
  const auto vlow = hn::Div(hn::NegMulAdd(vscale, vhigh, hn::Set(d, 1.0)), vscale);
  const auto most = hn::Set(d, 0x1p200);
  const auto divide = [&](const Raw* x) HWY_ATTR -> hn::VFromD<decltype(df)> {
    auto v = LoadDouble<Loader>(d, x);
#if HWY_NATIVE_FMA
    if constexpr (!std::is_same_v<Loader, LoadInt32>) {
      v = hn::Max(hn::Neg(most), hn::Min(most, v));  // NaN stays
    }
    v = hn::MulAdd(v, vhigh, hn::Mul(v, vlow));
#else
    (void)vhigh, (void)vlow, (void)most;
    v = hn::Div(v, vscale);
#endif
    return OddFloat(df, d, v);
  };
  const Raw* x = reinterpret_cast<const Raw*>(in);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(divide(x + i), df, q + i);
  if (i < n) {
    Raw rest[hn::MaxLanes(d)] = {};
    float result[hn::MaxLanes(df)];
    std::memcpy(rest, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    hn::StoreU(divide(rest), df, result);
    std::memcpy(q + i, result, (n - i) * sizeof(float));
  }
}

void DivideByOne(DataType type, const std::byte* x, double scale, size_t n, float* q) {
  switch (type) {
    case DataType::kFloat:
      return DivideByOneLoop<LoadFloat>(x, scale, n, q);
    case DataType::kFloat16:
      return DivideByOneLoop<LoadFloat16>(x, scale, n, q);
    case DataType::kBfloat16:
      return DivideByOneLoop<LoadBfloat16>(x, scale, n, q);
    default:
      return DivideByOneLoop<LoadInt32>(x, scale, n, q);
  }
}

size_t FloatLanes() { return hn::Lanes(hn::ScalableTag<float>()); }

void Flush() { hwy::FlushStream(); }

constexpr Kernels MakeStages() {
  Kernels k = {};
  k.target = HWY_TARGET;
  k.lanes = FloatLanes;
  k.convert = Convert;
  k.scales = Scales;
  k.to_double = ToDouble;
  k.offsets = Offsets;
  k.reciprocals = Reciprocals;
  k.repeat = Repeat;
  k.add_zero_point = AddZeroPoint;
  k.divide_double = DivideDouble;
  k.divide_by_one = DivideByOne;
  k.flush = Flush;
  k.pack = Pack;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr Kernels kTable = MakeStages();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const Kernels* Stages(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
