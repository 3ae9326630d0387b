// Convolutions whose groups have one channel of x and few of y. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_

#include <functional>
#include <memory>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "harness/backends/simd/convolution/panel_maker.h"
#include "harness/backends/simd/matmul/job.h"

namespace qconform::simd {

// Whether tiles of rows would be nearly empty.
bool IsDepthwise(const ConvolutionGeometry& geometry);

// The same as MultiplyIntegers for such a convolution. new_maker is called once by each
// thread.
void ConvolveDepthwise(const ConvolutionGeometry& geometry, const MatMulJob& job,
                       const Rows& rows, const ConvolutionKernels& kernels,
                       const std::function<PanelMaker()>& new_maker);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_DEPTHWISE_H_
