// The loop: x to FLOAT, less the zero point, times the scale, rounded to P.
#if defined(QCONFORM_SIMD_DEQUANTIZE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_DEQUANTIZE_INL_H_
#undef QCONFORM_SIMD_DEQUANTIZE_INL_H_
#else
#define QCONFORM_SIMD_DEQUANTIZE_INL_H_
#endif

#include <array>
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
  if constexpr (kCodes == Codes::kFloat || kCodes == Codes::kFloat6) {
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

#undef QCONFORM_DEQUANTIZE_HAS_TABLES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define QCONFORM_DEQUANTIZE_HAS_TABLES 1
#else
#define QCONFORM_DEQUANTIZE_HAS_TABLES 0
#endif

#if QCONFORM_DEQUANTIZE_HAS_TABLES
// 256 words, or 64, in registers.
template <bool kFew>
class WordTable {
 public:
  static constexpr size_t kVectors = kFew ? 2 : 8;
  using D16 = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D16>;

  explicit HWY_INLINE WordTable(const uint16_t* words) {
    for (size_t i = 0; i < kVectors; ++i) part_[i] = hn::LoadU(D16(), words + 32 * i).raw;
  }
  // Returns words[index], where index is below 256 or 64.
  HWY_INLINE V LookUp(V index) const {
    const auto of_two = [&](int i) HWY_ATTR {
      return _mm512_permutex2var_epi16(part_[i], index.raw, part_[i + 1]);
    };
    if constexpr (kFew) {
      return V{of_two(0)};
    } else {
      const auto bit6 = _mm512_test_epi16_mask(index.raw, _mm512_set1_epi16(64));
      const auto bit7 = _mm512_test_epi16_mask(index.raw, _mm512_set1_epi16(128));
      const auto low = _mm512_mask_blend_epi16(bit6, of_two(0), of_two(2));
      const auto high = _mm512_mask_blend_epi16(bit6, of_two(4), of_two(6));
      return V{_mm512_mask_blend_epi16(bit7, low, high)};
    }
  }

 private:
  __m512i part_[kVectors];
};
#endif

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
    const hn::Repartition<uint16_t, D> d16;
    auto* const out = reinterpret_cast<uint16_t*>(y);
#if QCONFORM_DEQUANTIZE_HAS_TABLES
    // The upper halves, and one more where the lower ones are more than a half, or a half
    // and the upper one is odd.
    const auto high = hn::ConcatOdd(d16, hn::BitCast(d16, b), hn::BitCast(d16, a));
    const auto low = hn::ConcatEven(d16, hn::BitCast(d16, b), hn::BitCast(d16, a));
    const auto one = hn::Set(d16, uint16_t{1});
    const auto rest = hn::SaturatedAdd(low, hn::And(high, one));
    const auto up = hn::Gt(rest, hn::Set(d16, uint16_t{0x8000}));
    hn::StoreU(hn::MaskedAddOr(high, up, high, one), d16, out);
#else
    const hn::RebindToUnsigned<D> du;
    const auto round = [&](V v) HWY_ATTR {
      const auto bits = hn::BitCast(du, v);
      const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
      return hn::BitCast(d16, hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu))));
    };
    hn::StoreU(hn::ConcatOdd(d16, round(b), round(a)), d16, out);
#endif
  }
}

// Stores two vectors of FLOATs past the caches; y is aligned.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void StreamTwo(D d, V a, V b, std::byte* HWY_RESTRICT y) {
  auto* const out = reinterpret_cast<float*>(y);
  hn::Stream(a, d, out);
  hn::Stream(b, d, out + hn::Lanes(d));
}

// Rounds to P and stores the first `n` lanes of one vector.
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

// Rounds a difference of integers to P.
template <Output kOutput, class D, class V = hn::VFromD<D>>
HWY_INLINE V RoundDifference(D d, V v) {
  if constexpr (kOutput == Output::kFloat16) return shared::RoundToFloat16(d, v);
#if HWY_NATIVE_FMA
  // With 2^e <= |v| < 2^(e+1), the sum of v and 1.5 * 2^(e+16) has the unit 2^(e-7),
  // BFLOAT16's at v, whatever the sign of v.
  const hn::RebindToUnsigned<D> du;
  const V binade = hn::BitCast(d, hn::And(hn::BitCast(du, v), hn::Set(du, 0x7F800000u)));
  const V up = hn::Set(d, 0x1.8p16f);
  return hn::NegMulAdd(binade, up, hn::MulAdd(binade, up, v));
#else
  return shared::RoundToBfloat16(d, v);
#endif
}

