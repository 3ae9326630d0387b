#include "reports/site/site_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/record/order.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

// Cells that a finding links to.
constexpr size_t kCellsOfAFinding = 8;

Json CountsToJson(const VerdictCounts& counts) {
  Json json = Json::object();
  for (const Verdict verdict : counts.occurring()) {
    json[std::string(VerdictName(verdict))] = counts[verdict];
  }
  return json;
}

// An example without the steps of its computation, which the backend's own page has.
Json ExampleToJson(Counterexample example) {
  example.steps.clear();
  return ToJson(example);
}

// The words in a text that may have an explanation: "QL-04:f32_quotient", "a" and "b" of
// "a+b or c".
void AddNamed(const std::string& text,
              const std::map<std::string, std::string>& explanations, Json* named) {
  const auto add = [&](const std::string& name) {
    const auto found = explanations.find(name);
    if (found != explanations.end()) (*named)[name] = found->second;
  };
  add(text);
  std::string word;
  for (const char c : text + " ") {
    if (std::string_view(" ,;+&").find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    add(word);
    if (const size_t colon = word.rfind(':'); colon != word.npos) {
      add(word.substr(colon + 1));
    }
    word.clear();
  }
}

// The row of a backend in the page of a cell.
Json AnswerToJson(size_t backend, const CellRecord& row, const SiteInput& input,
                  Json* named) {
  Json json = {{"b", backend}, {"v", std::string(VerdictName(row.verdict))}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  add("reading", row.reading);
  add("diagnosis", row.diagnosis);
  add("reason", row.reason);
  add("variants", VariantsText(row));
  add("varied", VariedText(row));
  add("why", IsDeviation(row.verdict) ? DiagnosisText(row) : "");
  if (const int64_t wrong = row.mismatches(); wrong > 0) {
    json["wrong"] = wrong;
    json["elements"] = row.elements();
  }
  std::vector<std::string> findings;
  for (const FindingId& id : FindingsIn(row)) findings.push_back(id.Text());
  if (!findings.empty()) json["findings"] = findings;
  const Counterexample* example = !row.counterexamples.empty()
                                      ? &row.counterexamples.front()
                                  : row.example ? &*row.example
                                                : nullptr;
  if (example != nullptr) {
    json["example"] = ExampleToJson(*example);
    AddNamed(example->clause, input.explanations, named);
    AddNamed(example->reading, input.explanations, named);
  }
  AddNamed(row.reading, input.explanations, named);
  AddNamed(row.diagnosis, input.explanations, named);
  return json;
}

Json HistoriesToJson(const SiteInput& input) {
  Json histories = Json::array();
  for (const History& history : input.histories) {
    Json columns = Json::array();
    for (const HistoryRelease& release : history.releases) {
      Json operators = Json::object();
      for (const auto& [op_type, one] : release.operators) {
        operators[op_type] = CountsToJson(one);
      }
      columns.push_back({{"version", release.version}, {"operators", operators}});
    }
    histories.push_back({{"id", FileNamePart(history.backend)},
                         {"level", history.suite.level},
                         {"columns", columns},
                         {"backend", history.backend},
                         {"from", history.releases.front().version},
                         {"to", history.releases.back().version},
                         {"releases", history.releases.size()},
                         {"findings", history.findings.size()}});
  }
  return histories;
}

// Whether the text names the folder of one of the backend's reports.
bool IsAbout(const std::string& text, const SiteBackend& backend) {
  constexpr std::string_view kEnds = "/`,) \n";
  return std::ranges::any_of(backend.files, [&](const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (!folder.has_parent_path()) return false;
    const std::string name =
        (folder.parent_path().filename() / folder.filename()).string();
    for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      const bool begins = at == 0 || text[at - 1] == '/' || text[at - 1] == '`';
      if (begins && (end == text.size() || kEnds.find(text[end]) != kEnds.npos)) {
        return true;
      }
    }
    return false;
  });
}

// By name: the title, and the places of the backends that it is about.
Json NotesToJson(std::span<const SiteBackend> backends, const SiteInput& input) {
  Json notes = Json::object();
  for (const SiteNote& note : input.notes) {
    std::string title = note.name;
    for (const std::string& line : Split(note.text, "\n")) {
      if (!line.starts_with("# ")) continue;
      title = line.substr(2);
      break;
    }
    Json about = Json::array();
    for (size_t i = 0; i < backends.size(); ++i) {
      if (IsAbout(note.text, backends[i])) about.push_back(i);
    }
    notes[note.name] = {{"title", title}, {"of", about}};
  }
  return notes;
}

}  // namespace

