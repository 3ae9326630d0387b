#include "cases/core/levels.h"

#include <map>
#include <utility>

#include "cases/core/counter_rng.h"

namespace qconform {
namespace {

struct Frozen {
  std::string_view op_type;
  Level level;
  uint64_t digest;
};

constexpr Frozen kFrozen[] = {
    {"QuantizeLinear", Level::kSmoke, 0x6e0c7746e4043987},
    {"QuantizeLinear", Level::kStandard, 0x2900c85e99c851ca},
    {"QuantizeLinear", Level::kExhaustive, 0xaa78e9784e9e62d4},
    {"QLinearMatMul", Level::kSmoke, 0x3920f9345890a945},
    {"QLinearMatMul", Level::kStandard, 0x9f8d6c9b18a53c2c},
    {"QLinearMatMul", Level::kExhaustive, 0x0fdd6b0dc51e4a00},
};

}  // namespace

uint64_t LevelDigest(std::string_view op_type, Level level) {
  generators::Fnv1a64 hash;
  std::map<int, SinceVersion> versions;
  for (SinceVersion version : SinceVersions(op_type)) {
    std::erase_if(version.opset_versions,
                  [](int opset) { return opset > kFrozenOpsetVersion; });
    versions[version.since_version] = std::move(version);
  }
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version > kFrozenOpsetVersion) continue;
    for (const CaseKey& key : CasesOf(cell, versions.at(cell.since_version), level)) {
      if (key.form == OperandForm::kInitializers) continue;  // the same as inputs
      hash.Text(CaseId(key));
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
