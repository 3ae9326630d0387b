#include "harness/core/clause_decides.h"
#include "harness/operators/mat_mul_integer/faults.h"

namespace qconform::mat_mul_integer {
namespace {

bool IsPresent(const AskedElement& asked, std::string_view operand) {
  const auto& inputs = asked.op_case.model.node.inputs;
  const size_t place = operand == "a_zero_point" ? 2 : 3;
  return inputs.size() > place && !inputs[place].empty();
}

size_t RankOf(const AskedElement& asked, std::string_view operand) {
  const size_t place = operand == "a_zero_point" ? 2 : 3;
  return IsPresent(asked, operand) ? asked.op_case.operands[place].shape.size() : 0;
}

bool IsRegular(const AskedElement& asked) { return asked.element.tier == Tier::kRegular; }

ClauseDecides Decides() {
  return {
      {"MI-01", IsRegular},
      {"MI-02",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kAccumulatorOverflow;
       }},
      // A sum that INT16 does not hold.
      {"MI-03",
       [](const AskedElement& a) {
         const auto sum = static_cast<int32_t>(a.element.code);
         return IsRegular(a) && (sum > INT16_MAX || sum < INT16_MIN);
       }},
      {"MI-04",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity != "per_tensor-per_tensor" && IsRegular(a);
       }},
      {"MI-06",
       [](const AskedElement& a) {
         return IsRegular(a) &&
                (!IsPresent(a, "a_zero_point") || !IsPresent(a, "b_zero_point"));
       }},
      {"MI-08",
       [](const AskedElement& a) {
         return IsRegular(a) &&
                (RankOf(a, "a_zero_point") > 2 || RankOf(a, "b_zero_point") > 2);
       }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::mat_mul_integer
