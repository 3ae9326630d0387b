// Float nodes: each element exactly, rounded once to the tensor's type (GR-01, GR-03 to
// GR-06). Which elements of the operands make it, the wiring says.
#ifndef QCONFORM_ORACLE_GRAPHS_EVALUATE_H_
#define QCONFORM_ORACLE_GRAPHS_EVALUATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/graphs/wiring.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// An output of a node, with what is known of each element by itself: its freedom, its
// tier and its features, as if all operands were given.
struct NodeOutput {
  Tensor tensor;
  std::vector<ElementAnswer> elements;
};

// Evaluates elements of a float node. Operands may be changed one element at a time: what
// else an element may be, if an operand may have other codes (GR-02).
class FloatEvaluator {
 public:
  // The wiring must outlive it. An Error if an operand that has values is missing, or if
  // the node computes with a type other than FLOAT, FLOAT16 and BFLOAT16.
  static Result<FloatEvaluator> Create(const Wiring& wiring, const Operands& operands);

  // Returns the element of an output; `code` in all its bits, which INT64 needs.
  ElementAnswer Element(size_t output, size_t index, uint64_t& code) const;

  uint64_t CodeOf(const WiredElement& element) const;
  const ExactValue& ValueOf(const WiredElement& element) const;
  DataType TypeOf(const WiredElement& element) const;
  void SetCode(const WiredElement& element, uint64_t code);

 private:
  // An operand's elements, decoded once; empty if nothing reads them.
  struct Values {
    DataType type = DataType::kUndefined;
    std::vector<uint64_t> codes;
    std::vector<ExactValue> values;
  };
  class Step;

  explicit FloatEvaluator(const Wiring& wiring);
  Status Read(const Operands& operands);

  const Wiring* wiring_;
  std::vector<Values> values_;
  ExactValue alpha_;
  ExactValue beta_;
  std::vector<Rounder> rounders_;  // of each output; of INT32 for FLOAT8E8M0
};

// Returns all elements of the evaluator's outputs.
std::vector<NodeOutput> EvaluateAll(const Wiring& wiring,
                                    const FloatEvaluator& evaluator);

// Returns the outputs of one float node, with no graph around it. An Error also if the
// node is invalid.
Result<std::vector<Tensor>> EvaluateFloatNode(const Node& node, int since_version,
                                              const Operands& operands);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_GRAPHS_EVALUATE_H_
