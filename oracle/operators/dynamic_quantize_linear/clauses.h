// The ledger's rows of DynamicQuantizeLinear.
#ifndef QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CLAUSES_H_

#include <vector>

#include "oracle/core/clauses.h"

namespace qconform::dynamic_quantize_linear {

std::vector<Clause> AllClauses();

}  // namespace qconform::dynamic_quantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_CLAUSES_H_
