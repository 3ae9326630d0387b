// The families of graphs, as the registry of operators has them.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/core/operator.h"

namespace qconform {
namespace graphs {
// The registry declares it, too, and calls it once for each family.
const Operator& GetOperator(std::string_view family);
}  // namespace graphs

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

const Operator& graphs::GetOperator(std::string_view family) {
  static std::map<std::string_view, Family> families;
  return families.try_emplace(family, family).first->second;
}

}  // namespace qconform
