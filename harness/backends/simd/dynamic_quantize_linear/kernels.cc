// DynamicQuantizeLinear's kernels of every target, and the table that finds them.
#include "harness/backends/simd/dynamic_quantize_linear/kernels.h"

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/dynamic_quantize_linear/kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/core/prefetch.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dynamic_quantize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace core = qconform::simd::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;

// x, of any alignment, is read four vectors at a time.
Range FindRange(const float* x, size_t n, Stores stores) {
  const FloatTag d;
  using V = hn::VFromD<FloatTag>;
  const size_t lanes = hn::Lanes(d);
  const bool fetch = stores != Stores::kCached;
  V low0 = hn::Zero(d), low1 = low0, low2 = low0, low3 = low0;
  V high0 = low0, high1 = low0, high2 = low0, high3 = low0;
  size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    if (fetch) WillRead(x + i, kAheadShort, 4 * lanes * sizeof(float));
    const V x0 = hn::LoadU(d, x + i);
    const V x1 = hn::LoadU(d, x + i + lanes);
    const V x2 = hn::LoadU(d, x + i + 2 * lanes);
    const V x3 = hn::LoadU(d, x + i + 3 * lanes);
    low0 = hn::Min(low0, x0);
    low1 = hn::Min(low1, x1);
    low2 = hn::Min(low2, x2);
    low3 = hn::Min(low3, x3);
    high0 = hn::Max(high0, x0);
    high1 = hn::Max(high1, x1);
    high2 = hn::Max(high2, x2);
    high3 = hn::Max(high3, x3);
  }
  for (; i < n; i += lanes) {  // zeros after the last element change nothing
    const V last = hn::LoadN(d, x + i, std::min(lanes, n - i));
    low0 = hn::Min(low0, last);
    high0 = hn::Max(high0, last);
  }
  return {hn::ReduceMin(d, hn::Min(hn::Min(low0, low1), hn::Min(low2, low3))),
          hn::ReduceMax(d, hn::Max(hn::Max(high0, high1), hn::Max(high2, high3)))};
}

// By a reciprocal, q is on the same side of every boundary k + 1/2, |k| <= 255, as x /
// scale: docs/kernels.md has the reason and the proof. |x / scale| is at most 255 and a
// half then, as x lies in the range of which scale is the 255th part.
template <bool kByReciprocal>
void Quantize(const float* x, size_t n, const Divisor& divisor, uint8_t zero_point,
              Stores stores, uint8_t* y) {
  const FloatTag d;
  const hn::Repartition<uint8_t, FloatTag> d8;
  using V = hn::VFromD<FloatTag>;
  const size_t lanes = hn::Lanes(d);
  const size_t bytes = hn::Lanes(d8);  // four vectors of x
  const V scale = hn::Set(d, divisor.scale);
  const V high = hn::Set(d, divisor.high);
  const V low = hn::Set(d, divisor.low);
  constexpr core::Above kAbove =
      kByReciprocal ? core::Above::kInRange : core::Above::kPossible;
  const auto code = [&](V v) HWY_ATTR {
    const V q = kByReciprocal ? hn::MulAdd(v, high, hn::Mul(v, low)) : hn::Div(v, scale);
    return core::RoundToInt32<kAbove>(d, q);
  };
  const auto codes = [&](const float* from) HWY_ATTR {
    return core::EncodeBytes(d8, code(hn::LoadU(d, from)),
                             code(hn::LoadU(d, from + lanes)),
                             code(hn::LoadU(d, from + 2 * lanes)),
                             code(hn::LoadU(d, from + 3 * lanes)), zero_point, {0, 255});
  };
  const auto some = [&](size_t i, size_t count) HWY_ATTR {
    HWY_ALIGN float padded[4 * hn::MaxLanes(d)] = {};
    HWY_ALIGN uint8_t out[4 * hn::MaxLanes(d)];
    std::memcpy(padded, x + i, count * sizeof(float));
    hn::Store(codes(padded), d8, out);
    std::memcpy(y + i, out, count);
  };
  size_t i = 0;
  if (stores == Stores::kStreamed && n >= 2 * bytes) {
    const size_t off = reinterpret_cast<uintptr_t>(y) % bytes;
    if (off != 0) {  // the next codes are written again
      hn::StoreU(codes(x), d8, y);
      i = bytes - off;
    }
    for (; i + bytes <= n; i += bytes) {
      WillReadOnce(x + i, kAheadShort, 4 * lanes * sizeof(float));
      hn::Stream(codes(x + i), d8, y + i);
    }
    hwy::FlushStream();
  } else if (stores == Stores::kCached) {
    for (; i + bytes <= n; i += bytes) hn::StoreU(codes(x + i), d8, y + i);
  } else {
    for (; i + bytes <= n; i += bytes) {
      WillRead(x + i, kAheadShort, 4 * lanes * sizeof(float));
      hn::StoreU(codes(x + i), d8, y + i);
    }
  }
  if (i < n) some(i, n - i);
}

void QuantizeBy(const float* x, size_t n, const Divisor& divisor, uint8_t zero_point,
                Stores stores, uint8_t* y) {
#if HWY_NATIVE_FMA
  if (divisor.by_reciprocal) {
    Quantize<true>(x, n, divisor, zero_point, stores, y);
    return;
  }
#endif
  Quantize<false>(x, n, divisor, zero_point, stores, y);
}

// A constant: naming a target must not run any of its instructions.
constexpr Kernels kKernels = {
    .target = HWY_TARGET, .find_range = FindRange, .quantize = QuantizeBy};

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dynamic_quantize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd::dynamic_quantize {

const Kernels* KernelsOf(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kKernels);
}

}  // namespace qconform::simd::dynamic_quantize
#endif  // HWY_ONCE
