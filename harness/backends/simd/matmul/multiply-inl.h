// Integer products on any target: 8-bit operands widened to
// int16, neighbours along K multiplied and added in pairs, which is exact (two
// products of at most 255 * 255), and summed modulo 2^32. And the layout of both
// operands, for pairs and for quads.
#if defined(QCONFORM_SIMD_MATMUL_MULTIPLY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_MATMUL_MULTIPLY_INL_H_
#undef QCONFORM_SIMD_MATMUL_MULTIPLY_INL_H_
#else
#define QCONFORM_SIMD_MATMUL_MULTIPLY_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/matmul/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sums of a panel are four vectors of these.
using SumTag = hn::CappedTag<int32_t, kMaxColumns / 4>;

// Two rows by four vectors. Named variables, because vectors of SVE cannot be
// elements of arrays; `t` are the second sums that some targets need.
template <bool kTwoRows>
void MultiplyPairsTile(const ProductArgs& args) {
  const SumTag d;
  const hn::RepartitionToNarrow<SumTag> d16;
  using V = hn::VFromD<SumTag>;
  const size_t lanes = hn::Lanes(d);
  const uint32_t* HWY_RESTRICT a0 = args.a;
  const uint32_t* HWY_RESTRICT a1 = args.a + (kTwoRows ? args.a_stride : 0);
  const uint32_t* HWY_RESTRICT b = args.b;
  V s00 = hn::Zero(d), s01 = s00, s02 = s00, s03 = s00;
  V s10 = s00, s11 = s00, s12 = s00, s13 = s00;
  V t00 = s00, t01 = s00, t02 = s00, t03 = s00;
  V t10 = s00, t11 = s00, t12 = s00, t13 = s00;

  for (size_t step = 0; step < args.steps; ++step) {
    const auto words = [&](uint32_t word) HWY_ATTR {
      return hn::BitCast(d16, hn::Set(d, static_cast<int32_t>(word)));
    };
    const auto column = [&](size_t v) HWY_ATTR {
      return hn::LoadU(d16, reinterpret_cast<const int16_t*>(b + v * lanes));
    };
    const auto x0 = words(a0[step]);
    const auto x1 = words(a1[step]);
    auto w = column(0);
    s00 = hn::ReorderWidenMulAccumulate(d, x0, w, s00, t00);
    if (kTwoRows) s10 = hn::ReorderWidenMulAccumulate(d, x1, w, s10, t10);
    w = column(1);
    s01 = hn::ReorderWidenMulAccumulate(d, x0, w, s01, t01);
    if (kTwoRows) s11 = hn::ReorderWidenMulAccumulate(d, x1, w, s11, t11);
    w = column(2);
    s02 = hn::ReorderWidenMulAccumulate(d, x0, w, s02, t02);
    if (kTwoRows) s12 = hn::ReorderWidenMulAccumulate(d, x1, w, s12, t12);
    w = column(3);
    s03 = hn::ReorderWidenMulAccumulate(d, x0, w, s03, t03);
    if (kTwoRows) s13 = hn::ReorderWidenMulAccumulate(d, x1, w, s13, t13);
    b += 4 * lanes;
  }

  const auto store = [&](V s, V t, size_t row, size_t v) HWY_ATTR {
    const V init = hn::LoadU(d, args.init + row * args.init_stride + v * lanes);
    hn::StoreU(hn::Add(hn::RearrangeToOddPlusEven(s, t), init), d,
               args.c + row * kMaxColumns + v * lanes);
  };
  store(s00, t00, 0, 0);
  store(s01, t01, 0, 1);
  store(s02, t02, 0, 2);
  store(s03, t03, 0, 3);
  if (kTwoRows) {
    store(s10, t10, 1, 0);
    store(s11, t11, 1, 1);
    store(s12, t12, 1, 2);
    store(s13, t13, 1, 3);
  }
}

void MultiplyPairs(const ProductArgs& args) {
  if (args.rows == 2) {
    MultiplyPairsTile<true>(args);
  } else {
    MultiplyPairsTile<false>(args);
  }
}

// Eight values as int16.
template <class D16>
HWY_INLINE hn::VFromD<D16> Widen(D16 d16, const uint8_t* in, bool is_signed) {
  const hn::Rebind<uint8_t, D16> du8;
  const hn::Rebind<int8_t, D16> di8;
  const auto bytes = hn::LoadU(du8, in);
  return is_signed ? hn::PromoteTo(d16, hn::BitCast(di8, bytes))
                   : hn::PromoteTo(d16, bytes);
}

