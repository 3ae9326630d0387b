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
#include <string>
#include <string_view>

namespace qconform::kernels {

// Names and numbers of onnx.TensorProto.DataType.
enum class Type : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kFloat16 = 10,
  kDouble = 11,  // as precision alone
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,  // as y_scale's type alone
  kUint2 = 25,
  kInt2 = 26,
};

// Somebody's elements, row-major. Types of 4 and 2 bits are packed, the first
// element in the lowest bits. Data need not be aligned.
struct Input {
  Type type = Type::kUndefined;
  std::span<const int64_t> shape;   // empty: a scalar
  std::span<const std::byte> data;  // ByteSize bytes, no more
};

// Returns the bytes of `count` elements of a type, 0 for kUndefined. Precondition:
// `count` is from 0 to 2^58.
size_t ByteSize(Type type, int64_t count) noexcept;

struct QuantizeLinearAttributes {
  // From -rank to rank - 1, of y_scale that is no scalar; 1 where it is absent. x of rank
  // 1 has one axis, whatever is said here.
  std::optional<int64_t> axis;
  // Of y_scale with x's rank; without effect on a scalar or a vector along the axis.
  int64_t block_size = 0;
  // Of float8 y. What is beyond its largest value becomes that; without, NaN in E4M3FN
  // and the FNUZ formats, and infinity in E5M2. All other y are saturated in any case.
  bool saturate = true;
  // Of the division: kFloat, kFloat16, kBfloat16 or kDouble, to which x and y_scale are
  // rounded first, and the quotient then. kUndefined: y_scale's type; kFloat where that
  // is kFloat8E8M0, and a quotient that is rounded to y alone where it is kInt32.
  Type precision = Type::kUndefined;
};

struct Error {
  std::string message;  // empty: all went well

  explicit operator bool() const { return !message.empty(); }
};

// Writes y, of type y_type and x's shape, into `y`, which has ByteSize bytes, no more,
// and need not be aligned; bits of the last one that are no element's are 0.
//
// x: FLOAT, FLOAT16, BFLOAT16 or INT32. y_scale: these or FLOAT8E8M0, whatever x is; no
// value of it is refused. y_type: any integer type of at most 16 bits, float8 or
// FLOAT4E2M1.
//
// y_scale is one of
//   - a scalar, or a vector of one element;
//   - a vector of as many elements as x has along `axis`;
//   - blocked, where block_size is above 0: of x's shape but along `axis`, where each
//     element stands for block_size of x, the last one for what is left. More elements
//     than it takes are not used.
// y_zero_point has y_type and y_scale's shape, or is absent, which is 0. Beside a vector
// y_scale it may be a scalar, which is that of all; beside a blocked one it may not. A
// scalar and a vector of one element are as good as each other where y_scale is one.
//
// The zero point of an integer y is added to the rounded quotient; a float8 or FLOAT4E2M1
// one is added to the quotient exactly, and the sum rounded once. NaN, from x, y_scale or
// 0 / 0, gives the lowest value of an integer y, +6 of FLOAT4E2M1, and NaN of float8;
// infinity is saturated as what is too large.
//
// An Error, with nothing written, where types, shapes, attributes and sizes are not as
// above or contradict each other, where a dimension is negative, or x has more than 2^58
// elements, and where y overlaps an operand, in place included. x may be empty. Nothing
// is thrown.
//
// At most `threads` work, this one among them: no more than 256, and one for each 16384
// elements; less than 1 is 1. How many CPUs there are does not count. Those that are
// missing are started by the call and wait for later ones; they are joined at the end of
// the process and where the library is unloaded. y does not depend on their number.
// Several threads may call at once, and during exit().
//
// From the second call on nothing is allocated where threads is 1 and all goes well. The
// floating-point environment of the caller is of no effect and kept: rounding, flushing
// of subnormals, what is trapped, and flags. A thread that calls needs a stack of 192 KB.
[[nodiscard]] Error QuantizeLinear(const Input& x, const Input& y_scale,
                                   const std::optional<Input>& y_zero_point, Type y_type,
                                   const QuantizeLinearAttributes& attributes,
                                   std::span<std::byte> y, int threads = 1) noexcept;

// Returns the instruction set that is used, as Highway names it: "AVX3_DL", "NEON".
std::string_view InstructionSet() noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_QUANTIZE_LINEAR_H_
