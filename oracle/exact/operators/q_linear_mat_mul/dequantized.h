// QLinearMatMul by a backend that dequantizes both operands first (MM-02, MM-20), by
// the judge: which codes an element may have.
//
//   alpha_i = round_D(A_i a_scale),  beta_i = round_D(B_i b_scale)
//   S = sum of alpha_i beta_i, in any order
//   v = S / y_scale
//
// Each product, sum and quotient is rounded to one of the types P, or not at all, as in
// a fused multiply-add or a wider accumulator.
//
//   float_matmul:       D and P are FLOAT
//   scale_type_matmul:  FLOAT16, BFLOAT16 scales: D is their type TS; P is FLOAT, but S
//                       and v may each be rounded to TS, throughout; A_i and B_i of
//                       float8 operands with a zero point may be rounded to TS first
//   scale_type_sums:    the same with products and sums in TS or FLOAT, as they come:
//                       more than MM-02 admits
//
// Why each step gives what it gives stands in dequantized_sum.cc.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_DEQUANTIZED_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_DEQUANTIZED_H_

#include <array>
#include <bitset>
#include <vector>

#include "oracle/exact/dequantized_sum.h"
#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::exact {

// A set of codes of y, whose types all have 8 bits.
using CodeSet = std::bitset<256>;

struct CodeSets {
  CodeSet derived;
  // For who knows no more of alpha_i and beta_i than that each is off by one rounding:
  // around the exact v, with half the smallest member for each that may be too small. A
  // bound may admit that much, and no more.
  CodeSet widest;
};

struct DequantizedCodes {
  CodeSets float_matmul;  // with the interval of MM-02
  // None of these where the scales are FLOAT. Of the four, 1 is added to the index where
  // S is rounded to TS, 2 where v is.
  std::array<CodeSets, 4> scale_type_matmul;
  CodeSets scale_type_sums;
};

// Returns them for each element, with the given readings of the target. The sets need
// not have the canonical code: a_scale = Inf times a zero operand is NaN here, although
// C may be another number than 0.
std::vector<DequantizedCodes> DequantizedMatMul(
    const QLinearMatMulInput& input, const std::vector<Accumulator>& accumulators,
    const TargetReadings& readings);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_DEQUANTIZED_H_
