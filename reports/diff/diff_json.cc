// A diff as JSON: reports/schema/diff-2.schema.json.
#include "reports/diff/diff.h"
#include "reports/record/evidence.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

Json SideToJson(const std::string& backend, const std::string& results,
                const std::string& answers, bool complete) {
  Json object = Json::object();
  object["backend"] = backend;
  object["results_digest"] = results;
  object["answers_digest"] = answers;
  object["complete"] = complete;
  return object;
}

Json CellToJson(const CellChange& change) {
  Json item = Json::object();
  item["cell"] = change.cell;
  Json& kinds = item["kinds"] = Json::array();
  for (const ChangeKind kind : change.kinds) kinds.push_back(ChangeKindName(kind));
  if (change.in_part()) item["in_part"] = true;
  if (change.before) item["before"] = VerdictName(*change.before);
  if (change.after) item["after"] = VerdictName(*change.after);
  if (!change.findings_before.empty()) item["findings_before"] = change.findings_before;
  if (!change.findings_after.empty()) item["findings_after"] = change.findings_after;
  item["wrong_before"] = change.wrong_before;
  item["wrong_after"] = change.wrong_after;
  item["what"] = change.what;
  SetText(item, "known", change.known);
  if (change.evidence) {
    item["evidence"] = CounterexampleSentence(*change.evidence);
    item["replay"] = change.evidence->replay;
  }
  return item;
}

Json FindingToJson(const FindingChange& change) {
  Json item = Json::object();
  item["finding"] = change.finding;
  item["cells_before"] = change.cells_before;
  item["cells_after"] = change.cells_after;
  item["elements_before"] = change.elements_before;
  item["elements_after"] = change.elements_after;
  Json& cells = item["cells"] = Json::object();
  for (const auto& [kind, count] : change.cells) {
    cells[std::string(ChangeKindName(kind))] = count;
  }
  if (!change.replaced_by.empty()) item["replaced_by"] = change.replaced_by;
  if (!change.replaces.empty()) item["replaces"] = change.replaces;
  return item;
}

}  // namespace

std::string DiffJson(const ReportDiff& diff) {
  Json json = Json::object();
  json["diff_version"] = "2.0.0";
  json["comparable"] = diff.comparable();
  json["cause"] = diff.Cause();
  json["before"] = SideToJson(diff.before_backend, diff.before_digest,
                              diff.before_answers, diff.before_complete);
  json["after"] = SideToJson(diff.after_backend, diff.after_digest, diff.after_answers,
                             diff.after_complete);
  json["suite_changes"] = diff.suite_changes;
  json["selection_changes"] = diff.selection_changes;
  json["backend_changes"] = diff.backend_changes;
  json["tool_changes"] = diff.tool_changes;
  Json& counts = json["counts"] = Json::object();
  for (const ChangeKind kind : AllChangeKinds()) {
    counts[std::string(ChangeKindName(kind))] = diff.Count(kind);
  }
  counts["known"] = diff.waived;
  counts["unchanged"] = diff.unchanged;
  Json& findings = json["findings"] = Json::array();
  for (const FindingChange& change : diff.findings) {
    findings.push_back(FindingToJson(change));
  }
  json["findings_unchanged"] = diff.findings_unchanged;
  Json& cells = json["cells"] = Json::array();
  for (const CellChange& change : diff.cells) cells.push_back(CellToJson(change));
  Json& node_tests = json["node_tests"] = Json::array();
  for (const NodeTestChange& change : diff.node_tests) {
    Json item = Json::object();
    item["name"] = change.name;
    item["release"] = change.release;
    item["kind"] = ChangeKindName(change.kind);
    if (change.before) item["before"] = NodeVerdictName(*change.before);
    if (change.after) item["after"] = NodeVerdictName(*change.after);
    node_tests.push_back(std::move(item));
  }
  Json& negative_models = json["negative_models"] = Json::array();
  for (const NegativeChange& change : diff.negative_models) {
    Json item = Json::object();
    item["id"] = change.id;
    item["kind"] = ChangeKindName(change.kind);
    if (change.before) item["before"] = NegativeResultName(*change.before);
    if (change.after) item["after"] = NegativeResultName(*change.after);
    SetText(item, "text", change.text);
    negative_models.push_back(std::move(item));
  }
  return Dump(json, 1) + "\n";
}

}  // namespace qconform
