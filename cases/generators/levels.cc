#include "cases/generators/levels.h"

#include "cases/generators/counter_rng.h"

namespace qconform {
namespace {

struct Frozen {
  std::string_view op_type;
  Level level;
  uint64_t digest;
};

constexpr Frozen kFrozen[] = {
    {"QuantizeLinear", Level::kSmoke, 0x4e2d8ab52e443ae3},
    {"QuantizeLinear", Level::kStandard, 0x68be44f40a93add8},
    {"QuantizeLinear", Level::kExhaustive, 0xca4f5b7f0d683038},
    {"QLinearMatMul", Level::kSmoke, 0xaa8c5e0eeaa6227d},
    {"QLinearMatMul", Level::kStandard, 0x602537f31f76f0db},
    {"QLinearMatMul", Level::kExhaustive, 0x392cfce83d04674b},
};

}  // namespace

uint64_t LevelDigest(std::string_view op_type, Level level) {
  generators::Fnv1a64 hash;
  const SinceVersion any{.since_version = 0, .opset_versions = {0}};
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version > kFrozenSinceVersion) continue;
    for (const CaseKey& key : CasesOf(cell, any, level)) {
      if (key.form != OperandForm::kInputs) continue;
      hash.Text(ContentId(key));
      hash.Text("\n");
    }
  }
  return hash.hash();
}

std::optional<uint64_t> FrozenLevelDigest(std::string_view op_type, Level level) {
  for (const Frozen& frozen : kFrozen) {
    if (frozen.op_type == op_type && frozen.level == level) return frozen.digest;
  }
  return std::nullopt;
}

}  // namespace qconform
