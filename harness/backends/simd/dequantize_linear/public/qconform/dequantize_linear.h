// qconform::kernels: ONNX's DequantizeLinear by vector instructions, bit for bit what the
// specification asks for, for every legal choice of types, granularity and attributes.
// The best instruction set of the CPU is chosen when the program runs.
//
//   y = (x - x_zero_point) * x_scale
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_DEQUANTIZE_LINEAR_H_
#define QCONFORM_DEQUANTIZE_LINEAR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "qconform/tensors.h"

namespace qconform::kernels {

struct DequantizeLinearAttributes {
  // From -rank to rank - 1, for an x_scale that is not a scalar; 1 if it is absent.
  // Ignored if x has rank 1, and so only one axis.
  std::optional<int64_t> axis;
  // For an x_scale of x's rank; without effect on a scalar or a vector along the axis.
  int64_t block_size = 0;
};

// Writes y, of type y_type and x's shape, into `y`, which has exactly ByteSize bytes and
// need not be aligned.
//
// x: any integer type of at most 16 bits, INT32, float8, float6 or FLOAT4E2M1; unused
// bits of its last byte do not matter. x_scale: FLOAT, FLOAT16, BFLOAT16 or FLOAT8E8M0;
// every value of it is accepted. y_type: FLOAT, FLOAT16 or BFLOAT16.
//
// x_scale is one of
//   - a scalar, or a vector of one element;
//   - a vector of as many elements as x has along `axis`;
//   - blocked, if block_size is above 0: of x's shape except along `axis`, where each
//     element stands for block_size of x, the last one for the rest. Surplus elements
//     are not used.
// x_zero_point has x's type and x_scale's shape, or is absent, which means 0. With a
// vector x_scale it may be a scalar, which is that of all; with a blocked one it may not.
// If x_scale is a scalar or a vector of one element, either form will do. The
// specification gives INT32 x no other zero point than 0.
//
// The difference is exact, and the product is rounded once, to y_type, except:
//   - If x_scale has another type than y, or x has 16 bits and y is FLOAT16 or BFLOAT16,
//     the difference and x_scale are rounded to y_type before they are multiplied, as
//     opset 23 asks for. This is not done with a FLOAT8E8M0 x_scale.
//   - INT32 x is rounded to FLOAT instead, and its x_scale is not rounded.
// Zero, negative, subnormal, infinite and NaN scales follow IEEE 754; nothing is flushed.
// Which NaN comes of NaN is not specified.
//
// Returns an Error, with nothing written, if types, shapes, attributes and sizes are not
// as above or contradict each other, if a dimension is negative, if x has more than 2^58
// elements, or if y overlaps an operand. x may be empty. Nothing is thrown.
//
// At most `threads` threads work, the calling one among them: no more than 256, and one
// for each 16384 elements; less than 1 is 1. What qconform/quantize_linear.h says of
// threads, memory and the floating-point environment holds here, too.
[[nodiscard]] Error DequantizeLinear(const Input& x, const Input& x_scale,
                                     const std::optional<Input>& x_zero_point,
                                     Type y_type,
                                     const DequantizeLinearAttributes& attributes,
                                     std::span<std::byte> y, int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_DEQUANTIZE_LINEAR_H_
