#include "reports/site/site.h"

#include <set>
#include <utility>

#include "oracle/base/expected.h"
#include "reports/base/packed.h"
#include "reports/show/badge.h"
#include "reports/show/html.h"
#include "reports/show/page_parts.h"
#include "reports/show/xml.h"
#include "reports/site/site_data.h"

namespace qconform {

// Generated from the files of reports/site/html/ and reports/html/ (CMakeLists.txt).
std::string_view SitePage();
std::string_view SiteStyle();
std::string_view SiteScript();

namespace {

// A script that hands data to the page: scripts can be loaded from a folder, where a page
// may not read files.
std::string DataScript(const std::string& name, const Json& data) {
  return "self.qconformData = self.qconformData || {};\nself.qconformData[" +
         ScriptSafe(Dump(Json(name))) +
         "] = " + ScriptSafe("{" + PackedMembers(data) + "}") + ";\n";
}

constexpr std::string_view kExplain = "explain";

// A page of a kind, such as "operator", about `subject`; `data` are scripts that it needs
// besides that of all pages.
std::string Page(const std::string& kind, const std::string& subject,
                 const std::string& title, const std::vector<std::string>& data) {
  std::string scripts = "<script src=\"data-index.js\"></script>\n";
  for (const std::string& file : data) {
    scripts += "<script src=\"" + XmlEscaped(file) + "\"></script>\n";
  }
  return Filled(SitePage(), {{"title", XmlEscaped(title)},
                             {"symbols", std::string(HtmlSymbols())},
                             {"scripts", kind == kExplain ? " 'wasm-unsafe-eval'" : ""},
                             {"kind", XmlEscaped(kind)},
                             {"subject", XmlEscaped(subject)},
                             {"data", scripts}});
}

void AddOperators(const std::vector<SiteBackend>& backends, const SiteInput& input,
                  NamedFiles* files) {
  for (const std::string& op_type : OperatorsOf(backends)) {
    const std::string part = FileNamePart(op_type);
    const std::string data = "data-operator-" + part + ".js";
    (*files)[data] = DataScript("operator", OperatorData(backends, op_type, input));
    (*files)["operator-" + part + ".html"] =
        Page("operator", op_type, op_type + ": who answers what", {data});
  }
}

// `found` are the scripts with what was found.
void AddBackends(const std::vector<SiteBackend>& backends, const SiteInput& input,
                 const std::vector<std::string>& found, NamedFiles* files) {
  for (const SiteBackend& backend : backends) {
    const std::string title = backend.Label() + ": conformance of ONNX quantization";
    (*files)["backend-" + backend.id + ".html"] =
        Page("backend", backend.id, title, found);
    (*files)["badge-" + backend.id + ".svg"] = BadgeSvg(backend.report, nullptr);
    HtmlOptions options;
    options.explanations = input.explanations;
    (*files)["report-" + backend.id + ".html"] = HtmlText(backend.report, options);
  }
}

}  // namespace

Result<NamedFiles> SiteFiles(SiteInput input) {
  if (input.reports.empty() && input.histories.empty()) {
    return Expected("the site", "a report at least", "none");
  }
  auto made = BackendsOf(std::move(input.reports));
  if (!made) return made.error();
  const std::vector<SiteBackend>& backends = *made;
  NamedFiles files;
  files["site.css"] = std::string(HtmlStyle()) + std::string(SiteStyle());
  files["site.js"] =
      "\"use strict\";\n(() => {\n" + std::string(SiteScript()) + "\n})();\n";
  files["data-index.js"] = DataScript("index", IndexData(backends, input));
  files["data-findings.js"] = DataScript("findings", FindingsData(backends, input));
  files["data-verdicts.js"] = DataScript("verdicts", VerdictsData(backends));
  files["index.html"] = Page("scoreboard", "", "Conformance of ONNX quantization", {});
  std::vector<std::string> found = {"data-findings.js"};
  if (!input.notes.empty()) {
    files["data-pages.js"] = DataScript("pages", NotesData(input));
    found.push_back("data-pages.js");
    files["pages.html"] = Page("pages", "", "Checked by hand", {"data-pages.js"});
  }
  files["findings.html"] = Page("findings", "", "Findings", found);
  AddOperators(backends, input, &files);
  if (input.explain) {
    const std::string data = "data-explain.js";
    const std::string module = "explain-module.js";
    files[data] = DataScript("explain", {{"definitions", input.explain->definitions},
                                         {"explanations", input.explanations}});
    files[module] = input.explain->module;
    files["explain.html"] = Page(std::string(kExplain), "",
                                 "Explain: what is right, and why", {data, module});
  }
  AddBackends(backends, input, found, &files);
  for (const History& history : input.histories) {
    const std::string part = FileNamePart(history.backend);
    const std::string data = "data-history-" + part + ".js";
    if (files.contains(data)) {
      return Expected("the site", "one history of each backend",
                      "two of '" + history.backend + "'");
    }
    const auto json = HistoryData(history, input);
    if (!json) return json.error();
    files[data] = DataScript("history", *json);
    files["history-" + part + ".html"] =
        Page("history", history.backend, history.backend + " through time", {data});
  }
  return files;
}

}  // namespace qconform
