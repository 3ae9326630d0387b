// How fast QLinearConv of the built-in kernels is, compared with a peer: with correct
// rounding, a bias, and a scale for each channel of y.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_

#include "harness/convolution/bench.h"

namespace qconform::q_linear_conv {

// As BenchConvolution has it.
Result<ConvBenchResult> BenchQLinearConv(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options);

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_
