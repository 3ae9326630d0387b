// A site of static pages made of any set of reports: a scoreboard, a page for each
// backend and each operator with its cells, the findings, histories, and badges. It needs
// no server and no network. docs/site.md says how it is cut.
#ifndef QCONFORM_REPORTS_SITE_SITE_H_
#define QCONFORM_REPORTS_SITE_SITE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/json.h"
#include "oracle/base/result.h"
#include "reports/history/history.h"
#include "reports/report/report.h"
#include "reports/site/backends.h"

namespace qconform {

// A clause of the semantics, as a page shows it.
struct SiteClause {
  std::string id;
  std::string op_type;  // empty: of every operator
  std::string text;
};

// What the page needs that explains a question in the browser.
struct SiteExplain {
  std::string module;  // the script of the oracle as WebAssembly
  Json definitions;    // of operators, as the module takes them
};

// A page in Markdown on what was found, checked by hand. It is about the backends whose
// reports lie in a folder that it names by its last two parts, such as "opencv/5.0".
struct SiteNote {
  std::string name;  // of its file, without ".md"
  std::string text;
};

struct SiteInput {
  std::vector<SiteReport> reports;
  std::vector<History> histories;
  std::vector<SiteClause> clauses;
  // Name of a reading, diagnosis or clause -> its formula or sentence.
  std::map<std::string, std::string> explanations;
  std::string tool;                      // "qconform 0.2.0"
  std::optional<SiteExplain> explain{};  // nothing: the site has no such page
  std::vector<SiteNote> notes{};
};

// Name of a file -> its contents.
using NamedFiles = std::map<std::string, std::string, std::less<>>;

// Returns the files of the site by their names, all in one folder. Texts of reports are
// escaped wherever they stand. An Error for a report on the parts of a model, or without
// any report.
Result<NamedFiles> SiteFiles(SiteInput input);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SITE_SITE_H_
