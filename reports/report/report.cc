#include "reports/report/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/format_version.h"
#include "oracle/base/sha256.h"
#include "reports/base/packed.h"
#include "reports/record/order.h"
#include "reports/record/record_json.h"
#include "reports/report/answers.h"
#include "reports/report/row_rules.h"

namespace qconform {
namespace {

constexpr std::string_view kPackedVersion = "1.0.0";
constexpr std::string_view kPackedVersionKey = "packed_report_version";

// Whether a report of that version may have what this program does not know.
bool IsLater(const FormatVersion& version) {
  static const FormatVersion own = *ParseFormatVersion(kReportVersion);
  return version.major == own.major && version.minor > own.minor;
}

// Digests are over this text, so that a document that was reformatted on its way still
// has the same.
std::string ResultsText(const Json& results) { return BlockText(results, "totals"); }

// The two parts of a report.
struct ReportResults {
  Report& report;
};
struct ReportRun {
  Report& report;
};

void Describe(Fields& fields, ReportResults& results) {
  Report& report = results.report;
  fields.Required("complete", report.complete, "suite", report.run.suite, "selection",
                  report.run.selection, "backend", report.run.backend);
  const int version = MajorVersion(report);
  if (version > 1) fields.Written("findings", report.findings);
  fields.Written("totals", TotalsToJson(report.totals, version));
  fields.Required("cells", report.cells, "node_tests", report.node_tests);
  fields.Optional("negative", report.negative);
}

// One number for each cell; reports of early versions have none.
void DescribeTimes(Fields& fields, std::string_view key, double CellRecord::*member,
                   std::vector<CellRecord>& cells) {
  if (fields.reads() && !fields.Has(key)) return;
  std::vector<double> times;
  if (!fields.reads()) {
    for (const CellRecord& cell : cells)
      times.push_back(std::round(cell.*member * 10) / 10);
  }
  fields.Required(key, times);
  fields.Check(times.size() == cells.size(), key,
               "expected one number for each of " + std::to_string(cells.size()) +
                   " cells, got " + std::to_string(times.size()));
  if (times.size() != cells.size()) return;
  for (size_t i = 0; fields.reads() && i < times.size(); ++i) cells[i].*member = times[i];
}

// Read after the results.
void Describe(Fields& fields, ReportRun& run) {
  RunInfo& info = run.report.run;
  fields.Required("tool", info.tool, "backend", BackendDetails{info.backend}, "machine",
                  info.machine);
  fields.Optional("operators", info.operators);
  fields.Required("command_line", info.command_line, "start_time", info.start_time,
                  "duration_s", info.duration_s, "jobs", info.jobs);
  DescribeTimes(fields, "cell_times_ms", &CellRecord::time_ms, run.report.cells);
  DescribeTimes(fields, "cell_explain_times_ms", &CellRecord::explain_ms,
                run.report.cells);
}

template <typename Part>
Json PartToJson(const Report& report) {
  return ToJson(Part{const_cast<Report&>(report)});  // writing changes nothing
}

// Returns an error where rows come twice, or there are more than were selected.
Status CheckRows(const Report& report, const std::string& name) {
  std::set<std::string_view> seen;
  for (const CellRecord& cell : report.cells) {
    if (!seen.insert(cell.cell).second) {
      return Expected(name + ": the cell " + cell.cell, "one row", "two");
    }
  }
  std::set<std::pair<std::string_view, std::string_view>> tests;
  for (const NodeTestRecord& test : report.node_tests) {
    if (!tests.insert({test.release, test.name}).second) {
      return Expected(name + ": the node test " + test.name + " of " + test.release,
                      "one row", "two");
    }
  }
  std::set<std::string_view> models;
  for (const NegativeRecord& record : report.negative) {
    if (!models.insert(record.id).second) {
      return Expected(name + ": the negative model " + record.id, "one row", "two");
    }
  }
  if (static_cast<int64_t>(report.cells.size()) > report.totals.selected) {
    return Expected(name,
                    "at most the " + std::to_string(report.totals.selected) +
                        " cells of the selection",
                    std::to_string(report.cells.size()));
  }
  return Ok();
}

Status CheckRowsThemselves(const Report& report, const std::string& name) {
  for (const CellRecord& cell : report.cells) {
    const OperatorRecord& record = OperatorRecordOf(report.run.operators, cell.op_type);
    if (Status checked = CheckRow(name, cell, record); !checked) return checked;
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

// Every total that the document has and this version knows must be what the rows give.
Status CheckTotals(const Json& stored, const Totals& counted,
                   const FormatVersion& version, std::string_view report_version,
                   const std::string& name) {
  Json expected = TotalsToJson(counted, version.major);
  for (const char* optional : {"unspecified", "mixed_readings"}) {
    if (!expected.contains(optional)) expected[optional] = Json::array();
  }
  // Earlier versions counted mixed readings by other rules.
  if (!NamesEachReadingThatStands(report_version)) expected.erase("mixed_readings");
  const std::string place = name + ": results.totals";
  if (!stored.contains("cells")) {
    return Error{place + ".cells: expected an object, got nothing"};
  }
  for (const auto& [key, value] : stored.items()) {
    const Json* found = expected.Find(key);
    const bool same =
        !found || (IsLater(version) ? Agrees(value, *found) : *found == value);
    if (same) continue;
    return Error{place + "." + key +
                 ": does not agree with the rows; counted from them " + "it is " +
                 Dump(*found)};
  }
  return Ok();
}

// Whether the document is a packed report; an Error if it is one of another version.
Result<bool> IsPacked(const Json& document, const std::string& name) {
  const Json* stored = document.Find(kPackedVersionKey);
  if (stored == nullptr) return false;
  const std::string version = stored->is_string() ? stored->text() : Dump(*stored);
  if (stored->is_string() && IsFormatVersion1(version)) return true;
  return Expected(name, "a packed report of version 1.x.y", "version \"" + version + "\"",
                  "a later qconform may read it");
}

Status CheckVersion(const Json& document, const std::string& name) {
  if (!document.is_object() || !document.contains("report_version") ||
      !document["report_version"].is_string()) {
    return Expected(name, "a report, a JSON object with \"report_version\"",
                    "another document");
  }
  const std::string version = document["report_version"].get<std::string>();
  const auto numbers = ParseFormatVersion(version);
  if (!numbers || (numbers->major != 1 && numbers->major != 2)) {
    return Expected(name, "a report of version 1.x.y or 2.x.y",
                    "version \"" + version + "\"", "a later qconform may read it");
  }
  return Ok();
}

void SetFindingGroups(Report& report) {
  for (CellRecord& cell : report.cells) {
    cell.finding_group = OperatorRecordOf(report.run.operators, cell.op_type)
                             .GroupOf(cell.since_version, ClauseOfFinding(cell));
  }
}

// Whether some model was accepted, rightly or not.
bool AnyAnswered(const std::vector<NegativeRecord>& records) {
  return std::any_of(records.begin(), records.end(), [](const NegativeRecord& record) {
    return record.result == NegativeResult::kLax ||
           record.result == NegativeResult::kAccepted ||
           record.result == NegativeResult::kPass;
  });
}

bool AnyError(const std::vector<NegativeRecord>& records) {
  return std::ranges::count(records, NegativeResult::kError, &NegativeRecord::result) > 0;
}

bool AnyRefusedLegal(const std::vector<NegativeRecord>& records) {
  return std::ranges::count(records, NegativeResult::kRefusedLegal,
                            &NegativeRecord::result) > 0;
}

}  // namespace

int MajorVersion(const Report& report) {
  const auto version = ParseFormatVersion(report.report_version);
  return version ? version->major : 0;
}

bool TellsRefusedLegal(const Report& report) {
  const auto version = ParseFormatVersion(report.report_version);
  return version && (version->major > 2 || (version->major == 2 && version->minor >= 1));
}

bool NamesEachReadingThatStands(std::string_view report_version) {
  for (const std::string_view earlier : {"1.0.", "1.1.", "1.2."}) {
    if (report_version.starts_with(earlier)) return false;
  }
  return true;
}

bool TellsSecondAnswers(std::string_view report_version) {
  return NamesEachReadingThatStands(report_version) &&
         !report_version.starts_with("2.0.");
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
  auto counted = CountTotals(report.run, report.cells, report.node_tests);
  if (!counted) return counted.error();
  report.totals = *std::move(counted);
  SetFindingGroups(report);
  report.findings = FindFindings(report.cells);
  if (Status checked = CheckRows(report, "the report"); !checked) return checked.error();
  report.complete =
      finished && static_cast<int64_t>(report.cells.size()) == report.totals.selected;
  report.results_digest = Sha256Hex(ResultsText(PartToJson<ReportResults>(report)));
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
  text += ",\n\"results\":" + ResultsText(PartToJson<ReportResults>(report));
  text += ",\n\"run\":" + BlockText(PartToJson<ReportRun>(report));
  return text + "\n}\n";
}

std::string PackedReportText(const Report& report) {
  return "{" + Dump(Json(kPackedVersionKey)) + ":" + Dump(Json(kPackedVersion)) + ",\n" +
         PackedMembers(ParseJsonOrNull(ReportText(report))) + "}\n";
}

Status WriteReport(const std::filesystem::path& path, const Report& report) {
  return WriteFileAtomically(path, ReportText(report));
}

Result<Report> ParseReport(std::string_view text, std::string_view name,
                           RowReading rows) {
  const std::string file(name);
  if (text.starts_with("{\"journal_version\"")) {
    return Expected(file, "a report", "the journal of a run",
                    "make one of it with 'qconform report FILE --json REPORT'");
  }
  Result<Json> parsed = ParseJson(text, name);
  if (!parsed) return parsed.error();
  const auto packed = IsPacked(*parsed, file);
  if (!packed) return packed.error();
  if (*packed) parsed = Unpacked(*parsed, file);
  if (!parsed) return parsed.error();
  if (Status checked = CheckVersion(*parsed, file); !checked) return checked.error();

  const Json& results = (*parsed)["results"];
  Report report;
  report.report_version = (*parsed)["report_version"].text();
  const FormatVersion version = *ParseFormatVersion(report.report_version);
  ReadState state(file);
  state.later_words = IsLater(version);
  state.is_1_0 = report.report_version.starts_with("1.0.");
  Fields document(JsonPlace(*parsed, state));
  document.Required("results_digest", report.results_digest, "results",
                    ReportResults{report}, "run", ReportRun{report});
  if (state.error) return *state.error;

  const std::string digest = Sha256Hex(ResultsText(results));
  if (digest != report.results_digest) {
    return Error{file + ": results_digest is " + report.results_digest +
                 ", but the results give " + digest +
                 ": the file was changed after it was written"};
  }
  auto counted = CountTotals(report.run, report.cells, report.node_tests);
  if (!counted) return Error{file + ": " + counted.error().message};
  report.totals = *std::move(counted);
  Status totals =
      CheckTotals(results["totals"], report.totals, version, report.report_version, file);
  if (!totals) return totals.error();
  SetFindingGroups(report);
  report.findings = FindFindings(report.cells);
  report.answers_digest = AnswersDigest(report);
  // Another version may distinguish findings by other rules.
  if (version.major > 1 && !IsLater(version)) {
    std::string answers;
    document.Required("answers_digest", answers);
    document.Check(answers == report.answers_digest, "answers_digest",
                   "does not agree with the rows; they give " + report.answers_digest);
    if (state.error) return *state.error;
    if (results["findings"] != ToJson(report.findings)) {
      return Error{file + ": results.findings: does not agree with the rows"};
    }
  }
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
          .complete = report.complete && !AnyError(report.negative),
          .refused_legal = AnyRefusedLegal(report.negative),
          // One that asked negative models had something to do.
          .shard = report.run.selection.shard.has_value() && report.negative.empty()};
}

ExitCode ExitCodeFor(const Report& report, bool allow_unsupported) {
  if (AnyDeviates(report.negative)) return ExitCode::kDeviation;
  const bool models_alone = report.totals.selected == 0 && report.node_tests.empty();
  if (models_alone && report.complete && AnyAnswered(report.negative) &&
      !AnyError(report.negative) && !AnyRefusedLegal(report.negative)) {
    return ExitCode::kPass;
  }
  return ExitCodeFor(report.totals.cells, report.totals.node_tests,
                     ExitOptionsOf(report, allow_unsupported));
}

}  // namespace qconform
