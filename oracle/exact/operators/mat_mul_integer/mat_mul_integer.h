// The judge of MatMulInteger.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_

#include <vector>

#include "oracle/exact/answer.h"

namespace qconform::exact {

// Returns one answer for each output.
std::vector<Answer> MatMulInteger(const std::vector<Codes>& operands);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
