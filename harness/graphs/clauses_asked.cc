// Which clauses of graphs decide an element of a case.
#include <algorithm>
#include <string_view>

#include "harness/core/clause_decides.h"
#include "harness/graphs/faults.h"
#include "oracle/graphs/float_operators.h"

namespace qconform::graphs {
namespace {

const std::vector<Node>& BodyOf(const AskedElement& a) {
  return a.op_case.model.node.body;
}

bool Has(const AskedElement& a, std::string_view op_type) {
  return std::ranges::any_of(BodyOf(a),
                             [&](const Node& node) { return node.op_type == op_type; });
}

// Whether the graph has a float node that the clause speaks of.
bool HasNodeOf(const AskedElement& a, std::string_view clause) {
  return std::ranges::any_of(
      BodyOf(a), [&](const Node& node) { return ClauseOf(node.op_type) == clause; });
}

bool Computes(const AskedElement& a) {
  return HasNodeOf(a, "GR-05") || HasNodeOf(a, "GR-06");
}

// Between a DequantizeLinear and a QuantizeLinear nothing computes.
bool Requantizes(const AskedElement& a) {
  return Has(a, "DequantizeLinear") && Has(a, "QuantizeLinear") && !Computes(a);
}

bool IsFree(const AskedElement& a) { return a.element.freedom != Freedom::kNone; }

ClauseDecides Decides() {
  const auto of = [](std::string_view clause) {
    return [clause](const AskedElement& a) { return HasNodeOf(a, clause); };
  };
  const auto always = [](const AskedElement&) { return true; };
  return {
      {"GR-01", always},
      {"GR-02", IsFree},
      {"GR-03", of("GR-03")},
      {"GR-04", of("GR-04")},
      {"GR-05", of("GR-05")},
      {"GR-06", of("GR-06")},
      {"GR-07", always},
      {"GR-08", always},
      {"GR-09", always},
      {"GR-10", [](const AskedElement& a) { return a.element.tier != Tier::kRegular; }},
      {"GR-11", [](const AskedElement& a) { return a.op_case.model.outputs.size() > 1; }},
      {"GR-12",
       [](const AskedElement& a) { return a.op_case.key.generator == "exact_twin"; }},
      {"GR-13", Requantizes},
      {"GR-14", [](const AskedElement& a) { return Computes(a) && !a.is_integer(); }},
      {"GR-15",
       [](const AskedElement& a) { return Has(a, "Cast") || Has(a, "HardSwish"); }},
      {"GR-16", [](const AskedElement& a) { return Computes(a) && a.has(kFeatureTie); }},
      {"GR-17",
       [](const AskedElement& a) {
         return std::ranges::count(BodyOf(a), "QuantizeLinear", &Node::op_type) > 1;
       }},
      {"GR-18",
       [](const AskedElement& a) { return Computes(a) && HasNodeOf(a, "GR-04"); }},
      {"GR-19", [](const AskedElement& a) { return Has(a, "Gemm") || Has(a, "Conv"); }},
      {"GR-20",
       [](const AskedElement& a) {
         return Computes(a) && (a.element.tier == Tier::kSubnormal ||
                                a.element.tier == Tier::kDegenerateScale);
       }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::graphs
