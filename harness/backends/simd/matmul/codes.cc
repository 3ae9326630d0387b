#include "harness/backends/simd/matmul/codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace qconform::simd {
namespace {

bool AllFinite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

// What the error bounds of fast arithmetic take for granted: no overflow in the
// product with an int32, no loss by subnormals. A factor of zero is exact.
bool IsRegularFactor(double factor) {
  const double magnitude = std::abs(factor);
  return factor == 0 || (magnitude >= 0x1p-126 && magnitude <= 0x1p96);
}

// The product is exact, so this has one rounding.
double ColumnFactor(float a_scale, float b_scale, float y_scale) {
  return static_cast<double>(a_scale) * b_scale / y_scale;
}

// Whether factor is a_scale * b_scale / y_scale exactly, and an integer times
// 2^-15 of at most 24 bits. Then |C| <= 2^24 gives an exact product below 2^9,
// and larger ones saturate.
bool IsExactFactor(double factor, float a_scale, float b_scale, float y_scale) {
  const double scaled = factor * 0x1p15;
  return std::abs(scaled) < 0x1p24 && scaled == std::nearbyint(scaled) &&
         factor * y_scale == static_cast<double>(a_scale) * b_scale;
}

// Whether Multiplier's factors obey the bounds, and which Multiplier it is.
bool ChooseMultiplier(const MatMulJob& job, Multiplier* multiplier) {
  if (!AllFinite(job.a_scale) || !AllFinite(job.b_scale) || !std::isfinite(job.y_scale) ||
      job.y_scale == 0) {
    return false;
  }
  if (job.a_scale.size() != 1) {
    *multiplier = Multiplier::kRowAndColumn;
    return std::all_of(job.a_scale.begin(), job.a_scale.end(), [&](float a) {
      return IsRegularFactor(static_cast<double>(a) / job.y_scale);
    });
  }
  bool exact = IsInteger(job.y_type);
  for (const float b : job.b_scale) {
    const float a = job.a_scale[0];
    const double factor = ColumnFactor(a, b, job.y_scale);
    if (!IsRegularFactor(factor)) return false;
    exact = exact && IsExactFactor(factor, a, b, job.y_scale);
  }
  *multiplier = exact ? Multiplier::kExactColumn : Multiplier::kColumn;
  return true;
}

uint8_t ExactCode(const CodePlan& plan, const Repairs& repairs, size_t row, size_t column,
                  int32_t sum) {
  const MatMulJob& job = *plan.job;
  const float a = ParameterAt(job.a_scale, repairs.LineOf(row));
  const float b =
      ParameterAt(job.b_scale, repairs.first_column + static_cast<int64_t>(column));
  if (job.requantization == Requantization::kF32Multiplier) {
    return plan.ladder->RoundFloat(static_cast<float>(sum) *
                                   FloatMultiplier(a, b, job.y_scale));
  }
  const ExactMultiplier multiplier(a, b, job.y_scale);
  return multiplier.finite() ? plan.ladder->Round(multiplier.Times(sum))
                             : plan.ladder->RoundSpecial(multiplier.Special(sum));
}

// Codes of n quotients; both buffers hold kMaxColumns.
void Round(const CodePlan& plan, const float* v, size_t n, uint8_t* codes) {
  if (IsInteger(plan.job->y_type)) {
    plan.kernels->round_to_integers(v, n, static_cast<int32_t>(plan.zero_point),
                                    plan.smallest, codes);
  } else if (plan.format.sink == Sink::kFloat8Fnuz) {
    plan.kernels->round_to_float8_fnuz(v, n, plan.format.floats, codes);
  } else {
    plan.kernels->round_to_float8(v, n, plan.format.floats, codes);
  }
}

}  // namespace

CodePlan::CodePlan(const MatMulJob& the_job, int64_t target_bit)
    : job(&the_job),
      kernels(MatMulKernelsOf(target_bit)),
      smallest(the_job.y_type == DataType::kInt8 ? -128 : 0) {
  if (job->y_type == DataType::kInt32) {
    path = CodePath::kSums;
    multiplier = Multiplier::kNone;
    return;
  }
  format = *FormatOfCodes(job->y_type, /*saturate=*/true);
  const Value8 value = DecodeValue8(job->y_type, job->y_zero_point);
  if (value.kind == Value8::Kind::kFinite) {
    zero_point = std::ldexp(static_cast<float>(value.units), kValue8Exponent);
    if (job->requantization == Requantization::kF32Multiplier) {
      // A float8's zero point is added exactly, and infinities are NaN in FNUZ formats:
      // neither in FLOAT lanes.
      const bool lanes = value.units == 0 && format.sink != Sink::kFloat8Fnuz;
      if (IsInteger(job->y_type) || lanes) path = CodePath::kFloat;
    } else if (ChooseMultiplier(*job, &multiplier)) {
      path = IsInteger(job->y_type) ? CodePath::kFused : CodePath::kEnclosed;
    }
  }
  if (path != CodePath::kFused) ladder.emplace(job->y_type, job->y_zero_point);
}

