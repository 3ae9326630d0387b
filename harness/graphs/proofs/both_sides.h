// Both sides of a rewrite, evaluated by the graph oracle and compared.
#ifndef QCONFORM_HARNESS_GRAPHS_PROOFS_BOTH_SIDES_H_
#define QCONFORM_HARNESS_GRAPHS_PROOFS_BOTH_SIDES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/proofs/rewrite.h"
#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::graphs {

// Makes nodes and tensors.
Node MakeOp(std::string op_type, std::vector<std::string> inputs, std::string output,
            std::vector<Attribute> attributes = {});
Node MakeGraph(std::vector<std::string> inputs, std::vector<Node> body);
Tensor MakeTensor(DataType type, Shape shape, const std::vector<uint64_t>& codes);
Tensor MakeFloats(Shape shape, const std::vector<float>& values);

// The code of each element of the one output; nothing: it is free, or the sign of a zero
// is.
using Codes = std::vector<std::optional<uint64_t>>;

struct Side {
  Node graph;
  std::vector<Tensor> operands;
};
Result<Codes> Evaluate(const Side& side);

// Compares the sides of one rewrite, and collects what its row shows.
class Comparison {
 public:
  // Of elements that belong to one choice of parameters: the elements `first` to
  // `first + count`, of which all are equal if and only if `holds`. `describe` says which
  // element of them it was.
  struct Claim {
    size_t first = 0;
    size_t count = 0;
    bool holds = true;
    std::string parameters;
  };
  using Describe = std::function<std::string(size_t element)>;

  // An Error if an answer contradicts a claim. Elements that are free on one side are
  // admissible on both, and are not counted.
  Status Add(const Codes& before, const Codes& after, const std::vector<Claim>& claims,
             const Describe& describe);

  // Elements that were compared by other means.
  void Count(uint64_t evaluations) { proof_.evaluations += evaluations; }

  // Shows this in place of the first difference that was found.
  void Show(std::string counterexample) {
    proof_.counterexample = std::move(counterexample);
  }
  bool found_difference() const { return !proof_.counterexample.empty(); }
  RewriteProof Take() { return std::move(proof_); }

 private:
  RewriteProof proof_;
};

// The shortest decimal number that is that FLOAT: "0.1".
std::string DecimalOf(float value);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_PROOFS_BOTH_SIDES_H_
