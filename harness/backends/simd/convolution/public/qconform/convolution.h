// qconform::kernels: what the headers of convolutions share. This header needs nothing
// but the standard library.
#ifndef QCONFORM_CONVOLUTION_H_
#define QCONFORM_CONVOLUTION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "qconform/tensors.h"

namespace qconform::kernels {

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

// As ONNX has them. Lists have one number for each spatial axis, pads two: those at the
// beginnings, then those at the ends. An empty list means 1 for strides and dilations, 0
// for pads. Pads must be 0 unless auto_pad is kNotSet.
struct ConvolutionAttributes {
  AutoPad auto_pad = AutoPad::kNotSet;
  int64_t group = 1;
  std::span<const int64_t> dilations = {}, pads = {}, strides = {};
};

// Sets `y` to the shape of a convolution of an x and a w of these shapes. Returns an
// Error if they contradict each other or the attributes.
[[nodiscard]] Error ConvolutionOutputShape(std::span<const int64_t> x,
                                           std::span<const int64_t> w,
                                           const ConvolutionAttributes& attributes,
                                           std::vector<int64_t>& y) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_CONVOLUTION_H_
