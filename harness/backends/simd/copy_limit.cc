#include "harness/backends/simd/copy_limit.h"

#include <algorithm>
#include <cstdint>

// No kernels of its own: few targets do.
#define HWY_DISABLED_TARGETS (HWY_AVX3_SPR | HWY_AVX3_ZEN4 | HWY_AVX3_DL | HWY_SSSE3)

#include "harness/backends/simd/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/copy_limit.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each vector that is written is the xor of kRatio that are read.
template <size_t kRatio>
void CopyLoop(const uint8_t* HWY_RESTRICT in, uint8_t* HWY_RESTRICT out, size_t vectors) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < vectors; ++i) {
    auto v = hn::LoadU(d, in);
    for (size_t j = 1; j < kRatio; ++j) v = hn::Xor(v, hn::LoadU(d, in + j * lanes));
    hn::StoreU(v, d, out);
    in += kRatio * lanes;
    out += lanes;
  }
}

void CopyAny(const uint8_t* in, size_t in_bytes, uint8_t* out, size_t out_bytes) {
  const size_t ratio = in_bytes / std::max<size_t>(out_bytes, 1);
  const size_t vectors = out_bytes / hn::Lanes(hn::ScalableTag<uint8_t>());
  if (ratio >= 16) return CopyLoop<16>(in, out, vectors);
  if (ratio >= 8) return CopyLoop<8>(in, out, vectors);
  if (ratio >= 4) return CopyLoop<4>(in, out, vectors);
  if (ratio >= 2) return CopyLoop<2>(in, out, vectors);
  CopyLoop<1>(in, out, vectors);
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

HWY_EXPORT(CopyAny);

void CopyLimit(const std::byte* in, size_t in_bytes, std::byte* out, size_t out_bytes) {
  HWY_DYNAMIC_DISPATCH(CopyAny)
  (reinterpret_cast<const uint8_t*>(in), in_bytes, reinterpret_cast<uint8_t*>(out),
   out_bytes);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
