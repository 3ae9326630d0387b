#include "oracle/base/glob.h"

#include <algorithm>
#include <cstddef>

namespace qconform {

namespace {

// Matches one character against the element of the pattern at `p`, which is no `*`.
// Returns the place after the element, or `p` if it does not match.
size_t MatchOne(std::string_view pattern, size_t p, char c) {
  // A `]` that comes first is one of the characters.
  const bool negated =
      p + 1 < pattern.size() && (pattern[p + 1] == '!' || pattern[p + 1] == '^');
  const size_t begin = p + (negated ? 2 : 1);
  const size_t end = pattern[p] == '[' ? pattern.find(']', begin + 1) : pattern.npos;
  if (end == pattern.npos) {
    return pattern[p] == '?' || pattern[p] == c ? p + 1 : p;
  }
  bool matches = false;
  for (size_t i = begin; i < end; ++i) {
    if (i + 2 < end && pattern[i + 1] == '-') {
      matches = matches || (pattern[i] <= c && c <= pattern[i + 2]);
      i += 2;
    } else {
      matches = matches || pattern[i] == c;
    }
  }
  return matches != negated ? end + 1 : p;
}

}  // namespace

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
    } else if (const size_t next = p < pattern.size() ? MatchOne(pattern, p, text[t]) : p;
               next != p) {
      p = next;
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

bool CellGlobMatches(std::string_view pattern, std::string_view cell) {
  return GlobMatches(pattern, cell) ||
         (pattern.find('/') == pattern.npos &&
          GlobMatches(pattern, cell.substr(0, cell.find('/'))));
}

bool GivenGlobs::Match(std::string_view text) {
  bool matches = patterns_.empty();
  for (size_t i = 0; i < patterns_.size(); ++i) {
    if (!CellGlobMatches(patterns_[i], text)) continue;
    matches = used_[i] = true;
  }
  return matches;
}

const std::string* GivenGlobs::FindUnused() const {
  const auto unused = std::find(used_.begin(), used_.end(), false);
  return unused == used_.end() ? nullptr : &patterns_[unused - used_.begin()];
}

}  // namespace qconform
