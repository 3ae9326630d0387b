// Convolutions' kernels of every target, and the table that finds them.

#include "harness/backends/simd/convolution/kernels.h"

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/convolution/kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
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

void LayOutAsQuads(const PanelRows& rows, uint32_t* HWY_RESTRICT out) {
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

// The products of a word of a by words of b, added to `sum`.
template <WordForm kForm, class D32, class V = hn::VFromD<D32>>
HWY_INLINE V AddProducts(D32 d32, uint32_t a, V b, V sum) {
  const V words = hn::Set(d32, static_cast<int32_t>(a));
  if constexpr (kForm == WordForm::kQuads) {
    const hn::Repartition<uint8_t, D32> du8;
    const hn::Repartition<int8_t, D32> di8;
    return hn::SumOfMulQuadAccumulate(d32, hn::BitCast(du8, words), hn::BitCast(di8, b),
                                      sum);
  } else {
    const hn::Repartition<int16_t, D32> d16;
    return hn::Add(
        sum, hn::WidenMulPairwiseAdd(d32, hn::BitCast(d16, words), hn::BitCast(d16, b)));
  }
}

// Two vectors at once, if kTwo: their products do not wait for each other.
template <WordForm kForm, bool kWithSums, bool kTwo, class D32>
HWY_INLINE void MultiplyRowAt(D32 d32, const RowProductArgs& args, size_t j) {
  using V = hn::VFromD<D32>;
  constexpr uint32_t kOnes = kForm == WordForm::kQuads ? 0x01010101u : 0x00010001u;
  const size_t lanes = hn::Lanes(d32);
  const auto* b = reinterpret_cast<const int32_t*>(args.b);
  V sum0 = hn::Set(d32, args.init), sum1 = sum0;
  V of_b0 = hn::Zero(d32), of_b1 = of_b0;
  for (size_t s = 0; s < args.steps; ++s) {
    const V b0 = hn::LoadU(d32, b + s * args.width + j);
    sum0 = AddProducts<kForm>(d32, args.a[s], b0, sum0);
    if (kWithSums) of_b0 = AddProducts<kForm>(d32, kOnes, b0, of_b0);
    if (kTwo) {
      const V b1 = hn::LoadU(d32, b + s * args.width + j + lanes);
      sum1 = AddProducts<kForm>(d32, args.a[s], b1, sum1);
      if (kWithSums) of_b1 = AddProducts<kForm>(d32, kOnes, b1, of_b1);
    }
  }
  const V factor = hn::Set(d32, args.sum_factor);
  if (kWithSums) sum0 = hn::Add(sum0, hn::Mul(of_b0, factor));
  hn::Store(sum0, d32, args.c + j);
  if (!kTwo) return;
  if (kWithSums) sum1 = hn::Add(sum1, hn::Mul(of_b1, factor));
  hn::Store(sum1, d32, args.c + j + lanes);
}

template <WordForm kForm, bool kWithSums>
void MultiplyRowBy(const RowProductArgs& args) {
  const hn::CappedTag<int32_t, 16> d32;  // widths are multiples of 16
  const size_t lanes = hn::Lanes(d32);
  size_t j = 0;
  for (; j + 2 * lanes <= args.width; j += 2 * lanes) {
    MultiplyRowAt<kForm, kWithSums, true>(d32, args, j);
  }
  if (j < args.width) MultiplyRowAt<kForm, kWithSums, false>(d32, args, j);
}

template <WordForm kForm>
void MultiplyRow(const RowProductArgs& args) {
  if (args.sum_factor == 0) {
    MultiplyRowBy<kForm, false>(args);
  } else {
    MultiplyRowBy<kForm, true>(args);
  }
}

constexpr ConvolutionKernels MakeConvolutionKernels() {
  ConvolutionKernels k = {};
  k.target = HWY_TARGET;
  k.lay_out[static_cast<int>(WordForm::kPairs)] = LayOutAsPairs;
  k.lay_out[static_cast<int>(WordForm::kQuads)] = LayOutAsQuads;
  k.multiply_row[static_cast<int>(WordForm::kPairs)] = MultiplyRow<WordForm::kPairs>;
  k.multiply_row[static_cast<int>(WordForm::kQuads)] = MultiplyRow<WordForm::kQuads>;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr ConvolutionKernels kConvolutionKernels = MakeConvolutionKernels();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const ConvolutionKernels* ConvolutionKernelsOf(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kConvolutionKernels);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
