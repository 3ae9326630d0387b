// The convert stage: elements of x and y_scale to working values, each with one
// rounding to P (QL-09).
#if defined(QCONFORM_SIMD_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_CONVERT_INL_H_
#undef QCONFORM_SIMD_CONVERT_INL_H_
#else
#define QCONFORM_SIMD_CONVERT_INL_H_
#endif

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/load-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each of these rounds what was loaded to P, as FLOAT.

struct KeepFloat {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Round(D, hn::VFromD<D> v) {
    return v;
  }
};

struct ToFloat16 {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Round(D d, hn::VFromD<D> v) {
    return RoundToFloat16(d, v);
  }
};

struct ToBfloat16 {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Round(D d, hn::VFromD<D> v) {
    // hn::NaN sets bits that BFLOAT16 does not have.
    const hn::RebindToUnsigned<D> du;
    const auto nan = hn::BitCast(d, hn::Set(du, 0x7FC00000u));
    return hn::IfThenElse(hn::IsNaN(v), nan, RoundToBfloat16(d, v));
  }
};

// Each of these stores lanes that were rounded to P: as FLOAT, or in P's
// format.

struct StoreFloat {
  using Out = float;
  template <class D>
  static HWY_INLINE void Store(D d, hn::VFromD<D> v, Out* out) {
    hn::StoreU(v, d, out);
  }
};

struct StoreFloat16 {
  using Out = uint16_t;
  template <class D>
  static HWY_INLINE void Store(D d, hn::VFromD<D> v, Out* out) {
    const hn::Rebind<uint16_t, D> d16;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
    const hn::Rebind<hwy::float16_t, D> dh;
    hn::StoreU(hn::BitCast(d16, hn::DemoteTo(dh, v)), d16, out);
    (void)d;
#else
    // v is FLOAT16's: its bits are moved, none is lost.
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, v);
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
    const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
    const auto normal =
        hn::ShiftRight<13>(hn::Sub(magnitude, hn::Set(du, (127u - 15u) << 23)));
    // Below 2^-14: 2^-1 has the unit 2^-24, that of FLOAT16's subnormals.
    const auto half = hn::Set(d, 0.5f);
    const auto subnormal =
        hn::Sub(hn::BitCast(du, hn::Add(hn::Abs(v), half)), hn::BitCast(du, half));
    const auto number = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, (127u - 14u) << 23)),
                                       subnormal, normal);
    const auto infinity = hn::Set(du, 0x7F800000u);
    const auto special = hn::IfThenElse(hn::Gt(magnitude, infinity), hn::Set(du, 0x7E00u),
                                        hn::Set(du, 0x7C00u));
    const auto code = hn::IfThenElse(hn::Lt(magnitude, infinity), number, special);
    hn::StoreU(hn::TruncateTo(d16, hn::Or(code, sign)), d16, out);
#endif
  }
};

struct StoreBfloat16 {
  using Out = uint16_t;
  template <class D>
  static HWY_INLINE void Store(D, hn::VFromD<D> v, Out* out) {
    const hn::Rebind<uint16_t, D> d16;
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::ShiftRight<16>(hn::BitCast(du, v));
    hn::StoreU(hn::TruncateTo(d16, bits), d16, out);
  }
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// LoadInt32ToOdd's FLOATs: rounded toward zero, and the last bit set where that was
// not exact.
struct LoadInt32ToOddBits {
  using Raw = int32_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto v = hn::LoadU(di, in);
    const hn::VFromD<D> f{
        _mm512_cvt_roundepi32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    // f is below 2^31: no care for what does not fit.
    const hn::VFromD<hn::RebindToSigned<D>> back{_mm512_cvttps_epi32(f.raw)};
    const auto inexact = hn::RebindMask(du, hn::Ne(back, v));
    const auto bits = hn::BitCast(du, f);
    return hn::BitCast(d, hn::IfThenElse(inexact, hn::Or(bits, hn::Set(du, 1u)), bits));
  }
};

// The same as ConvertLoop, two vectors at once: of their words, the upper ones are
// stored.
template <class Loader>
void ConvertToBfloat16Loop(const std::byte* HWY_RESTRICT in, size_t n,
                           void* HWY_RESTRICT to) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const size_t lanes = hn::Lanes(d);
  // RoundToBfloat16 but for the lower words.
  const auto round = [&](const Raw* from) HWY_ATTR {
    const auto v = Loader::Load(d, from);
    const auto bits = hn::BitCast(du, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    auto sum = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu)));
    if constexpr (!std::is_same_v<Raw, int32_t>) {
      const auto nan = hn::RebindMask(du, hn::IsNaN(v));
      sum = hn::IfThenElse(nan, hn::Set(du, 0x7FC00000u), sum);
    }
    return hn::BitCast(d16, sum);
  };
  const Raw* raw = reinterpret_cast<const Raw*>(in);
  uint16_t* out = static_cast<uint16_t*>(to);
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto low = round(raw + i);
    hn::StoreU(hn::ConcatOdd(d16, round(raw + i + lanes), low), d16, out + i);
  }
  if (i < n) {
    Raw rest[2 * hn::MaxLanes(d)] = {};
    uint16_t result[2 * hn::MaxLanes(d)];
    std::memcpy(rest, raw + i, (n - i) * sizeof(Raw));
    const auto low = round(rest);
    hn::StoreU(hn::ConcatOdd(d16, round(rest + lanes), low), d16, result);
    std::memcpy(out + i, result, (n - i) * sizeof(uint16_t));
  }
}
#endif

