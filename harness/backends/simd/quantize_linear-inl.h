// The inner function of QuantizeLinear: a run of contiguous elements, with one
// scale or a vector of scales, to codes. What the library runs, the proofs and
// the benchmarks include.
//
//   code = encode(round_P(x / scale), zero_point)                          (1)
#if defined(QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/encode-inl.h"
#include "harness/backends/simd/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How the quotient comes about: by division in P, or it is x itself.
enum class Division : uint8_t { kFloat, kFloat16, kBfloat16, kDone };

template <Sink kSink>
using CodeOf =
    std::conditional_t<kSink == Sink::kInteger16, uint16_t,
                       std::conditional_t<kSink == Sink::kQuotient, float, uint8_t>>;

// Quantizes four vectors. `scale` and `zero_point` point to the values of this
// block where they vary, else to the one value.
template <Division kDivision, Operands kOperands, Sink kSink>
HWY_INLINE void QuantizeBlock(const float* HWY_RESTRICT x, const float* scale,
                              const float* zero_point, const Run& run,
                              CodeOf<kSink>* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using V = hn::VFromD<decltype(d)>;
  const size_t lanes = hn::Lanes(d);

  const auto quotient = [&](size_t i) HWY_ATTR {
    const V v = hn::LoadU(d, x + i * lanes);
    if constexpr (kDivision == Division::kDone) {
      return v;
    } else {
      const V s = kOperands == Operands::kBothUniform ? hn::Set(d, *scale)
                                                      : hn::LoadU(d, scale + i * lanes);
      return Quotient<static_cast<Precision>(kDivision)>(d, v, s);
    }
  };
  const auto code = [&](size_t i) HWY_ATTR {
    const V q = quotient(i);
    if constexpr (kSink == Sink::kInteger8 || kSink == Sink::kInteger16) {
      const V z = kOperands == Operands::kBothVary ? hn::LoadU(d, zero_point + i * lanes)
                                                   : hn::Set(d, *zero_point);
      const V low = hn::Sub(hn::Set(d, run.integers.min), z);  // exact integers
      const V high = hn::Sub(hn::Set(d, run.integers.max), z);
      return EncodeInteger(d, q, low, high, z);
    } else {
      return EncodeFloat<kSink>(d, q, run.floats);
    }
  };

  if constexpr (kSink == Sink::kQuotient) {
    for (size_t i = 0; i < 4; ++i) hn::StoreU(quotient(i), d, out + i * lanes);
  } else if constexpr (kSink == Sink::kInteger16) {
    StoreWords(du, code(0), code(1), out);
    StoreWords(du, code(2), code(3), out + 2 * lanes);
  } else {
    StoreBytes(du, code(0), code(1), code(2), code(3), out);
  }
}

// Quantizes a run of any length. The tail goes through the same block, on
// padded copies.
template <Division kDivision, Operands kOperands, Sink kSink>
void QuantizeRun(const Run& run) {
  using Code = CodeOf<kSink>;
  constexpr bool kScaleVaries =
      kDivision != Division::kDone && kOperands != Operands::kBothUniform;
  constexpr bool kZeroPointVaries = kOperands == Operands::kBothVary;
  const hn::ScalableTag<float> d;
  const size_t block = 4 * hn::Lanes(d);
  Code* out = static_cast<Code*>(run.out);

  size_t i = 0;
  for (; i + block <= run.n; i += block) {
    QuantizeBlock<kDivision, kOperands, kSink>(
        run.x + i, kScaleVaries ? run.scale + i : run.scale,
        kZeroPointVaries ? run.zero_point + i : run.zero_point, run, out + i);
  }
  if (i == run.n) return;

  constexpr size_t kMaxBlock = 4 * hn::MaxLanes(d);
  const size_t rest = run.n - i;
  HWY_ALIGN float x[kMaxBlock] = {};
  HWY_ALIGN float scale[kMaxBlock];
  HWY_ALIGN float zero_point[kMaxBlock];
  HWY_ALIGN Code codes[kMaxBlock];
  std::memcpy(x, run.x + i, rest * sizeof(float));
  if constexpr (kScaleVaries) {
    std::memset(scale, 0, sizeof(scale));
    std::memcpy(scale, run.scale + i, rest * sizeof(float));
  }
  if constexpr (kZeroPointVaries) {
    std::memset(zero_point, 0, sizeof(zero_point));
    std::memcpy(zero_point, run.zero_point + i, rest * sizeof(float));
  }
  QuantizeBlock<kDivision, kOperands, kSink>(
      x, kScaleVaries ? scale : run.scale, kZeroPointVaries ? zero_point : run.zero_point,
      run, codes);
  std::memcpy(out + i, codes, rest * sizeof(Code));
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_LINEAR_INL_H_
