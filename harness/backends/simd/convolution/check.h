// What convolutions check and read of their operands. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CHECK_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CHECK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/simd/convolution/convolution.h"

namespace qconform::simd {

// Returns what is wrong with the types and sizes of x and w, or nothing.
std::optional<std::string> CheckOperands(const TensorView& x, const TensorView& w);

// Returns why a parameter of this shape is none of one element, or of one for each of
// `channels`, or nothing. `name` is the parameter's.
std::optional<std::string> CheckChannels(const char* name, std::span<const int64_t> shape,
                                         int64_t channels);

using NamedTensor = std::pair<const char*, const TensorView*>;

// An Error if the target cannot run here, if `packed` is of other weights, if a tensor
// has other bytes than its shape asks for, or if y is not of this type and the geometry's
// shape or overlaps an operand. `others` are the operands beside x and w; those of type
// kUndefined are absent.
Status CheckConvolution(const ConvolutionGeometry& geometry, const TensorView& x,
                        const TensorView& w, const PackedWeights* packed,
                        const std::vector<NamedTensor>& others, DataType y_type,
                        const MutableTensorView& y, const ProductOptions& options);

// The elements of a tensor of one byte each.
std::vector<uint8_t> Codes(const TensorView& tensor);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CHECK_H_
