#include "reports/history/compact.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "oracle/base/codec.h"
#include "oracle/base/expected.h"
#include "oracle/base/format_version.h"
#include "oracle/base/text.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

constexpr std::string_view kCompactVersion = "1.0.0";
constexpr std::string_view kFirstMember = "{\"compact_report_version\"";
// The most cells that a document may stand for: it could name a shape of many cells
// often.
constexpr size_t kMostCells = 1'000'000;

struct Outcome {
  Verdict verdict = Verdict::kUntested;
  std::vector<int> findings;

  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};

void Describe(Fields& fields, Outcome& outcome) {
  fields.Required("verdict", outcome.verdict);
  fields.Optional("findings", outcome.findings);
}

// A finding that is written in parts, as its text cannot be taken apart.
struct FindingParts {
  FindingId id;
};

void Describe(Fields& fields, FindingParts& parts) {
  FindingId& id = parts.id;
  fields.Required("op_type", id.op_type, "group", id.group, "clause", id.clause,
                  "diagnosis", id.diagnosis, "inputs", id.inputs, "output", id.output);
  fields.Optional("of_output", id.of_output);
}

struct CompactDocument {
  std::string version{kCompactVersion};
  CompactReport report;
  std::vector<FindingParts> findings;
  std::vector<Outcome> outcomes;
  std::vector<std::string> types;
  std::vector<std::string> granularities;
  std::vector<std::vector<int>> shapes;
  std::vector<std::pair<std::string, std::vector<int>>> cells;
};

void Describe(Fields& fields, CompactDocument& document) {
  CompactReport& report = document.report;
  RunInfo& run = report.run;
  BackendDetails details{run.backend};
  fields.Required("compact_report_version", document.version);
  fields.Check(IsFormatVersion1(document.version), "compact_report_version",
               "expected a version 1.x.y, got \"" + document.version + "\"");
  fields.Required("results_digest", report.results_digest, "complete", report.complete,
                  "suite", run.suite, "selection", run.selection, "backend", run.backend,
                  "backend_details", details, "tool", run.tool, "machine", run.machine,
                  "start_time", run.start_time);
  fields.Required("findings", document.findings, "outcomes", document.outcomes, "types",
                  document.types, "granularities", document.granularities, "shapes",
                  document.shapes, "cells", document.cells);
}

// Gives each different value a number, in the order in which they come.
template <typename Value>
class Numbered {
 public:
  explicit Numbered(std::vector<Value>& values) : values_(values) {}
  int NumberOf(const Value& value) {
    const auto [found, added] = numbers_.emplace(value, static_cast<int>(values_.size()));
    if (added) values_.push_back(value);
    return found->second;
  }

 private:
  std::vector<Value>& values_;
  std::map<Value, int> numbers_;
};

// The parts of a cell's id: "OP_TYPE/SINCE_VERSION", types, and what follows.
struct CellParts3 {
  std::string version;
  std::string types;
  std::string granularity;
};

std::optional<CellParts3> PartsOfCell(const std::string& cell) {
  const size_t first = cell.find('/');
  const size_t second = first == cell.npos ? cell.npos : cell.find('/', first + 1);
  const size_t third = second == cell.npos ? cell.npos : cell.find('/', second + 1);
  if (third == cell.npos) return std::nullopt;
  return CellParts3{cell.substr(0, second), cell.substr(second + 1, third - second - 1),
                    cell.substr(third + 1)};
}

// Whether the numbers of a list name items of another list that has `size`.
bool AreBelow(const std::vector<int>& numbers, size_t size) {
  for (const int number : numbers) {
    if (static_cast<size_t>(number) >= size) return false;
  }
  return true;
}

// Whether the pairs of numbers of a list name items of two lists.
bool ArePairsBelow(const std::vector<int>& numbers, size_t first, size_t second) {
  if (numbers.size() % 2 != 0) return false;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (static_cast<size_t>(numbers[i]) >= (i % 2 == 0 ? first : second)) return false;
  }
  return true;
}

