// The bounded clauses of QLinearMatMul, by the judge: which codes an element may
// have where sums are rounded (MM-10), or operands are dequantized first
// (`float_matmul` of MM-02).
//
//   |C' - C| <= gamma(n) * sum |A_i B_i|,   gamma(k) = k u / (1 - k u), u = 2^-24
//   |v' - v| <= gamma(n + 3) * sum |A_i B_i| * |a_scale b_scale / y_scale|
//
// n is K; K + 2 for float8 operands with a zero point, whose A and B may be
// rounded too.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_BOUNDS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_BOUNDS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::exact {

// Codes in the order of their values, both ends included.
struct CodeInterval {
  uint64_t low = 0;
  uint64_t high = 0;
};

struct CodeBounds {
  CodeInterval admissible;
  CodeInterval reduced;  // `reduced_precision_accumulation`
  // A way leads to NaN, which no interval holds: 0 * Inf, Inf / Inf, or an
  // infinity where QL-22 is read as NaN.
  bool may_be_nan = false;
};

// Returns the ends of the interval around the exact v that `float_matmul` keeps to while
// nothing leaves FLOAT's normal range; nothing where C, v or a_scale b_scale / y_scale is
// no number.
std::optional<std::pair<mpq_class, mpq_class>> FloatMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element);

// Returns the same for sums in the scales' type (DequantizedCodes::scale_type_sums):
//   |v' - v| <= ((1 + h)^n - 1) * sum |A_i B_i| * |a_scale b_scale / y_scale|
// n = K + 3 counts alpha_i, beta_i, their product, K - 1 sums and the quotient; float8
// operands with a zero point have two more. h is 2^-11 for FLOAT16, 2^-8 for BFLOAT16.
// Where products are in FLOAT they are exact, and their factor is free for S, rounded to
// the scales' type at the end. Where products are rounded to that type, their sums in
// FLOAT and S again, that is one factor more, but K - 1 of them are FLOAT's, and no
// rounding moves by more than h / (1 + h): that is enough. Unlike gamma(n) this holds for
// every n.
std::optional<std::pair<mpq_class, mpq_class>> ScaleTypeMatMulInterval(
    const QLinearMatMulInput& input, const Accumulator& element);

// Returns the bounds of each element, with the given readings of the target.
// Operands with a float8 among them: MM-10, then every reading of MM-02, and
// `float_matmul`; K 2^-10 in place of gamma for `reduced`. Integer operands:
// `float_matmul` alone. One code where C is special or the element is free.
std::vector<CodeBounds> Bounds(const QLinearMatMulInput& input,
                               const std::vector<Accumulator>& accumulators,
                               const TargetReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_BOUNDS_H_
