// The generators of the families: each makes a plan for the makers of graphs.
#ifndef QCONFORM_CASES_GRAPHS_GENERATORS_H_
#define QCONFORM_CASES_GRAPHS_GENERATORS_H_

#include <span>
#include <string_view>

#include "cases/core/operator_cases.h"
#include "cases/graphs/question.h"

namespace qconform::generators {

struct GraphGenerator {
  GeneratorInfo info;
  int smoke = 0;     // contents of a cell at level smoke
  int standard = 0;  // and at the others
  Plan (*plan)(const Cell& cell, int index);
  // How many contents a graph has at most; null: any number.
  int (*most)(const GraphInfo& graph) = nullptr;
};

// Returns the generators of a family; none if it is no family.
std::span<const GraphGenerator> GraphGeneratorsOf(std::string_view family);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_GENERATORS_H_
