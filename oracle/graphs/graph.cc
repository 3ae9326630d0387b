#include "oracle/graphs/graph.h"

namespace qconform {

Result<std::unique_ptr<const BoundGraph>> BindGraph(const Node&, std::span<const int>) {
  return Error{"graphs are not judged yet"};
}

bool IsGraphNode(const Node&) { return false; }

}  // namespace qconform
