// The compact form of a report: its verdicts and the ids of its findings, without counts,
// readings and evidence. A report of all cells of operators takes some 5 MB, its compact
// form less than 100 KB, so that one for each release of a backend can be kept.
//
//   compact_report_version  "1.0.0"; all 1.x are read
//   results_digest          of the report that it was made of
//   findings                the ids, each once
//   outcomes                each pair of a verdict and its findings, once
//   types, granularities    the last two parts of cells' ids, each once
//   shapes                  lists of a granularity and its outcome, each list once
//   cells                   by OP_TYPE/SINCE_VERSION: the numbers of types and a shape,
//                           for each combination of types, in the order of the report
#ifndef QCONFORM_REPORTS_HISTORY_COMPACT_H_
#define QCONFORM_REPORTS_HISTORY_COMPACT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/finding.h"
#include "reports/record/record.h"
#include "reports/report/report.h"

namespace qconform {

struct CompactRow {
  std::string cell;  // its id
  Verdict verdict = Verdict::kUntested;
  std::vector<size_t> findings;  // places in CompactReport::findings

  friend bool operator==(const CompactRow&, const CompactRow&) = default;
};

struct CompactReport {
  std::string results_digest;
  bool complete = false;
  // Without operators, command line, duration and jobs.
  RunInfo run;
  std::vector<FindingId> findings;  // of most cells first
  std::vector<CompactRow> rows;     // in the order of the report

  // The findings of a row.
  std::vector<FindingId> FindingsOf(const CompactRow& row) const;

  friend bool operator==(const CompactReport&, const CompactReport&) = default;
};

// Returns an Error for a report on the parts of a model, whose rows are no cells of the
// lattice. `name` is that of the report's file.
Result<CompactReport> Compacted(const Report& report, std::string_view name);

// Returns the JSON document.
std::string CompactText(const CompactReport& report);

// Returns the JSON Schema (draft 7) of such documents.
std::string_view CompactReportSchema();

// Whether a text begins as such a document does.
bool IsCompactText(std::string_view text);

// Reads a document; `name` is what an Error calls it. Returns an Error, with what was
// expected, for a text that is no such document, numbers that name nothing, a finding
// that does not go with a verdict, and cells that come twice.
Result<CompactReport> ParseCompact(std::string_view text, std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_HISTORY_COMPACT_H_
