// Quotients in DOUBLE by one multiplication, for INT32 scales and P = DOUBLE.
#if defined(QCONFORM_SIMD_MULTIPLY_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_MULTIPLY_DOUBLE_INL_H_
#undef QCONFORM_SIMD_MULTIPLY_DOUBLE_INL_H_
#else
#define QCONFORM_SIMD_MULTIPLY_DOUBLE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x as DOUBLE lanes.
template <class Loader, class D>
HWY_INLINE hn::VFromD<D> LoadDouble(D d, const typename Loader::Raw* x) {
  if constexpr (std::is_same_v<Loader, LoadInt32>) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<int32_t, D>(), x));
  } else {
    return hn::PromoteTo(d, Loader::Load(hn::Rebind<float, D>(), x));
  }
}

// Returns x / s, rounded to odd to 24 bits, close enough for every target, given
// inverse = round(1 / s).
//
// p = round(x * inverse) is wrong by less than 2^-52 of x / s. A boundary m of a target
// has 18 bits at most, x and s have 31: x / s is m or at least 2^-49 m away from it, by
// the argument of divide-inl.h. So p + 4 units of its last place, with the last 3 bits
// cleared (p rounded to 50 bits), is m where x / s is, and on its side of m where not.
// Rounding that to odd keeps both. Signs, zeros, infinities and NaN are those of the
// division, as 1 / s is neither subnormal nor out of range for any s but 0, infinities
// and NaN; the mantissas of the last two are 0 in the lowest bits.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V OddProduct(D d, V x, V inverse) {
  const hn::RebindToUnsigned<D> du;
  constexpr uint64_t kLow = (uint64_t{1} << 29) - 1;  // 24 of 53 bits stay
  constexpr uint64_t kMiddle = kLow - 7;
  const auto p = hn::Add(hn::BitCast(du, hn::Mul(x, inverse)), hn::Set(du, uint64_t{4}));
  // Carries into the last bit that stays if any bit of the middle is set.
  const auto sticky = hn::Add(hn::And(p, hn::Set(du, kMiddle)), hn::Set(du, kMiddle));
  return hn::BitCast(d, hn::AndNot(hn::Set(du, kLow), hn::Or(p, sticky)));
}

template <class Loader, Operands kOperands>
void MultiplyDoubleLoop(const std::byte* HWY_RESTRICT in,
                        const double* HWY_RESTRICT inverse, int block_shift, size_t n,
                        float* HWY_RESTRICT q) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, *inverse);
  const auto operand = [&](size_t i) HWY_ATTR {
    if constexpr (kOperands == Operands::kUniform) return one;
    if constexpr (kOperands == Operands::kBlocks) {
      return hn::Set(d, inverse[i >> block_shift]);
    }
    return hn::LoadU(d, inverse + i);
  };
  const Raw* x = reinterpret_cast<const Raw*>(in);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = OddProduct(d, LoadDouble<Loader>(d, x + i), operand(i));
    hn::StoreU(hn::DemoteTo(df, v), df, q + i);
  }
  if (i < n) {
    Raw rest[hn::MaxLanes(d)] = {};
    float result[hn::MaxLanes(df)];
    double some[hn::MaxLanes(d)] = {};
    auto factor = one;
    if constexpr (kOperands == Operands::kVectorScale) {
      std::memcpy(some, inverse + i, (n - i) * sizeof(double));
      factor = hn::LoadU(d, some);
    } else {
      factor = operand(i);
    }
    std::memcpy(rest, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    hn::StoreU(hn::DemoteTo(df, OddProduct(d, LoadDouble<Loader>(d, rest), factor)), df,
               result);
    std::memcpy(q + i, result, (n - i) * sizeof(float));
  }
}

template <class Loader>
void MultiplyDoubleBy(Operands operands, const std::byte* x, const double* inverse,
                      int block_shift, size_t n, float* q) {
  switch (operands) {
    case Operands::kUniform:
      return MultiplyDoubleLoop<Loader, Operands::kUniform>(x, inverse, 0, n, q);
    case Operands::kBlocks:
      return MultiplyDoubleLoop<Loader, Operands::kBlocks>(x, inverse, block_shift, n, q);
    default:
      return MultiplyDoubleLoop<Loader, Operands::kVectorScale>(x, inverse, 0, n, q);
  }
}

inline void MultiplyDouble(DataType type, Operands operands, const std::byte* x,
                           const double* inverse, int block_shift, size_t n, float* q) {
  switch (type) {
    case DataType::kFloat:
      return MultiplyDoubleBy<LoadFloat>(operands, x, inverse, block_shift, n, q);
    case DataType::kFloat16:
      return MultiplyDoubleBy<LoadFloat16>(operands, x, inverse, block_shift, n, q);
    case DataType::kBfloat16:
      return MultiplyDoubleBy<LoadBfloat16>(operands, x, inverse, block_shift, n, q);
    default:
      return MultiplyDoubleBy<LoadInt32>(operands, x, inverse, block_shift, n, q);
  }
}

inline void Invert(size_t n, double* HWY_RESTRICT scale) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1.0);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Div(one, hn::LoadU(d, scale + i)), d, scale + i);
  }
  for (; i < n; ++i) scale[i] = 1.0 / scale[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_MULTIPLY_DOUBLE_INL_H_
