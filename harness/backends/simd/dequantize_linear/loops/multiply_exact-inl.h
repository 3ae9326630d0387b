// Products that a FLOAT does not hold, in DOUBLE lanes.
#if defined(QCONFORM_SIMD_MULTIPLY_EXACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_MULTIPLY_EXACT_INL_H_
#undef QCONFORM_SIMD_MULTIPLY_EXACT_INL_H_
#else
#define QCONFORM_SIMD_MULTIPLY_EXACT_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/round-inl.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"
#include "harness/backends/simd/dequantize_linear/loops/dequantize-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dequantize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace shared = qconform::simd::HWY_NAMESPACE;

#if HWY_HAVE_FLOAT64

// Returns a DOUBLE that is exact or rounded to odd as a FLOAT that rounds to the same
// number of P: nearest if P is FLOAT; else to odd, except that BFLOAT16's subnormals, of
// which FLOAT's have too few bits more, are rounded here.
template <Output kOutput, class DF, class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<DF> NarrowToFloat(DF df, D d, V v) {
  if constexpr (kOutput == Output::kBfloat16) {
    const V unit = hn::Set(d, 0x1.8p-81);  // its last place is 2^-133
    const V rounded = hn::CopySign(hn::Sub(hn::Add(v, unit), unit), v);
    v = hn::IfThenElse(hn::Lt(hn::Abs(v), hn::Set(d, 0x1p-126)), rounded, v);
  }
  if constexpr (kOutput != Output::kFloat) v = shared::ClearToOdd<29>(d, v);
  return hn::DemoteTo(df, v);
}

// Of integers of 16 bits, INT32 and small floats the difference has 34 bits at most, and
// is exact. Its product with a scale of 24 bits is the sum of two that are exact.
template <Codes kCodes, Output kOutput>
void MultiplyLoop(bool round, const Run& run, float* HWY_RESTRICT out) {
  using Raw = RawOf<kCodes>;
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<Raw, decltype(d)> dx;
  const size_t lanes = hn::Lanes(d);
  const SmallFloat floats = run.floats;
  const auto* x = reinterpret_cast<const Raw*>(run.x);
  for (size_t i = 0; i < run.n; i += lanes) {
    const size_t count = HWY_MIN(run.n - i, lanes);
    const auto code =
        hn::PromoteTo(d, Decode<kCodes>(df, hn::LoadN(dx, x + i, count), floats));
    const auto zero_point = hn::PromoteTo(d, hn::LoadN(df, run.zero_point + i, count));
    const auto scale = hn::PromoteTo(d, hn::LoadN(df, run.scale + i, count));
    auto difference = hn::Sub(code, zero_point);
    if (round) {
      difference = hn::PromoteTo(
          d, RoundTo<kOutput>(df, NarrowToFloat<kOutput>(df, d, difference)));
    }
    const auto low_bits = hn::Set(du, (uint64_t{1} << 29) - 1);
    const auto high = hn::BitCast(d, hn::AndNot(low_bits, hn::BitCast(du, difference)));
    const auto low = hn::Sub(difference, high);
    const auto product = hn::Mul(high, scale);
    const auto sum = shared::OddSum(d, product, hn::Mul(low, scale));
    // If it is not finite, the other part only brings NaN.
    const auto all = hn::IfThenElse(hn::IsFinite(product), sum, product);
    hn::StoreN(NarrowToFloat<kOutput>(df, d, all), df, out + i, count);
  }
}

template <Codes kCodes>
void MultiplyFor(Output output, bool round, const Run& run, float* out) {
  switch (output) {
    case Output::kFloat:
      return MultiplyLoop<kCodes, Output::kFloat>(round, run, out);
    case Output::kFloat16:
      return MultiplyLoop<kCodes, Output::kFloat16>(round, run, out);
    case Output::kBfloat16:
      return MultiplyLoop<kCodes, Output::kBfloat16>(round, run, out);
  }
}

inline void MultiplyExact(Codes codes, Output output, bool round, const Run& run,
                          float* out) {
  switch (codes) {
    case Codes::kUint16:
      return MultiplyFor<Codes::kUint16>(output, round, run, out);
    case Codes::kInt16:
      return MultiplyFor<Codes::kInt16>(output, round, run, out);
    case Codes::kInt32:
      return MultiplyFor<Codes::kInt32>(output, round, run, out);
    case Codes::kFloat:
    case Codes::kFloat6:
      return MultiplyFor<Codes::kFloat>(output, round, run, out);
    default:
      HWY_DASSERT(false);  // integers of 8 bits never need it
  }
}

#endif  // HWY_HAVE_FLOAT64

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_MULTIPLY_EXACT_INL_H_
