// The registry's getter: each family of graphs with its wrong graphs.
#include <map>
#include <string_view>

#include "harness/core/operator_faults.h"
#include "harness/graphs/faults.h"

namespace qconform::graphs {

// The registry declares it, too, and calls it once for each family.
const OperatorFaults& GetFaults(std::string_view family);

const OperatorFaults& GetFaults(std::string_view family) {
  static std::map<std::string_view, Faults> families;
  return families.try_emplace(family, family).first->second;
}

}  // namespace qconform::graphs
