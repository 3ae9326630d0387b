// Random convolutions, and their sums by plain loops.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_TESTING_QUESTIONS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_TESTING_QUESTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/core/testing/random.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

struct ConvolutionQuestion {
  Tensor x, w;
  Tensor x_zero_point, w_zero_point;  // of kUndefined: absent
  ConvolutionAttributes attributes;

  std::string Name() const;
};

// Of rank 3 to 5, with groups, strides, dilations, pads and auto_pad; channels and sizes
// around those of vectors; now and then only the ends of the types' ranges.
ConvolutionQuestion RandomConvolution(Random& random);

// The sums modulo 2^32, written from ONNX's words alone.
std::vector<int32_t> SumsOf(const ConvolutionQuestion& question);

// The shape of y.
Shape ShapeOfY(const ConvolutionQuestion& question);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_TESTING_QUESTIONS_H_
