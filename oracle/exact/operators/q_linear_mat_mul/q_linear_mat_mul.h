// QLinearMatMul, by the judge: exact sums of exact products, rational scales.
//
//   C = (a - a_zero_point) x (b - b_zero_point)
//   y = saturate(round_half_even(C * a_scale * b_scale / y_scale) + y_zero_point)
//
// Clauses MM-01 to MM-20 of docs/semantics.md. Models are not validated.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_

#include <cstdint>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/answer.h"
#include "oracle/exact/requantization.h"
#include "oracle/exact/target.h"

namespace qconform::exact {

// QL-22: float8 outputs are of since_version 21, whose Cast makes NaN of an infinity.
inline constexpr bool kCastGivesNan = true;

struct QLinearMatMulInput {
  Codes a, a_scale, a_zero_point;
  Codes b, b_scale, b_zero_point;
  Codes y_scale, y_zero_point;
};

struct QLinearMatMulReadings : RequantizationReadings {
  TargetReadings target = {};

  friend bool operator==(const QLinearMatMulReadings&,
                         const QLinearMatMulReadings&) = default;
};

// Returns all combinations that the clauses allow for scales and an output of
// these types, the canonical one first (G-01). Those that cannot apply to the
// types are left out.
std::vector<QLinearMatMulReadings> AllowedReadings(int scale, int y);

// Returns C, row-major. Scales and zero points are scalars, [1], [M] or [N],
// or [...,M,1] and [...,1,N] (MM-04); missing or broadcast batch dimensions of
// theirs count as numpy broadcasts them (MM-06).
std::vector<Accumulator> Accumulate(const QLinearMatMulInput& input);

// Returns y. y_scale and y_zero_point have one element (MM-05). The second form
// takes Accumulate(input), so that many readings can share it.
Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const QLinearMatMulReadings& readings = {});
Answer QLinearMatMul(const QLinearMatMulInput& input,
                     const std::vector<Accumulator>& accumulators,
                     const QLinearMatMulReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
