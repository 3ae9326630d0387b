// qconform::kernels: ONNX's ConvInteger by vector instructions, exact for every legal
// choice of types, zero points and attributes. The best instruction set of the CPU is
// chosen when the program runs.
//
//   y = conv(x - x_zero_point, w - w_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_CONV_INTEGER_H_
#define QCONFORM_CONV_INTEGER_H_

#include <cstddef>
#include <optional>
#include <span>

#include "qconform/convolution.h"
#include "qconform/tensors.h"

namespace qconform::kernels {

// Writes y, INT32 of the shape that ConvolutionOutputShape gives, into `y`, which has
// exactly the bytes for that and need not be aligned.
//
// x and w: UINT8 or INT8, [N, C, ...] and [M, C / group, ...]. A zero point has its
// operand's type, or is absent, which means 0. That of x is one element, that of w one or
// a vector of M. Padded positions contribute 0.
//
// Sums are exact if they fit INT32, and modulo 2^32 if they do not.
//
// Returns an Error, with nothing written, if types, shapes, attributes and sizes are not
// as above or contradict each other, or if y overlaps an operand. Nothing is thrown.
//
// At most `threads` threads work, the calling one among them; y does not depend on their
// number. A call allocates memory, in which it lays out w. What
// qconform/quantize_linear.h says of threads, the stack and the floating-point
// environment holds here, too.
[[nodiscard]] Error ConvInteger(const Input& x, const Input& w,
                                const std::optional<Input>& x_zero_point,
                                const std::optional<Input>& w_zero_point,
                                const ConvolutionAttributes& attributes,
                                std::span<std::byte> y, int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_CONV_INTEGER_H_
