#include "harness/backends/simd/quantize_linear/loops/sweep_kernels.h"

#include <cstring>

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/quantize_linear/loops/sweep_kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rounds the exact product toward zero, and takes one step from there.
void BesideProductsLoop(float scale, const double* HWY_RESTRICT midpoints, size_t n,
                        float* HWY_RESTRICT inner, float* HWY_RESTRICT outer) {
#if HWY_HAVE_FLOAT64
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::RebindToSigned<decltype(df)> di;
  const size_t lanes = hn::Lanes(d);
  const auto s = hn::Set(d, static_cast<double>(scale));
  const auto one = hn::Set(di, 1);
  // Toward zero: to nearest, and one step back where that went over the product.
  const auto inner_bits = [&](const double* midpoint) HWY_ATTR {
    const auto product = hn::Mul(s, hn::LoadU(d, midpoint));
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    using VF = hn::VFromD<decltype(df)>;
    constexpr int kTowardZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return hn::BitCast(di, VF{_mm512_cvt_roundpd_ps(product.raw, kTowardZero)});
#else
    const auto near = hn::DemoteTo(df, product);
    const auto over = hn::DemoteMaskTo(df, d, hn::Gt(hn::PromoteTo(d, near), product));
    const auto step = hn::IfThenElseZero(hn::RebindMask(di, over), one);
    return hn::Sub(hn::BitCast(di, near), step);
#endif
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto bits = inner_bits(midpoints + i);
    hn::StoreU(hn::BitCast(df, bits), df, inner + i);
    hn::StoreU(hn::BitCast(df, hn::Add(bits, one)), df, outer + i);
  }
  if (i < n) {
    double rest[hn::MaxLanes(d)] = {};
    float part[hn::MaxLanes(d)];
    std::memcpy(rest, midpoints + i, (n - i) * sizeof(double));
    const auto bits = inner_bits(rest);
    hn::StoreU(hn::BitCast(df, bits), df, part);
    std::memcpy(inner + i, part, (n - i) * sizeof(float));
    hn::StoreU(hn::BitCast(df, hn::Add(bits, one)), df, part);
    std::memcpy(outer + i, part, (n - i) * sizeof(float));
  }
#else
  (void)scale, (void)midpoints, (void)n, (void)inner, (void)outer;
#endif
}

void FlipSignsLoop(size_t n, float* x) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Neg(hn::LoadU(d, x + i)), d, x + i);
  for (; i < n; ++i) x[i] = -x[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

HWY_EXPORT(BesideProductsLoop);
HWY_EXPORT(FlipSignsLoop);

void BesideProducts(float scale, const double* midpoints, size_t n, float* inner,
                    float* outer) {
  HWY_DYNAMIC_DISPATCH(BesideProductsLoop)(scale, midpoints, n, inner, outer);
}

void FlipSigns(size_t n, float* x) { HWY_DYNAMIC_DISPATCH(FlipSignsLoop)(n, x); }

}  // namespace qconform::simd
#endif  // HWY_ONCE
