// Convolutions' kernels of every target, and the table that finds them.

#include "harness/backends/simd/convolution/kernels.h"

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/convolution/kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/core/prefetch.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd::convolution {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Codes of row i from column j on.
template <class D8>
HWY_INLINE hn::VFromD<D8> RowAt(D8 d8, const PanelRows& rows, size_t i, size_t j) {
  const auto codes = hn::LoadU(d8, rows.rows[i] + j);
  if (rows.keep == nullptr) return codes;
  const auto keep = hn::LoadU(d8, rows.keep[i] + j);
  return hn::BitwiseIfThenElse(keep, codes, hn::Set(d8, rows.fill));
}

// Columns [begin, end) of the quads of rows i to i + 3. The products' kernel reads b as
// signed: unsigned values are 128 less than they were.
template <class D8>
HWY_INLINE void LayOutQuads(D8 d8, const PanelRows& rows, size_t i, size_t begin,
                            size_t end, uint8_t* HWY_RESTRICT out) {
  using V = hn::VFromD<D8>;
  const V flip = hn::Set(d8, rows.is_signed ? 0 : 0x80);
  const auto row = [&](size_t r, size_t j) HWY_ATTR -> V {
    return i + r < rows.count ? hn::Xor(RowAt(d8, rows, i + r, j), flip) : hn::Zero(d8);
  };
  for (size_t j = begin; j < end; j += hn::Lanes(d8)) {
    hn::StoreInterleaved4(row(0, j), row(1, j), row(2, j), row(3, j), d8, out + 4 * j);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
// All of kMaxColumns columns, by permutations of two vectors: half as many as
// StoreInterleaved4 takes.
template <bool kKeep>
HWY_INLINE void LayOutQuadsOf64(const PanelRows& rows, uint8_t* HWY_RESTRICT out) {
  const hn::FixedTag<uint8_t, 64> d8;
  const hn::Repartition<uint16_t, decltype(d8)> d16;
  using V = hn::VFromD<decltype(d8)>;
  // Element 2 i is the first vector's i + kFrom, element 2 i + 1 the second one's.
  alignas(64) uint8_t bytes[2][64];
  alignas(64) uint16_t words[2][32];
  for (size_t i = 0; i < 64; ++i) {
    const size_t from = i / 2 + i % 2 * 64;
    bytes[0][i] = static_cast<uint8_t>(from);
    bytes[1][i] = static_cast<uint8_t>(from + 32);
  }
  for (size_t i = 0; i < 32; ++i) {
    const size_t from = i / 2 + i % 2 * 32;
    words[0][i] = static_cast<uint16_t>(from);
    words[1][i] = static_cast<uint16_t>(from + 16);
  }
  const auto low8 = hn::SetTableIndices(d8, bytes[0]);
  const auto high8 = hn::SetTableIndices(d8, bytes[1]);
  const auto low16 = hn::SetTableIndices(d16, words[0]);
  const auto high16 = hn::SetTableIndices(d16, words[1]);
  const V flip = hn::Set(d8, rows.is_signed ? 0 : 0x80);
  const V fill = hn::Set(d8, rows.fill);
  const auto store = [&](V r0, V r1, V r2, V r3) HWY_ATTR {
    const auto low01 = hn::BitCast(d16, hn::TwoTablesLookupLanes(d8, r0, r1, low8));
    const auto high01 = hn::BitCast(d16, hn::TwoTablesLookupLanes(d8, r0, r1, high8));
    const auto low23 = hn::BitCast(d16, hn::TwoTablesLookupLanes(d8, r2, r3, low8));
    const auto high23 = hn::BitCast(d16, hn::TwoTablesLookupLanes(d8, r2, r3, high8));
    const auto to = [&](size_t vector, auto from01, auto from23, auto order) HWY_ATTR {
      hn::StoreU(hn::BitCast(d8, hn::TwoTablesLookupLanes(d16, from01, from23, order)),
                 d8, out + 64 * vector);
    };
    to(0, low01, low23, low16);
    to(1, low01, low23, high16);
    to(2, high01, high23, low16);
    to(3, high01, high23, high16);
    out += 256;
  };
  const auto row = [&](size_t i) HWY_ATTR -> V {
    // The next channels' rows are far away.
    constexpr size_t kRowsAhead = 36;
    if (i + kRowsAhead < rows.count) WillRead(rows.rows[i + kRowsAhead], 0, 1);
    V codes = hn::LoadU(d8, rows.rows[i]);
    if (kKeep) codes = hn::BitwiseIfThenElse(hn::LoadU(d8, rows.keep[i]), codes, fill);
    return hn::Xor(codes, flip);
  };
  size_t i = 0;
  for (; i + 4 <= rows.count; i += 4) store(row(i), row(i + 1), row(i + 2), row(i + 3));
  if (i == rows.count) return;
  const V zero = hn::Zero(d8);
  store(row(i), i + 1 < rows.count ? row(i + 1) : zero,
        i + 2 < rows.count ? row(i + 2) : zero, zero);
}
#endif

void LayOutAsQuads(const PanelRows& rows, uint32_t* HWY_RESTRICT out) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if (rows.width == kMaxColumns) {
    auto* all = reinterpret_cast<uint8_t*>(out);
    rows.keep != nullptr ? LayOutQuadsOf64<true>(rows, all)
                         : LayOutQuadsOf64<false>(rows, all);
    return;
  }
#endif
  const hn::CappedTag<uint8_t, kMaxColumns> wide;
  const hn::FixedTag<uint8_t, 16> narrow;
  const size_t whole = rows.width / hn::Lanes(wide) * hn::Lanes(wide);
  auto* bytes = reinterpret_cast<uint8_t*>(out);
  for (size_t i = 0; i < rows.count; i += 4) {
    LayOutQuads(wide, rows, i, 0, whole, bytes);
    LayOutQuads(narrow, rows, i, whole, rows.width, bytes);
    bytes += 4 * rows.width;
  }
}

void LayOutAsPairs(const PanelRows& rows, uint32_t* HWY_RESTRICT out) {
  const hn::FixedTag<int16_t, 8> d16;
  const hn::Rebind<uint8_t, decltype(d16)> du8;
  const hn::Rebind<int8_t, decltype(d16)> di8;
  using V = hn::VFromD<decltype(d16)>;
  auto* values = reinterpret_cast<int16_t*>(out);
  for (size_t i = 0; i < rows.count; i += 2) {
    const auto row = [&](size_t r, size_t j) HWY_ATTR -> V {
      if (i + r >= rows.count) return hn::Zero(d16);
      const auto codes = RowAt(du8, rows, i + r, j);
      return rows.is_signed ? hn::PromoteTo(d16, hn::BitCast(di8, codes))
                            : hn::PromoteTo(d16, codes);
    };
    for (size_t j = 0; j < rows.width; j += hn::Lanes(d16)) {
      hn::StoreInterleaved2(row(0, j), row(1, j), d16, values);
      values += 2 * hn::Lanes(d16);
    }
  }
}

// Bytes are put in place by one permutation of 64 bytes, or in blocks of 16.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
using DepthwiseTag = hn::CappedTag<int32_t, 16>;
#else
using DepthwiseTag = hn::FixedTag<int32_t, 4>;
#endif
using DepthwiseBytes = hn::Repartition<uint8_t, DepthwiseTag>;

size_t DepthwiseLanes() { return hn::Lanes(DepthwiseTag()); }

// Byte 4 i + t of the result is byte i * stride + t * dilation from `from` on.
template <class V8>
HWY_INLINE V8 TakeQuads(const uint8_t* from, V8 order) {
  const DepthwiseBytes d8;
  const V8 bytes = hn::LoadU(d8, from);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  return hn::TableLookupLanes(bytes, hn::IndicesFromVec(d8, order));
#else
  return hn::TableLookupBytes(bytes, order);
#endif
}

// kTapRows and kQuads of args, or 0 for any.
template <bool kWithSums, size_t kTapRows, size_t kQuads>
void DepthwiseRows(const DepthwiseArgs& args) {
  const DepthwiseTag d32;
  const DepthwiseBytes d8;
  const hn::Repartition<int8_t, DepthwiseTag> di8;
  using V = hn::VFromD<DepthwiseTag>;
  using V8 = hn::VFromD<DepthwiseBytes>;
  const size_t lanes = hn::Lanes(d32);
  const size_t tap_rows = kTapRows != 0 ? kTapRows : args.tap_rows;
  const size_t quads = kQuads != 0 ? kQuads : args.quads;
  const V8 order = hn::LoadU(d8, args.places);
  const V8 flip = hn::Set(d8, args.is_signed ? 0x80 : 0);
  const V8 zero_point = hn::Set(d8, args.zero_point);
  const V init = hn::Set(d32, args.init);
  const V factor = hn::Set(d32, args.sum_factor);
  const auto word = [&](uint32_t bytes) HWY_ATTR {
    return hn::BitCast(di8, hn::Set(d32, static_cast<int32_t>(bytes)));
  };
  for (size_t o = 0; o < args.outputs; ++o) {
    const int64_t* offsets = args.offsets + o * tap_rows;
    int32_t* c = args.c + o * args.width;
    const uint8_t* keep = args.keep;
    for (size_t j = 0; j < args.width; j += lanes) {
      V sum = init;
      V of_b = hn::Zero(d32);
      for (size_t r = 0; r < tap_rows; ++r) {
        const uint8_t* row =
            offsets[r] == kPaddedRow ? args.padded_row : args.x + offsets[r];
        row += j * args.stride;
        for (size_t q = 0; q < quads; ++q) {
          const V8 codes = TakeQuads(row + 4 * q * args.dilation, order);
          const V8 kept = hn::LoadU(d8, keep + q * 4 * lanes);
          const V8 b = hn::Xor(hn::BitwiseIfThenElse(kept, codes, zero_point), flip);
          sum = hn::SumOfMulQuadAccumulate(d32, b, word(args.a[r * quads + q]), sum);
          if (kWithSums) {
            of_b = hn::SumOfMulQuadAccumulate(d32, b, word(args.ones[q]), of_b);
          }
        }
      }
      keep += quads * 4 * lanes;
      if (kWithSums) sum = hn::Add(sum, hn::Mul(of_b, factor));
      hn::StoreU(sum, d32, c + j);
    }
  }
}

template <bool kWithSums>
void DepthwiseOf(const DepthwiseArgs& args) {
  if (args.tap_rows == 3 && args.quads == 1) {
    DepthwiseRows<kWithSums, 3, 1>(args);
  } else {
    DepthwiseRows<kWithSums, 0, 0>(args);
  }
}

void Depthwise(const DepthwiseArgs& args) {
  if (args.sum_factor == 0) {
    DepthwiseOf<false>(args);
  } else {
    DepthwiseOf<true>(args);
  }
}

void TakeEverySecond(const RowsOfTwo& rows) {
  const hn::ScalableTag<uint8_t> wide;
  const hn::CappedTag<uint8_t, 16> narrow;
  const auto take = [&](auto d8, const uint8_t* from, size_t i, uint8_t* to) HWY_ATTR {
    const auto low = hn::LoadU(d8, from + 2 * i);
    const auto high = hn::LoadU(d8, from + 2 * i + hn::Lanes(d8));
    hn::StoreU(hn::ConcatEven(d8, high, low), d8, to + i);
  };
  const size_t n = rows.count;
  for (size_t row = 0; row < rows.rows; ++row) {
    const uint8_t* from = rows.from + static_cast<ptrdiff_t>(row) * rows.from_step;
    uint8_t* to = rows.to + static_cast<ptrdiff_t>(row) * rows.to_step;
    // The element after the last one is not read: the last output is for itself.
    size_t i = 0;
    for (; i + hn::Lanes(wide) < n; i += hn::Lanes(wide)) take(wide, from, i, to);
    for (; i + hn::Lanes(narrow) < n; i += hn::Lanes(narrow)) take(narrow, from, i, to);
    if (i < n && n > hn::Lanes(narrow)) {  // once more
      take(narrow, from, n - 1 - hn::Lanes(narrow), to);
      i = n - 1;
    }
    for (; i < n; ++i) to[i] = from[2 * i];
  }
}

constexpr ConvolutionKernels MakeConvolutionKernels() {
  ConvolutionKernels k = {};
  k.target = HWY_TARGET;
  k.lay_out[static_cast<int>(WordForm::kPairs)] = LayOutAsPairs;
  k.lay_out[static_cast<int>(WordForm::kQuads)] = LayOutAsQuads;
  k.depthwise_lanes = DepthwiseLanes;
  k.depthwise = Depthwise;
  k.take_every_second = TakeEverySecond;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr ConvolutionKernels kConvolutionKernels = MakeConvolutionKernels();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd::convolution
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd::convolution {

const ConvolutionKernels* KernelsOf(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kConvolutionKernels);
}

}  // namespace qconform::simd::convolution
#endif  // HWY_ONCE
