// Where the inner function reads x from: FLOATs, or elements of a type that is known
// when it runs, each rounded to P once (QL-09), unless no code depends on it
// (Run::rounded_x).
#if defined(QCONFORM_SIMD_X_SOURCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_X_SOURCE_INL_H_
#undef QCONFORM_SIMD_X_SOURCE_INL_H_
#else
#define QCONFORM_SIMD_X_SOURCE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rounds any FLOAT to P, as FLOAT.
template <DataType kP, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundToP(D d, V v) {
  if constexpr (kP == DataType::kFloat16) {
    return RoundToFloat16(d, v);
  } else if constexpr (kP == DataType::kBfloat16) {
    // hn::NaN sets bits that BFLOAT16 does not have.
    const hn::RebindToUnsigned<D> du;
    const auto nan = hn::BitCast(d, hn::Set(du, 0x7FC00000u));
    return hn::IfThenElse(hn::IsNaN(v), nan, RoundToBfloat16(d, v));
  } else {
    (void)d;
    return v;
  }
}

// Elements of type kX; kUndefined: of a type of x that is known when it runs.
template <DataType kP, DataType kX = DataType::kUndefined>
struct AnyX {
  const std::byte* x;
  DataType run_type;
  int run_shift;         // log2 of an element's bytes
  bool has_low = false;  // Run::x_low
  RoundedX rounded = RoundedX::kAll;

  HWY_INLINE DataType type() const { return kX == DataType::kUndefined ? run_type : kX; }
  HWY_INLINE int shift() const {
    return kX == DataType::kUndefined ? run_shift : SizeShiftOfX(kX);
  }
  HWY_INLINE AnyX operator+(size_t n) const {
    return {x + (n << shift()), run_type, run_shift, has_low, rounded};
  }
  HWY_INLINE AnyX& operator+=(size_t n) { return *this = *this + n; }
};

// Whether elements are known to be words, the upper bits of which are their signs.
template <class Source>
inline constexpr bool kIsWords = false;
template <DataType kP, DataType kX>
inline constexpr bool kIsWords<AnyX<kP, kX>> =
    kX == DataType::kFloat16 || kX == DataType::kBfloat16;

// Whether elements are rounded to P where they are loaded, or only made FLOATs that P
// rounds as it would round them.
enum class Rounds : uint8_t { kNow, kLater };

// Lanes(d) elements of x. Branches, always the same way in a run, cost less than a
// buffer for converted elements. Where kIsWords, zeros may lose their signs.
template <Rounds kRounds = Rounds::kNow, class D>
HWY_INLINE hn::VFromD<D> LoadX(D d, const float* x) {
  return hn::LoadU(d, x);
}
template <Rounds kRounds = Rounds::kNow, DataType kP, DataType kX, class D>
HWY_INLINE hn::VFromD<D> LoadX(D d, AnyX<kP, kX> source) {
  constexpr DataType kTo = kRounds == Rounds::kNow ? kP : DataType::kFloat;
  const auto* words = reinterpret_cast<const uint16_t*>(source.x);
  const auto* ints = reinterpret_cast<const int32_t*>(source.x);
  if (source.type() == DataType::kFloat) {
    return RoundToP<kTo>(d, hn::LoadU(d, reinterpret_cast<const float*>(source.x)));
  }
  if (source.type() == DataType::kFloat16) {
    const auto v = LoadFloat16::Load(d, words);
    return kTo == DataType::kBfloat16 ? RoundToP<kTo>(d, v) : v;
  }
  if (source.type() == DataType::kBfloat16) {
    const auto v = LoadBfloat16::Load(d, words);
    if (kTo != DataType::kFloat16 || source.rounded == RoundedX::kNone) return v;
    if (kIsWords<AnyX<kP, kX>> && source.rounded == RoundedX::kSubnormals) {
      return RoundToSubnormals(d, v);
    }
    return RoundToP<kTo>(d, v);
  }
  if constexpr (kP == DataType::kBfloat16) {
    const auto v = source.rounded == RoundedX::kNone ? LoadInt32::Load(d, ints)
                                                     : LoadInt32ToOdd::Load(d, ints);
    return RoundToP<kTo>(d, v);
  } else {
    // To FLOAT16 by way of FLOAT: exact below 2^24, and infinite above.
    return RoundToP<kTo>(d, LoadInt32::Load(d, ints));
  }
}

// What is lost of INT32 elements where they are rounded to FLOAT.
template <class D>
HWY_INLINE hn::VFromD<D> LoadLowOfInt32(D d, const std::byte* x, hn::VFromD<D> rounded) {
  const hn::RebindToSigned<D> di;
  const auto v = hn::LoadU(di, reinterpret_cast<const int32_t*>(x));
  auto back = hn::ConvertInRangeTo(di, rounded);
#if !HWY_ARCH_X86
  // 2^31 is saturated elsewhere; modulo 2^32 it is -2^31.
  const auto most = hn::Set(di, INT32_MAX);
  back = hn::IfThenElse(hn::Eq(back, most), hn::Set(di, INT32_MIN), back);
#endif
  return hn::ConvertTo(d, hn::Sub(v, back));
}

// Where elements begin.
HWY_INLINE const std::byte* BytesOf(const float* x) {
  return reinterpret_cast<const std::byte*>(x);
}
template <DataType kP, DataType kX>
HWY_INLINE const std::byte* BytesOf(AnyX<kP, kX> source) {
  return source.x;
}

// Lanes(d16) elements where kIsWords, as they are.
template <class D16, class Source>
HWY_INLINE hn::VFromD<D16> LoadWords(D16 d16, Source x) {
  return hn::LoadU(d16, reinterpret_cast<const uint16_t*>(BytesOf(x)));
}
// The upper bytes of Lanes(d8) of them, in order.
template <class D8, class Source>
HWY_INLINE hn::VFromD<D8> UpperBytes(D8 d8, Source x) {
  const hn::Repartition<uint16_t, D8> d16;
  return hn::ConcatOdd(d8, hn::BitCast(d8, LoadWords(d16, x + hn::Lanes(d16))),
                       hn::BitCast(d8, LoadWords(d16, x)));
}

// x of a run's type, from `x` on; kX, unless that is kUndefined.
template <Division kDivision, DataType kX = DataType::kUndefined>
HWY_INLINE auto SourceAt(const Run& run, const void* x) {
  if constexpr (TakesAnyX(kDivision)) {
    return AnyX<PrecisionOf(kDivision), kX>{static_cast<const std::byte*>(x), run.x_type,
                                            SizeShiftOfX(run.x_type), run.x_low,
                                            run.rounded_x};
  } else {
    return static_cast<const float*>(x);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_X_SOURCE_INL_H_
