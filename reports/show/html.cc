#include "reports/show/html.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "oracle/base/text.h"
#include "reports/base/packed.h"
#include "reports/diff/diff.h"
#include "reports/record/evidence.h"
#include "reports/record/order.h"
#include "reports/record/record_json.h"
#include "reports/show/page_parts.h"
#include "reports/show/xml.h"

namespace qconform {

// Generated from the files of reports/html/ (CMakeLists.txt).
std::string_view HtmlPage();
std::string_view HtmlScript();

namespace {

// A row of the report, with the sentences that explain it.
Json CellToJson(const CellRecord& cell, const KnownOutcome* known) {
  Json json = ToJson(cell);
  for (const char* key : {"observed", "bound_only", "deviation", "notes", "mixed",
                          "not_told_apart", "dynamic_shapes"}) {
    json.erase(key);
  }
  Json& observed = json["observed"] = Json::array();
  for (const Observation& one : cell.observed) observed.push_back(one.Text());
  Json& bound_only = json["bound_only"] = Json::array();
  for (const BoundOnlyTier& tier : cell.bound_only) bound_only.push_back(tier.Text());
  json["why"] = DiagnosisSentences(cell);
  json["model"] = WorkedModelName(cell);
  json["time"] = std::round(cell.time_ms * 10) / 10;
  if (const KnownDifference* entry = known ? known->Find(cell.cell) : nullptr) {
    json["known"] = {{"reason", entry->reason},
                     {"url", entry->url},
                     {"owner", entry->owner},
                     {"expires", entry->expires}};
  }
  return json;
}

// A finding with the places of its rows, and that of the row which its example is of.
Json FindingToJson(const FindingRecord& finding, const Report& report,
                   const std::map<std::string_view, size_t>& places) {
  Json json = ToJson(finding);
  Json& cells = json["cells"] = Json::array();
  json["cell"] = finding.cells.front();
  for (const std::string& id : finding.cells) {
    const auto place = places.find(id);
    if (place == places.end()) continue;
    cells.push_back(place->second);
    const auto& examples = report.cells[place->second].counterexamples;
    if (finding.example &&
        std::find(examples.begin(), examples.end(), *finding.example) != examples.end()) {
      json["cell"] = id;
    }
  }
  return json;
}

Json ReportToJson(const Report& report, const KnownOutcome* known) {
  const RunInfo& run = report.run;
  Json suite = ToJson(run.suite);
  suite["seed"] = std::to_string(run.suite.seed);  // may exceed what a browser counts to
  Json problems = Json::array();
  if (known != nullptr) {
    for (const KnownProblem& problem : known->problems) {
      problems.push_back(problem.sentence);
    }
  }
  Json operators = Json::object();
  Json cells = Json::array();
  for (const CellRecord& cell : report.cells) {
    cells.push_back(CellToJson(cell, known));
    if (operators.contains(cell.op_type)) continue;
    const OperatorRecord& record = OperatorRecordOf(run.operators, cell.op_type);
    operators[cell.op_type] = {{"types", record.types}, {"main_type", record.main_type}};
  }
  Json negative = Json::array();  // only what there is to look at
  for (const NegativeRecord& record : report.negative) {
    if (!IsDeviation(record.result) && record.result != NegativeResult::kDeclined) {
      continue;
    }
    Json model = ToJson(record);
    model["deviates"] = IsDeviation(record.result);
    negative.push_back(std::move(model));
  }
  std::map<std::string_view, size_t> places;  // of rows
  for (size_t i = 0; i < report.cells.size(); ++i) places[report.cells[i].cell] = i;
  Json findings = Json::array();
  for (const FindingRecord& finding : report.findings) {
    findings.push_back(FindingToJson(finding, report, places));
  }
  const std::optional<ModelRecord>& model = run.selection.model;
  return {{"backend", run.backend.name},
          {"model", model ? ToJson(*model) : Json()},
          {"version", run.backend.version},
          {"vendor", run.backend.vendor},
          {"device", run.backend.device},
          {"complete", report.complete},
          {"selected", report.totals.selected},
          {"digest", report.results_digest},
          {"answers", report.answers_digest},
          {"start", run.start_time},
          {"duration", std::round(run.duration_s * 10) / 10},
          {"machine", run.machine.cpu_model},
          {"os", run.machine.os},
          {"command", Joined(run.command_line, " ")},
          {"tool", ToJson(run.tool)},
          {"suite", suite},
          {"problems", problems},
          {"operators", operators},
          {"unspecified", ToJson(report.totals.unspecified)},
          {"mixed", ToJson(report.totals.mixed_readings)},
          {"nodeTests", ToJson(report.node_tests)},
          {"negativeCounts", NegativeCounts(report.negative)},
          {"negative", negative},
          {"findings", findings},
          {"cells", cells}};
}

// What occurs in the reports, each list in the order in which the page shows it.
void AddLists(const std::vector<const Report*>& reports, Json& data) {
  std::set<Verdict> verdicts(AllVerdicts().begin(), AllVerdicts().end());
  std::set<std::pair<size_t, std::string>> operators, tiers;
  std::set<std::pair<std::vector<size_t>, std::string>> granularities;
  std::vector<std::string> forms;
  for (const Report* report : reports) {
    for (const CellRecord& cell : report->cells) {
      operators.emplace(OperatorRank(reports[0]->run.selection, cell.op_type),
                        cell.op_type);
      granularities.emplace(GranularityRank(cell.granularity), cell.granularity);
      // Verdicts of later versions, too: the page shows them by their names.
      verdicts.insert(cell.verdict);
      for (const OpsetRecord& opset : cell.opset_versions) verdicts.insert(opset.verdict);
      for (const FormRecord& form : cell.forms) {
        if (std::find(forms.begin(), forms.end(), form.form) == forms.end()) {
          forms.push_back(form.form);
        }
        for (const TierRecord& tier : form.tiers) {
          tiers.emplace(TierRank(tier.tier), tier.tier);
          verdicts.insert(tier.verdict);
        }
      }
    }
  }
  const auto names = [](const auto& ranked) {
    Json list = Json::array();
    for (const auto& [rank, name] : ranked) list.push_back(name);
    return list;
  };
  data["verdicts"] = ToJson(verdicts);
  data["typeOrder"] =
      ToJson(std::vector<DataType>(AllDataTypes().begin(), AllDataTypes().end()));
  data["ops"] = names(operators);
  data["granularities"] = names(granularities);
  data["tiers"] = names(tiers);
  data["forms"] = forms;
}

}  // namespace

std::string HtmlText(const Report& report, const HtmlOptions& options) {
  std::vector<const Report*> reports = {&report};
  if (options.beside != nullptr) reports.push_back(options.beside);
  Json data = Json::object();
  AddLists(reports, data);
  data["explanations"] = options.explanations;
  data["models"] = options.models;
  Json& list = data["reports"] = Json::array();
  list.push_back(ReportToJson(report, options.known));
  Json changes = Json::object();
  std::string title = report.run.backend.name;
  if (options.beside != nullptr) {
    title += " and " + options.beside->run.backend.name;
    list.push_back(ReportToJson(*options.beside, nullptr));
    for (const CellChange& change : DiffReports(*options.beside, report).cells) {
      changes[change.cell] = ChangeKindName(change.kinds.front());
    }
  }
  data["changes"] = std::move(changes);

  const std::map<std::string_view, std::string> values = {
      {"title", XmlEscaped(title + ": conformance of ONNX quantization")},
      {"symbols", std::string(HtmlSymbols())},
      {"style", std::string(HtmlStyle())},
      {"data", ScriptSafe("{" + PackedMembers(data) + "}")},
      {"script", std::string(HtmlScript())}};
  return Filled(HtmlPage(), values);
}

}  // namespace qconform
