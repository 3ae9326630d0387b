// What pages in HTML are made of. Private to reports.
#ifndef QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_
#define QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_

#include <map>
#include <string>
#include <string_view>

namespace qconform {

// Generated from the files of reports/html/ (CMakeLists.txt).
std::string_view HtmlSymbols();  // of verdicts and changes
std::string_view HtmlStyle();

// Returns JSON as the text of a <script>: no `<` may begin a tag there.
std::string ScriptSafe(const std::string& json);

// Returns the page with each {{name}} replaced by its value.
std::string Filled(std::string_view page,
                   const std::map<std::string_view, std::string>& values);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_
