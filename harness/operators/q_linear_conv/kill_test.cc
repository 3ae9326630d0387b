// Do the cases of QLinearConv kill? Wrong models against the oracle's answers, cell by
// cell.
#include <gtest/gtest.h>

#include "harness/core/testing/survivors.h"
#include "harness/operators/q_linear_conv/faults.h"

namespace qconform {
namespace {

Result<Answer> AnswerOf(const OpCase& made) {
  const Cell& cell = made.key.cell;
  const auto bound =
      FindOperator(cell.op_type)->Bind(made.model.node.attributes, cell.since_version);
  if (!bound) return bound.error();
  const auto answers = (*bound)->Evaluate(generators::OperandsOf(made), {});
  if (!answers) return answers.error();
  return answers->front();
}

std::vector<WrongModel> Models() {
  std::vector<WrongModel> all;
  for (const OperatorFault& fault : q_linear_conv::GetFaults().catalogue()) {
    all.push_back({std::string(fault.text.name), fault.set});
  }
  return all;
}

TEST(QLinearConvKill, Standard_LeavesNoSurvivor) {
  const KillTest test{.op_type = "QLinearConv",
                      .one_in = 5,
                      .models = Models(),
                      .no_mistake = QLinearConvSwitches{},
                      .answer_of = AnswerOf,
                      .more_of = [](const CaseKey& key) {
                        std::vector<CaseKey> others{key};
                        others.front().index += 100;
                        return others;
                      }};
  test.ExpectNoSurvivor();
}

}  // namespace
}  // namespace qconform