// Makes the rows; returns an error if a number names nothing.
Status AddRows(const CompactDocument& document, std::string_view name,
               CompactReport* report) {
  for (const Outcome& outcome : document.outcomes) {
    if (!AreBelow(outcome.findings, document.findings.size())) {
      return Expected(name, "outcomes of findings that are listed", "another number");
    }
    if (!outcome.findings.empty() && !IsDeviation(outcome.verdict)) {
      return Expected(name, "findings of cells that deviate",
                      std::string(VerdictName(outcome.verdict)));
    }
  }
  for (const std::vector<int>& shape : document.shapes) {
    if (!ArePairsBelow(shape, document.granularities.size(), document.outcomes.size())) {
      return Expected(name, "shapes of granularities and outcomes that are listed",
                      "another number");
    }
  }
  std::set<std::string_view> cells;
  for (const auto& [version, pairs] : document.cells) {
    if (!ArePairsBelow(pairs, document.types.size(), document.shapes.size())) {
      return Expected(name, "cells of types and shapes that are listed",
                      "another number in those of '" + version + "'");
    }
    for (size_t i = 0; i < pairs.size(); i += 2) {
      const std::vector<int>& shape = document.shapes[static_cast<size_t>(pairs[i + 1])];
      if (report->rows.size() + shape.size() / 2 > kMostCells) {
        return Expected(name, "at most " + std::to_string(kMostCells) + " cells", "more");
      }
      for (size_t j = 0; j < shape.size(); j += 2) {
        const Outcome& outcome = document.outcomes[static_cast<size_t>(shape[j + 1])];
        CompactRow& row = report->rows.emplace_back();
        row.cell = version + "/" + document.types[static_cast<size_t>(pairs[i])] + "/" +
                   document.granularities[static_cast<size_t>(shape[j])];
        row.verdict = outcome.verdict;
        row.findings.assign(outcome.findings.begin(), outcome.findings.end());
      }
    }
  }
  for (const CompactRow& row : report->rows) {
    if (!cells.insert(row.cell).second) {
      return Expected(name, "each cell once", "'" + row.cell + "' twice");
    }
  }
  return Ok();
}

}  // namespace

std::vector<FindingId> CompactReport::FindingsOf(const CompactRow& row) const {
  std::vector<FindingId> ids;
  for (const size_t place : row.findings) ids.push_back(findings[place]);
  return ids;
}

Result<CompactReport> Compacted(const Report& report, std::string_view name) {
  if (report.run.selection.model) {
    return Expected(name, "a report on cells", "one on the parts of a model");
  }
  CompactReport compact;
  compact.results_digest = report.results_digest;
  compact.complete = report.complete;
  compact.run = report.run;
  compact.run.operators.clear();
  compact.run.command_line.clear();
  compact.run.duration_s = 0;
  compact.run.jobs = 1;
  compact.run.backend.digest.clear();
  std::map<FindingId, size_t> places;
  for (const FindingRecord& finding : report.findings) {
    places.emplace(finding.id, compact.findings.size());
    compact.findings.push_back(finding.id);
  }
  for (const CellRecord& cell : report.cells) {
    CompactRow& row = compact.rows.emplace_back();
    row.cell = cell.cell;
    row.verdict = cell.verdict;
    for (const FindingId& id : FindingsIn(cell)) {
      const auto found = places.find(id);
      if (found != places.end()) row.findings.push_back(found->second);
    }
  }
  return compact;
}

std::string CompactText(const CompactReport& report) {
  CompactDocument document;
  document.report = report;
  for (const FindingId& id : report.findings) document.findings.push_back({id});
  Numbered<Outcome> outcomes(document.outcomes);
  Numbered<std::string> types(document.types);
  Numbered<std::string> granularities(document.granularities);
  Numbered<std::vector<int>> shapes(document.shapes);
  std::optional<CellParts3> open;  // the version and types whose shape is being collected
  std::vector<int> shape;
  std::map<std::string, size_t> versions;  // places in document.cells
  const auto close = [&] {
    if (!open) return;
    const auto [place, added] = versions.emplace(open->version, document.cells.size());
    if (added) document.cells.push_back({open->version, {}});
    std::vector<int>& numbers = document.cells[place->second].second;
    numbers.push_back(types.NumberOf(open->types));
    numbers.push_back(shapes.NumberOf(std::exchange(shape, {})));
  };
  for (const CompactRow& row : report.rows) {
    auto parts = PartsOfCell(row.cell);
    if (!parts) continue;  // no id: a report that was read has none
    if (!open || open->version != parts->version || open->types != parts->types) {
      close();
      open = parts;
    }
    const Outcome outcome{row.verdict, {row.findings.begin(), row.findings.end()}};
    shape.push_back(granularities.NumberOf(parts->granularity));
    shape.push_back(outcomes.NumberOf(outcome));
  }
  close();
  std::string text = "{";
  const Json json = ToJson(document);
  for (const auto& [key, value] : json.items()) {
    if (text.size() > 1) text += ",\n";
    text += Dump(Json(key)) + ":" + Dump(value);
  }
  return text + "}\n";
}

bool IsCompactText(std::string_view text) { return text.starts_with(kFirstMember); }

Result<CompactReport> ParseCompact(std::string_view text, std::string_view name) {
  const auto json = ParseJson(text, name);
  if (!json) return json.error();
  ReadState state(name);
  state.later_words = true;
  auto document = FromJson<CompactDocument>(*json, state);
  if (state.error) return *state.error;
  CompactReport report = std::move(document.report);
  for (FindingParts& parts : document.findings) {
    report.findings.push_back(std::move(parts.id));
  }
  if (const Status rows = AddRows(document, name, &report); !rows) return rows.error();
  return report;
}

}  // namespace qconform
