// qconform::kernels: ONNX's DynamicQuantizeLinear by vector instructions, bit for bit
// what the specification asks for. The best instruction set of the CPU is chosen when the
// program runs.
//
//   y_scale = (max(0, max x) - min(0, min x)) / 255
//   y_zero_point = rne(clip(0 - min(0, min x) / y_scale, 0, 255))
//   y = saturate(rne(x / y_scale) + y_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_DYNAMIC_QUANTIZE_LINEAR_H_
#define QCONFORM_DYNAMIC_QUANTIZE_LINEAR_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "qconform/tensors.h"

namespace qconform::kernels {

// Writes y, UINT8 of x's shape, into `y`, which has exactly as many bytes as x has
// elements, and y_scale and y_zero_point. x is FLOAT; neither x nor y need be aligned.
//
// Each operation of y_scale and y_zero_point is rounded to FLOAT, the quotient x /
// y_scale is rounded to FLOAT, too, and nothing is flushed. If all x are 0, or there are
// none, all outputs are 0. What comes of NaN in x is not specified.
//
// Returns an Error, with nothing written, if type and sizes are not as above or y
// overlaps x. Nothing is thrown.
//
// At most `threads` threads work, the calling one among them, and one for each 16384
// elements; the outputs do not depend on their number. What qconform/quantize_linear.h
// says of threads, the stack and the floating-point environment holds here, too.
[[nodiscard]] Error DynamicQuantizeLinear(const Input& x, std::span<std::byte> y,
                                          float& y_scale, uint8_t& y_zero_point,
                                          int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_DYNAMIC_QUANTIZE_LINEAR_H_
