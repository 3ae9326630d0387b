// Levels are frozen: what each cell is asked at a level has a digest, which stands in
// OperatorCases and changes only with a commit that says so.
#ifndef QCONFORM_CASES_CORE_LEVELS_H_
#define QCONFORM_CASES_CORE_LEVELS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"

namespace qconform {

// Returns FNV-1a-64 of the ids of all cases of the form `inputs` of an operator at a
// level, in the order of lattice and lists, each with a newline. They are those of one
// entry of OperatorCases::frozen_levels: of its definitions, at opset_versions up to its
// own, so that a newer ONNX changes nothing. 0 if the linked ONNX ends before.
uint64_t LevelDigest(std::string_view op_type, Level level, size_t entry);

// Returns the entries of OperatorCases::frozen_levels whose definitions the linked ONNX
// has; none if the operator has no cases.
std::span<const FrozenLevels> FrozenLevelsOf(std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_LEVELS_H_
