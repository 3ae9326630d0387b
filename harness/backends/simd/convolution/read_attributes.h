// The attributes of a node as those of the kernels. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_READ_ATTRIBUTES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_READ_ATTRIBUTES_H_

#include <span>

#include "harness/backends/simd/convolution/geometry.h"
#include "oracle/base/attribute.h"
#include "oracle/base/result.h"

namespace qconform::simd {

// An Error if an attribute has a value of another kind. Others are ignored.
Result<ConvolutionAttributes> ReadConvolutionAttributes(
    std::span<const Attribute> attributes);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_READ_ATTRIBUTES_H_
