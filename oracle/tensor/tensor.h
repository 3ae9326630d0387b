// Tensors as ONNX stores them in raw_data: row-major, little-endian; elements narrower
// than a byte follow each other in the bits, the lowest first (QL-50, QL-52).
//
// There is no element access here on purpose: the oracle, the judge and the
// kernels each have their own packing and index arithmetic, so that one error
// cannot pass on both sides.
#ifndef QCONFORM_ORACLE_TENSOR_TENSOR_H_
#define QCONFORM_ORACLE_TENSOR_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/tensor/data_type.h"

namespace qconform {

// Dimensions, outermost first; empty for a scalar (rank 0). None is negative.
using Shape = std::vector<int64_t>;

// The most elements that a tensor may have: so many bits can be counted.
inline constexpr int64_t kMostElements = int64_t{1} << 58;

// Returns the product of the dimensions (1 for rank 0), or nothing where a
// dimension is negative or the product exceeds kMostElements.
std::optional<int64_t> ElementCount(std::span<const int64_t> shape);

// Returns the bytes that `count` elements take: ceil(count * bits / 8).
// Precondition: 0 <= count <= 2^58, type is not kUndefined.
size_t PackedByteSize(DataType type, int64_t count);

// Returns the bits of the last of these bytes that belong to elements: 0xFF where
// `count` elements leave none of it unused (QL-51). The same preconditions.
std::byte LastByteMask(DataType type, int64_t count);

// Returns "[2,3]"; "[]" for a scalar.
std::string ShapeToString(std::span<const int64_t> shape);

// A tensor that somebody else owns. data.size() is PackedByteSize of type and
// shape; the data need not be aligned.
struct TensorView {
  DataType type = DataType::kUndefined;
  std::span<const int64_t> shape;
  std::span<const std::byte> data;
};

// The same, to be written.
struct MutableTensorView {
  DataType type = DataType::kUndefined;
  std::span<const int64_t> shape;
  std::span<std::byte> data;
};

// A tensor that owns its bytes.
struct Tensor {
  DataType type = DataType::kUndefined;
  Shape shape;
  std::vector<std::byte> data;

  // Returns a tensor whose bytes are all zero.
  // Precondition: ElementCount(shape) exists.
  static Tensor Zeros(DataType type, Shape shape);

  TensorView view() const { return {type, shape, data}; }
  MutableTensorView mutable_view() { return {type, shape, data}; }

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

// Operands in the order of an operator's schema; nothing where an optional one is left
// out, by a missing or by an empty name.
using Operands = std::vector<std::optional<TensorView>>;

// Returns the operand, or nothing if the node has fewer.
inline std::optional<TensorView> OperandAt(const Operands& operands, size_t index) {
  return index < operands.size() ? operands[index] : std::nullopt;
}

// Returns views of the tensors, which must outlive them.
std::vector<TensorView> ViewsOf(std::span<const Tensor> tensors);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_TENSOR_H_
