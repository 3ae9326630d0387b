// How fast QLinearConv of the built-in kernels is, compared with a peer: both in turns in
// one process, with correct rounding, a bias, and constant weights laid out before.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_

#include <cstdint>
#include <string>

#include "harness/core/bench/convolution_shapes.h"
#include "harness/core/bench/peer.h"
#include "harness/core/bench/turns.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::q_linear_conv {

// "64x56x56 64 3x3", "144x56x56 144 3x3/2 depthwise": x, the channels of y, the kernel,
// and the stride if it is not 1.
std::string NameOf(const ConvolutionShape& shape);

struct ConvBenchOptions {
  int threads = 1;
  int64_t target = 0;  // simd::Target::bit; 0 takes the best
  double seconds = 1;  // of a shape, about
  DataType x = DataType::kUint8;
  DataType w = DataType::kInt8;  // with a scale for each channel of y
};

struct ConvBenchResult {
  TurnsResult turns;
  int64_t differing = 0;  // elements of y in which the peer's answer is another
};

// `peer` may be null. Times of one thread are that thread's; of more they are the wall's.
Result<ConvBenchResult> BenchQLinearConv(const ConvolutionShape& shape, Peer* peer,
                                         const ConvBenchOptions& options);

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_BENCH_MEASURE_H_
