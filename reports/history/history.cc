#include "reports/history/history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "reports/diff/diff_cell.h"
#include "reports/diff/finding_changes.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

struct ReleaseCell {
  Verdict verdict = Verdict::kUntested;
  std::vector<FindingId> findings;
};

// The reports of one version together.
struct ReleaseParts {
  std::vector<NamedCompact> reports;
  std::map<std::string, ReleaseCell> cells;
  std::map<FindingId, int64_t> findings;  // -> cells
};

// Digits are compared as numbers.
std::vector<std::pair<uint64_t, std::string>> NumbersOf(const std::string& version) {
  std::vector<std::pair<uint64_t, std::string>> parts;
  for (const std::string& part : Split(version, ".")) {
    size_t digits = 0;
    while (digits < part.size() && part[digits] >= '0' && part[digits] <= '9') ++digits;
    const auto number = ParseNumber<uint64_t>(std::string_view(part).substr(0, digits));
    parts.emplace_back(number.value_or(0), part.substr(digits));
  }
  return parts;
}

Status AddTo(NamedCompact report, ReleaseParts* release) {
  const std::string file = report.file;
  for (const CompactRow& row : report.report.rows) {
    ReleaseCell cell{row.verdict, report.report.FindingsOf(row)};
    for (const FindingId& id : cell.findings) ++release->findings[id];
    if (!release->cells.emplace(row.cell, std::move(cell)).second) {
      const BackendRecord& backend = report.report.run.backend;
      return Expected(file, "each cell of a release once",
                      "'" + row.cell + "' of " + backend.version +
                          ", which another report of the folder has, too");
    }
  }
  release->reports.push_back(std::move(report));
  return Ok();
}

// The changes in what was asked, and where. Reports of parts are asked alike, if the
// first ones are.
std::vector<std::string> OtherChanges(const ReleaseParts& before,
                                      const ReleaseParts& after) {
  const RunInfo& old_run = before.reports.front().report.run;
  const RunInfo& new_run = after.reports.front().report.run;
  Differences differences;
  differences.CheckMembers("suite", ToJson(old_run.suite), ToJson(new_run.suite));
  differences.Check("device", old_run.backend.device, new_run.backend.device);
  const auto& old_features = old_run.machine.cpu_features;
  const auto& new_features = new_run.machine.cpu_features;
  if (!old_features.empty() && !new_features.empty()) {
    differences.Check("features of the CPU", Joined(old_features, " "),
                      Joined(new_features, " "));
  }
  return differences.Take();
}

// What became of a cell that both releases have. Of one with the same verdict and other
// findings nothing is said: compact reports do not have its answers.
std::vector<ChangeKind> KindsOf(const ReleaseCell& before, const ReleaseCell& after) {
  const auto kind = KindOfStep(before.verdict, after.verdict);
  return kind ? std::vector{*kind} : std::vector<ChangeKind>();
}

std::vector<FindingChange> ChangesOf(const ReleaseParts& before,
                                     const ReleaseParts& after) {
  FindingChanges changes;
  for (const auto& [id, cells] : before.findings) changes[id].cells_before = cells;
  for (const auto& [id, cells] : after.findings) changes[id].cells_after = cells;
  for (const auto& [cell, row] : after.cells) {
    const auto old_row = before.cells.find(cell);
    if (old_row == before.cells.end()) {
      AddToFindings(std::vector{ChangeKind::kNewlyAsked}, {}, row.findings, &changes);
      continue;
    }
    AddToFindings(KindsOf(old_row->second, row), old_row->second.findings, row.findings,
                  &changes);
  }
  for (const auto& [cell, row] : before.cells) {
    if (after.cells.contains(cell)) continue;
    AddToFindings(std::vector{ChangeKind::kNoLongerAsked}, row.findings, {}, &changes);
  }
  int64_t unchanged = 0;
  return ThoseThatChanged(std::move(changes), &unchanged);
}

}  // namespace

std::string DisplayName(const BackendRecord& backend) {
  const auto worker = backend.details.find("worker");
  if (worker != backend.details.end() && !worker->second.empty()) return worker->second;
  return WithoutFolder(backend.name);
}

bool IsEarlierVersion(const std::string& a, const std::string& b) {
  return NumbersOf(a) < NumbersOf(b);
}

bool History::comparable() const {
  return std::ranges::all_of(releases, [](const HistoryRelease& release) {
    return release.complete && release.other_changes.empty();
  });
}

Result<History> MakeHistory(std::vector<NamedCompact> reports) {
  History history;
  const auto earlier = [](const std::string& a, const std::string& b) {
    return IsEarlierVersion(a, b) || (!IsEarlierVersion(b, a) && a < b);
  };
  std::map<std::string, ReleaseParts, decltype(earlier)> parts(earlier);
  std::string first_file;
  for (NamedCompact& report : reports) {
    const BackendRecord& backend = report.report.run.backend;
    if (first_file.empty()) {
      first_file = report.file;
      history.backend = DisplayName(backend);
    } else if (DisplayName(backend) != history.backend) {
      return Expected(report.file,
                      "a report of '" + history.backend + "', as " + first_file,
                      "one of '" + DisplayName(backend) + "'");
    }
    const std::string version = backend.version;
    if (Status added = AddTo(std::move(report), &parts[version]); !added) {
      return added.error();
    }
  }
  if (parts.size() < 2) {
    return Expected("the history", "reports of two releases at least",
                    parts.empty() ? "none" : "one, " + parts.begin()->first);
  }
  const RunInfo& first = parts.begin()->second.reports.front().report.run;
  history.suite = first.suite;
  history.device = first.backend.device;
  std::map<FindingId, HistoryFinding> findings;
  const ReleaseParts* before = nullptr;
  for (const auto& [version, release] : parts) {
    HistoryRelease& one = history.releases.emplace_back();
    one.version = version;
    one.findings = static_cast<int64_t>(release.findings.size());
    for (const NamedCompact& part : release.reports) {
      one.complete = one.complete && part.report.complete;
    }
    for (const auto& [cell, row] : release.cells) {
      one.cells.Add(row.verdict);
      one.operators[cell.substr(0, cell.find('/'))].Add(row.verdict);
    }
    for (const auto& [id, cells] : release.findings) {
      HistoryFinding& finding = findings[id];
      finding.finding = id.Text();
      finding.cells.resize(parts.size());
      finding.cells[history.releases.size() - 1] = cells;
    }
    if (before != nullptr) {
      one.other_changes = OtherChanges(*before, release);
      one.changes = ChangesOf(*before, release);
    }
    before = &release;
  }
  for (auto& [id, finding] : findings) history.findings.push_back(std::move(finding));
  return history;
}

std::string ReleasesWith(const History& history, const HistoryFinding& finding) {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < finding.cells.size(); ++i) {
    if (finding.cells[i] == 0) continue;
    size_t last = i;
    while (last + 1 < finding.cells.size() && finding.cells[last + 1] > 0) ++last;
    const std::string& from = history.releases[i].version;
    ranges.push_back(last == i ? from : from + " to " + history.releases[last].version);
    i = last;
  }
  return Joined(ranges, ", ");
}

}  // namespace qconform
