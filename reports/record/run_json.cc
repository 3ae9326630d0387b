// What was run, and the totals, as JSON (reports/record/record_json.h).
#include <algorithm>

#include "reports/record/record_json.h"

namespace qconform {
namespace {

// Zeros too, of verdicts that there were in the report's version. Those of later versions
// come where they occur.
Json CountsToJson(const VerdictCounts& counts, int major_version, Json json) {
  json["total"] = counts.total();
  std::vector<Verdict> verdicts = counts.occurring();
  verdicts.insert(verdicts.end(), AllVerdicts().begin(), AllVerdicts().end());
  std::sort(verdicts.begin(), verdicts.end());
  verdicts.erase(std::unique(verdicts.begin(), verdicts.end()), verdicts.end());
  for (const Verdict verdict : verdicts) {
    if (major_version == 1 && verdict == Verdict::kFailed) continue;
    json[std::string(VerdictName(verdict))] = counts[verdict];
  }
  return json;
}

Json TableToJson(const std::vector<TotalsRow>& rows, int major_version) {
  Json table = Json::array();
  for (const TotalsRow& row : rows) {
    Json json = Json::object();
    json["op_type"] = row.op_type;
    if (!row.tier.empty()) json["tier"] = row.tier;
    if (row.since_version > 0) json["since_version"] = row.since_version;
    if (row.opset_version > 0) json["opset_version"] = row.opset_version;
    if (row.output_type != DataType::kUndefined) {
      json["output_type"] = DataTypeName(row.output_type);
    }
    table.push_back(CountsToJson(row.counts, major_version, std::move(json)));
  }
  return table;
}

// Name -> cells, with one of these cells as an example.
Json NamedCellsToJson(const char* name, const std::map<std::string, int64_t>& counts,
                      const std::map<std::string, std::string>& examples) {
  Json list = Json::array();
  for (const auto& [text, count] : counts) {
    Json item = Json::object();
    item[name] = text;
    item["cells"] = count;
    const auto example = examples.find(text);
    if (example != examples.end()) item["example"] = example->second;
    list.push_back(std::move(item));
  }
  return list;
}

Json UnspecifiedToJson(const UnspecifiedRow& row) {
  Json json = Json::object();
  json["op_type"] = row.op_type;
  json["clause"] = row.clause;
  json["input_class"] = row.input_class;
  json["behaviours"] = NamedCellsToJson("behaviour", row.behaviours, row.examples);
  json["differs_between_cells"] = row.behaviours.size() > 1;
  json["same_each_time"] = row.varies_with.empty();
  if (!row.varies_with.empty()) json["varies_with"] = row.varies_with;
  return json;
}

Json MixedToJson(const MixedReadings& mixed) {
  Json json = Json::object();
  json["op_type"] = mixed.op_type;
  json["since_version"] = mixed.since_version;
  json["clause"] = mixed.clause;
  json["readings"] = NamedCellsToJson("reading", mixed.readings, mixed.cells);
  return json;
}

}  // namespace

Json SuiteToJson(const SuiteRecord& suite) {
  Json json = Json::object();
  json["version"] = suite.version;
  json["digest"] = suite.digest;
  json["onnx_version"] = suite.onnx_version;
  json["level"] = suite.level;
  json["seed"] = suite.seed;
  return json;
}

SuiteRecord SuiteFromJson(const Fields& fields) {
  SuiteRecord suite;
  suite.version = fields.String("version");
  suite.digest = fields.String("digest");
  suite.onnx_version = fields.String("onnx_version");
  suite.level = fields.String("level");
  suite.seed = fields.Unsigned("seed");
  return suite;
}

Json SelectionToJson(const SelectionRecord& selection) {
  Json json = Json::object();
  json["operators"] = selection.operators;
  json["cell_patterns"] = selection.cell_patterns;
  if (!selection.profile.empty()) json["profile"] = selection.profile;
  json["cells"] = selection.cells;
  if (selection.shard) {
    Json& shard = json["shard"] = Json::object();
    shard["index"] = selection.shard->index;
    shard["count"] = selection.shard->count;
    shard["cells"] = selection.shard->cells;
  }
  return json;
}

SelectionRecord SelectionFromJson(const Fields& fields) {
  SelectionRecord selection;
  selection.operators = fields.Strings("operators");
  selection.cell_patterns = fields.Strings("cell_patterns");
  selection.profile = fields.String("profile", "");
  selection.cells = fields.Count("cells");
  if (fields.Has("shard")) {
    const Fields shard = fields.Object("shard");
    selection.shard = {shard.Count("index"), shard.Count("count"), shard.Count("cells")};
    if (selection.shard->index >= selection.shard->count) {
      shard.Fail("index", "is not below count");
    }
  }
  return selection;
}

Json BackendToJson(const BackendRecord& backend) {
  Json json = Json::object();
  json["kind"] = backend.kind;
  json["name"] = backend.name;
  json["version"] = backend.version;
  json["vendor"] = backend.vendor;
  json["device"] = backend.device;
  return json;
}

Json BackendDetailsToJson(const BackendRecord& backend) {
  Json json = Json::object();
  json["digest"] = backend.digest;
  json["details"] = backend.details;
  return json;
}

BackendRecord BackendFromJson(const Fields& identity, const Fields& details) {
  BackendRecord backend;
  backend.kind = identity.String("kind");
  backend.name = identity.String("name");
  backend.version = identity.String("version");
  backend.vendor = identity.String("vendor");
  backend.device = identity.String("device");
  backend.digest = details.String("digest");
  backend.details = details.StringMap("details");
  return backend;
}

Json ToolToJson(const ToolRecord& tool) {
  Json json = Json::object();
  json["name"] = tool.name;
  json["version"] = tool.version;
  json["commit"] = tool.commit;
  return json;
}

ToolRecord ToolFromJson(const Fields& fields) {
  ToolRecord tool;
  tool.name = fields.String("name");
  tool.version = fields.String("version");
  tool.commit = fields.String("commit");
  return tool;
}

Json MachineToJson(const MachineRecord& machine) {
  Json json = Json::object();
  json["cpu_model"] = machine.cpu_model;
  if (!machine.cpu_features.empty()) json["cpu_features"] = machine.cpu_features;
  json["cores"] = machine.cores;
  json["simd_targets_compiled"] = machine.simd_targets_compiled;
  json["simd_targets_supported"] = machine.simd_targets_supported;
  json["os"] = machine.os;
  return json;
}

MachineRecord MachineFromJson(const Fields& fields) {
  MachineRecord machine;
  machine.cpu_model = fields.String("cpu_model");
  if (fields.Has("cpu_features")) machine.cpu_features = fields.Strings("cpu_features");
  machine.cores = fields.Int("cores");
  machine.simd_targets_compiled = fields.Strings("simd_targets_compiled");
  machine.simd_targets_supported = fields.Strings("simd_targets_supported");
  machine.os = fields.String("os");
  return machine;
}

Json TotalsToJson(const Totals& totals, int major_version) {
  Json json = Json::object();
  Json cells = Json::object();
  cells["selected"] = totals.selected;
  json["cells"] = CountsToJson(totals.cells, major_version, std::move(cells));
  Json& node_tests = json["node_tests"] = Json::object();
  node_tests["total"] = totals.node_tests.total();
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    node_tests[std::string(NodeVerdictName(verdict))] = totals.node_tests[verdict];
  }
  json["cases"] = totals.cases;
  json["declined"] = totals.declined;
  json["elements"] = totals.elements;
  json["mismatches"] = totals.mismatches;
  json["free"] = totals.free;
  json["readings"] = totals.readings;
  json["diagnoses"] = totals.diagnoses;
  if (!totals.unspecified.empty()) {
    Json& rows = json["unspecified"] = Json::array();
    for (const UnspecifiedRow& row : totals.unspecified)
      rows.push_back(UnspecifiedToJson(row));
  }
  if (!totals.mixed_readings.empty()) {
    Json& rows = json["mixed_readings"] = Json::array();
    for (const MixedReadings& mixed : totals.mixed_readings)
      rows.push_back(MixedToJson(mixed));
  }
  json["by_tier"] = TableToJson(totals.by_tier, major_version);
  json["by_since_version"] = TableToJson(totals.by_since_version, major_version);
  json["by_opset_version"] = TableToJson(totals.by_opset_version, major_version);
  json["by_output_type"] = TableToJson(totals.by_output_type, major_version);
  json["by_since_version_and_output_type"] =
      TableToJson(totals.by_since_version_and_output_type, major_version);
  return json;
}

}  // namespace qconform
