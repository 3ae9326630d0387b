// Contents with the oracle's answers, for the tests of this folder.
#ifndef QCONFORM_CASES_CORE_TESTING_ASKED_H_
#define QCONFORM_CASES_CORE_TESTING_ASKED_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cases/core/case.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform::generators {

inline constexpr uint64_t kTestSeed = 1;

inline QuantizeLinearProblem ProblemOf(const OpCase& made) {
  QuantizeLinearProblem problem;
  problem.since_version = made.key.cell.since_version;
  problem.x = made.operands[0].view();
  problem.y_scale = made.operands[1].view();
  if (made.operands[2].type != DataType::kUndefined) {
    problem.y_zero_point = made.operands[2].view();
  }
  for (const Attribute& attribute : made.model.node.attributes) {
    const int64_t value = std::get<int64_t>(attribute.value);
    if (attribute.name == "axis") problem.attributes.axis = value;
    if (attribute.name == "block_size") problem.attributes.block_size = value;
    if (attribute.name == "saturate") problem.attributes.saturate = value;
    if (attribute.name == "output_dtype") problem.attributes.output_dtype = value;
    if (attribute.name == "precision") problem.attributes.precision = value;
  }
  return problem;
}

inline QLinearMatMulProblem MatMulProblemOf(const OpCase& made) {
  QLinearMatMulProblem problem;
  problem.since_version = made.key.cell.since_version;
  problem.a = made.operands[0].view();
  problem.a_scale = made.operands[1].view();
  problem.a_zero_point = made.operands[2].view();
  problem.b = made.operands[3].view();
  problem.b_scale = made.operands[4].view();
  problem.b_zero_point = made.operands[5].view();
  problem.y_scale = made.operands[6].view();
  problem.y_zero_point = made.operands[7].view();
  return problem;
}

// One key for each content of a cell at a level.
inline std::vector<CaseKey> ContentsOf(const Cell& cell, Level level) {
  const auto versions = SinceVersions(cell.op_type);
  return qconform::ContentsOf(
      cell,
      *std::ranges::find(versions, cell.since_version, &SinceVersion::since_version),
      level);
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_TESTING_ASKED_H_