// out[i] = Rounding(Loader(in[i])).
template <class Loader, class Rounding, class Storing>
void ConvertLoop(const std::byte* HWY_RESTRICT in, size_t n, void* HWY_RESTRICT to) {
  using Raw = typename Loader::Raw;
  using Out = typename Storing::Out;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const Raw* raw = reinterpret_cast<const Raw*>(in);
  Out* out = static_cast<Out*>(to);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Storing::Store(d, Rounding::Round(d, Loader::Load(d, raw + i)), out + i);
  }
  if (i < n) {  // the same on a padded copy
    Raw rest[hn::MaxLanes(d)] = {};
    Out result[hn::MaxLanes(d)];
    std::memcpy(rest, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    Storing::Store(d, Rounding::Round(d, Loader::Load(d, rest)), result);
    std::memcpy(out + i, result, (n - i) * sizeof(Out));
  }
}

// The loader whose FLOATs, rounded to P, are the elements rounded to P once.
template <class Rounding, class Storing>
void ConvertTo(DataType type, const std::byte* in, size_t n, void* out) {
  switch (type) {
    case DataType::kFloat:
      return ConvertLoop<LoadFloat, Rounding, Storing>(in, n, out);
    case DataType::kFloat16:
      return ConvertLoop<LoadFloat16, Rounding, Storing>(in, n, out);
    case DataType::kBfloat16:
      return ConvertLoop<LoadBfloat16, Rounding, Storing>(in, n, out);
    case DataType::kInt32:
      // To FLOAT16 by way of FLOAT: exact below 2^24, and infinite above.
      if constexpr (std::is_same_v<Rounding, ToBfloat16>) {
        return ConvertLoop<LoadInt32ToOdd, Rounding, Storing>(in, n, out);
      } else {
        return ConvertLoop<LoadInt32, Rounding, Storing>(in, n, out);
      }
    default:
      return ConvertLoop<LoadFloat8E8M0, Rounding, Storing>(in, n, out);
  }
}

inline void Convert(DataType type, const std::byte* in, size_t n, DataType to,
                    void* out) {
  switch (to) {
    case DataType::kFloat16:
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
      return ConvertTo<KeepFloat, StoreFloat16>(type, in, n, out);  // F16C rounds
#else
      return ConvertTo<ToFloat16, StoreFloat16>(type, in, n, out);
#endif
    case DataType::kBfloat16:
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
      if (type == DataType::kFloat) return ConvertToBfloat16Loop<LoadFloat>(in, n, out);
      if (type == DataType::kFloat16) {
        return ConvertToBfloat16Loop<LoadFloat16>(in, n, out);
      }
      if (type == DataType::kInt32) {
        return ConvertToBfloat16Loop<LoadInt32ToOddBits>(in, n, out);
      }
#endif
      return ConvertTo<ToBfloat16, StoreBfloat16>(type, in, n, out);
    default:
      return ConvertTo<KeepFloat, StoreFloat>(type, in, n, out);
  }
}

inline void Scales(DataType type, const std::byte* in, size_t n, DataType precision,
                   float* out) {
  switch (precision) {
    case DataType::kFloat16:
      return ConvertTo<ToFloat16, StoreFloat>(type, in, n, out);
    case DataType::kBfloat16:
      return ConvertTo<ToBfloat16, StoreFloat>(type, in, n, out);
    default:
      return ConvertTo<KeepFloat, StoreFloat>(type, in, n, out);
  }
}

#if HWY_HAVE_FLOAT64
inline void ToDouble(DataType type, const std::byte* HWY_RESTRICT in, size_t n,
                     double* HWY_RESTRICT out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<int32_t, decltype(d)> di;
  const size_t lanes = hn::Lanes(d);
  // FLOAT holds every value of the other types.
  HWY_ALIGN float part[256];
  for (size_t begin = 0; begin < n; begin += 256) {
    const size_t count = HWY_MIN(n - begin, size_t{256});
    double* to = out + begin;
    HWY_ALIGN double result[hn::MaxLanes(d)];
    if (type == DataType::kInt32) {
      std::memcpy(part, in + begin * 4, count * 4);
    } else {
      const size_t size = type == DataType::kFloat        ? 4
                          : type == DataType::kFloat8E8M0 ? 1
                                                          : 2;
      Convert(type, in + begin * size, count, DataType::kFloat, part);
    }
    for (size_t i = 0; i < count; i += lanes) {
      const auto v = hn::LoadU(df, part + i);
      const auto wide = type == DataType::kInt32 ? hn::PromoteTo(d, hn::BitCast(di, v))
                                                 : hn::PromoteTo(d, v);
      if (i + lanes <= count) {
        hn::StoreU(wide, d, to + i);
      } else {
        hn::Store(wide, d, result);
        std::memcpy(to + i, result, (count - i) * sizeof(double));
      }
    }
  }
}
#endif  // HWY_HAVE_FLOAT64

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_CONVERT_INL_H_
