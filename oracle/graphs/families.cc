#include "oracle/base/node.h"

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/core/operator.h"

namespace qconform {
namespace {

class Family : public Operator {
 public:
  explicit Family(std::string_view op_type) : op_type_(op_type) {}

  std::string_view op_type() const override { return op_type_; }
  // Graphs of a family differ in their values: BoundGraph::op() has those of one.
  std::span<const OperandInfo> operands() const override { return {}; }
  std::span<const OutputInfo> outputs() const override { return {}; }
  std::vector<Clause> clauses() const override { return {}; }
  Result<std::unique_ptr<const BoundOperator>> Bind(std::span<const Attribute>,
                                                    int) const override {
    return Error{std::string(op_type_) +
                 ": expected a graph, got a node: BindGraph takes graphs"};
  }

 private:
  std::string_view op_type_;
};

}  // namespace

// One for each of QCONFORM_GRAPH_FAMILIES.
#define QCONFORM_FAMILY(name)                      \
  namespace graphs_##name {                        \
    const Operator& GetOperator() {                \
      static const Family family("graphs." #name); \
      return family;                               \
    }                                              \
  }
QCONFORM_FAMILY(round_trip)
QCONFORM_FAMILY(requantization)
QCONFORM_FAMILY(movers)
QCONFORM_FAMILY(choosers)
QCONFORM_FAMILY(arithmetic)
QCONFORM_FAMILY(sums)
QCONFORM_FAMILY(weights)
QCONFORM_FAMILY(dynamic)
#undef QCONFORM_FAMILY

}  // namespace qconform
