// qconform::kernels: ONNX's MatMulInteger by vector instructions, exact for every legal
// choice of types and zero points. The best instruction set of the CPU is chosen when the
// program runs.
//
//   y = (a - a_zero_point) x (b - b_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_MAT_MUL_INTEGER_H_
#define QCONFORM_MAT_MUL_INTEGER_H_

#include <cstddef>
#include <optional>
#include <span>

#include "qconform/tensors.h"

namespace qconform::kernels {

// Writes y, INT32 of the shape of numpy.matmul(a, b), into `y`, which has exactly the
// bytes for that and need not be aligned.
//
// a and b: UINT8 or INT8, of rank 1 or more. A zero point has its operand's type, or is
// absent, which means 0. It is one element, or, if the operand has rank 2 or more, a
// vector with one for each row of a or column of b, or of shape [...,M,1] or [...,1,N],
// whose other dimensions are 1 or the operand's.
//
// Sums are exact if they fit INT32, and modulo 2^32 if they do not.
//
// Returns an Error, with nothing written, if types, shapes and sizes are not as above or
// contradict each other, or if y overlaps an operand. Dimensions may be 0: without
// elements along K, y is 0. Nothing is thrown.
//
// At most `threads` threads work, the calling one among them; y does not depend on their
// number. A call allocates memory for b, which it lays out anew. What
// qconform/quantize_linear.h says of threads, the stack and the floating-point
// environment holds here, too.
[[nodiscard]] Error MatMulInteger(const Input& a, const Input& b,
                                  const std::optional<Input>& a_zero_point,
                                  const std::optional<Input>& b_zero_point,
                                  std::span<std::byte> y, int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_MAT_MUL_INTEGER_H_
