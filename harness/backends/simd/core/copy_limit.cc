#include "harness/backends/simd/core/copy_limit.h"

#include <algorithm>
#include <cstdint>

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/core/copy_limit.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/core/prefetch.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Writes kWritten vectors for kRead that are read: each the xor of some of them, or one
// several times. kStores: how a kernel would read and write.
template <size_t kRead, size_t kWritten, Stores kStores>
void CopyLoop(const uint8_t* HWY_RESTRICT in, uint8_t* HWY_RESTRICT out, size_t vectors) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  auto v = hn::Zero(d);
  for (size_t i = 0; i + kWritten <= vectors; i += kWritten) {
    for (size_t j = 0; j < kWritten; ++j) {
      const auto upto = [](size_t written) {  // vectors that are read, rounded up
        return (written * kRead + kWritten - 1) / kWritten;
      };
      const size_t read = upto(j + 1) - upto(j);
      if constexpr (kStores != Stores::kCached) {
        WillReadOnce(in, kAheadShort, read * lanes);
      }
      if (read != 0) v = hn::LoadU(d, in);
      for (size_t k = 1; k < read; ++k) v = hn::Xor(v, hn::LoadU(d, in + k * lanes));
      if constexpr (kStores == Stores::kStreamed) {
        hn::Stream(v, d, out);
      } else {
        hn::StoreU(v, d, out);
      }
      in += read * lanes;
      out += lanes;
    }
  }
}

template <Stores kStores>
void CopyAny(const uint8_t* in, size_t in_bytes, uint8_t* out, size_t out_bytes) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<uint8_t>());
  const size_t ratio = in_bytes / std::max<size_t>(out_bytes, 1);
  const size_t inverse = out_bytes / std::max<size_t>(in_bytes, 1);
  const size_t of_three_in = 3 * out_bytes / std::max<size_t>(in_bytes, 1);
  const size_t of_three = 3 * in_bytes / std::max<size_t>(out_bytes, 1);
  if constexpr (kStores == Stores::kStreamed) {  // only whole vectors of `out` can be
    const size_t before = (0 - reinterpret_cast<uintptr_t>(out)) % lanes;
    if (before > out_bytes) return;
    out += before;
    out_bytes -= before;
  }
  const size_t vectors = out_bytes / lanes;
  // 6 bits of 32 and of 16.
  if (of_three == 16) return CopyLoop<16, 3, kStores>(in, out, vectors);
  if (of_three == 8) return CopyLoop<8, 3, kStores>(in, out, vectors);
  if (of_three_in == 16) return CopyLoop<3, 16, kStores>(in, out, vectors);
  if (of_three_in == 8) return CopyLoop<3, 8, kStores>(in, out, vectors);
  if (inverse >= 16) return CopyLoop<1, 16, kStores>(in, out, vectors);
  if (inverse >= 8) return CopyLoop<1, 8, kStores>(in, out, vectors);
  if (inverse >= 4) return CopyLoop<1, 4, kStores>(in, out, vectors);
  if (inverse >= 2) return CopyLoop<1, 2, kStores>(in, out, vectors);
  if (ratio >= 16) return CopyLoop<16, 1, kStores>(in, out, vectors);
  if (ratio >= 8) return CopyLoop<8, 1, kStores>(in, out, vectors);
  if (ratio >= 4) return CopyLoop<4, 1, kStores>(in, out, vectors);
  if (ratio >= 2) return CopyLoop<2, 1, kStores>(in, out, vectors);
  CopyLoop<1, 1, kStores>(in, out, vectors);
}

void Copy(Stores stores, const uint8_t* in, size_t in_bytes, uint8_t* out,
          size_t out_bytes) {
  if (stores == Stores::kCached) {
    return CopyAny<Stores::kCached>(in, in_bytes, out, out_bytes);
  }
  if (stores == Stores::kFetched) {
    return CopyAny<Stores::kFetched>(in, in_bytes, out, out_bytes);
  }
  CopyAny<Stores::kStreamed>(in, in_bytes, out, out_bytes);
  hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "harness/backends/simd/core/thread_pool.h"

namespace qconform::simd {

HWY_EXPORT(Copy);

void CopyLimit(const std::byte* in, size_t in_bytes, std::byte* out, size_t out_bytes,
               Stores stores) {
  HWY_DYNAMIC_DISPATCH(Copy)
  (stores, reinterpret_cast<const uint8_t*>(in), in_bytes,
   reinterpret_cast<uint8_t*>(out), out_bytes);
}

void OnKernelThreads(int threads, const std::function<void(int part)>& work) {
  InParts(threads, [&](int64_t part) { work(static_cast<int>(part)); });
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
