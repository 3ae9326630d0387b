// Which nodes of a model make a part, before anybody asks whether it is judged. Private
// to this folder.
#ifndef QCONFORM_HARNESS_PARTS_GROUPING_H_
#define QCONFORM_HARNESS_PARTS_GROUPING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cases/model/model_file.h"

namespace qconform {

struct NodeGroup {
  std::vector<size_t> nodes;         // each after those that give its inputs
  size_t main = 0;                   // the node that names it
  std::vector<std::string> outputs;  // what others use of it
};

// Returns the groups of all quantized nodes, in the order of their main nodes. `sizes`:
// shapes and numbers that follow from them count as constants.
std::vector<NodeGroup> GroupNodes(const ModelFile& file, const Sizes& sizes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_PARTS_GROUPING_H_
