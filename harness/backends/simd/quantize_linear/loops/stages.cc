// The stages of every target that are no runs.

#include "harness/backends/simd/core/highway_targets.h"
#include "harness/backends/simd/quantize_linear/kernels.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/quantize_linear/loops/stages.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/core/pack_codes-inl.h"
#include "harness/backends/simd/quantize_linear/loops/convert-inl.h"
#include "harness/backends/simd/quantize_linear/loops/divide-inl.h"
#include "harness/backends/simd/quantize_linear/loops/multiply_double-inl.h"
#include "harness/backends/simd/quantize_linear/loops/pack-inl.h"
#include "harness/backends/simd/quantize_linear/loops/scales-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {

void AddZeroPoint(const float* HWY_RESTRICT zero_point, size_t n, float* HWY_RESTRICT q) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(OddSum(d, hn::LoadU(d, q + i), hn::LoadU(d, zero_point + i)), d, q + i);
  }
  if (i < n) {
    float a[hn::MaxLanes(d)] = {};
    float b[hn::MaxLanes(d)] = {};
    std::memcpy(a, q + i, (n - i) * sizeof(float));
    std::memcpy(b, zero_point + i, (n - i) * sizeof(float));
    hn::StoreU(OddSum(d, hn::LoadU(d, a), hn::LoadU(d, b)), d, a);
    std::memcpy(q + i, a, (n - i) * sizeof(float));
  }
}

template <ZeroPointSum kSum>
void DivideDoubleLoop(const double* HWY_RESTRICT x, const double* HWY_RESTRICT scale,
                      const float* HWY_RESTRICT zero_point, size_t n,
                      float* HWY_RESTRICT q) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const size_t lanes = hn::Lanes(d);
  const auto divide = [&](const double* a, const double* b, const float* z)
                          HWY_ATTR -> hn::VFromD<decltype(df)> {
    const auto wide = hn::PromoteTo(d, hn::LoadU(df, z));
    return OddFloat(df, d,
                    QuotientDouble<kSum>(d, hn::LoadU(d, a), hn::LoadU(d, b), wide));
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(divide(x + i, scale + i, zero_point + i), df, q + i);
  }
  if (i < n) {
    double a[hn::MaxLanes(d)] = {};
    double b[hn::MaxLanes(d)] = {};
    float z[hn::MaxLanes(d)] = {};
    std::memcpy(a, x + i, (n - i) * sizeof(double));
    std::memcpy(b, scale + i, (n - i) * sizeof(double));
    std::memcpy(z, zero_point + i, (n - i) * sizeof(float));
    float result[hn::MaxLanes(df)];
    hn::StoreU(divide(a, b, z), df, result);
    std::memcpy(q + i, result, (n - i) * sizeof(float));
  }
}

void DivideDouble(ZeroPointSum sum, const double* x, const double* scale,
                  const float* zero_point, size_t n, float* q) {
  if (sum == ZeroPointSum::kRoundedQuotient) {
    DivideDoubleLoop<ZeroPointSum::kRoundedQuotient>(x, scale, zero_point, n, q);
  } else {
    DivideDoubleLoop<ZeroPointSum::kExactQuotient>(x, scale, zero_point, n, q);
  }
}

void Pack(int bits, const uint8_t* HWY_RESTRICT codes, size_t n,
          uint8_t* HWY_RESTRICT out) {
  switch (bits) {
    case 2:
      return PackCodes<2>(codes, n, out);
    case 4:
      return PackCodes<4>(codes, n, out);
    default:
      HWY_DASSERT(bits == 6);
      return PackCodes<6>(codes, n, out);
  }
}

size_t FloatLanes() { return hn::Lanes(hn::ScalableTag<float>()); }

void Flush() { hwy::FlushStream(); }

constexpr Kernels MakeStages() {
  Kernels k = {};
  k.target = HWY_TARGET;
  k.lanes = FloatLanes;
  k.scales = Scales;
  k.to_double = ToDouble;
  k.offsets = Offsets;
  k.reciprocals = MakeReciprocals;
  k.reciprocals_of_int32 = MakeReciprocalsOfInt32;
  k.range_of_int32 = RangeOf<int32_t>;
  k.range_of_int16 = RangeOf<int16_t>;
  k.repeat = Repeat;
  k.repeat_in_rows = RepeatInRows;
  k.tile_rows = TileRows;
  k.tile_in_rows = TileInRows;
  k.add_zero_point = AddZeroPoint;
  k.divide_double = DivideDouble;
  k.flush = Flush;
  k.invert = Invert;
  k.multiply_double = MultiplyDouble;
  k.packs = kPacksInRegisters;
  k.pack = Pack;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr Kernels kTable = MakeStages();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const Kernels* Stages(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kTable);
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
