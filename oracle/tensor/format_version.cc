#include "oracle/tensor/format_version.h"

#include <cstddef>

namespace qconform {
namespace {

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos &&
         (text.size() == 1 || text[0] != '0');
}

}  // namespace

bool IsFormatVersion1(std::string_view version) {
  if (!version.starts_with("1.")) return false;
  version.remove_prefix(2);
  const size_t dot = version.find('.');
  return dot != std::string_view::npos && IsNumber(version.substr(0, dot)) &&
         IsNumber(version.substr(dot + 1));
}

}  // namespace qconform
