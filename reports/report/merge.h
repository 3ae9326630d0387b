// Shards: the reports of several runs that shared the work, joined into the
// report of one whole run. Rows, order and totals are made again from all
// cells, so that the results have the bytes and the digest of a whole run.
#ifndef QCONFORM_REPORTS_REPORT_MERGE_H_
#define QCONFORM_REPORTS_REPORT_MERGE_H_

#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/report/report.h"

namespace qconform {

struct ShardReport {
  std::string name;  // of its file, for errors
  Report report;
};

// Returns an Error, by name, for reports that are not shards; shards that are missing or
// come twice; shards of another suite, selection, backend, program or version of the
// report; cells that come twice. The whole report has the version of its shards, and is
// incomplete if a shard is.
Result<Report> MergeReports(std::vector<ShardReport> shards);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_MERGE_H_