std::vector<std::string> OperatorsOf(std::span<const SiteBackend> backends) {
  std::vector<std::string> operators;
  const auto add = [&](const std::string& op_type) {
    if (std::ranges::find(operators, op_type) == operators.end()) {
      operators.push_back(op_type);
    }
  };
  // First the longest list that a run asked for, as far as any backend has its cells.
  const SiteBackend* most = nullptr;
  for (const SiteBackend& backend : backends) {
    const size_t count = backend.report.run.selection.operators.size();
    if (most == nullptr || count > most->report.run.selection.operators.size()) {
      most = &backend;
    }
  }
  std::set<std::string> occurring;
  for (const SiteBackend& backend : backends) {
    for (const CellRecord& cell : backend.report.cells) occurring.insert(cell.op_type);
  }
  if (most != nullptr) {
    for (const std::string& op_type : most->report.run.selection.operators) {
      if (occurring.contains(op_type)) add(op_type);
    }
  }
  // Operators before families, whose names begin with those of their kind and a dot.
  for (const bool family : {false, true}) {
    for (const SiteBackend& backend : backends) {
      for (const CellRecord& cell : backend.report.cells) {
        if ((cell.op_type.find('.') != std::string::npos) == family) add(cell.op_type);
      }
    }
  }
  return operators;
}

Json IndexData(std::span<const SiteBackend> backends, const SiteInput& input) {
  Json list = Json::array();
  for (const SiteBackend& backend : backends) {
    const Report& report = backend.report;
    const RunInfo& run = report.run;
    std::map<std::string, VerdictCounts> counts;
    for (const CellRecord& cell : report.cells) counts[cell.op_type].Add(cell.verdict);
    Json operators = Json::object();
    for (const auto& [op_type, one] : counts) operators[op_type] = CountsToJson(one);
    Json details = Json::object();
    for (const auto& [key, value] : run.backend.details) details[key] = value;
    list.push_back({{"id", backend.id},
                    {"name", backend.name},
                    {"version", backend.version},
                    {"options", backend.options},
                    {"label", backend.Label()},
                    {"spec", run.backend.name},
                    {"vendor", run.backend.vendor},
                    {"device", run.backend.device},
                    {"level", run.suite.level},
                    {"onnx", run.suite.onnx_version},
                    {"suites", backend.suites.size()},
                    {"complete", report.complete},
                    {"start", run.start_time},
                    {"cpu", run.machine.cpu_model},
                    {"features", run.machine.cpu_features},
                    {"details", details},
                    {"digest", report.results_digest},
                    {"reports", backend.files.size()},
                    {"findings", report.findings.size()},
                    {"operators", operators}});
  }
  Json verdicts = Json::array();
  for (const Verdict verdict : AllVerdicts()) {
    verdicts.push_back(std::string(VerdictName(verdict)));
  }
  Json pages = Json::object();
  for (const std::string& op_type : OperatorsOf(backends)) {
    pages[op_type] = "operator-" + FileNamePart(op_type) + ".html";
  }
  return {{"tool", input.tool},
          {"verdicts", verdicts},
          {"explains", input.explain.has_value()},
          {"backends", list},
          {"operators", OperatorsOf(backends)},
          {"pages", pages},
          {"notes", NotesToJson(backends, input)},
          {"histories", HistoriesToJson(input)}};
}

Json NotesData(const SiteInput& input) {
  Json pages = Json::object();
  for (const SiteNote& note : input.notes) pages[note.name] = note.text;
  return {{"pages", pages}};
}

Json OperatorData(std::span<const SiteBackend> backends, const std::string& op_type,
                  const SiteInput& input) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<const CellRecord*, Json>> cells;
  Json named = Json::object();
  for (size_t i = 0; i < backends.size(); ++i) {
    for (const CellRecord& row : backends[i].report.cells) {
      if (row.op_type != op_type) continue;
      const auto [cell, added] = cells.try_emplace(row.cell, &row, Json::array());
      if (added) order.push_back(row.cell);
      cell->second.second.push_back(AnswerToJson(i, row, input, &named));
    }
  }
  // The order of the lattice, whichever backend had the cell first.
  std::ranges::stable_sort(order, [&](const std::string& a, const std::string& b) {
    const CellRecord& left = *cells.at(a).first;
    const CellRecord& right = *cells.at(b).first;
    if (left.since_version != right.since_version) {
      return left.since_version < right.since_version;
    }
    return left.types < right.types;
  });
  Json rows = Json::array();
  for (const std::string& id : order) {
    auto& [row, answers] = cells.at(id);
    rows.push_back({{"cell", id},
                    {"since", row->since_version},
                    {"types", ToJson(row->types)},
                    {"granularity", row->granularity},
                    {"answers", std::move(answers)}});
  }
  Json clauses = Json::array();
  const bool family = op_type.find('.') != op_type.npos;
  for (const SiteClause& clause : input.clauses) {
    const bool of_family = family && op_type.starts_with(clause.op_type + ".");
    if (!clause.op_type.empty() && clause.op_type != op_type && !of_family) continue;
    clauses.push_back({{"id", clause.id}, {"text", clause.text}});
  }
  std::vector<std::string> types;
  for (const SiteBackend& backend : backends) {
    for (const OperatorRecord& record : backend.report.run.operators) {
      if (record.op_type == op_type) types = record.types;
    }
  }
  return {{"op_type", op_type},
          {"types", types},
          {"cells", rows},
          {"clauses", clauses},
          {"explanations", named}};
}

