// What was run, and the totals (reports/record/record_json.h).
#include <set>

#include "reports/record/record_json.h"

namespace qconform {
namespace {

// Zeros too, of verdicts that there were in the report's version. Those of later versions
// come where they occur.
void WriteCounts(const VerdictCounts& counts, int major_version, Fields& fields) {
  fields.Written("total", counts.total());
  std::set<Verdict> verdicts(AllVerdicts().begin(), AllVerdicts().end());
  for (const Verdict verdict : counts.occurring()) verdicts.insert(verdict);
  for (const Verdict verdict : verdicts) {
    if (major_version == 1 && verdict == Verdict::kFailed) continue;
    // Since 2.1, and rare: reports without one are as they were.
    const bool is_rare = verdict == Verdict::kError || verdict == Verdict::kRefusedLegal;
    if (is_rare && counts[verdict] == 0) continue;
    fields.Written(VerdictName(verdict), counts[verdict]);
  }
}

Json TableToJson(const std::vector<TotalsRow>& rows, int major_version) {
  Json table = Json::array();
  for (const TotalsRow& row : rows) {
    Json json;
    Fields fields{JsonPlace(json)};
    fields.Written("op_type", row.op_type);
    fields.Optional("tier", row.tier, "since_version", row.since_version, "opset_version",
                    row.opset_version, "output_type", row.output_type);
    WriteCounts(row.counts, major_version, fields);
    table.push_back(std::move(json));
  }
  return table;
}

// Name -> cells, with one of these cells as an example.
Json NamedCellsToJson(const char* name, const std::map<std::string, int64_t>& counts,
                      const std::map<std::string, std::string>& examples) {
  Json list = Json::array();
  for (const auto& [text, count] : counts) {
    Json item = {{name, text}, {"cells", count}};
    const auto example = examples.find(text);
    if (example != examples.end()) item["example"] = example->second;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

void Describe(Fields& fields, ToolRecord& tool) {
  fields.Required("name", tool.name, "version", tool.version, "commit", tool.commit);
}

void Describe(Fields& fields, SuiteRecord& suite) {
  fields.Required("version", suite.version, "digest", suite.digest, "onnx_version",
                  suite.onnx_version, "level", suite.level, "seed", suite.seed);
}

void Describe(Fields& fields, ShardRecord& shard) {
  fields.Required("index", shard.index, "count", shard.count, "cells", shard.cells);
  fields.Check(shard.index < shard.count, "index",
               "expected a number below " + std::to_string(shard.count) + ", got " +
                   std::to_string(shard.index));
}

void Describe(Fields& fields, SelectionRecord& selection) {
  fields.Required("operators", selection.operators, "cell_patterns",
                  selection.cell_patterns);
  fields.Optional("profile", selection.profile);
  fields.Required("cells", selection.cells);
  fields.Optional("shard", selection.shard, "model", selection.model);
}

void Describe(Fields& fields, ModelRecord& model) {
  fields.Required("name", model.name, "sha256", model.sha256);
  fields.Optional("not_judged", model.not_judged, "whole_run", model.whole_run);
}

void Describe(Fields& fields, NotJudgedPart& part) {
  fields.Required("name", part.name, "reason", part.reason);
}

void Describe(Fields& fields, PartRecord& part) {
  fields.Required("name", part.name, "position", part.position);
  fields.Optional("graph", part.graph, "asked_as", part.asked_as);
}

void Describe(Fields& fields, BackendRecord& backend) {
  fields.Required("kind", backend.kind, "name", backend.name, "version", backend.version,
                  "vendor", backend.vendor, "device", backend.device);
}

void Describe(Fields& fields, BackendDetails& details) {
  fields.Required("digest", details.backend.digest, "details", details.backend.details);
}

void Describe(Fields& fields, MachineRecord& machine) {
  fields.Required("cpu_model", machine.cpu_model);
  fields.Optional("cpu_features", machine.cpu_features);
  fields.Required("cores", machine.cores, "simd_targets_compiled",
                  machine.simd_targets_compiled, "simd_targets_supported",
                  machine.simd_targets_supported, "os", machine.os);
}

void Describe(Fields& fields, OperatorRecord& record) {
  fields.Required("op_type", record.op_type, "types", record.types, "main_type",
                  record.main_type, "operand_forms", record.operand_forms, "rules_since",
                  record.rules_since);
  fields.Optional("clauses", record.clauses);
  fields.Optional("clauses_since", record.clauses_since);
}

void Describe(Fields& fields, ClauseScope& scope) {
  fields.Required("clause", scope.clause, "types", scope.types);
}

void Describe(Fields& fields, ClauseSince& since) {
  fields.Required("clause", since.clause, "since_version", since.since_version);
}

void Describe(Fields& fields, UnspecifiedRow& row) {
  fields.Written("op_type", row.op_type, "clause", row.clause, "input_class",
                 row.input_class, "behaviours",
                 NamedCellsToJson("behaviour", row.behaviours, row.examples),
                 "differs_between_cells", row.behaviours.size() > 1, "same_each_time",
                 row.varies_with.empty());
  fields.Optional("varies_with", row.varies_with);
}

void Describe(Fields& fields, MixedReadings& mixed) {
  fields.Written("op_type", mixed.op_type, "since_version", mixed.since_version, "clause",
                 mixed.clause, "readings",
                 NamedCellsToJson("reading", mixed.readings, mixed.cells));
}

Json TotalsToJson(const Totals& totals, int major_version) {
  Json cells, node_tests, json;
  Fields cell_fields{JsonPlace(cells)};
  cell_fields.Written("selected", totals.selected);
  WriteCounts(totals.cells, major_version, cell_fields);
  Fields test_fields{JsonPlace(node_tests)};
  test_fields.Written("total", totals.node_tests.total());
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    const bool is_rare = verdict == NodeVerdict::kRefusedLegal;  // since 2.1
    if (is_rare && totals.node_tests[verdict] == 0) continue;
    test_fields.Written(NodeVerdictName(verdict), totals.node_tests[verdict]);
  }
  const auto table = [&](const std::vector<TotalsRow>& rows) {
    return TableToJson(rows, major_version);
  };
  Fields fields{JsonPlace(json)};
  fields.Written("cells", cells, "node_tests", node_tests, "cases", totals.cases,
                 "declined", totals.declined, "elements", totals.elements, "mismatches",
                 totals.mismatches, "free", totals.free, "readings", totals.readings,
                 "diagnoses", totals.diagnoses);
  fields.Optional("unspecified", totals.unspecified, "mixed_readings",
                  totals.mixed_readings);
  fields.Written("by_tier", table(totals.by_tier), "by_since_version",
                 table(totals.by_since_version), "by_opset_version",
                 table(totals.by_opset_version), "by_output_type",
                 table(totals.by_output_type), "by_since_version_and_output_type",
                 table(totals.by_since_version_and_output_type));
  return json;
}

}  // namespace qconform
