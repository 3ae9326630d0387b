#include "reports/show/page_parts.h"

namespace qconform {

std::string ScriptSafe(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string Filled(std::string_view template_page,
                   const std::map<std::string_view, std::string>& values) {
  std::string page;
  std::string_view rest = template_page;
  for (size_t open = rest.find("{{"); open != std::string_view::npos;
       open = rest.find("{{")) {
    const size_t close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += values.at(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  return page + std::string(rest);
}

}  // namespace qconform
