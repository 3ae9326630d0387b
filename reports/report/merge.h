// Several reports as one: those of the shards of a run, and those of runs that judged
// different cells of one backend. Rows, order and totals are made again from all cells,
// so that the results of shards have the bytes and the digest of a whole run.
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

// Whether both are of one backend by one suite, and have no cell in common, such as the
// reports of two operators.
bool AreParts(const Report& a, const Report& b);

// Returns one report of two for which AreParts is true. Its selection has the cells of
// both.
Result<Report> JoinParts(Report a, Report b);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_REPORT_MERGE_H_
