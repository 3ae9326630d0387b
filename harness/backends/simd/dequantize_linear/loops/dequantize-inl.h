// The loop: x to FLOAT, less the zero point, times the scale, rounded to P.
#if defined(QCONFORM_SIMD_DEQUANTIZE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_DEQUANTIZE_INL_H_
#undef QCONFORM_SIMD_DEQUANTIZE_INL_H_
#else
#define QCONFORM_SIMD_DEQUANTIZE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/core/round-inl.h"
#include "harness/backends/simd/dequantize_linear/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::dequantize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace shared = qconform::simd::HWY_NAMESPACE;

// What x's elements are in memory.
template <Codes kCodes>
using RawOf = std::conditional_t<
    kCodes == Codes::kInt8, int8_t,
    std::conditional_t<kCodes == Codes::kUint16, uint16_t,
                       std::conditional_t<kCodes == Codes::kInt16, int16_t,
                                          std::conditional_t<kCodes == Codes::kInt32,
                                                             int32_t, uint8_t>>>>;

// Returns the value of each code. INT32 is rounded to FLOAT (DQ-05).
template <Codes kCodes, class D, class VRaw>
HWY_INLINE hn::VFromD<D> Decode(D d, VRaw codes, [[maybe_unused]] const SmallFloat& f) {
  const hn::RebindToSigned<D> di;
  if constexpr (kCodes == Codes::kFloat) {
    const hn::RebindToUnsigned<D> du;
    const auto top = hn::ShiftLeft<24>(hn::PromoteTo(du, codes));
    const auto sign = hn::And(top, hn::Set(du, 0x80000000u));
    const auto magnitude = hn::ShiftRightSame(hn::Xor(top, sign), f.shift);
    // Subnormals are those of FLOAT's significands that begin with 1, less that 1.
    const auto rebias = hn::Set(du, f.rebias);
    const auto one = hn::Set(du, f.rebias + (1u << 23));
    const auto normal = hn::Add(magnitude, rebias);
    const auto subnormal = hn::BitCast(
        du, hn::Sub(hn::BitCast(d, hn::Add(magnitude, one)), hn::BitCast(d, one)));
    const auto is_subnormal = hn::Lt(magnitude, hn::Set(du, 1u << 23));
    const auto number = hn::IfThenElse(is_subnormal, subnormal, normal);
    const auto is_special =
        hn::Eq(hn::And(top, hn::Set(du, f.care)), hn::Set(du, f.special));
    const auto special = hn::Or(magnitude, hn::Set(du, f.special_bits));
    return hn::BitCast(d, hn::Or(hn::IfThenElse(is_special, special, number), sign));
  } else if constexpr (kCodes == Codes::kInt32) {
    return hn::ConvertTo(d, codes);
  } else {
    return hn::ConvertTo(d, hn::PromoteTo(di, codes));
  }
}

// Rounds FLOAT lanes to P, as FLOAT. NaN stays NaN.
template <Output kOutput, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundTo([[maybe_unused]] D d, V v) {
  if constexpr (kOutput == Output::kFloat16) return shared::RoundToFloat16(d, v);
  if constexpr (kOutput == Output::kBfloat16) {
    const hn::RebindToUnsigned<D> du;
    const auto nan = hn::BitCast(d, hn::Set(du, 0x7FC00000u));
    return hn::IfThenElse(hn::IsNaN(v), nan, shared::RoundToBfloat16(d, v));
  }
  return v;
}

// Returns FLOAT16's bits in each lane, rounded once.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE hn::VFromD<hn::Rebind<uint16_t, D>> ToFloat16([[maybe_unused]] D d, V v) {
  const hn::Rebind<uint16_t, D> d16;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));  // F16C
#else
  // FLOAT16's numbers times 2^-112 have their exponents and mantissas in FLOAT's bits,
  // subnormals as subnormals.
  const hn::RebindToUnsigned<D> du;
  const V rounded = shared::RoundToFloat16(d, v);
  const auto sign = hn::And(hn::BitCast(du, v), hn::Set(du, 0x80000000u));
  const auto scaled = hn::BitCast(du, hn::Mul(hn::Abs(rounded), hn::Set(d, 0x1p-112f)));
  const auto number = hn::Min(hn::ShiftRight<13>(scaled), hn::Set(du, 0x7C00u));
  const auto nan = hn::Set(du, 0x7E00u);
  const auto magnitude = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), nan, number);
  return hn::TruncateTo(d16, hn::Or(magnitude, hn::ShiftRight<16>(sign)));
#endif
}

// Rounds to P and stores two vectors of FLOATs.
template <Output kOutput, class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreTwo(D d, V a, V b, std::byte* HWY_RESTRICT y) {
  if constexpr (kOutput == Output::kFloat) {
    auto* const out = reinterpret_cast<float*>(y);
    hn::StoreU(a, d, out);
    hn::StoreU(b, d, out + hn::Lanes(d));
  } else if constexpr (kOutput == Output::kFloat16) {
    const hn::Rebind<uint16_t, D> d16;
    auto* const out = reinterpret_cast<uint16_t*>(y);
    hn::StoreU(ToFloat16(d, a), d16, out);
    hn::StoreU(ToFloat16(d, b), d16, out + hn::Lanes(d));
  } else {
    const hn::RebindToUnsigned<D> du;
    const hn::Repartition<uint16_t, D> d16;
    const auto round = [&](V v) HWY_ATTR {
      const auto bits = hn::BitCast(du, v);
      const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
      return hn::BitCast(d16, hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu))));
    };
    hn::StoreU(hn::ConcatOdd(d16, round(b), round(a)), d16,
               reinterpret_cast<uint16_t*>(y));
  }
}

