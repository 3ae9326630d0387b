// qconform::kernels: ONNX's QLinearConv by vector instructions, rounded correctly for
// every legal choice of types, scales, zero points and attributes. The best instruction
// set of the CPU is chosen when the program runs.
//
//   C = conv(x - x_zero_point, w - w_zero_point) + bias
//   y = saturate(rne(C * x_scale * w_scale / y_scale) + y_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_Q_LINEAR_CONV_H_
#define QCONFORM_Q_LINEAR_CONV_H_

#include <cstddef>
#include <optional>
#include <span>

#include "qconform/convolution.h"
#include "qconform/tensors.h"

namespace qconform::kernels {

// A tensor's scale, FLOAT, and its zero point, of the tensor's type and the scale's
// shape.
struct Quantization {
  Input scale, zero_point;
};

// Writes y, of y_quantization's zero point's type and the shape that
// ConvolutionOutputShape gives, into `y`, which has exactly one byte for each element.
//
// x, w and y: UINT8 or INT8; x is [N, C, ...], w [M, C / group, ...]. The parameters of x
// and y are one element each, those of w one element or a vector of M. bias: INT32 of
// shape [M], or absent. Padded positions contribute 0.
//
// C is exact if it fits INT32, and modulo 2^32 if it does not. The quotient is exact
// until it is rounded once, ties to even. Zero, negative, subnormal, infinite and NaN
// scales follow IEEE 754; a NaN gives y's lowest value.
//
// Returns an Error, with nothing written, if types, shapes, attributes and sizes are not
// as above or contradict each other, or if y overlaps an operand. Nothing is thrown.
//
// At most `threads` threads work, the calling one among them; y does not depend on their
// number. A call allocates memory, in which it lays out w. What
// qconform/quantize_linear.h says of threads, the stack and the floating-point
// environment holds here, too.
[[nodiscard]] Error QLinearConv(const Input& x, const Quantization& x_quantization,
                                const Input& w, const Quantization& w_quantization,
                                const Quantization& y_quantization,
                                const std::optional<Input>& bias,
                                const ConvolutionAttributes& attributes,
                                std::span<std::byte> y, int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_Q_LINEAR_CONV_H_