uint32_t LayOutRowAsPairs(const uint8_t* HWY_RESTRICT a, bool is_signed, size_t k,
                          uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<int16_t, 32> d16;
  const hn::RepartitionToWide<decltype(d16)> d32;
  const size_t lanes = hn::Lanes(d16);
  auto* values = reinterpret_cast<int16_t*>(out);
  const auto one = hn::Set(d16, 1);
  auto sums = hn::Zero(d32);
  size_t i = 0;
  for (; i + lanes <= k; i += lanes) {
    const auto wide = Widen(d16, a + i, is_signed);
    if (values != nullptr) hn::StoreU(wide, d16, values + i);
    sums = hn::Add(sums, hn::WidenMulPairwiseAdd(d32, wide, one));
  }
  uint32_t sum = static_cast<uint32_t>(hn::ReduceSum(d32, sums));
  for (; i < k; ++i) {
    const int16_t value = is_signed ? static_cast<int8_t>(a[i]) : a[i];
    if (values != nullptr) values[i] = value;
    sum += static_cast<uint32_t>(value);
  }
  if (values != nullptr && k % 2 != 0) values[k] = 0;
  return sum;
}

// The kernel reads a as unsigned: signed values are 128 more than they were.
uint32_t LayOutRowAsQuads(const uint8_t* HWY_RESTRICT a, bool is_signed, size_t k,
                          uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<uint8_t, 64> d8;
  const hn::Repartition<uint64_t, decltype(d8)> d64;
  const size_t lanes = hn::Lanes(d8);
  auto* values = reinterpret_cast<uint8_t*>(out);
  const uint8_t flip = is_signed ? 0x80 : 0;
  const auto flips = hn::Set(d8, flip);
  auto sums = hn::Zero(d64);
  size_t i = 0;
  for (; i + lanes <= k; i += lanes) {
    const auto shifted = hn::Xor(hn::LoadU(d8, a + i), flips);
    if (values != nullptr) hn::StoreU(shifted, d8, values + i);
    sums = hn::Add(sums, hn::SumsOf8(shifted));
  }
  auto sum = static_cast<uint32_t>(hn::ReduceSum(d64, sums));
  for (; i < k; ++i) {
    const uint8_t value = a[i] ^ flip;
    if (values != nullptr) values[i] = value;
    sum += value;
  }
  for (; values != nullptr && i % 4 != 0; ++i) values[i] = 0;
  return sum;
}

// Columns that are packed together; every granule is a multiple.
inline constexpr size_t kPackColumns = 4;

void PackPanelAsPairs(const uint8_t* b, bool is_signed, size_t k, size_t stride,
                      size_t valid, size_t width, uint32_t* HWY_RESTRICT out) {
  const hn::FixedTag<int16_t, kPackColumns> d16;
  auto* values = reinterpret_cast<int16_t*>(out);
  const auto zero = hn::Zero(d16);
  for (size_t i = 0; i < k; i += 2) {
    for (size_t j = 0; j < width; j += kPackColumns) {
      uint8_t rows[2][kPackColumns] = {};
      const size_t n = j < valid ? std::min(kPackColumns, valid - j) : 0;
      for (size_t r = 0; r < 2 && i + r < k; ++r) {
        std::memcpy(rows[r], b + (i + r) * stride + j, n);
      }
      const auto second = i + 1 < k ? Widen(d16, rows[1], is_signed) : zero;
      hn::StoreInterleaved2(Widen(d16, rows[0], is_signed), second, d16, values);
      values += 2 * kPackColumns;
    }
  }
}

// The kernel reads b as signed: unsigned values are 128 less than they were.
void PackPanelAsQuads(const uint8_t* b, bool is_signed, size_t k, size_t stride,
                      size_t valid, size_t width, uint32_t* HWY_RESTRICT out) {
  constexpr size_t kColumns = 16;
  const hn::FixedTag<uint8_t, kColumns> d8;
  using V = hn::VFromD<decltype(d8)>;
  const V flip = hn::Set(d8, is_signed ? 0 : 0x80);
  auto* values = reinterpret_cast<uint8_t*>(out);
  for (size_t i = 0; i < k; i += 4) {
    for (size_t j = 0; j < width; j += kColumns) {
      const size_t n = j < valid ? std::min(kColumns, valid - j) : 0;
      const auto row = [&](size_t r) HWY_ATTR -> V {
        if (i + r >= k) return hn::Zero(d8);
        const uint8_t* from = b + (i + r) * stride + j;
        if (n == kColumns) return hn::Xor(hn::LoadU(d8, from), flip);
        uint8_t padded[kColumns] = {};
        std::memcpy(padded, from, n);
        return hn::Xor(hn::LoadU(d8, padded), flip);
      };
      hn::StoreInterleaved4(row(0), row(1), row(2), row(3), d8, values);
      values += 4 * kColumns;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_MATMUL_MULTIPLY_INL_H_
