// The ledger's rows of MatMulInteger.
#ifndef QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform::mat_mul_integer {

std::vector<Clause> AllClauses();

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_CLAUSES_H_
