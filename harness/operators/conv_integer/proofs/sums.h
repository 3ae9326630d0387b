// What proofs of sums have to know of ConvInteger.
#ifndef QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_PROOFS_SUMS_H_
#define QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_PROOFS_SUMS_H_

#include "harness/integer_sums/sums_proofs.h"

namespace qconform::conv_integer {

integer_sums::SumsOperator SumsOfConvolution();

}  // namespace qconform::conv_integer

#endif  // QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_PROOFS_SUMS_H_
