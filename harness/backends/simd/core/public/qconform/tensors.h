// qconform::kernels: what the headers of all operators share. This header needs nothing
// but the standard library.
#ifndef QCONFORM_TENSORS_H_
#define QCONFORM_TENSORS_H_

#include <cstddef>
#include <cstdint>
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
  kDouble = 11,  // only as a precision
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,  // only as a scale's type
  kUint2 = 25,
  kInt2 = 26,
  kFloat6E2M3 = 27,
  kFloat6E3M2 = 28,
};

// The caller's elements, row-major. Types of 6, 4 and 2 bits are packed, the first
// element in the lowest bits: 6 bits so that four elements are three bytes. Data need not
// be aligned.
struct Input {
  Type type = Type::kUndefined;
  std::span<const int64_t> shape;   // empty: a scalar
  std::span<const std::byte> data;  // ByteSize bytes, no more
};

// Returns the bytes of `count` elements of a type, 0 for kUndefined. Precondition:
// `count` is from 0 to 2^58.
size_t ByteSize(Type type, int64_t count) noexcept;

struct Error {
  std::string message;  // empty if there is none

  explicit operator bool() const { return !message.empty(); }
};

// Returns the instruction set that is used, as Highway names it: "AVX3_DL", "NEON".
std::string_view InstructionSet() noexcept;

}  // namespace qconform::kernels

#endif  // QCONFORM_TENSORS_H_
