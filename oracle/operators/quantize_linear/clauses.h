// The clauses of QuantizeLinear: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform {

std::vector<Clause> QuantizeLinearClauses();

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_
