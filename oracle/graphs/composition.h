// The composition of a graph's nodes (GR-01): each by its own clauses, from what the
// nodes before it give. What is free stays free, as a set of codes (GR-02).
#ifndef QCONFORM_ORACLE_GRAPHS_COMPOSITION_H_
#define QCONFORM_ORACLE_GRAPHS_COMPOSITION_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/structure.h"
#include "oracle/graphs/wiring.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Codes that an element may have, ascending. If one of them is NaN, every NaN is.
using CodeSet = std::vector<uint64_t>;

// A value of the graph with what is known of its elements.
struct ComposedValue {
  Tensor owned{};  // of a node's output
  TensorView view{};
  // One for each element; empty: all are given and free of nothing. The tier is the last
  // of those of all nodes that the element comes from (GR-10).
  std::vector<ElementAnswer> elements{};
  std::map<int64_t, CodeSet> one_of{};  // of elements that are Freedom::kOneOf
  std::vector<CodeBounds> bounds{};     // of floats, where a Widening gave some

  bool is_present() const { return view.type != DataType::kUndefined; }
};

class Composition;

// Something that widens what elements may be, as the nodes are evaluated one after the
// other: bounds (GR-05, GR-17).
class Widening {
 public:
  virtual ~Widening() = default;

  // Called when the outputs of a node are known. `values` are those of the composition;
  // the outputs' elements may be changed, but not their codes.
  virtual Status Widen(const GraphNode& node, const Composition& so_far,
                       std::span<ComposedValue> outputs) = 0;
};

class Composition {
 public:
  // Evaluates all nodes. `readings`: one for each node, or empty: all are canonical. The
  // structure and what the operands point to must outlive it. An Error if the graph is
  // invalid.
  static Result<Composition> Evaluate(const GraphStructure& structure,
                                      const Operands& operands,
                                      std::span<const ReadingSet> readings = {},
                                      Widening* widening = nullptr);

  // Of each value.
  const std::vector<ComposedValue>& values() const { return values_; }
  // Of each node; of one that is judged by itself it has no outputs.
  const std::vector<Wiring>& wirings() const { return wirings_; }

  // The operands of a node.
  Operands OperandsOf(const GraphNode& node) const;

  // Returns the answer of a value.
  Answer AnswerOf(size_t value) const;

  class Builder;

 private:
  const GraphStructure* structure_ = nullptr;
  std::vector<ComposedValue> values_;
  std::vector<Wiring> wirings_;
};

// Returns whether the graph is defined: the first node that is invalid, else the first
// that is open. Edges have the types that the nodes ask for.
Result<ModelValidity> ValidateGraph(const GraphStructure& structure,
                                    const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_COMPOSITION_H_
