// Wrong graphs of a family. Private to this folder and to tests.
#ifndef QCONFORM_HARNESS_GRAPHS_FAULTS_H_
#define QCONFORM_HARNESS_GRAPHS_FAULTS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/graphs/mistake.h"
#include "harness/graphs/workspace.h"

namespace qconform::graphs {

// A set of faults is a GraphMistakes.
class Faults : public OperatorFaults {
 public:
  explicit Faults(std::string_view op_type) : op_type_(op_type) {}

  std::string_view op_type() const override { return op_type_; }
  std::span<const OperatorFault> catalogue() const override;
  // `since_version` is the opset_version of the model.
  Result<std::shared_ptr<const DecodedCase>> Decode(
      const Node& node, int since_version, const Operands& operands, Codes canonical,
      const ReadingSet& readings) const override;
  std::optional<FaultSet> Merge(const FaultSet& a, const FaultSet& b) const override;
  // Rewrites change the graph; readings are steps of its nodes.
  bool ChangesAnotherStep(const FaultSet& set, const ReadingSet& readings) const override;
  size_t most_in_pairs() const override { return 16; }
  std::string_view BrokenClause(const Cell& cell, const Node& node,
                                const FaultSet& set) const override;
  std::vector<TellingInput> TellingInputs(const Node& node, int since_version,
                                          const Operands& operands,
                                          size_t most) const override;
  Patterns PatternsOf(std::span<const EvidenceCase> cases) const override;
  const ClauseDecides& clauses_asked() const override;

 private:
  std::string_view op_type_;
};

// A graph rewritten by mistakes.
struct WrongGraph {
  Workspace graph;
  // The numbers of the nodes on which each mistake acts; empty: it does not.
  std::vector<std::vector<int>> acts_on;
};

class Case : public DecodedCase {
 public:
  Case(std::string_view op_type, Workspace graph, Codes canonical)
      : DecodedCase(op_type, std::move(canonical)), graph_(std::move(graph)) {}

  using DecodedCase::CodesOf;
  // A wrong graph that is no legal one, such as one whose shapes do not fit, is as if it
  // had no mistake.
  Codes CodesOf(const FaultSet& set, FaultState& state) const override;
  std::vector<WorkedStep> StepsOf(int64_t index, const DecodedCase* by,
                                  const FaultSet* set) const override;
  // "Relu (node 2): an activation is dropped."
  std::string SentenceOf(const FaultSet& set) const override;
  // By one code, or by 2^-12 of the largest number of the output (2^-8 and 2^-5 of
  // FLOAT16 and BFLOAT16).
  bool IsNear(int64_t index, uint32_t model, uint32_t observed) const override;
  bool computes_in_floats() const override;

  WrongGraph Rewritten(const GraphMistakes& mistakes) const;

 private:
  Workspace graph_;
};

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_FAULTS_H_
