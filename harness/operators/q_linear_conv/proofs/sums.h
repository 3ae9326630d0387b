// What a proof of accumulators has to know of QLinearConv.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_PROOFS_SUMS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_PROOFS_SUMS_H_

#include "harness/requantization/accumulators.h"

namespace qconform::q_linear_conv {

requantization::AccumulatorsOperator SumsOfConvolution();

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_PROOFS_SUMS_H_
