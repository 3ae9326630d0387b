// The kernels of every target, and the table that finds them.

#include "harness/backends/simd/kernels.h"

#include "harness/backends/simd/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/kernels.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/convert-inl.h"
#include "harness/backends/simd/divide-inl.h"
#include "harness/backends/simd/pack-inl.h"
#include "harness/backends/simd/quantize_linear-inl.h"
#include "harness/backends/simd/scales-inl.h"
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
    const auto wide =
        kSum == ZeroPointSum::kNone ? hn::Zero(d) : hn::PromoteTo(d, hn::LoadU(df, z));
    return OddFloat(df, d,
                    QuotientDouble<kSum>(d, hn::LoadU(d, a), hn::LoadU(d, b), wide));
  };
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const float* z = kSum == ZeroPointSum::kNone ? nullptr : zero_point + i;
    hn::StoreU(divide(x + i, scale + i, z), df, q + i);
  }
  if (i < n) {
    double a[hn::MaxLanes(d)] = {};
    double b[hn::MaxLanes(d)] = {};
    float z[hn::MaxLanes(d)] = {};
    std::memcpy(a, x + i, (n - i) * sizeof(double));
    std::memcpy(b, scale + i, (n - i) * sizeof(double));
    if (kSum != ZeroPointSum::kNone) {
      std::memcpy(z, zero_point + i, (n - i) * sizeof(float));
    }
    float result[hn::MaxLanes(df)];
    hn::StoreU(divide(a, b, z), df, result);
    std::memcpy(q + i, result, (n - i) * sizeof(float));
  }
}

void DivideDouble(ZeroPointSum sum, const double* x, const double* scale,
                  const float* zero_point, size_t n, float* q) {
  switch (sum) {
    case ZeroPointSum::kNone:
      return DivideDoubleLoop<ZeroPointSum::kNone>(x, scale, zero_point, n, q);
    case ZeroPointSum::kRoundedQuotient:
      return DivideDoubleLoop<ZeroPointSum::kRoundedQuotient>(x, scale, zero_point, n, q);
    case ZeroPointSum::kExactQuotient:
      return DivideDoubleLoop<ZeroPointSum::kExactQuotient>(x, scale, zero_point, n, q);
  }
}

size_t FloatLanes() { return hn::Lanes(hn::ScalableTag<float>()); }

template <Division kDivision, Operands kOperands, Sink kSink>
constexpr void Fill(Kernels& k) {
  k.run[static_cast<int>(kDivision)][static_cast<int>(kOperands)]
       [static_cast<int>(kSink)] = QuantizeRun<kDivision, kOperands, kSink>;
}

// All sinks of one division and one kind of operands.
template <Division kDivision, Operands kOperands>
constexpr void FillSinks(Kernels& k) {
  Fill<kDivision, kOperands, Sink::kInteger8>(k);
  if constexpr (kDivision != Division::kReciprocal) {
    Fill<kDivision, kOperands, Sink::kInteger16>(k);
  }
  // Float targets have no zero point here: it is added to the quotient before.
  if constexpr (kOperands != Operands::kVectors) {
    Fill<kDivision, kOperands, Sink::kFloat8>(k);
    Fill<kDivision, kOperands, Sink::kFloat8Fnuz>(k);
  }
}

template <Division kDivision>
constexpr void FillOperands(Kernels& k) {
  FillSinks<kDivision, Operands::kUniform>(k);
  FillSinks<kDivision, Operands::kVectorScale>(k);
  FillSinks<kDivision, Operands::kVectors>(k);
  FillSinks<kDivision, Operands::kBlocks>(k);
  Fill<kDivision, Operands::kUniform, Sink::kQuotient>(k);
  Fill<kDivision, Operands::kVectorScale, Sink::kQuotient>(k);
}

constexpr Kernels MakeKernels() {
  Kernels k = {};
  k.target = HWY_TARGET;
  FillOperands<Division::kFloat>(k);
  FillOperands<Division::kFloat16>(k);
  FillOperands<Division::kBfloat16>(k);
  FillSinks<Division::kDone, Operands::kUniform>(k);
  FillSinks<Division::kDone, Operands::kVectors>(k);
#if HWY_NATIVE_FMA
  FillSinks<Division::kReciprocal, Operands::kUniform>(k);
  FillSinks<Division::kReciprocal, Operands::kBlocks>(k);
#endif
  k.lanes = FloatLanes;
  k.convert = Convert;
  k.scales = Scales;
  k.to_double = ToDouble;
  k.offsets = Offsets;
  k.reciprocals = Reciprocals;
  k.repeat = Repeat;
  k.add_zero_point = AddZeroPoint;
  k.divide_double = DivideDouble;
  k.pack = Pack;
  return k;
}

// A constant: naming a target must not run any of its instructions.
constexpr Kernels kKernels = MakeKernels();

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {

const Kernels* KernelsOf(int64_t target_bit) {
  struct Row {
    int64_t bit;
    const Kernels* kernels;
  };
  static constexpr Row kRows[] = {
#define QCONFORM_SIMD_ROW(name) {HWY_##name, HWY_CHOOSE_##name(kKernels)},
      QCONFORM_SIMD_ALL_TARGETS(QCONFORM_SIMD_ROW)
#undef QCONFORM_SIMD_ROW
  };
  for (const Row& row : kRows) {
    if (row.bit == target_bit) return row.kernels;
  }
  return nullptr;
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
