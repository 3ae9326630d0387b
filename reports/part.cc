#include "reports/part.h"

#include <set>
#include <string_view>
#include <utility>

#include "oracle/tensor/glob.h"
#include "reports/evidence.h"
#include "reports/totals.h"

namespace qconform {

Result<Part> PartOf(const Report& report, const KnownOutcome* known,
                    const std::vector<std::string>& patterns) {
  Part part;
  part.report.report_version = report.report_version;
  part.report.results_digest = report.results_digest;
  part.report.complete = report.complete;
  part.report.run = report.run;
  part.report.part_of = static_cast<int64_t>(report.cells.size());
  std::vector<bool> used(patterns.size());
  std::set<std::string_view> ids;
  for (const CellRecord& cell : report.cells) {
    bool wanted = false;
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (!GlobMatches(patterns[i], cell.cell)) continue;
      wanted = true;
      used[i] = true;
    }
    if (!wanted) continue;
    part.report.cells.push_back(cell);
    ids.insert(cell.cell);
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    return Error{"the cell pattern '" + patterns[i] + "' matches no cell of the report"};
  }
  SelectionRecord& selection = part.report.run.selection;
  selection.cells = static_cast<int64_t>(part.report.cells.size());
  selection.shard.reset();
  part.report.totals = CountTotals(selection, part.report.cells, {});
  if (known == nullptr) return part;
  part.known = *known;
  std::erase_if(part.known->known_cells,
                [&](const auto& item) { return !ids.contains(item.first); });
  std::erase_if(part.known->problems,
                [&](const KnownProblem& problem) { return !ids.contains(problem.cell); });
  return part;
}

std::string PartText(const Report& report) {
  if (report.part_of == 0) return "";
  return GroupedDigits(static_cast<int64_t>(report.cells.size())) + " of the " +
         Plural(report.part_of, "cell") + " of the report";
}

}  // namespace qconform
