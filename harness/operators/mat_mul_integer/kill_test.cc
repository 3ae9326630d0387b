// Do the cases of MatMulInteger kill? Wrong models against the oracle's answers, cell by
// cell.
#include <gtest/gtest.h>

#include "harness/core/testing/survivors.h"
#include "harness/operators/mat_mul_integer/faults.h"

namespace qconform {
namespace {

using M = MatMulIntegerSwitches;
using S = MatMulIntegerSideSwitches;

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
  for (const OperatorFault& fault : mat_mul_integer::GetFaults().catalogue()) {
    if (!fault.has_state) all.push_back({std::string(fault.text.name), fault.set});
  }
  const auto add = [&](std::string name, int of, M switches) {
    all.push_back({std::move(name) + std::to_string(of), switches});
  };
  for (const int of : {2, 8, 32, 128}) {
    add("sum.lost_tail_", of, {.sum = {.lost_tail = of}});
    add("sum.uncorrected_tail_", of, {.sum = {.uncorrected_tail = of}});
    add("sum.padded_cross_term_", of, {.sum = {.padded_cross_term = of}});
  }
  for (const int of : {2, 4, 8, 16, 32, 64}) {
    add("tail.columns_", of,
        {.b = {.zero_point = S::ZeroPoint::kIgnored}, .tail_columns = of});
    add("tail.rows_", of, {.a = {.zero_point = S::ZeroPoint::kIgnored}, .tail_rows = of});
    add("tail.columns_lose_last_term_", of,
        {.sum = {.lost_last = true}, .tail_columns = of});
    add("tail.rows_lose_last_term_", of, {.sum = {.lost_last = true}, .tail_rows = of});
  }
  return all;
}

TEST(MatMulIntegerKill, Standard_LeavesNoSurvivorInSampledCells) {
  const KillTest test{.op_type = "MatMulInteger",
                      .one_in = 5,
                      .models = Models(),
                      .no_mistake = M{},
                      .answer_of = AnswerOf,
                      .more_of = [](const CaseKey& key) {
                        std::vector<CaseKey> others;
                        // Those two have the longest sums.
                        if (key.generator != "random" && key.generator != "shapes") {
                          return others;
                        }
                        others.push_back(key);
                        others.front().index += 100;
                        return others;
                      }};
  test.ExpectNoSurvivor();
}

}  // namespace
}  // namespace qconform