// Values of codes, two vectors of FLOATs at a time.
template <Codes kCodes>
class Decoder {
 public:
  using Raw = RawOf<kCodes>;
  using D = hn::ScalableTag<float>;
  using V = hn::VFromD<D>;

  explicit HWY_INLINE Decoder(const SmallFloat& floats) : floats_(floats) {}

  HWY_INLINE void Two(const Raw* HWY_RESTRICT x, V& a, V& b) const {
    const D d;
    const hn::Rebind<Raw, D> dx;
    a = Decode<kCodes>(d, hn::LoadU(dx, x), floats_);
    b = Decode<kCodes>(d, hn::LoadU(dx, x + hn::Lanes(d)), floats_);
  }
  HWY_INLINE V Some(const Raw* HWY_RESTRICT x, size_t n) const {
    return Decode<kCodes>(D(), hn::LoadN(hn::Rebind<Raw, D>(), x, n), floats_);
  }

 private:
  SmallFloat floats_;
};

#if QCONFORM_DEQUANTIZE_HAS_TABLES
template <bool kFew>
class TableDecoder {
 public:
  using D = hn::ScalableTag<float>;
  using V = hn::VFromD<D>;

  explicit HWY_INLINE TableDecoder(const SmallFloat& floats) : table_(floats.values) {}

  HWY_INLINE void Two(const uint8_t* HWY_RESTRICT x, V& a, V& b) const {
    const D d;
    const hn::Repartition<uint16_t, D> d16;
    const auto words = LookUp(hn::LoadU(hn::Rebind<uint8_t, decltype(d16)>(), x));
    // The upper halves of FLOATs; the lower ones are 0.
    alignas(64) static constexpr auto kUpper = [] {
      std::array<uint16_t, 64> from{};
      for (size_t i = 0; i < 64; ++i) from[i] = static_cast<uint16_t>(i / 2);
      return from;
    }();
    const auto spread = [&](const uint16_t* from) HWY_ATTR {
      return V{_mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(
          0xAAAAAAAA, hn::Load(d16, from).raw, words.raw))};
    };
    a = spread(kUpper.data());
    b = spread(kUpper.data() + 32);
  }
  HWY_INLINE V Some(const uint8_t* HWY_RESTRICT x, size_t n) const {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<uint16_t, D> half;
    const hn::Repartition<uint16_t, D> d16;
    const auto codes = hn::LoadN(hn::Rebind<uint8_t, decltype(d16)>(), x, n);
    const auto words = hn::LowerHalf(half, LookUp(codes));
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, words)));
  }

 private:
  template <class VRaw>
  HWY_INLINE hn::VFromD<hn::ScalableTag<uint16_t>> LookUp(VRaw codes) const {
    const auto index = hn::PromoteTo(hn::ScalableTag<uint16_t>(), codes);
    return table_.LookUp(kFew ? hn::ShiftRight<2>(index) : index);
  }

  WordTable<kFew> table_;
};
template <Codes kCodes>
using DecoderOf = std::conditional_t<
    kCodes == Codes::kFloat, TableDecoder<false>,
    std::conditional_t<kCodes == Codes::kFloat6, TableDecoder<true>, Decoder<kCodes>>>;
#else
template <Codes kCodes>
using DecoderOf = Decoder<kCodes>;
#endif

