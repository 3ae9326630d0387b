// qconform::kernels: ONNX's QuantizeLinear by vector instructions, bit for bit what
// the specification asks for, for every legal choice of types, granularity and
// attributes. The best instruction set of the CPU is chosen when the program runs.
//
//   y = saturate(round_half_even(x / y_scale) + y_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED COMPONENTS kernels)
//   target_link_libraries(mine PRIVATE qconform::kernels)
#ifndef QCONFORM_QUANTIZE_LINEAR_H_
#define QCONFORM_QUANTIZE_LINEAR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "qconform/tensors.h"

namespace qconform::kernels {

struct QuantizeLinearAttributes {
  // From -rank to rank - 1, for a y_scale that is not a scalar; 1 if it is absent.
  // Ignored if x has rank 1, and so only one axis.
  std::optional<int64_t> axis;
  // For a y_scale of x's rank; without effect on a scalar or a vector along the axis.
  int64_t block_size = 0;
  // For float8 y. If true, values beyond the largest finite one become that; if false,
  // NaN in E4M3FN and the FNUZ formats, and infinity in E5M2. All other y always
  // saturate.
  bool saturate = true;
  // Of the division: kFloat, kFloat16, kBfloat16 or kDouble, to which x and y_scale are
  // rounded first, and the quotient then. kUndefined means y_scale's type; kFloat if that
  // is kFloat8E8M0; and a quotient that is rounded only to y if it is kInt32.
  Type precision = Type::kUndefined;
};

// Writes y, of type y_type and x's shape, into `y`, which has exactly ByteSize bytes and
// need not be aligned; bits of the last byte that belong to no element are 0.
//
// x: FLOAT, FLOAT16, BFLOAT16 or INT32. y_scale: these or FLOAT8E8M0, whatever x is;
// every value of it is accepted. y_type: any integer type of at most 16 bits, float8,
// float6 or FLOAT4E2M1.
//
// y_scale is one of
//   - a scalar, or a vector of one element;
//   - a vector of as many elements as x has along `axis`;
//   - blocked, if block_size is above 0: of x's shape except along `axis`, where each
//     element stands for block_size of x, the last one for the rest. Surplus elements
//     are not used.
// y_zero_point has y_type and y_scale's shape, or is absent, which means 0. With a vector
// y_scale it may be a scalar, which is that of all; with a blocked one it may not. If
// y_scale is a scalar or a vector of one element, either form will do.
//
// The zero point of an integer y is added to the rounded quotient; a float8, float6 or
// FLOAT4E2M1 one is added to the quotient exactly, and the sum rounded once. NaN, from x,
// y_scale or 0 / 0, gives the lowest value of an integer y, +6 of FLOAT4E2M1, -0 of
// float6, and NaN of float8; infinity saturates like any value that is too large.
//
// Returns an Error, with nothing written, if types, shapes, attributes and sizes are not
// as above or contradict each other, if a dimension is negative, if x has more than 2^58
// elements, or if y overlaps an operand, in place included. x may be empty. Nothing is
// thrown.
//
// At most `threads` threads work, the calling one among them: no more than 256, and one
// for each 16384 elements; less than 1 is 1. The number of CPUs does not matter. The call
// starts the threads that are missing, which then wait for later calls; they are joined
// at the end of the process and when the library is unloaded. y does not depend on their
// number. Several threads may call at once, also during exit().
//
// From the second call on nothing is allocated if threads is 1 and there is no Error. The
// floating-point environment of the caller (rounding, flushing of subnormals, traps and
// flags) has no effect and is kept. The calling thread needs a stack of 192 KB.
[[nodiscard]] Error QuantizeLinear(const Input& x, const Input& y_scale,
                                   const std::optional<Input>& y_zero_point, Type y_type,
                                   const QuantizeLinearAttributes& attributes,
                                   std::span<std::byte> y, int threads = 1) noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_QUANTIZE_LINEAR_H_
