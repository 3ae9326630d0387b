// The clauses of QuantizeLinear: the operator's part of the ledger.
#ifndef QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_
#define QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_

#include <string_view>
#include <vector>

#include "oracle/core/clauses.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

std::vector<Clause> QuantizeLinearClauses();

// The clauses of rounding to a type of y.
struct TargetClauses {
  std::string_view rounding;        // ties, subnormals, overflow
  std::string_view special_values;  // NaN, and the sign of a zero if there is no NaN
};

// Precondition: y is an integer or a float type.
TargetClauses ClausesOfTarget(DataType y);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_QUANTIZE_LINEAR_CLAUSES_H_
