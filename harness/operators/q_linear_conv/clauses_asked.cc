#include "harness/core/clause_decides.h"
#include "harness/operators/q_linear_conv/faults.h"

namespace qconform::q_linear_conv {
namespace {

ClauseDecides Decides() {
  return {
      {"QC-01", [](const AskedElement& a) { return a.has(kFeatureTie); }},
      {"QC-02", [](const AskedElement&) { return true; }},
      {"QC-02b",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kAccumulatorOverflow;
       }},
      {"QC-03",
       [](const AskedElement& a) {
         const Node& node = a.op_case.model.node;
         return node.inputs.size() == 9 && !node.inputs.back().empty();
       }},
      {"QC-04", [](const AskedElement& a) { return a.has(kFeatureInexact); }},
      {"QC-05",
       [](const AskedElement& a) { return !a.op_case.model.node.attributes.empty(); }},
      {"QC-06",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity == "per_channel";
       }},
      {"QC-07", [](const AskedElement& a) { return a.is_integer(); }},
      {"QC-08",
       [](const AskedElement& a) { return a.element.tier == Tier::kDegenerateScale; }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::q_linear_conv
