// The convert stage: elements of x, y_scale and y_zero_point to working values,
// each with one rounding to P (QL-09).
#if defined(QCONFORM_SIMD_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_CONVERT_INL_H_
#undef QCONFORM_SIMD_CONVERT_INL_H_
#else
#define QCONFORM_SIMD_CONVERT_INL_H_
#endif

#include <cstddef>
#include <cstring>

#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each of these loads Lanes(d) elements of one type as FLOAT lanes.

struct LoadFloat {
  using Raw = float;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    return hn::LoadU(d, in);
  }
};

struct LoadFloat16 {
  using Raw = uint16_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint16_t, D> d16;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
    const hn::Rebind<hwy::float16_t, D> dh;
    return hn::PromoteTo(d, hn::BitCast(dh, hn::LoadU(d16, in)));  // F16C
#else
    // Highway's emulation takes infinities and NaN for numbers.
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(d16, in));
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    const auto wide = hn::ShiftLeft<13>(magnitude);
    const auto normal = hn::Add(wide, hn::Set(du, (127u - 15u) << 23));
    // 2^-14 + subnormal, less 2^-14: exact, and no FLOAT is subnormal on the way.
    const auto offset = hn::Set(du, (127u - 14u) << 23);
    const auto subnormal = hn::BitCast(
        du, hn::Sub(hn::BitCast(d, hn::Add(wide, offset)), hn::BitCast(d, offset)));
    const auto number =
        hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x0400u)), subnormal, normal);
    const auto special = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(du, 0x7BFFu)),
                                            hn::Set(du, 0x7F800000u));
    return hn::BitCast(d, hn::Or(hn::Or(number, special), sign));
#endif
  }
};

struct LoadBfloat16 {
  using Raw = uint16_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint16_t, D> d16;
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(d16, in));
    return hn::BitCast(d, hn::ShiftLeft<16>(bits));
  }
};

struct LoadInt32 {
  using Raw = int32_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::RebindToSigned<D> di;
    return hn::ConvertTo(d, hn::LoadU(di, in));
  }
};

// INT32 on the way to BFLOAT16: FLOAT's 24 bits, rounded to odd, so that the
// rounding to 8 bits is the only one that counts. Magnitudes below 2^24 are
// exact. In two's complement too, v lies between v with its lowest 8 bits
// cleared and the next multiple of 256: setting bit 8 takes the odd one.
struct LoadInt32ToOdd {
  using Raw = int32_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::RebindToSigned<D> di;
    const hn::RebindToUnsigned<D> du;
    const auto v = hn::LoadU(di, in);
    const auto low = hn::Set(du, 0xFFu);
    const auto bits = hn::BitCast(du, v);
    const auto sticky = hn::Add(hn::And(bits, low), low);
    const auto odd = hn::BitCast(di, hn::AndNot(low, hn::Or(bits, sticky)));
    const auto limit = hn::Set(di, 1 << 24);
    const auto small = hn::And(hn::Lt(v, limit), hn::Gt(v, hn::Neg(limit)));
    return hn::ConvertTo(d, hn::IfThenElse(small, v, odd));
  }
};

// Code c is 2^(c-127): FLOAT's exponent field. 0 is FLOAT's subnormal 2^-127
// and 255 NaN; both differ from a bare exponent field by the upper mantissa bit.
struct LoadFloat8E8M0 {
  using Raw = uint8_t;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<uint8_t, D> d8;
    const hn::RebindToUnsigned<D> du;
    const auto code = hn::PromoteTo(du, hn::LoadU(d8, in));
    const auto edge = hn::Or(hn::Eq(code, hn::Zero(du)), hn::Eq(code, hn::Set(du, 255u)));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<23>(code),
                                 hn::IfThenElseZero(edge, hn::Set(du, 0x400000u))));
  }
};

template <typename T>
struct LoadInteger {  // of 8 or 16 bits
  using Raw = T;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const Raw* in) {
    const hn::Rebind<T, D> dt;
    const hn::RebindToSigned<D> di;
    return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(dt, in)));
  }
};

// Each of these rounds what was loaded to P.

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

// out[i] = Rounding(Loader(in[i])).
template <class Loader, class Rounding>
void ConvertLoop(const std::byte* HWY_RESTRICT in, size_t n, float* HWY_RESTRICT out) {
  using Raw = typename Loader::Raw;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const Raw* raw = reinterpret_cast<const Raw*>(in);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(Rounding::Round(d, Loader::Load(d, raw + i)), d, out + i);
  }
  if (i < n) {  // the same on a padded copy
    Raw head[hn::MaxLanes(d)] = {};
    float result[hn::MaxLanes(d)];
    std::memcpy(head, in + i * sizeof(Raw), (n - i) * sizeof(Raw));
    hn::StoreU(Rounding::Round(d, Loader::Load(d, head)), d, result);
    std::memcpy(out + i, result, (n - i) * sizeof(float));
  }
}

inline void ToPrecision(DataType type, Precision p, const std::byte* in, size_t n,
                        float* out) {
  const auto convert = [&]<class Loader, class Loader16, class LoaderB16>() HWY_ATTR {
    switch (p) {
      case Precision::kFloat:
        return ConvertLoop<Loader, KeepFloat>(in, n, out);
      case Precision::kFloat16:
        return ConvertLoop<Loader16, ToFloat16>(in, n, out);
      case Precision::kBfloat16:
        return ConvertLoop<LoaderB16, ToBfloat16>(in, n, out);
    }
  };
  switch (type) {
    case DataType::kFloat:
      return convert.template operator()<LoadFloat, LoadFloat, LoadFloat>();
    case DataType::kFloat16:
      if (p == Precision::kFloat16)
        return ConvertLoop<LoadFloat16, KeepFloat>(in, n, out);
      return convert.template operator()<LoadFloat16, LoadFloat16, LoadFloat16>();
    case DataType::kBfloat16:
      if (p == Precision::kBfloat16)
        return ConvertLoop<LoadBfloat16, KeepFloat>(in, n, out);
      return convert.template operator()<LoadBfloat16, LoadBfloat16, LoadBfloat16>();
    case DataType::kInt32:
      // To FLOAT16 by way of FLOAT: exact below 2^24, and infinite above.
      return convert.template operator()<LoadInt32, LoadInt32, LoadInt32ToOdd>();
    default:  // FLOAT8E8M0; BFLOAT16 holds all its values
      if (p != Precision::kFloat16)
        return ConvertLoop<LoadFloat8E8M0, KeepFloat>(in, n, out);
      return ConvertLoop<LoadFloat8E8M0, ToFloat16>(in, n, out);
  }
}

inline void ZeroPointsToFloat(DataType type, const std::byte* in, size_t n, float* out) {
  switch (type) {
    case DataType::kUint8:
      return ConvertLoop<LoadInteger<uint8_t>, KeepFloat>(in, n, out);
    case DataType::kInt8:
      return ConvertLoop<LoadInteger<int8_t>, KeepFloat>(in, n, out);
    case DataType::kUint16:
      return ConvertLoop<LoadInteger<uint16_t>, KeepFloat>(in, n, out);
    default:
      return ConvertLoop<LoadInteger<int16_t>, KeepFloat>(in, n, out);
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
      ToPrecision(type, Precision::kFloat, in + begin * size, count, part);
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
