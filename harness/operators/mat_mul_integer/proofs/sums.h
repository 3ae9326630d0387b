// What proofs of sums have to know of MatMulInteger.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_

#include "harness/integer_sums/sums_proofs.h"

namespace qconform::mat_mul_integer {

integer_sums::SumsOperator SumsOfProduct();

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_
