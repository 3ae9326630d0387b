// The digests of what the families of graphs are asked.
#ifndef QCONFORM_CASES_GRAPHS_FROZEN_H_
#define QCONFORM_CASES_GRAPHS_FROZEN_H_

#include <string_view>
#include <vector>

#include "cases/core/operator_cases.h"

namespace qconform::generators {

// Returns OperatorCases::frozen_levels of a family.
std::vector<FrozenLevels> FrozenLevelsOfFamily(std::string_view family);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_FROZEN_H_
