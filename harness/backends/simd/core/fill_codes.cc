#include "harness/backends/simd/core/fill_codes.h"

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/core/fill_codes.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void FillCodesLoop(uint32_t first, size_t n, uint32_t* HWY_RESTRICT out) {
  const hn::ScalableTag<uint32_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto step = hn::Set(d, static_cast<uint32_t>(lanes));
  auto v = hn::Iota(d, first);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(v, d, out + i);
    v = hn::Add(v, step);
  }
  for (; i < n; ++i) out[i] = first + static_cast<uint32_t>(i);
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

HWY_EXPORT(FillCodesLoop);

void FillCodes(uint32_t first, size_t n, uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(FillCodesLoop)(first, n, out);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
