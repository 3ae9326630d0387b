// Attributes of the public headers as those of the kernels. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PUBLIC_ATTRIBUTES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PUBLIC_ATTRIBUTES_H_

#include <span>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "qconform/convolution.h"

namespace qconform::kernels {

inline simd::ConvolutionAttributes AttributesOf(const ConvolutionAttributes& given) {
  constexpr const char* kAutoPads[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  simd::ConvolutionAttributes attributes;
  const auto auto_pad = static_cast<size_t>(given.auto_pad);
  attributes.auto_pad = auto_pad < std::size(kAutoPads) ? kAutoPads[auto_pad] : "?";
  attributes.group = given.group;
  const auto read = [](std::span<const int64_t> list) {
    std::optional<std::vector<int64_t>> numbers;
    if (!list.empty()) numbers.emplace(list.begin(), list.end());
    return numbers;
  };
  attributes.dilations = read(given.dilations);
  attributes.pads = read(given.pads);
  attributes.strides = read(given.strides);
  return attributes;
}

}  // namespace qconform::kernels

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_PUBLIC_ATTRIBUTES_H_
