// The parts of the catalogue of wrong graphs. All families have one catalogue: where a
// graph has no place for a mistake, it is declared to be none.
#ifndef QCONFORM_HARNESS_GRAPHS_CATALOGUE_H_
#define QCONFORM_HARNESS_GRAPHS_CATALOGUE_H_

#include <functional>
#include <vector>

#include "harness/core/operator_faults.h"
#include "harness/graphs/graph_facts.h"
#include "harness/graphs/mistake.h"

namespace qconform::graphs {

using DeclareGraph = std::function<Declaration(const GraphFacts&)>;

// Adds a fault that consists of one mistake.
void Add(std::vector<OperatorFault>& faults, FaultText text, GraphMistake mistake,
         DeclareGraph declare);

void AddActivationFaults(std::vector<OperatorFault>& faults);
void AddParameterFaults(std::vector<OperatorFault>& faults);
void AddPairFaults(std::vector<OperatorFault>& faults);
void AddLayoutFaults(std::vector<OperatorFault>& faults);
void AddSumFaults(std::vector<OperatorFault>& faults);
// Faults of quantizing operators at the nodes of a graph.
void AddNodeFaults(std::vector<OperatorFault>& faults);
// Several mistakes at once; it looks them up among `faults`.
void AddCombinations(std::vector<OperatorFault>& faults);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_CATALOGUE_H_
