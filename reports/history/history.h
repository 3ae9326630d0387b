// The history of a backend: which findings appeared and disappeared in which release, in
// the words of the diff of two reports (reports/diff/diff.h).
#ifndef QCONFORM_REPORTS_HISTORY_HISTORY_H_
#define QCONFORM_REPORTS_HISTORY_HISTORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/diff/diff.h"
#include "reports/history/compact.h"

namespace qconform {

struct NamedCompact {
  std::string file;
  CompactReport report;
};

// A release: the rows of its reports.
struct HistoryRelease {
  std::string version;  // of the backend
  bool complete = true;
  VerdictCounts cells;
  std::map<std::string, VerdictCounts> operators;  // the same by operator or family
  int64_t findings = 0;
  // What else changed since the release before, such as "suite.level was smoke, is
  // standard": then a change may come from there.
  std::vector<std::string> other_changes;
  // Of its findings and those of the release before; none of the first release.
  std::vector<FindingChange> changes;
};

struct HistoryFinding {
  std::string finding;         // FindingId::Text
  std::vector<int64_t> cells;  // by release
};

struct History {
  std::string backend;  // its name
  std::string device;
  SuiteRecord suite;                     // of the first release
  std::vector<HistoryRelease> releases;  // oldest first
  // By operator and then by the release in which they came first.
  std::vector<HistoryFinding> findings;

  // Whether all releases were asked the same on CPUs with the same features, to the end.
  bool comparable() const;
};

// Returns the history of these reports, in whatever order they come: the releases in the
// order of their versions, number by number. Several reports on one release, such as one
// for each operator, are parts of it. Returns an Error, by the names of the files, for
// reports of several backends, a cell of a release that comes twice, and fewer than two
// releases.
Result<History> MakeHistory(std::vector<NamedCompact> reports);

// A backend is who answers, whatever the version and wherever its program lies: returns
// what a worker says that it serves, or the name of the backend without folders.
std::string DisplayName(const BackendRecord& backend);

// Whether a version comes before another: "1.9.0" before "1.10.0".
bool IsEarlierVersion(const std::string& a, const std::string& b);

// "1.15 to 1.22, 1.30": the releases in which a finding is there.
std::string ReleasesWith(const History& history, const HistoryFinding& finding);

// For a terminal; for a page; everything, as JSON by
// reports/schema/history-1.schema.json.
std::string HistoryText(const History& history);
std::string HistoryMarkdown(const History& history);
std::string HistoryJson(const History& history);
std::string_view HistorySchema();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_HISTORY_HISTORY_H_
