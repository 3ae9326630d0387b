// Which elements of a float node's operands make which element of its results, by the
// judge: the index arithmetic of ONNX's texts, without any values of data.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_WIRES_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_WIRES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/exact/graphs/graph.h"

namespace qconform::exact {

// An element of an operand, row-major; without an operand: the constant 0 of a Pad.
struct Place {
  std::optional<size_t> operand = 0;
  size_t index = 0;
};

// What an element is made of.
struct Wire {
  // Movers: one. Choosers: what they choose from, in the order of indices. Arithmetic:
  // the operands in the order of the formula. Sums: the left factors, or the summands.
  std::vector<Place> places{};
  std::vector<Place> factors{};  // sums of products: the right factors
  std::optional<Place> bias{};   // sums of products
  // Convolutions: weights that meet padding. An implementation may multiply them by 0.
  std::vector<Place> padded{};
  int64_t divisor = 1;  // means
  // K of `float_sum` (GR-06): the terms that the formula has, padded positions among
  // them.
  int64_t terms = 0;
};

struct WiredOutput {
  std::vector<int64_t> shape;
  std::vector<Wire> elements{};  // row-major
};

enum class FloatNodeKind : uint8_t {
  kMover,
  kChooser,
  kIndexChooser,  // ArgMax, ArgMin
  kArithmetic,
  kCast,
  kSum,
};

// Returns nothing for operators that quantize, and for those that no clause names.
std::optional<FloatNodeKind> KindOf(const GraphNode& node);

// Whether a sum has factors; the others are means.
inline bool IsSumOfProducts(const GraphNode& node) {
  return node.op_type == "MatMul" || node.op_type == "Gemm" || node.op_type == "Conv";
}

// Returns the wires of each output. `operands`: nothing where one is left out. Only the
// codes of operands that hold indices, shapes, axes, pads or repeats are read.
// Precondition: a valid float node.
std::vector<WiredOutput> WiresOf(const GraphNode& node,
                                 const std::vector<std::optional<Codes>>& operands);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_WIRES_H_