// kRounded: the difference is rounded to P.
template <Codes kCodes, Output kOutput, Operands kOperands, bool kRounded>
void DequantizeRun(const Run& run) {
  using Raw = RawOf<kCodes>;
  constexpr size_t kSize = kOutput == Output::kFloat ? 4 : 2;
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  const DecoderOf<kCodes> decoder(run.floats);
  const auto* HWY_RESTRICT x = reinterpret_cast<const Raw*>(run.x);
  std::byte* HWY_RESTRICT y = run.y;
  const size_t n = run.n;
  const size_t ahead = run.ahead;
  const bool stream = run.stream;
  // Copies: the compiler cannot know that y is no part of `run`.
  const size_t runs = run.runs;
  const float* HWY_RESTRICT scales = run.scale;
  const float* HWY_RESTRICT zero_points = run.zero_point;
  for (size_t r = 0; r < runs; ++r, ++scales, ++zero_points) {
    const V one_scale = hn::Set(d, *scales);
    const V one_zero_point = hn::Set(d, *zero_points);
    const auto product = [&](V value, V scale, V zero_point) HWY_ATTR {
      V difference = hn::Sub(value, zero_point);
      if constexpr (kRounded) difference = RoundDifference<kOutput>(d, difference);
      return hn::Mul(difference, scale);
    };
    const auto of_vector = [&](V value, size_t i) HWY_ATTR {
      V scale = one_scale;
      V zero_point = one_zero_point;
      if constexpr (kOperands != Operands::kOne) scale = hn::LoadU(d, scales + i);
      if constexpr (kOperands == Operands::kEach) {
        zero_point = hn::LoadU(d, zero_points + i);
      }
      return product(value, scale, zero_point);
    };
    const auto two = [&](size_t i) HWY_ATTR {
      V a, b;
      decoder.Two(x + i, a, b);
      if (kOutput == Output::kFloat && stream) {
        StreamTwo(d, of_vector(a, i), of_vector(b, i + lanes), y + i * kSize);
      } else {
        StoreTwo<kOutput>(d, of_vector(a, i), of_vector(b, i + lanes), y + i * kSize);
      }
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
      V scale = one_scale;
      V zero_point = one_zero_point;
      if constexpr (kOperands != Operands::kOne) scale = hn::LoadN(d, scales + i, count);
      if constexpr (kOperands == Operands::kEach) {
        zero_point = hn::LoadN(d, zero_points + i, count);
      }
      const V v = product(decoder.Some(x + i, count), scale, zero_point);
      StoreSome<kOutput>(d, v, count, y + i * kSize);
    }
    x += n;
    y += n * kSize;
  }
}

#if QCONFORM_DEQUANTIZE_HAS_TABLES
// Codes of at most 4 bits: of each run, the products of all 16 codes in one vector.
template <Output kOutput>
void RunsOfFour(const Run& run) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const auto* HWY_RESTRICT x = reinterpret_cast<const uint8_t*>(run.x);
  const V values = hn::LoadU(d, run.values);
  const size_t n = run.n;
  // Makes y of codes that are widened to lanes of `di`, by `look_up`.
  const auto all = [&](auto di, auto* y, const auto& look_up) HWY_ATTR {
    using T = std::remove_pointer_t<decltype(y)>;
    const hn::Rebind<uint8_t, decltype(di)> d8;
    const hn::Rebind<T, decltype(di)> dy;
    const size_t lanes = hn::Lanes(di);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      hn::StoreU(look_up(hn::PromoteTo(di, hn::LoadU(d8, x + i))), dy, y + i);
    }
    if (i < n) {
      const auto codes = hn::LoadN(d8, x + i, n - i);
      hn::StoreN(look_up(hn::PromoteTo(di, codes)), dy, y + i, n - i);
    }
    x += n;
  };
  // Copies: the compiler cannot know that y is no part of `run`.
  const float* HWY_RESTRICT scales = run.scale;
  const float* HWY_RESTRICT zero_points = run.zero_point;
  std::byte* HWY_RESTRICT y = run.y;
  const size_t runs = run.runs;
  for (size_t r = 0; r < runs; ++r) {
    const V product =
        hn::Mul(hn::Sub(values, hn::Set(d, zero_points[r])), hn::Set(d, scales[r]));
    if constexpr (kOutput == Output::kFloat) {
      all(du, reinterpret_cast<float*>(y) + r * n, [&](auto codes) HWY_ATTR {
        return V{_mm512_permutexvar_ps(codes.raw, product.raw)};
      });
    } else {
      const hn::Rebind<uint16_t, decltype(d)> half;
      hn::VFromD<decltype(half)> words;
      if constexpr (kOutput == Output::kFloat16) {
        words = ToFloat16(d, product);
      } else {
        const auto bits = hn::BitCast(du, RoundTo<kOutput>(d, product));
        words = hn::TruncateTo(half, hn::ShiftRight<16>(bits));
      }
      const auto table = hn::ZeroExtendVector(d16, words);
      all(d16, reinterpret_cast<uint16_t*>(y) + r * n, [&](auto codes) HWY_ATTR {
        return hn::VFromD<decltype(d16)>{_mm512_permutexvar_epi16(codes.raw, table.raw)};
      });
    }
  }
}

