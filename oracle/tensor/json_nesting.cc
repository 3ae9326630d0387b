#include "oracle/tensor/json_nesting.h"

#include <cstddef>

namespace qconform {

bool NestsTooDeeply(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostJsonNesting) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

bool HasZeroByte(std::string_view json) {
  return json.find('\0') != std::string_view::npos;
}

bool IsReadableJson(std::string_view json) {
  return !HasZeroByte(json) && !NestsTooDeeply(json);
}

}  // namespace qconform
