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

template <Division kDivision, Operands kOperands>
constexpr void FillSinks(RunFunction (&sinks)[kSinkCount]) {
  sinks[static_cast<int>(Sink::kInteger8)] =
      QuantizeRun<kDivision, kOperands, Sink::kInteger8>;
  sinks[static_cast<int>(Sink::kInteger16)] =
      QuantizeRun<kDivision, kOperands, Sink::kInteger16>;
  // Float targets have no zero point here: it is added to the quotient before.
  constexpr Operands kScale =
      kOperands == Operands::kBothUniform ? kOperands : Operands::kUniformZeroPoint;
  sinks[static_cast<int>(Sink::kFloat8)] = QuantizeRun<kDivision, kScale, Sink::kFloat8>;
  sinks[static_cast<int>(Sink::kFloat8Fnuz)] =
      QuantizeRun<kDivision, kScale, Sink::kFloat8Fnuz>;
  if constexpr (kDivision != Division::kDone) {
    sinks[static_cast<int>(Sink::kQuotient)] =
        QuantizeRun<kDivision, kScale, Sink::kQuotient>;
  }
}

template <Division kDivision>
constexpr void FillOperands(RunFunction (&table)[kOperandsCount][kSinkCount]) {
  FillSinks<kDivision, Operands::kBothUniform>(
      table[static_cast<int>(Operands::kBothUniform)]);
  FillSinks<kDivision, Operands::kUniformZeroPoint>(
      table[static_cast<int>(Operands::kUniformZeroPoint)]);
  FillSinks<kDivision, Operands::kBothVary>(table[static_cast<int>(Operands::kBothVary)]);
}

constexpr Kernels MakeKernels() {
  Kernels k = {};
  k.target = HWY_TARGET;
  FillOperands<Division::kFloat>(k.run[static_cast<int>(Precision::kFloat)]);
  FillOperands<Division::kFloat16>(k.run[static_cast<int>(Precision::kFloat16)]);
  FillOperands<Division::kBfloat16>(k.run[static_cast<int>(Precision::kBfloat16)]);
  FillOperands<Division::kDone>(k.encode);
  k.to_precision = ToPrecision;
  k.to_double = ToDouble;
  k.zero_points_to_float = ZeroPointsToFloat;
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
