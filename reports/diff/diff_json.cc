// A diff as JSON: reports/schema/diff-2.schema.json.
#include "reports/diff/diff.h"
#include "reports/record/evidence.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

Json SideToJson(const std::string& backend, const std::string& results,
                const std::string& answers, bool complete) {
  return {{"backend", backend},
          {"results_digest", results},
          {"answers_digest", answers},
          {"complete", complete}};
}

// Those of one report only.
void DescribeVerdicts(Fields& fields, const auto& change) {
  fields.Optional("before", change.before, "after", change.after);
}

}  // namespace

void Convert(const JsonPlace& place, ChangeKind& kind) {
  ConvertWord(place, kind, AllChangeKinds(), ChangeKindName, ParseChangeKind);
}

void Describe(Fields& fields, CellChange& change) {
  fields.Written("cell", change.cell, "kinds", change.kinds);
  fields.Optional("in_part", change.in_part());
  DescribeVerdicts(fields, change);
  fields.Optional("findings_before", change.findings_before, "findings_after",
                  change.findings_after);
  fields.Written("wrong_before", change.wrong_before, "wrong_after", change.wrong_after,
                 "what", change.what);
  fields.Optional("known", change.known);
  if (!change.evidence) return;
  fields.Written("evidence", CounterexampleSentence(*change.evidence), "replay",
                 change.evidence->replay);
}

void Describe(Fields& fields, FindingChange& change) {
  std::vector<std::pair<std::string, int64_t>> cells;
  for (const auto& [kind, count] : change.cells) {
    cells.emplace_back(ChangeKindName(kind), count);
  }
  fields.Written("finding", change.finding, "cells_before", change.cells_before,
                 "cells_after", change.cells_after, "elements_before",
                 change.elements_before, "elements_after", change.elements_after, "cells",
                 cells);
  fields.Optional("replaced_by", change.replaced_by, "replaces", change.replaces);
}

void Describe(Fields& fields, NodeTestChange& change) {
  fields.Written("name", change.name, "release", change.release, "kind", change.kind);
  DescribeVerdicts(fields, change);
}

void Describe(Fields& fields, NegativeChange& change) {
  fields.Written("id", change.id, "kind", change.kind);
  DescribeVerdicts(fields, change);
  fields.Optional("text", change.text);
}

std::string DiffJson(const ReportDiff& diff) {
  std::vector<std::pair<std::string, int64_t>> counts;
  for (const ChangeKind kind : AllChangeKinds()) {
    counts.emplace_back(ChangeKindName(kind), diff.Count(kind));
  }
  counts.emplace_back("known", diff.waived);
  counts.emplace_back("unchanged", diff.unchanged);
  Json json;
  Fields(JsonPlace(json))
      .Written("diff_version", "2.0.0", "comparable", diff.comparable(), "cause",
               diff.Cause(), "before",
               SideToJson(diff.before_backend, diff.before_digest, diff.before_answers,
                          diff.before_complete),
               "after",
               SideToJson(diff.after_backend, diff.after_digest, diff.after_answers,
                          diff.after_complete),
               "suite_changes", diff.suite_changes, "selection_changes",
               diff.selection_changes, "backend_changes", diff.backend_changes,
               "tool_changes", diff.tool_changes, "counts", counts, "findings",
               diff.findings, "findings_unchanged", diff.findings_unchanged, "cells",
               diff.cells, "node_tests", diff.node_tests, "negative_models",
               diff.negative_models);
  return Dump(json, 1) + "\n";
}

}  // namespace qconform
