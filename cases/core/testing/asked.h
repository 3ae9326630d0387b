// Contents of the cells, for the tests of the operators' folders.
#ifndef QCONFORM_CASES_CORE_TESTING_ASKED_H_
#define QCONFORM_CASES_CORE_TESTING_ASKED_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cases/core/case.h"
#include "oracle/core/operator.h"

namespace qconform::generators {

inline constexpr uint64_t kTestSeed = 1;

// The operands of a case as operators of the oracle take them.
inline Operands OperandsOf(const OpCase& made) {
  Operands operands;
  for (const Tensor& operand : made.operands) {
    operands.push_back(operand.type == DataType::kUndefined
                           ? std::nullopt
                           : std::optional(operand.view()));
  }
  return operands;
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
