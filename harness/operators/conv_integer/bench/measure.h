// How fast ConvInteger of the built-in kernels is, compared with a peer.
#ifndef QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_BENCH_MEASURE_H_

#include "harness/convolution/bench.h"

namespace qconform::conv_integer {

// As BenchConvolution has it. w has one zero point.
Result<ConvBenchResult> BenchConvInteger(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options);

}  // namespace qconform::conv_integer

#endif  // QCONFORM_HARNESS_OPERATORS_CONV_INTEGER_BENCH_MEASURE_H_
