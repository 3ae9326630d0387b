#include "oracle/graphs/axes/isolate.h"

#include <string>
#include <string_view>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/graphs/axes/node_axes.h"

namespace qconform {
namespace {

class Isolator {
 public:
  Isolator(const GraphStructure& structure, const Composition& composition)
      : structure_(structure),
        composition_(composition),
        tensors_(structure.input_count) {}

  Status Visit(size_t value, int64_t index) {
    const GraphNode* node = structure_.NodeOf(value);
    if (node == nullptr) return PutElement(value, index);
    return node->is_float() ? VisitFloatNode(*node, value, index)
                            : VisitScaledNode(*node, index);
  }

  std::vector<Tensor> Take() { return std::move(tensors_); }

 private:
  static Error Unisolated(const GraphNode& node) {
    return Error{"graph: expected nodes that act on each element by itself, got " +
                 node.node.op_type};
  }

  // An element of an operand, as a tensor of the operand's rank.
  Status PutElement(size_t value, int64_t index) {
    const TensorView& view = composition_.values()[value].view;
    Tensor one = Tensor::Zeros(view.type, Shape(view.shape.size(), 1));
    WriteCode(one.mutable_view(), 0, ReadCode(view, index));
    return Put(value, std::move(one));
  }

  Status Put(size_t value, Tensor tensor) {
    Tensor& place = tensors_[value];
    if (place.type != DataType::kUndefined && place != tensor) {
      return Error{"graph: expected one element of '" + structure_.values[value].name +
                   "', got several"};
    }
    place = std::move(tensor);
    return Ok();
  }

  Status VisitFloatNode(const GraphNode& node, size_t value, int64_t index) {
    const Wiring& wiring = composition_.wirings()[node.number];
    if (!IsElementwise(node.node, wiring.kind)) return Unisolated(node);
    const WiredOutput& output = wiring.outputs[value - node.first_output];
    const auto at = static_cast<size_t>(index);
    std::vector<WiredElement> sources(
        output.sources.begin() + static_cast<std::ptrdiff_t>(output.first[at]),
        output.sources.begin() + static_cast<std::ptrdiff_t>(output.first[at + 1]));
    if (wiring.low) sources.push_back(*wiring.low);
    if (wiring.high) sources.push_back(*wiring.high);
    for (const WiredElement& source : sources) {
      const auto& operand = node.inputs[static_cast<size_t>(source.operand)];
      const Status visited = Visit(*operand, source.index);
      if (!visited) return visited;
    }
    return Ok();
  }

  Status VisitScaledNode(const GraphNode& node, int64_t index) {
    const auto block = IntegerAttribute(node.node.attributes, "block_size");
    const bool has_blocks = block && block->value_or(0) != 0;
    if (!node.is_elementwise() || has_blocks) return Unisolated(node);
    auto own = node.bound->IsolateElement(composition_.OperandsOf(node), 0, index);
    if (!own) return own.error();
    for (size_t i = 1; i < own->size() && i < node.inputs.size(); ++i) {
      if (!node.inputs[i] || (*own)[i].type == DataType::kUndefined) continue;
      if (structure_.NodeOf(*node.inputs[i]) != nullptr) return Unisolated(node);
      const Status put = Put(*node.inputs[i], std::move((*own)[i]));
      if (!put) return put;
    }
    return Visit(*node.inputs[0], index);
  }

  const GraphStructure& structure_;
  const Composition& composition_;
  std::vector<Tensor> tensors_;
};

}  // namespace

Result<std::vector<Tensor>> IsolateGraphElement(const GraphStructure& structure,
                                                const Composition& composition,
                                                size_t output, int64_t index) {
  Isolator isolator(structure, composition);
  const Status visited = isolator.Visit(structure.outputs[output], index);
  if (!visited) return visited.error();
  return isolator.Take();
}

}  // namespace qconform
