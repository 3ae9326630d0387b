// The clauses of QLinearConv: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform::q_linear_conv {

std::vector<Clause> AllClauses();

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_CLAUSES_H_
