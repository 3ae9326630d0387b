// What a wrong graph does wrong: rewrites of the whole graph, and mistakes of single
// nodes that their operators' catalogues know.
#ifndef QCONFORM_HARNESS_GRAPHS_MISTAKE_H_
#define QCONFORM_HARNESS_GRAPHS_MISTAKE_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace qconform::graphs {

class Workspace;

// Of the nodes where a mistake can act, the ones where it does.
enum class Where : uint8_t {
  kEvery,
  kFirst,
  kLast,
  kFirstOfSeveral,  // none, if there is only one
  kLastOfSeveral,
  kWeights,  // the DequantizeLinear of the second operand of a sum
};

// Applies a mistake to a graph. Returns the numbers of the nodes on which it acts, from
// 1, in the order of the graph; none: it cannot act there.
using Rewrite = std::vector<int> (*)(Workspace& graph, Where where);

// One mistake: either a rewrite, or a fault of an operator that is made at its nodes.
struct GraphMistake {
  Rewrite rewrite = nullptr;
  Where where = Where::kEvery;
  std::string_view op_type{};     // of the nodes that have `node_fault`
  std::string_view node_fault{};  // its name in the operator's catalogue
  // Nodes that read what this operator gives are right: its ties are never exact.
  std::string_view not_behind{};
  std::string_view sentence{};  // the catalogue's
  // Mistakes of a lower stage are made first: those that compute from integer codes come
  // after those that change scales.
  int stage = 0;

  friend bool operator==(const GraphMistake&, const GraphMistake&) = default;
};

// The mistakes of a wrong graph, in the order in which they are made.
struct GraphMistakes {
  std::vector<GraphMistake> all;
  // A combination: nothing is wrong in a graph in which one of them cannot act.
  bool only_together = false;

  friend bool operator==(const GraphMistakes&, const GraphMistakes&) = default;
};

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_MISTAKE_H_
