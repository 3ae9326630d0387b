// The windows of MaxPool and AveragePool, and the attributes of Conv, by the judge.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_WINDOWS_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_WINDOWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/exact/convolution.h"
#include "oracle/exact/graphs/graph.h"

namespace qconform::exact {

struct Window {
  std::vector<size_t> inside;  // positions in the image, row-major
  int64_t padded = 0;          // positions in the image or in its padding
};

struct Windows {
  std::vector<int64_t> shape;  // spatial
  std::vector<Window> elements;
};

// Returns the windows over an image of these spatial dimensions, by kernel_shape,
// strides, dilations, pads, auto_pad and ceil_mode.
Windows WindowsOf(const GraphNode& node, const std::vector<int64_t>& image);

ConvolutionAttributes ConvolutionAttributesOf(const GraphNode& node);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_WINDOWS_H_
