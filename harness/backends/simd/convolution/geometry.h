// Shapes of a convolution: which elements of x and w meet in an element of y. Private to
// the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_GEOMETRY_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_GEOMETRY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/backends/simd/core/refusal.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// As a node has them.
struct ConvolutionAttributes {
  std::string auto_pad = "NOTSET";
  int64_t group = 1;
  std::optional<std::vector<int64_t>> dilations = {}, kernel_shape = {}, pads = {},
                                      strides = {};
};

// x is [images, groups * in_channels, in...], w [groups * out_channels, in_channels,
// kernel...], y [images, groups * out_channels, out...]. Along a spatial axis, tap t of
// output o is input o * stride + t * dilation - pad.
struct ConvolutionGeometry {
  int64_t images = 0;
  int64_t groups = 1;
  int64_t in_channels = 0;   // of a group
  int64_t out_channels = 0;  // of a group
  // Of each spatial axis; pads are those at the beginning.
  std::vector<int64_t> in, kernel, out, strides, dilations, pads;

  int64_t in_size() const { return Product(in); }
  int64_t taps() const { return Product(kernel); }
  int64_t pixels() const { return Product(out); }
  // The products in the sum of an element of y, padded positions included.
  int64_t depth() const { return in_channels * taps(); }
  int64_t channels() const { return groups * out_channels; }
  Shape YShape() const;

 private:
  static int64_t Product(const std::vector<int64_t>& sizes);
};

// Returns the geometry, or why there is none: a Refusal whose clause is left to the
// operator. If a window fits nowhere, y has no elements.
std::variant<ConvolutionGeometry, Refusal> ResolveConvolution(
    const ConvolutionAttributes& attributes, std::span<const int64_t> x,
    std::span<const int64_t> w);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_GEOMETRY_H_
