// The backends of a site: the reports of a folder, put together by who answered. Private
// to reports.
#ifndef QCONFORM_REPORTS_SITE_BACKENDS_H_
#define QCONFORM_REPORTS_SITE_BACKENDS_H_

#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "reports/report/report.h"

namespace qconform {

struct SiteReport {
  std::string file;
  Report report;
};

// A version of a backend with its options: a column of the scoreboard.
struct SiteBackend {
  std::string id;       // of a file and an address: letters, digits, "-", "_" and "."
  std::string name;     // "onnxruntime"; of a worker what it serves
  std::string version;  // its own
  std::string options;  // "opt_level=all"; empty: none was given
  std::vector<std::string> files;
  std::vector<std::string> suites;  // their digests, if they differ
  Report report;                    // all rows of its reports

  std::string Label() const;
};

// Returns the backends in the order of their names, versions and options. Reports of
// one version with the same options are one backend, unless they have a cell in common,
// as those from two CPUs have: then the later file is a backend of its own. An Error for
// a report on the parts of a model.
Result<std::vector<SiteBackend>> BackendsOf(std::vector<SiteReport> reports);

// Returns the text as a part of a file's name, not empty.
std::string FileNamePart(const std::string& text);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SITE_BACKENDS_H_
