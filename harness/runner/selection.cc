#include "harness/runner/selection.h"

#include "harness/compare/oracle_model.h"

namespace qconform {

Result<std::vector<SelectedCell>> SelectCells(const std::vector<std::string>& patterns) {
  std::vector<SelectedCell> selected;
  std::vector<bool> used(patterns.size());
  int64_t sequence = 0;
  for (const std::string& op_type : JudgedOperators()) {
    if (!HasOracle(op_type)) continue;
    const std::vector<SinceVersion> versions = SinceVersions(op_type);
    for (const Cell& cell : CellsOf(op_type)) {
      const std::string id = CellId(cell);
      bool wanted = patterns.empty();
      for (size_t i = 0; i < patterns.size(); ++i) {
        if (!GlobMatches(patterns[i], id)) continue;
        wanted = true;
        used[i] = true;
      }
      ++sequence;
      if (!wanted) continue;
      for (const SinceVersion& version : versions) {
        if (version.since_version == cell.since_version) {
          selected.push_back({cell, version, sequence});
        }
      }
    }
  }
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (used[i]) continue;
    return Error{"the cell pattern '" + patterns[i] +
                 "' matches no cell; ids look like "
                 "QuantizeLinear/21/FLOAT-FLOAT-INT4/blocked, * stands for any text, and "
                 "'qconform list cells --ids' prints them all"};
  }
  return selected;
}

}  // namespace qconform