// The same for the first `n` lanes of one vector.
template <Output kOutput, class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreSome(D d, V v, size_t n, std::byte* HWY_RESTRICT y) {
  if constexpr (kOutput == Output::kFloat) {
    hn::StoreN(v, d, reinterpret_cast<float*>(y), n);
  } else {
    const hn::Rebind<uint16_t, D> d16;
    auto* const out = reinterpret_cast<uint16_t*>(y);
    if constexpr (kOutput == Output::kFloat16) {
      hn::StoreN(ToFloat16(d, v), d16, out, n);
    } else {
      const hn::RebindToUnsigned<D> du;
      const auto bits = hn::BitCast(du, RoundTo<kOutput>(d, v));
      hn::StoreN(hn::TruncateTo(d16, hn::ShiftRight<16>(bits)), d16, out, n);
    }
  }
}

// kByEach: there is a scale for each element. kRounded: the difference is rounded to P.
template <Codes kCodes, Output kOutput, bool kByEach, bool kRounded>
void DequantizeRun(const Run& run) {
  using Raw = RawOf<kCodes>;
  constexpr size_t kSize = kOutput == Output::kFloat ? 4 : 2;
  const hn::ScalableTag<float> d;
  const hn::Rebind<Raw, decltype(d)> dx;
  const size_t lanes = hn::Lanes(d);
  const SmallFloat floats = run.floats;
  const auto* HWY_RESTRICT x = reinterpret_cast<const Raw*>(run.x);
  std::byte* HWY_RESTRICT y = run.y;
  const size_t n = run.n;
  const size_t ahead = run.ahead;
  for (size_t r = 0; r < run.runs; ++r) {
    const float* HWY_RESTRICT scales = run.scale + r;
    const float* HWY_RESTRICT zero_points = run.zero_point + r;
    const auto one_scale = hn::Set(d, *scales);
    const auto one_zero_point = hn::Set(d, *zero_points);
    const auto product = [&](auto codes, size_t i, size_t count) HWY_ATTR {
      auto scale = one_scale;
      auto zero_point = one_zero_point;
      if constexpr (kByEach) {
        scale = count == 0 ? hn::LoadU(d, scales + i) : hn::LoadN(d, scales + i, count);
        zero_point = count == 0 ? hn::LoadU(d, zero_points + i)
                                : hn::LoadN(d, zero_points + i, count);
      }
      auto difference = hn::Sub(Decode<kCodes>(d, codes, floats), zero_point);
      if constexpr (kRounded) difference = RoundTo<kOutput>(d, difference);
      return hn::Mul(difference, scale);
    };
    const auto two = [&](size_t i) HWY_ATTR {
      const auto a = product(hn::LoadU(dx, x + i), i, 0);
      const auto b = product(hn::LoadU(dx, x + i + lanes), i + lanes, 0);
      StoreTwo<kOutput>(d, a, b, y + i * kSize);
    };
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      if (ahead != 0) WillReadOnce(x + i, ahead, 4 * lanes * sizeof(Raw));
      two(i);
      two(i + 2 * lanes);
    }
    if (i + 2 * lanes <= n) {
      two(i);
      i += 2 * lanes;
    }
    for (; i < n; i += lanes) {
      const size_t count = HWY_MIN(n - i, lanes);
      const auto v = product(hn::LoadN(dx, x + i, count), i, count);
      StoreSome<kOutput>(d, v, count, y + i * kSize);
    }
    x += n;
    y += n * kSize;
  }
}

template <Codes kCodes, Output kOutput>
constexpr void AddRuns(RunTable& table) {
  constexpr auto kAt = static_cast<int>(kCodes);
  table.by_one[kAt] = DequantizeRun<kCodes, kOutput, false, false>;
  table.by_each[kAt] = DequantizeRun<kCodes, kOutput, true, false>;
  if constexpr (sizeof(RawOf<kCodes>) == 2 && kOutput != Output::kFloat) {
    table.rounded_by_one[kAt] = DequantizeRun<kCodes, kOutput, false, true>;
    table.rounded_by_each[kAt] = DequantizeRun<kCodes, kOutput, true, true>;
  }
}

template <Output kOutput>
constexpr RunTable MakeRunTable() {
  RunTable table = {};
  AddRuns<Codes::kUint8, kOutput>(table);
  AddRuns<Codes::kInt8, kOutput>(table);
  AddRuns<Codes::kUint16, kOutput>(table);
  AddRuns<Codes::kInt16, kOutput>(table);
  AddRuns<Codes::kInt32, kOutput>(table);
  AddRuns<Codes::kFloat, kOutput>(table);
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_DEQUANTIZE_INL_H_
