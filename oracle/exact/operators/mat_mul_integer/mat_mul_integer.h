// MatMulInteger, by the judge: exact sums of exact products.
//
//   Y = (A - a_zero_point) x (B - b_zero_point)
//
// Clauses MI-01 to MI-08 of docs/semantics.md. Models are not validated; open ones
// (MI-05) get their plain meaning. No clause has readings.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_

#include <optional>

#include "oracle/exact/answer.h"

namespace qconform::exact {

struct MatMulIntegerInput {
  Codes a;
  Codes b;
  std::optional<Codes> a_zero_point;  // absent: 0
  std::optional<Codes> b_zero_point;
};

// Returns Y. Its codes are those of INT32: the exact sum modulo 2^32. A sum that INT32
// does not hold is free, and of the tier accumulator_overflow (MI-02). Preconditions:
// numpy.matmul accepts the shapes of a and b; those of the zero points are as
// ProductElement wants them.
Answer MatMulInteger(const MatMulIntegerInput& input);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
