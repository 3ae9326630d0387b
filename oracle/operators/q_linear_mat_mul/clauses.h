// The clauses of QLinearMatMul: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform {

std::vector<Clause> QLinearMatMulClauses();

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_CLAUSES_H_
