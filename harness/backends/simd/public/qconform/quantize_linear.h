// qconform::kernels: ONNX's QuantizeLinear by vector instructions, bit for bit what
// the specification asks for, for every legal choice of types, granularity and
// attributes. The best instruction set of the CPU is chosen when the program runs.
//
//   y = saturate(round_half_even(x / y_scale) + y_zero_point)
//
// This header needs nothing but the standard library. Link qconform::kernels:
//
//   find_package(qconform REQUIRED)
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
  kDouble = 11,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

// Somebody's elements, row-major. Types of 4 and 2 bits are packed, the first
// element in the lowest bits. Data need not be aligned.
struct Input {
  Type type = Type::kUndefined;
  std::span<const int64_t> shape;  // empty: a scalar
  std::span<const std::byte> data;
};

// Returns the bytes of `count` elements of a type, 0 for kUndefined. Precondition:
// `count` is from 0 to 2^58.
size_t ByteSize(Type type, int64_t count);

struct QuantizeLinearAttributes {
  std::optional<int64_t> axis;        // 1 where it is absent
  int64_t block_size = 0;             // above 0: y_scale has x's rank
  bool saturate = true;               // float8 y
  Type precision = Type::kUndefined;  // of the division; kUndefined: y_scale's type
};

struct Error {
  std::string message;  // empty: all went well

  explicit operator bool() const { return !message.empty(); }
};

// Writes y, of type y_type and x's shape, into `y`, which has ByteSize bytes.
//
// x: FLOAT, FLOAT16, BFLOAT16 or INT32; y_scale: these or FLOAT8E8M0; y_type: any
// integer type of at most 16 bits, float8 or FLOAT4E2M1. y_scale is a scalar, a
// vector along `axis`, or a tensor of blocks; y_zero_point has its shape and
// y_type, or is absent.
//
// y must not overlap an operand. At most `threads` threads work, and no more than 256;
// less than 1 is 1; y does not depend on their number. From the second call on nothing is
// allocated where threads is 1 and all goes well. Several threads may call at once. The
// caller's floating-point modes do not matter, and are kept. An Error, with nothing
// written, where the operands contradict each other, or y_type is none of those above.
[[nodiscard]] Error QuantizeLinear(const Input& x, const Input& y_scale,
                                   const std::optional<Input>& y_zero_point, Type y_type,
                                   const QuantizeLinearAttributes& attributes,
                                   std::span<std::byte> y, int threads = 1);

// Returns the instruction set that is used, as Highway names it: "AVX3_DL", "NEON".
std::string_view InstructionSet();

}  // namespace qconform::kernels

#endif  // QCONFORM_QUANTIZE_LINEAR_H_
