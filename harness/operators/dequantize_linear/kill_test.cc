// Do the cases of DequantizeLinear kill? Wrong models against the oracle's answers, cell
// by cell.
#include <gtest/gtest.h>

#include "harness/core/testing/survivors.h"
#include "harness/operators/dequantize_linear/faults.h"

namespace qconform {
namespace {

using S = DequantizeLinearSwitches;

Result<Answer> AnswerOf(const OpCase& made) {
  const Cell& cell = made.key.cell;
  const auto bound =
      FindOperator(cell.op_type)->Bind(made.model.node.attributes, cell.since_version);
  if (!bound) return bound.error();
  const auto answers = (*bound)->Evaluate(generators::OperandsOf(made), {});
  if (!answers) return answers.error();
  return answers->front();
}

// The catalogue's, and more of tails.
std::vector<WrongModel> Models() {
  std::vector<WrongModel> all;
  for (const OperatorFault& fault : dequantize_linear::GetFaults().catalogue()) {
    if (!fault.has_state) all.push_back({std::string(fault.text.name), fault.set});
  }
  for (const int lanes : {2, 4, 8, 16, 32, 64, 128}) {
    const std::string text = std::to_string(lanes);
    all.push_back({"tail.truncates_" + text,
                   S{.rounding = RoundingMode::kTowardZero, .tail_lanes = lanes}});
    all.push_back({"tail.zero_point_ignored_" + text,
                   S{.zero_point = S::ZeroPoint::kIgnored, .tail_lanes = lanes}});
    all.push_back({"tail.next_scale_" + text,
                   S{.scale_place = FaultyPlace::kNext, .tail_lanes = lanes}});
  }
  return all;
}

TEST(DequantizeLinearKill, Standard_LeavesNoSurvivorInSampledCells) {
  const KillTest test{.op_type = "DequantizeLinear",
                      .one_in = 97,
                      .models = Models(),
                      .no_mistake = S{},
                      .answer_of = AnswerOf,
                      .more_of = [](const CaseKey& key) {
                        std::vector<CaseKey> others(3, key);
                        for (int more = 1; more <= 3; ++more) {
                          others[static_cast<size_t>(more - 1)].index +=
                              100 * more + more;
                        }
                        return others;
                      }};
  test.ExpectNoSurvivor();
}

}  // namespace
}  // namespace qconform
