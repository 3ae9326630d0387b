// Levels are frozen: what each cell is asked at a level has a digest, which stands in
// OperatorCases and changes only with a commit that says so.
#ifndef QCONFORM_CASES_CORE_LEVELS_H_
#define QCONFORM_CASES_CORE_LEVELS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "cases/core/case.h"

namespace qconform {

// The lattice that the digests are taken over ends with this opset_version. The oldest
// ONNX that can be linked (1.20) knows it, so the digests are the same with every ONNX.
// Newer opset_versions of the same definitions are asked the same contents.
inline constexpr int kFrozenOpsetVersion = 25;

// Returns FNV-1a-64 of the ids of all cases of the form `inputs` of an operator at a
// level, in the order of lattice and lists, each with a newline.
uint64_t LevelDigest(std::string_view op_type, Level level);

// Returns the frozen digest; nothing if the operator has no cases.
std::optional<uint64_t> FrozenLevelDigest(std::string_view op_type, Level level);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_LEVELS_H_
