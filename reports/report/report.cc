#include "reports/report/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "oracle/base/format_version.h"
#include "oracle/base/sha256.h"
#include "reports/record/order.h"
#include "reports/record/record_json.h"
#include "reports/report/answers.h"
#include "reports/report/file.h"
#include "reports/report/row_rules.h"

namespace qconform {
namespace {

// Whether a report of that version may have what this program does not know.
bool IsLater(const FormatVersion& version) {
  static const FormatVersion own = *ParseFormatVersion(kReportVersion);
  return version.major == own.major && version.minor > own.minor;
}

// The text of an object with one member per line, and one element per line
// where a member is an array of objects. Digests are over this text, so that
// a document that was reformatted on its way still has the same.
std::string BlockText(const Json& object) {
  std::string text = "{";
  bool first = true;
  for (const auto& [key, value] : object.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    text += Dump(Json(key)) + ":";
    if (key == "totals") {
      text += BlockText(value);
    } else if (value.is_array() && !value.empty() && value.front().is_object()) {
      text += "[";
      for (size_t i = 0; i < value.size(); ++i) {
        text += i == 0 ? "\n" : ",\n";
        text += Dump(value[i]);
      }
      text += "\n]";
    } else {
      text += Dump(value);
    }
  }
  return text + "\n}";
}

Json ResultsToJson(const Report& report) {
  Json results = Json::object();
  results["complete"] = report.complete;
  results["suite"] = SuiteToJson(report.run.suite);
  results["selection"] = SelectionToJson(report.run.selection);
  results["backend"] = BackendToJson(report.run.backend);
  if (MajorVersion(report) > 1) results["findings"] = FindingsToJson(report.findings);
  results["totals"] = TotalsToJson(report.totals, MajorVersion(report));
  Json& cells = results["cells"] = Json::array();
  for (const CellRecord& cell : report.cells) cells.push_back(CellToJson(cell));
  Json& node_tests = results["node_tests"] = Json::array();
  for (const NodeTestRecord& test : report.node_tests) {
    node_tests.push_back(NodeTestToJson(test));
  }
  if (!report.negative.empty()) {
    Json& negative = results["negative"] = Json::array();
    for (const NegativeRecord& record : report.negative) {
      negative.push_back(NegativeToJson(record));
    }
  }
  return results;
}

Json RunToJson(const Report& report) {
  const RunInfo& info = report.run;
  Json run = Json::object();
  run["tool"] = ToolToJson(info.tool);
  run["backend"] = BackendDetailsToJson(info.backend);
  run["machine"] = MachineToJson(info.machine);
  run["command_line"] = info.command_line;
  run["start_time"] = info.start_time;
  run["duration_s"] = info.duration_s;
  run["jobs"] = info.jobs;
  Json& times = run["cell_times_ms"] = Json::array();  // in the order of the cells
  for (const CellRecord& cell : report.cells) {
    times.push_back(std::round(cell.time_ms * 10) / 10);
  }
  Json& explaining = run["cell_explain_times_ms"] = Json::array();
  for (const CellRecord& cell : report.cells) {
    explaining.push_back(std::round(cell.explain_ms * 10) / 10);
  }
  return run;
}

// Returns an error where rows come twice, or there are more than were selected.
Status CheckRows(const Report& report, const std::string& name) {
  std::set<std::string_view> seen;
  for (const CellRecord& cell : report.cells) {
    if (!seen.insert(cell.cell).second) {
      return Error{name + ": the cell " + cell.cell +
                   " comes twice; one row per cell is right"};
    }
  }
  std::set<std::pair<std::string_view, std::string_view>> tests;
  for (const NodeTestRecord& test : report.node_tests) {
    if (!tests.insert({test.release, test.name}).second) {
      return Error{name + ": the node test " + test.name + " of " + test.release +
                   " comes twice; one row per test is right"};
    }
  }
  std::set<std::string_view> models;
  for (const NegativeRecord& record : report.negative) {
    if (!models.insert(record.id).second) {
      return Error{name + ": the negative model " + record.id +
                   " comes twice; one row per model is right"};
    }
  }
  if (static_cast<int64_t>(report.cells.size()) > report.totals.selected) {
    return Error{name + ": has " + std::to_string(report.cells.size()) +
                 " cells, but the selection counts " +
                 std::to_string(report.totals.selected)};
  }
  return Ok();
}

Status CheckRowsThemselves(const Report& report, const std::string& name) {
  for (const CellRecord& cell : report.cells) {
    if (Status checked = CheckRow(name, cell); !checked) return checked;
  }
  for (const NegativeRecord& record : report.negative) {
    if (Status checked = CheckRow(name, record); !checked) return checked;
  }
  return CheckOpsetVersions(name, report.cells);
}

// Whether a table of totals says what the rows give: `counted` has all that this version
// knows. Of later versions there may be zeros of verdicts that occur nowhere.
bool Agrees(const Json& stored, const Json& counted) {
  if (stored.is_array() && counted.is_array()) {
    bool agrees = stored.size() == counted.size();
    for (size_t i = 0; agrees && i < stored.size(); ++i) {
      agrees = Agrees(stored[i], counted[i]);
    }
    return agrees;
  }
  if (!stored.is_object() || !counted.is_object()) return stored == counted;
  for (const auto& [key, value] : counted.items()) {
    if (!stored.contains(key) || !Agrees(stored[key], value)) return false;
  }
  for (const auto& [key, value] : stored.items()) {
    if (!counted.contains(key) && value != Json(0)) return false;
  }
  return true;
}

// Every total that the document has and this version knows must be what the
// rows give.
void CheckTotals(const Fields& stored, const Totals& counted,
                 const FormatVersion& version, std::string_view report_version) {
  Json expected = TotalsToJson(counted, version.major);
  for (const char* optional : {"unspecified", "mixed_readings"}) {
    if (!expected.contains(optional)) expected[optional] = Json::array();
  }
  // What is mixed was counted by other rules then.
  if (!NamesEachReadingThatStands(report_version)) expected.erase("mixed_readings");
  if (!stored.Has("cells")) stored.Fail("cells", "is missing");
  for (const auto& [key, fields] : stored.Members()) {
    const Json* found = expected.Find(key);
    const bool same = !found || (IsLater(version) ? Agrees(fields.value(), *found)
                                                  : *found == fields.value());
    if (!same) {
      fields.Fail(
          "", "does not agree with the rows; counted from them it is " + Dump(*found));
    }
  }
}

Status CheckVersion(const Json& document, const std::string& name) {
  if (!document.is_object() || !document.contains("report_version") ||
      !document["report_version"].is_string()) {
    return Error{name + ": is no report: a JSON object with \"report_version\" is right"};
  }
  const std::string version = document["report_version"].get<std::string>();
  const auto numbers = ParseFormatVersion(version);
  if (!numbers || (numbers->major != 1 && numbers->major != 2)) {
    return Error{name + ": is a report of version \"" + version +
                 "\"; this program reads the versions 1.x.y and 2.x.y"};
  }
  return Ok();
}

void ReadRun(const Fields& document, Report* report) {
  const Fields results = document.Object("results");
  const Fields run = document.Object("run");
  report->run.suite = SuiteFromJson(results.Object("suite"));
  report->run.selection = SelectionFromJson(results.Object("selection"));
  report->run.backend = BackendFromJson(results.Object("backend"), run.Object("backend"));
  report->run.tool = ToolFromJson(run.Object("tool"));
  report->run.machine = MachineFromJson(run.Object("machine"));
  report->run.command_line = run.Strings("command_line");
  report->run.start_time = run.String("start_time");
  report->run.duration_s = run.Duration("duration_s");
  report->run.jobs = run.Int("jobs");
}

void ReadTimes(const Fields& run, const char* key, double CellRecord::*member,
               Report* report) {
  if (!run.Has(key)) return;
  const Json& times = run.value()[key];
  const bool right = times.is_array() && times.size() == report->cells.size() &&
                     std::all_of(times.begin(), times.end(), [](const Json& time) {
                       return time.is_number() && time.get<double>() >= 0;
                     });
  if (!right) {
    run.Fail(key, "does not hold one number from 0 up for each cell");
    return;
  }
  for (size_t i = 0; i < times.size(); ++i)
    report->cells[i].*member = times[i].get<double>();
}

// Whether some model was accepted, rightly or not.
bool AnyAnswered(const std::vector<NegativeRecord>& records) {
  return std::any_of(records.begin(), records.end(), [](const NegativeRecord& record) {
    return record.result == NegativeResult::kLax ||
           record.result == NegativeResult::kAccepted ||
           record.result == NegativeResult::kPass;
  });
}

}  // namespace

int MajorVersion(const Report& report) {
  const auto version = ParseFormatVersion(report.report_version);
  return version ? version->major : 0;
}

bool NamesEachReadingThatStands(std::string_view report_version) {
  for (const std::string_view earlier : {"1.0.", "1.1.", "1.2."}) {
    if (report_version.starts_with(earlier)) return false;
  }
  return true;
}

Result<Report> BuildReport(RunInfo run, std::vector<CellRecord> cells,
                           std::vector<NodeTestRecord> node_tests, bool finished,
                           std::vector<NegativeRecord> negative,
                           std::string_view version) {
  Report report;
  report.report_version = version;
  report.run = std::move(run);
  report.cells = std::move(cells);
  report.node_tests = std::move(node_tests);
  report.negative = std::move(negative);
  for (CellRecord& cell : report.cells) CleanTexts(&cell);
  for (NodeTestRecord& test : report.node_tests) CleanTexts(&test);
  for (NegativeRecord& record : report.negative) CleanTexts(&record);
  SortCells(report.run.selection, &report.cells);
  SortNodeTests(&report.node_tests);
  SortNegative(&report.negative);
  report.totals = CountTotals(report.run.selection, report.cells, report.node_tests);
  report.findings = FindFindings(report.cells);
  if (Status checked = CheckRows(report, "the report"); !checked) return checked.error();
  report.complete =
      finished && static_cast<int64_t>(report.cells.size()) == report.totals.selected;
  report.results_digest = Sha256Hex(BlockText(ResultsToJson(report)));
  report.answers_digest = AnswersDigest(report);
  return report;
}

Result<Report> BuildReport(Journal journal, std::string_view version) {
  return BuildReport(std::move(journal.run), std::move(journal.cells),
                     std::move(journal.node_tests), journal.complete,
                     std::move(journal.negative), version);
}

std::string ReportText(const Report& report) {
  std::string text = "{\n\"report_version\":" + Dump(report.report_version);
  text += ",\n\"results_digest\":" + Dump(report.results_digest);
  if (MajorVersion(report) > 1) {
    text += ",\n\"answers_digest\":" + Dump(report.answers_digest);
  }
  text += ",\n\"results\":" + BlockText(ResultsToJson(report));
  text += ",\n\"run\":" + BlockText(RunToJson(report));
  return text + "\n}\n";
}

Status WriteReport(const std::filesystem::path& path, const Report& report) {
  return WriteFileAtomically(path, ReportText(report));
}

Result<Report> ParseReport(std::string_view text, std::string_view name,
                           RowReading rows) {
  const std::string file(name);
  if (text.starts_with("{\"journal_version\"")) {
    return Error{
        file +
        ": is the journal of a run; a report, which can be made from it, is right"};
  }
  const Result<Json> parsed = ParseJson(text, name);
  if (!parsed) return parsed.error();
  if (Status checked = CheckVersion(*parsed, file); !checked) return checked.error();

  ReadState state{file, std::nullopt};
  const Fields document(*parsed, state);
  Report report;
  report.report_version = document.String("report_version");
  report.results_digest = document.String("results_digest");
  const Fields results = document.Object("results");
  report.complete = results.Bool("complete");
  ReadRun(document, &report);
  const FormatVersion version = *ParseFormatVersion(report.report_version);
  const VerdictWords words =
      IsLater(version) ? VerdictWords::kLater : VerdictWords::kKnown;
  for (const Fields& cell : results.Objects("cells"))
    report.cells.push_back(CellFromJson(cell, words));
  for (const Fields& test : results.Objects("node_tests")) {
    report.node_tests.push_back(NodeTestFromJson(test));
  }
  if (results.Has("negative")) {
    for (const Fields& record : results.Objects("negative")) {
      report.negative.push_back(NegativeFromJson(record));
    }
  }
  ReadTimes(document.Object("run"), "cell_times_ms", &CellRecord::time_ms, &report);
  ReadTimes(document.Object("run"), "cell_explain_times_ms", &CellRecord::explain_ms,
            &report);
  if (state.error) return *state.error;

  const std::string digest = Sha256Hex(BlockText(results.value()));
  if (digest != report.results_digest) {
    return Error{file + ": results_digest is " + report.results_digest +
                 ", but the results give " + digest +
                 ": the file was changed after it was written"};
  }
  report.totals = CountTotals(report.run.selection, report.cells, report.node_tests);
  CheckTotals(results.Object("totals"), report.totals, version, report.report_version);
  report.findings = FindFindings(report.cells);
  // Another version may tell findings apart by other rules.
  const bool by_these_rules = version.major > 1 && !IsLater(version);
  report.answers_digest = AnswersDigest(report);
  if (by_these_rules && document.String("answers_digest") != report.answers_digest) {
    document.Fail("answers_digest",
                  "does not agree with the rows; they give " + report.answers_digest);
  }
  if (by_these_rules &&
      (!results.Has("findings") ||
       results.value()["findings"] != FindingsToJson(report.findings))) {
    results.Fail("findings", "does not agree with the rows");
  }
  if (state.error) return *state.error;
  if (Status checked = CheckRows(report, file); !checked) return checked.error();
  if (rows == RowReading::kChecked) {
    if (Status checked = CheckRowsThemselves(report, file); !checked) {
      return checked.error();
    }
  }
  if (report.complete &&
      static_cast<int64_t>(report.cells.size()) != report.totals.selected) {
    return Error{file + ": says that it is complete, but has " +
                 std::to_string(report.cells.size()) + " of " +
                 std::to_string(report.totals.selected) + " cells"};
  }
  return report;
}

Result<Report> ReadReport(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text) return text.error();
  return ParseReport(*text, path.string());
}

ExitOptions ExitOptionsOf(const Report& report, bool allow_unsupported) {
  return {.allow_unsupported = allow_unsupported,
          .complete = report.complete,
          // One that asked negative models had something to do.
          .shard = report.run.selection.shard.has_value() && report.negative.empty()};
}

ExitCode ExitCodeFor(const Report& report, bool allow_unsupported) {
  if (AnyDeviates(report.negative)) return ExitCode::kDeviation;
  const bool models_alone = report.totals.selected == 0 && report.node_tests.empty();
  if (models_alone && report.complete && AnyAnswered(report.negative)) {
    return ExitCode::kPass;
  }
  return ExitCodeFor(report.totals.cells, report.totals.node_tests,
                     ExitOptionsOf(report, allow_unsupported));
}

}  // namespace qconform
