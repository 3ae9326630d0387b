#include "reports/diff/part.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "oracle/base/glob_index.h"
#include "reports/record/evidence.h"
#include "reports/record/totals.h"

namespace qconform {

Result<ReportPart> PartOf(const Report& report, const KnownOutcome* known,
                          const std::vector<std::string>& patterns) {
  ReportPart part;
  part.report.report_version = report.report_version;
  part.report.results_digest = report.results_digest;
  part.report.complete = report.complete;
  part.report.run = report.run;
  part.report.part_of = static_cast<int64_t>(report.cells.size());
  std::vector<std::string> all_ids;
  for (const CellRecord& cell : report.cells) all_ids.push_back(cell.cell);
  const MatchedGlobs matched = MatchGlobs(patterns, all_ids);
  if (const size_t unused = matched.FirstUnused(); unused < patterns.size()) {
    return Expected("--cells", "a pattern that matches a cell of the report",
                    "'" + patterns[unused] + "'");
  }
  std::set<std::string_view> ids;
  for (size_t i = 0; i < report.cells.size(); ++i) {
    if (!patterns.empty() && !matched.cells[i]) continue;
    part.report.cells.push_back(report.cells[i]);
    ids.insert(report.cells[i].cell);
  }
  SelectionRecord& selection = part.report.run.selection;
  selection.cells = static_cast<int64_t>(part.report.cells.size());
  selection.shard.reset();
  auto totals = CountTotals(part.report.run, part.report.cells, {});
  if (!totals) return totals.error();
  part.report.totals = *std::move(totals);
  part.report.answers_digest = report.answers_digest;
  part.report.findings = FindFindings(part.report.cells);
  if (known == nullptr) return part;
  part.known = *known;
  std::erase_if(part.known->known_cells,
                [&](const auto& item) { return !ids.contains(item.first); });
  GlobIndex index(ids);
  const CellSet all(index.size(), true);
  // Of an entry as a whole: that it has expired, where it is about one of the cells.
  const auto is_of_part = [&](const KnownProblem& problem) {
    if (!problem.cell.empty()) return ids.contains(problem.cell);
    if (problem.kind != KnownProblem::Kind::kExpired) return false;
    const KnownDifference& entry = known->entries[problem.entry];
    return std::ranges::any_of(entry.cells, [&](const std::string& pattern) {
      bool matches = false;
      index.ForEachMatch(pattern, all, [&](size_t) {
        matches = true;
        return false;
      });
      return matches;
    });
  };
  std::erase_if(part.known->problems,
                [&](const KnownProblem& problem) { return !is_of_part(problem); });
  return part;
}

std::string PartText(const Report& report) {
  if (report.part_of == 0) return "";
  const auto cells = static_cast<int64_t>(report.cells.size());
  if (cells == report.part_of) return "all of the report: " + Plural(cells, "cell");
  return GroupedDigits(cells) + " of the " + Plural(report.part_of, "cell") +
         " of the report";
}

}  // namespace qconform
