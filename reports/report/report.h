// The report: one JSON document.
//
//   report_version  "2.1.0"; all 1.x and 2.x documents are read, others refused
//   results_digest  SHA-256 of the bytes of `results` as they stand in the file
//   answers_digest  SHA-256 of verdicts, counts and evidence: equal for equal answers of
//                   whatever backend (reports/report/answers.h)
//   results         suite, selection, backend, findings, totals, cells, node_tests,
//                   negative: equal runs give equal bytes
//   run             tool, machine, command, times, the backend's details
//
// One cell per line and keys in a fixed order, so that git and grep work. Its
// schema is reports/schema/report-2.schema.json. A report that was read keeps its
// version, and is written again as that version had it: in 1.x the verdict
// `invalid_output` stood for `failed` as well.
#ifndef QCONFORM_REPORTS_REPORT_REPORT_H_
#define QCONFORM_REPORTS_REPORT_REPORT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/finding.h"
#include "reports/record/negative_record.h"
#include "reports/record/record.h"
#include "reports/record/totals.h"
#include "reports/report/journal.h"

namespace qconform {

inline constexpr std::string_view kReportVersion = "2.1.0";

// Whether rows of this version name each reading that stands in a cell
// (CellRecord::not_told_apart); rows of earlier versions name only some.
bool NamesEachReadingThatStands(std::string_view report_version);

// Whether counterexamples of this version contain a second answer
// (Counterexample::second_answer); earlier ones only said that there was one.
bool TellsSecondAnswers(std::string_view report_version);

struct Report {
  std::string report_version{kReportVersion};
  std::string results_digest;  // lower-case hex
  std::string
      answers_digest;  // of what was answered, whoever did (reports/report/answers.h)
  // Every selected cell has its row, and the run came to its end.
  bool complete = false;
  // If this is a part that is only shown (reports/diff/part.h), the number of cells of
  // the whole report; 0: a report as it was made.
  int64_t part_of = 0;
  RunInfo run;
  Totals totals;
  std::vector<FindingRecord> findings;     // what deviates, of most cells first
  std::vector<CellRecord> cells;           // in the lattice's order
  std::vector<NodeTestRecord> node_tests;  // by release, then name
  std::vector<NegativeRecord> negative;    // by operator, opset_version, id
};

// Returns the report of these records, in whatever order they come: rows are
// sorted by operator (in the selection's order), since_version, types (by
// number) and granularity. Cells that were selected but not run must have rows,
// too (untested); if rows are missing, the report is not complete. An Error names
// cells that come twice, and rows beyond the selection's count. `version` is that of
// the reports that the rows come from.
Result<Report> BuildReport(RunInfo run, std::vector<CellRecord> cells,
                           std::vector<NodeTestRecord> node_tests, bool finished,
                           std::vector<NegativeRecord> negative = {},
                           std::string_view version = kReportVersion);

// The same for a journal; complete only if the journal is.
Result<Report> BuildReport(Journal journal, std::string_view version = kReportVersion);

// Returns the JSON document.
std::string ReportText(const Report& report);

// Returns the packed report (reports/base/packed.h), which ParseReport reads too:
//
//   packed_report_version  "1.0.0"; all 1.x are read
//   shapes, values         the same document, each text and each part written once
//
// Most are a third to a fifth as long, so that those of all cells can be published.
std::string PackedReportText(const Report& report);

// Writes the document atomically (oracle/base/file.h).
Status WriteReport(const std::filesystem::path& path, const Report& report);

// Reads any 1.x or 2.x document, packed or not. Unknown fields are ignored, and unknown
// verdicts of a later 2.x are kept by their names (VerdictOfLaterVersion). Returns an
// Error, with the expected and the actual value, for a text that is not JSON or not a
// report, another major version, a missing or wrong field, totals or a digest that do not
// agree with the rows, and rows that contradict themselves (reports/report/row_rules.h).
Result<Report> ReadReport(const std::filesystem::path& path);
Result<Report> ParseReport(std::string_view text, std::string_view name,
                           RowReading rows = RowReading::kChecked);

// The facts about the run that the exit code of the verdicts needs.
ExitOptions ExitOptionsOf(const Report& report, bool allow_unsupported);

// Returns the exit code of the report's verdicts.
ExitCode ExitCodeFor(const Report& report, bool allow_unsupported);

// The first number of a report's version: 1 or 2.
// Whether the report's version has the verdict `refused_legal`; in earlier ones
// `unsupported` and `partial` stood for it.
bool TellsRefusedLegal(const Report& report);
int MajorVersion(const Report& report);

// Returns the JSON Schema (draft 7) of report version 2; of version 1.
std::string_view ReportSchema();
std::string_view ReportSchema1();
// That of a packed report.
std::string_view PackedReportSchema();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_REPORT_H_
