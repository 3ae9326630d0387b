// What every target does besides the runs.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/dequantize_linear/loops/stages.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include <cstring>

#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/dequantize_linear/loops/dequantize-inl.h"
#include "harness/backends/simd/dequantize_linear/loops/multiply_exact-inl.h"
#include "harness/backends/simd/dequantize_linear/loops/unpack-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dequantize {
namespace HWY_NAMESPACE {

template <Output kOutput>
void NarrowLoop(const float* HWY_RESTRICT product, size_t n, std::byte* HWY_RESTRICT y) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  // NaN first: of others' payloads the rounding to BFLOAT16 could make numbers.
  const auto load = [&](size_t i) HWY_ATTR {
    return RoundTo<kOutput>(d, hn::LoadU(d, product + i));
  };
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    StoreTwo<kOutput>(d, load(i), load(i + lanes), y + 2 * i);
  }
  for (; i < n; i += lanes) {
    const size_t count = HWY_MIN(n - i, lanes);
    StoreSome<kOutput>(d, hn::LoadN(d, product + i, count), count, y + 2 * i);
  }
}

void Narrow(Output output, const float* product, size_t n, std::byte* y) {
  output == Output::kFloat16 ? NarrowLoop<Output::kFloat16>(product, n, y)
                             : NarrowLoop<Output::kBfloat16>(product, n, y);
}

template <class Loader, Output kOutput>
void ScalesLoop(const std::byte* HWY_RESTRICT in, size_t n, float* HWY_RESTRICT out) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto* at = reinterpret_cast<const Raw*>(in + i * sizeof(Raw));
    hn::StoreU(RoundTo<kOutput>(d, Loader::Load(d, at)), d, out + i);
  }
  if (i < n) {  // the same on a padded copy
    Raw rest[hn::MaxLanes(d)] = {};
    float result[hn::MaxLanes(d)];
    std::memcpy(rest, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    hn::StoreU(RoundTo<kOutput>(d, Loader::Load(d, rest)), d, result);
    std::memcpy(out + i, result, (n - i) * sizeof(float));
  }
}

template <class Loader>
void ScalesOf(Output output, const std::byte* in, size_t n, float* out) {
  switch (output) {
    case Output::kFloat:
      return ScalesLoop<Loader, Output::kFloat>(in, n, out);
    case Output::kFloat16:
      return ScalesLoop<Loader, Output::kFloat16>(in, n, out);
    case Output::kBfloat16:
      return ScalesLoop<Loader, Output::kBfloat16>(in, n, out);
  }
}

void Scales(DataType type, bool round, Output output, const std::byte* in, size_t n,
            float* out) {
  if (!round) output = Output::kFloat;
  switch (type) {
    case DataType::kFloat16:
      return ScalesOf<shared::LoadFloat16>(output, in, n, out);
    case DataType::kBfloat16:
      return ScalesOf<shared::LoadBfloat16>(output, in, n, out);
    case DataType::kFloat8E8M0:
      return ScalesOf<shared::LoadFloat8E8M0>(output, in, n, out);
    default:
      return ScalesOf<shared::LoadFloat>(output, in, n, out);
  }
}

#if QCONFORM_DEQUANTIZE_HAS_TABLES
template <bool kFew>
void LookUpLoop(const uint8_t* HWY_RESTRICT codes, size_t n, const uint16_t* words,
                uint16_t* HWY_RESTRICT y) {
  const hn::ScalableTag<uint16_t> d16;
  const hn::Rebind<uint8_t, decltype(d16)> d8;
  const size_t lanes = hn::Lanes(d16);
  const WordTable<kFew> table(words);
  const auto look_up = [&](auto some) HWY_ATTR {
    const auto index = hn::PromoteTo(d16, some);
    return table.LookUp(kFew ? hn::ShiftRight<2>(index) : index);
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(look_up(hn::LoadU(d8, codes + i)), d16, y + i);
  }
  if (i < n) hn::StoreN(look_up(hn::LoadN(d8, codes + i, n - i)), d16, y + i, n - i);
}

void LookUp(const uint8_t* codes, size_t n, const uint16_t* words, bool few,
            std::byte* y) {
  auto* const out = reinterpret_cast<uint16_t*>(y);
  few ? LookUpLoop<true>(codes, n, words, out) : LookUpLoop<false>(codes, n, words, out);
}
#else
constexpr decltype(Kernels::look_up) LookUp = nullptr;
#endif

void Stream(const std::byte* from, size_t n, std::byte* to) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto* HWY_RESTRICT in = reinterpret_cast<const uint8_t*>(from);
  auto* HWY_RESTRICT out = reinterpret_cast<uint8_t*>(to);
  const size_t before = HWY_MIN((0 - reinterpret_cast<uintptr_t>(out)) % lanes, n);
  std::memcpy(out, in, before);
  size_t i = before;
  for (; i + lanes <= n; i += lanes) hn::Stream(hn::LoadU(d, in + i), d, out + i);
  std::memcpy(out + i, in + i, n - i);
}

void Flush() { hwy::FlushStream(); }

// A constant: naming a target must not run any of its instructions.
constexpr Kernels kTable = {.target = HWY_TARGET,
                            .runs = {},
                            .multiply_exact = MultiplyExact,
                            .narrow = Narrow,
                            .scales = Scales,
                            .unpack = Unpack,
                            .look_up = LookUp,
                            .stream = Stream,
                            .flush = Flush};

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd::dequantize {

const Kernels* Stages(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}

}  // namespace qconform::simd::dequantize
#endif  // HWY_ONCE
