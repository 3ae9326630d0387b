// The clauses of DequantizeLinear: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform::dequantize_linear {

std::vector<Clause> AllClauses();

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_CLAUSES_H_
