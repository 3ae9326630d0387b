// The clauses of ConvInteger: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform::conv_integer {

std::vector<Clause> AllClauses();

}  // namespace qconform::conv_integer

#endif  // QCONFORM_ORACLE_OPERATORS_CONV_INTEGER_CLAUSES_H_
