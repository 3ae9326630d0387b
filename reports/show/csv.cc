#include "reports/show/csv.h"

#include <cstdio>
#include <string_view>
#include <vector>

#include "oracle/base/text.h"
#include "reports/record/order.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

std::string Quoted(const std::string& raw) {
  std::string text = PrintableLines(raw);  // its line ends stay, between quotes
  // No program that opens the file shall take a backend's words for a formula.
  if (!text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos) {
    text.insert(0, "'");
  }
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + "\"";
}

std::string Line(const std::vector<std::string>& fields) {
  return Joined(fields, ",", Quoted) + "\n";
}

}  // namespace

std::string CsvText(const Report& report, const KnownOutcome* known) {
  std::vector<std::string> head = {"cell",        "op_type",     "since_version", "types",
                                   "output_type", "granularity", "verdict"};
  head.insert(head.end(), KnownTiers().begin(), KnownTiers().end());
  for (const char* name : {"opset_versions",
                           "cases",
                           "declined",
                           "elements",
                           "mismatches",
                           "free",
                           "reading",
                           "diagnosis",
                           "reason",
                           "known_difference",
                           "first_counterexample",
                           "time_ms",
                           "elements_deviating",
                           "elements_explained",
                           "nearest",
                           "pattern",
                           "observed",
                           "findings",
                           "refused_legal",
                           "not_explained"}) {
    head.emplace_back(name);
  }
  std::string text = Line(head);
  for (const CellRecord& cell : report.cells) {
    std::vector<std::string> row = {cell.cell,
                                    cell.op_type,
                                    std::to_string(cell.since_version),
                                    Joined(cell.types, " ", DataTypeName),
                                    std::string(DataTypeName(cell.output_type())),
                                    cell.granularity,
                                    std::string(VerdictName(cell.verdict))};
    for (const std::string_view tier : KnownTiers()) {
      const std::optional<Verdict> verdict = TierVerdict(cell, tier);
      row.emplace_back(verdict ? VerdictName(*verdict) : "");
    }
    row.push_back(Joined(cell.opset_versions, " ", [](const OpsetRecord& opset) {
      return std::to_string(opset.opset_version);
    }));
    for (const int64_t count :
         {cell.cases, cell.declined, cell.elements(), cell.mismatches(), cell.free}) {
      row.push_back(std::to_string(count));
    }
    row.push_back(cell.reading);
    row.push_back(cell.diagnosis);
    row.push_back(cell.reason);
    const KnownDifference* entry = known ? known->Find(cell.cell) : nullptr;
    row.push_back(entry ? entry->reason : "");
    row.push_back(cell.counterexamples.empty() ? "" : cell.counterexamples[0].case_id);
    char time[32];
    std::snprintf(time, sizeof time, "%.1f", cell.time_ms);
    row.emplace_back(time);
    if (cell.deviation) {
      row.push_back(std::to_string(cell.deviation->elements_deviating));
      row.push_back(std::to_string(cell.deviation->elements_explained));
      row.push_back(cell.deviation->nearest);
      row.push_back(Joined(cell.deviation->pattern, "; "));
    } else {
      row.insert(row.end(), 4, "");
    }
    row.push_back(Joined(cell.observed, " | ", &Observation::Text));
    row.push_back(Joined(FindingsIn(cell), " ", &FindingId::Text));
    row.push_back(std::to_string(cell.refused_legal));
    row.push_back(cell.not_explained);
    text += Line(row);
  }
  return text;
}

}  // namespace qconform
