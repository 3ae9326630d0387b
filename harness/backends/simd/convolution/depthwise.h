// Convolutions whose groups have one channel of x and few of y. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_

#include <cstdint>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "harness/backends/simd/matmul/job.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Weights of one channel of x for each channel of y, as DepthwiseArgs has them.
struct TapWords {
  std::vector<uint32_t> words;  // of each channel
  std::vector<int32_t> sums;    // of each channel's values
};

// Precondition: w is UINT8 or INT8 and has rank 3 or more, and its second dimension is 1.
TapWords MakeTapWords(const TensorView& w);

// Whether tiles of rows would be nearly empty, and the kernel can take x.
bool IsDepthwise(const ConvolutionGeometry& geometry);

// The same as MultiplyIntegers for such a convolution. `job` has w's rows as a, and the
// type of x as that of b. `target` is that of the kernels.
void ConvolveDepthwise(const ConvolutionGeometry& geometry, const MatMulJob& job,
                       const TensorView& x, const TapWords& weights, int64_t target);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_