Json FindingsData(std::span<const SiteBackend> backends, const SiteInput& input) {
  std::map<FindingId, Json> findings;
  Json named = Json::object();
  for (size_t i = 0; i < backends.size(); ++i) {
    for (const FindingRecord& finding : backends[i].report.findings) {
      const std::vector<std::string> cells(
          finding.cells.begin(),
          finding.cells.begin() + static_cast<std::ptrdiff_t>(
                                      std::min(finding.cells.size(), kCellsOfAFinding)));
      Json one = {{"b", i},
                  {"count", finding.cells.size()},
                  {"elements", finding.elements},
                  {"cells", cells}};
      if (finding.example) one["example"] = ExampleToJson(*finding.example);
      findings[finding.id].push_back(std::move(one));
      AddNamed(finding.id.diagnosis, input.explanations, &named);
      AddNamed(finding.id.clause, input.explanations, &named);
    }
  }
  Json list = Json::array();
  for (auto& [id, of] : findings) {
    list.push_back({{"finding", id.Text()},
                    {"op_type", id.op_type},
                    {"group", id.group},
                    {"clause", id.clause},
                    {"diagnosis", id.diagnosis},
                    {"inputs", id.inputs},
                    {"output", id.output},
                    {"of", std::move(of)}});
  }
  return {{"findings", list}, {"explanations", named}};
}

Result<Json> HistoryData(const History& history, const SiteInput& input) {
  auto json = ParseJson(HistoryJson(history), history.backend);
  if (!json) return json.error();
  Json named = Json::object();
  for (const HistoryFinding& finding : history.findings) {
    // OPERATOR/GROUP/CLAUSE/DIAGNOSIS/TYPES
    for (const std::string& part : Split(finding.finding, "/")) {
      AddNamed(part, input.explanations, &named);
    }
  }
  (*json)["explanations"] = std::move(named);
  return json;
}

Json VerdictsData(std::span<const SiteBackend> backends) {
  // Verdicts as letters, in the order of the cells; "-": the backend has no row.
  std::vector<Verdict> verdicts;
  std::map<std::string_view, std::vector<std::optional<Verdict>>> rows;
  for (size_t i = 0; i < backends.size(); ++i) {
    for (const CellRecord& cell : backends[i].report.cells) {
      auto& row = rows[cell.cell];
      row.resize(backends.size());
      row[i] = cell.verdict;
      if (std::ranges::find(verdicts, cell.verdict) == verdicts.end()) {
        verdicts.push_back(cell.verdict);
      }
    }
  }
  Json groups = Json::array();  // [beginning of ids, ends]
  std::string open;
  Json ends = Json::array();
  const auto close = [&] {
    if (ends.size() > 0)
      groups.push_back(Json::array({open, std::exchange(ends, Json::array())}));
  };
  std::vector<std::string> letters(backends.size());
  for (const auto& [cell, row] : rows) {
    const size_t slash = cell.rfind('/') + 1;
    if (cell.substr(0, slash) != open) {
      close();
      open = cell.substr(0, slash);
    }
    ends.push_back(cell.substr(slash));
    for (size_t i = 0; i < backends.size(); ++i) {
      const auto place =
          row[i] ? std::ranges::find(verdicts, *row[i]) - verdicts.begin() : -1;
      letters[i] +=
          place < 0 ? '-' : static_cast<char>('a' + std::min<std::ptrdiff_t>(place, 25));
    }
  }
  close();
  Json names = Json::array();
  for (const Verdict verdict : verdicts)
    names.push_back(std::string(VerdictName(verdict)));
  return {{"verdicts", names}, {"groups", groups}, {"backends", letters}};
}

}  // namespace qconform
