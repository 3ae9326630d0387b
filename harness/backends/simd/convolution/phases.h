// x of a convolution with strides, taken apart so that neighbouring windows read
// neighbouring elements. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PHASES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PHASES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Each channel of x as planes: the elements whose coordinates have the same remainders
// modulo the strides. Along every spatial axis but the first a plane has as many elements
// as y. So the elements that a tap reads for neighbouring pixels of y are neighbours in a
// plane, beyond the ends of rows, too: what is read there are padded positions.
struct Phases {
  std::span<const uint8_t> data;  // of all channels of all images
  int64_t channel_size = 0;
  // Where the first pixel's element of each tap is, in a channel; it may lie outside.
  std::vector<int64_t> tap_offsets;
  std::unique_ptr<uint8_t[]> memory;  // unless the planes are those of x itself
};

// Whether a convolution can be taken apart so: no tap needs elements that have no place.
bool HasPhases(const ConvolutionGeometry& geometry);

// Precondition: HasPhases. x outlives the result if all strides are 1.
Phases MakePhases(const ConvolutionGeometry& geometry, const TensorView& x,
                  const ConvolutionKernels& kernels, int threads);

// Calls work(tap, coordinates) for each tap of the kernel in w's order.
template <typename Work>
void ForEachTap(const ConvolutionGeometry& geometry, const Work& work) {
  std::vector<int64_t> at(geometry.kernel.size());
  const int64_t taps = geometry.taps();
  for (int64_t tap = 0; tap < taps; ++tap) {
    work(static_cast<size_t>(tap), at);
    for (size_t i = at.size(); i-- > 0;) {
      if (++at[i] < geometry.kernel[i]) break;
      at[i] = 0;
    }
  }
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PHASES_H_
