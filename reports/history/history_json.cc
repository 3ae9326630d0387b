// A history as JSON.
#include "oracle/base/codec.h"
#include "reports/diff/finding_changes.h"
#include "reports/history/history.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

Json ChangeToJson(const FindingChange& change) {
  Json cells = Json::object();
  for (const auto& [kind, count] : change.cells) {
    cells[std::string(ChangeKindName(kind))] = count;
  }
  Json json = {{"finding", change.finding},         {"state", FindingState(change)},
               {"text", FindingSentence(change)},   {"cells_before", change.cells_before},
               {"cells_after", change.cells_after}, {"cells", cells}};
  if (!change.replaced_by.empty()) json["replaced_by"] = change.replaced_by;
  if (!change.replaces.empty()) json["replaces"] = change.replaces;
  return json;
}

}  // namespace

std::string HistoryJson(const History& history) {
  Json releases = Json::array();
  for (const HistoryRelease& release : history.releases) {
    Json verdicts = Json::object();
    for (const Verdict verdict : release.cells.occurring()) {
      verdicts[std::string(VerdictName(verdict))] = release.cells[verdict];
    }
    Json changes = Json::array();
    for (const FindingChange& change : release.changes) {
      changes.push_back(ChangeToJson(change));
    }
    releases.push_back({{"version", release.version},
                        {"complete", release.complete},
                        {"cells", release.cells.total()},
                        {"passes", release.cells.passes()},
                        {"deviations", release.cells.deviations()},
                        {"verdicts", verdicts},
                        {"findings", release.findings},
                        {"other_changes", release.other_changes},
                        {"changes", changes}});
  }
  Json findings = Json::array();
  for (const HistoryFinding& finding : history.findings) {
    findings.push_back({{"finding", finding.finding},
                        {"cells", finding.cells},
                        {"in", ReleasesWith(history, finding)}});
  }
  return BlockText({{"history_version", "1.0.0"},
                    {"backend", history.backend},
                    {"device", history.device},
                    {"suite", ToJson(history.suite)},
                    {"comparable", history.comparable()},
                    {"releases", releases},
                    {"findings", findings}});
}

}  // namespace qconform
