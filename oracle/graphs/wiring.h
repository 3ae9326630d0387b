// Which elements of a float node's operands make which element of its outputs. No values:
// these are the business of who evaluates (evaluate.h), exactly or as intervals.
#ifndef QCONFORM_ORACLE_GRAPHS_WIRING_H_
#define QCONFORM_ORACLE_GRAPHS_WIRING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/base/node.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// An element of an operand of the node, in row-major order.
struct WiredElement {
  static constexpr int kZero = -1;  // in place of an operand: the constant 0
  int operand = kZero;
  int64_t index = 0;

  friend bool operator==(const WiredElement&, const WiredElement&) = default;
};

// How an element comes about.
enum class WiredKind : uint8_t {
  kMove,     // the first source, bit by bit (GR-03)
  kRelu,     // max(source, 0)
  kClip,     // min(max(source, low), high)
  kMaximum,  // of all sources (Max, MaxPool, ReduceMax)
  kMinimum,  // of all sources
  kArgMax,   // the position of the greatest source, INT64
  kArgMin,   // of the least
  kAdd,      // of two sources, in the order of the node's inputs; so are the next
  kSub,
  kMul,
  kDiv,
  kPRelu,        // source < 0 ? source * slope : source
  kLeakyRelu,    // source < 0 ? alpha * source : source
  kHardSigmoid,  // max(0, min(1, alpha * source + beta))
  kHardSwish,    // source * max(0, min(1, alpha * source + beta)), alpha 1/6, beta 0.5
  kNeg,
  kAbs,
  kCast,  // to the output's type
  kSum,   // alpha * sum of products, + beta * bias (MatMul, Gemm, Conv)
  kMean,  // sum of sources / divisor
};

struct WiredOutput {
  DataType type = DataType::kUndefined;
  Shape shape;
  // Of element i: `sources` from first[i] to first[i + 1]; kSum has them in pairs, which
  // are multiplied. Sources that are padding are left out, except by Pad and Conv, which
  // have the constant 0 or Pad's operand there.
  std::vector<WiredElement> sources;
  std::vector<size_t> first;         // elements + 1
  std::vector<WiredElement> bias{};  // kSum with a bias: one for each element
  std::vector<int64_t> divisors{};   // kMean: one for each element
  std::vector<int64_t> positions{};  // kArgMax, kArgMin: what each source stands for
};

struct Wiring {
  WiredKind kind = WiredKind::kMove;
  std::vector<WiredOutput> outputs;
  // kLeakyRelu, kHardSigmoid, kSum: the attributes, as codes of FLOAT (1 by itself).
  uint32_t alpha = 0x3f800000;
  uint32_t beta = 0x3f800000;
  // kClip: the bounds; nothing: there is none.
  std::optional<WiredElement> low{};
  std::optional<WiredElement> high{};
  // kArgMax, kArgMin: of equal ones the last.
  bool select_last_index = false;
};

// Whether WireNode knows the operator.
bool IsFloatNode(std::string_view op_type);

// Returns the wiring of a node of ONNX's domain by the definition `since_version`.
// Operands that give shapes, axes, indices or amounts (Reshape's shape, Slice's starts,
// Pad's pads, ...) need their data; others are asked for type and shape alone. An Error
// if the node is invalid by ONNX's text.
Result<Wiring> WireNode(const Node& node, int since_version, const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_WIRING_H_
