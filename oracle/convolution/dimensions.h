// The dimensions of a convolution: "n"; "m" and "c", the channels, which can be cut if
// there is one group; and for each spatial axis i "in_i", "k_i" and "out_i".
#ifndef QCONFORM_ORACLE_CONVOLUTION_DIMENSIONS_H_
#define QCONFORM_ORACLE_CONVOLUTION_DIMENSIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/convolution/geometry.h"
#include "oracle/core/dimensions.h"

namespace qconform {

// A scale, zero point or bias: its position in the schema and its shape. Those with one
// element belong to no dimension.
struct ChannelParameterPlace {
  size_t operand = 0;
  std::span<const int64_t> shape;
};

// `x`, `w`: positions of these operands in the schema.
Dimensions ConvolutionDimensions(const ConvolutionGeometry& geometry, size_t x, size_t w,
                                 std::span<const ChannelParameterPlace> parameters);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_DIMENSIONS_H_