// Codes of at most 4 bits by vectors of scales.
template <Output kOutput, Operands kOperands>
void DequantizeFour(const Run& run) {
  constexpr size_t kSize = kOutput == Output::kFloat ? 4 : 2;
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  const auto* HWY_RESTRICT x = reinterpret_cast<const uint8_t*>(run.x);
  const V values = hn::LoadU(d, run.values);
  const V one_zero_point = hn::Set(d, *run.zero_point);
  const auto product = [&](size_t i, size_t count) HWY_ATTR {
    const auto codes = hn::PromoteTo(du, hn::LoadN(d8, x + i, count));
    const V value{_mm512_permutexvar_ps(codes.raw, values.raw)};
    V zero_point = one_zero_point;
    if constexpr (kOperands == Operands::kEach) {
      zero_point = hn::LoadN(d, run.zero_point + i, count);
    }
    return hn::Mul(hn::Sub(value, zero_point), hn::LoadN(d, run.scale + i, count));
  };
  size_t i = 0;
  for (; i + 2 * lanes <= run.n; i += 2 * lanes) {
    StoreTwo<kOutput>(d, product(i, lanes), product(i + lanes, lanes), run.y + i * kSize);
  }
  for (; i < run.n; i += lanes) {
    const size_t count = HWY_MIN(run.n - i, lanes);
    StoreSome<kOutput>(d, product(i, count), count, run.y + i * kSize);
  }
}
#endif

template <Operands kOperands, Codes kCodes, Output kOutput>
constexpr void AddRun(RunTable& table) {
  constexpr auto kAt = static_cast<int>(kCodes);
  constexpr auto kBy = static_cast<int>(kOperands);
  table.run[kBy][kAt] = DequantizeRun<kCodes, kOutput, kOperands, false>;
  if constexpr (sizeof(RawOf<kCodes>) == 2 && kOutput != Output::kFloat) {
    table.rounded[kBy][kAt] = DequantizeRun<kCodes, kOutput, kOperands, true>;
  }
}

template <Operands kOperands, Output kOutput>
constexpr void AddRuns(RunTable& table) {
  AddRun<kOperands, Codes::kUint8, kOutput>(table);
  AddRun<kOperands, Codes::kInt8, kOutput>(table);
  AddRun<kOperands, Codes::kUint16, kOutput>(table);
  AddRun<kOperands, Codes::kInt16, kOutput>(table);
  AddRun<kOperands, Codes::kInt32, kOutput>(table);
  AddRun<kOperands, Codes::kFloat, kOutput>(table);
#if QCONFORM_DEQUANTIZE_HAS_TABLES
  AddRun<kOperands, Codes::kFloat6, kOutput>(table);
  auto& of_four = table.run[static_cast<int>(kOperands)][static_cast<int>(Codes::kFour)];
  if constexpr (kOperands == Operands::kOne) {
    of_four = RunsOfFour<kOutput>;
  } else {
    of_four = DequantizeFour<kOutput, kOperands>;
  }
#else
  constexpr auto kBy = static_cast<int>(kOperands);
  table.run[kBy][static_cast<int>(Codes::kFloat6)] =
      table.run[kBy][static_cast<int>(Codes::kFloat)];
#endif
}

template <Output kOutput>
constexpr RunTable MakeRunTable() {
  RunTable table = {};
  AddRuns<Operands::kOne, kOutput>(table);
  AddRuns<Operands::kEachScale, kOutput>(table);
  AddRuns<Operands::kEach, kOutput>(table);
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::dequantize
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_DEQUANTIZE_INL_H_
