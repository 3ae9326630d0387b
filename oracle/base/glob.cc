#include "oracle/base/glob.h"

#include <algorithm>
#include <cstddef>

namespace qconform {

bool GlobMatches(std::string_view pattern, std::string_view text) {
  // On a mismatch the last `*` takes one character more; earlier ones need no
  // second try, so the time is at most pattern.size() * text.size().
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool AnyGlobMatches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return GlobMatches(pattern, text);
  });
}

bool GivenGlobs::Match(std::string_view text) {
  bool matches = patterns_.empty();
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (!GlobMatches(patterns_[i], text)) continue;
    matches = used_[i] = true;
  }
  return matches;
}

const std::string* GivenGlobs::FindUnused() const {
  const auto unused = std::find(used_.begin(), used_.end(), false);
  return unused == used_.end() ? nullptr : &patterns_[unused - used_.begin()];
}

}  // namespace qconform
