#include "harness/core/clause_decides.h"
#include "harness/operators/q_linear_mat_mul/faults.h"
namespace qconform::q_linear_mat_mul {
namespace {

ClauseDecides Decides() {
  return {
      {"MM-01",
       [](const AskedElement& a) {
         return IsInteger(a.op_case.key.cell.types[1]) && a.is_integer();
       }},
      {"MM-01b",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kAccumulatorOverflow;
       }},
      {"MM-03",
       [](const AskedElement& a) {
         return a.is_integer() && a.has(kFeatureTie | kFeatureNearTie) &&
                a.has(kFeatureZeroPoint);
       }},
      {"MM-04",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity != "per_tensor-per_tensor" &&
                a.has(kFeatureInexact);
       }},
      {"MM-10",
       [](const AskedElement& a) { return !IsInteger(a.op_case.key.cell.types[1]); }},
      {"MM-11",
       [](const AskedElement& a) {
         return !IsInteger(a.op_case.key.cell.types[1]) &&
                a.has(kFeatureNan | kFeatureInfinity);
       }},
      {"MM-12", [](const AskedElement& a) { return a.element.zero_sign_is_free; }},
      {"MM-20",
       [](const AskedElement& a) { return a.element.tier == Tier::kDegenerateScale; }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::q_linear_mat_mul
