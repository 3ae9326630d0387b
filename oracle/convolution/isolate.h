// One element of a convolution with the elements of x and w that make it.
#ifndef QCONFORM_ORACLE_CONVOLUTION_ISOLATE_H_
#define QCONFORM_ORACLE_CONVOLUTION_ISOLATE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/convolution/geometry.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// What Operator::layout_attributes() returns of a convolution. The kernel of an isolated
// element keeps its shape and its dilations.
std::span<const std::string_view> ConvolutionLayoutAttributes();

// Returns the first products of an element that are not padded, a pair of operands each:
// "x[2 of 9]", "w[2 of 9]".
std::vector<ElementOperand> ShownPairs(const ConvolutionGeometry& geometry,
                                       const TensorView& x, const TensorView& w,
                                       const ConvolutionElement& element);

// Returns the part of x under the window of an element, [1, C / group, ...]. It has at
// least one position of each axis that x has.
Tensor IsolateWindow(const ConvolutionGeometry& geometry, const TensorView& x,
                     const ConvolutionElement& element);

// Returns the kernel of an element, [1, C / group, k1, ...].
Tensor IsolateKernel(const ConvolutionGeometry& geometry, const TensorView& w,
                     const ConvolutionElement& element);

// Returns pads and strides with which these two have this one element.
std::vector<Attribute> IsolatedConvolutionAttributes(const ConvolutionGeometry& geometry,
                                                     const ConvolutionElement& element);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_ISOLATE_H_
