#include "harness/graphs/faults.h"
#include "harness/graphs/nodes.h"

namespace qconform::graphs {

// A rewrite that loses something breaks GR-07; a fault of a node the composition.
std::string_view Faults::BrokenClause(const Cell&, const Node&,
                                      const FaultSet& set) const {
  const auto& mistakes = set.As<GraphMistakes>();
  for (const GraphMistake& mistake : mistakes.all) {
    if (mistake.rewrite != nullptr) return "GR-07";
  }
  return mistakes.all.empty() ? "" : "GR-01";
}

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  return OperatorFaults::PatternsOf(cases);
}

}  // namespace qconform::graphs
