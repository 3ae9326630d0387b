#include "cases/core/levels.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cases/core/counter_rng.h"

namespace qconform {

uint64_t LevelDigest(std::string_view op_type, Level level, size_t entry) {
  const std::span<const FrozenLevels> frozen = FrozenLevelsOf(op_type);
  if (entry >= frozen.size()) return 0;
  const int last = frozen[entry].opset_version;
  const int before = entry == 0 ? 0 : frozen[entry - 1].opset_version;
  generators::Fnv1a64 hash;
  std::map<int, SinceVersion> versions;
  for (SinceVersion version : SinceVersions(op_type)) {
    std::erase_if(version.opset_versions, [&](int opset) { return opset > last; });
    versions[version.since_version] = std::move(version);
  }
  for (const Cell& cell : CellsOf(op_type)) {
    if (cell.since_version <= before || cell.since_version > last) continue;
    for (const CaseKey& key : CasesOf(cell, versions.at(cell.since_version), level)) {
      if (key.form == OperandForm::kInitializers) continue;  // the same as inputs
      hash.Text(CaseId(key));
      hash.Text("\n");
    }
  }
  return hash.hash();
}

std::span<const FrozenLevels> FrozenLevelsOf(std::string_view op_type) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr) return {};
  const auto& all = cases->frozen_levels;
  const auto end = std::ranges::find_if(all, [](const FrozenLevels& levels) {
    return levels.opset_version > NewestOpsetVersion();
  });
  return std::span(all).first(static_cast<size_t>(end - all.begin()));
}

}  // namespace qconform