void FillColumnFactors(const CodePlan& plan, int64_t first, size_t n, float* factors) {
  const MatMulJob& job = *plan.job;
  const bool as_they_are = plan.multiplier == Multiplier::kRowAndColumn;
  const auto factor = [&](float b) {
    const float a = job.a_scale[0];
    if (plan.path == CodePath::kFloat) return FloatMultiplier(a, b, job.y_scale);
    return as_they_are ? b : static_cast<float>(ColumnFactor(a, b, job.y_scale));
  };
  if (job.b_scale.size() == 1) {
    std::fill_n(factors, n, factor(job.b_scale[0]));
    return;
  }
  const float* b = job.b_scale.data() + first;
  for (size_t i = 0; i < n; ++i) factors[i] = factor(b[i]);
}

float RowFactor(const CodePlan& plan, int64_t row) {
  return static_cast<float>(static_cast<double>(ParameterAt(plan.job->a_scale, row)) /
                            plan.job->y_scale);
}

void WriteCodes(const CodePlan& plan, const Repairs& repairs, size_t row, size_t column,
                size_t n, const int32_t* sums, const float* column_factors, uint8_t* y) {
  const MatMulJob& job = *plan.job;
  alignas(64) float low[kMaxColumns] = {};
  alignas(64) float high[kMaxColumns] = {};
  alignas(64) uint8_t codes[kMaxColumns];
  const int64_t line = repairs.LineOf(row);
  switch (plan.path) {
    case CodePath::kFloat: {
      const float* factors = column_factors;
      if (job.a_scale.size() != 1) {
        const float a = ParameterAt(job.a_scale, line);
        for (size_t i = 0; i < n; ++i) {
          const int64_t b_line = repairs.first_column + static_cast<int64_t>(column + i);
          high[i] = FloatMultiplier(a, ParameterAt(job.b_scale, b_line), job.y_scale);
        }
        factors = high;
      }
      plan.kernels->scale(sums, n, factors, low);
      Round(plan, low, n, codes);
      std::memcpy(y, codes, n);
      return;
    }
    case CodePath::kEnclosed: {
      const bool by_row = plan.multiplier == Multiplier::kRowAndColumn;
      const float row_factor = by_row ? RowFactor(plan, line) : 1.0f;
      plan.kernels->enclose(sums, n, by_row ? &row_factor : nullptr, column_factors,
                            plan.zero_point, low, high);
      alignas(64) uint8_t others[kMaxColumns];
      Round(plan, low, n, codes);
      Round(plan, high, n, others);
      std::memcpy(y, codes, n);
      if (std::memcmp(codes, others, n) == 0) return;
      int64_t repaired = 0;
      for (size_t i = 0; i < n; ++i) {
        if (codes[i] == others[i]) continue;
        y[i] = ExactCode(plan, repairs, row, column + i, sums[i]);
        ++repaired;
      }
      *repairs.repaired += repaired;
      return;
    }
    default:
      for (size_t i = 0; i < n; ++i) {
        y[i] = ExactCode(plan, repairs, row, column + i, sums[i]);
      }
  }
}

void RepairCodes(const Repairs& repairs, size_t row, size_t column, size_t n,
                 const int32_t* c, const uint32_t* fixed, uint8_t* codes) {
  uint64_t lanes = 0;
  for (size_t i = 0; i < n; ++i) {
    lanes |= uint64_t{(fixed[i] & kUndecided) == 0} << i;
  }
  if (lanes != 0) RepairLanes(repairs, row, column, lanes, c, fixed, codes);
}

void RepairLanes(const Repairs& repairs, size_t row, size_t column, uint64_t lanes,
                 const int32_t* c, const uint32_t* fixed, uint8_t* codes) {
  const CodePlan& plan = *repairs.plan;
  const MatMulJob& job = *plan.job;
  const auto zero_point = static_cast<int32_t>(plan.zero_point);
  const float a = ParameterAt(job.a_scale, repairs.LineOf(row));
  *repairs.repaired += std::popcount(lanes);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(lanes));
    const auto line = repairs.first_column + static_cast<int64_t>(column + i);
    const ExactMultiplier multiplier(a, ParameterAt(job.b_scale, line), job.y_scale);
    // The code on the upper side of the boundary; 256.0f stands for the smallest.
    const int32_t upper =
        (static_cast<int32_t>(fixed[i] - 0x43800000u) >> kFixedBits) + plan.smallest;
    const int32_t rounded = upper - zero_point;
    const int64_t boundary = (2 * int64_t{rounded} - 1) * (1 << (kBoundaryBits - 1));
    const int order = Compare(multiplier.Times(c[i]), boundary);
    const bool is_upper = order > 0 || (order == 0 && rounded % 2 == 0);
    codes[i] = static_cast<uint8_t>(is_upper ? upper : upper - 1);
  }
}

}  // namespace qconform::simd
