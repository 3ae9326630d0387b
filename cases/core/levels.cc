#include "cases/core/levels.h"

#include <map>
#include <utility>

#include "cases/core/counter_rng.h"

namespace qconform {
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
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr) return std::nullopt;
  return cases->frozen_digests[static_cast<size_t>(level)];
}

}  // namespace qconform
