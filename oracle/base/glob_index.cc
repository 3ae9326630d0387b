#include "oracle/base/glob_index.h"

#include <algorithm>
#include <bit>

#include "oracle/base/glob.h"

namespace qconform {
namespace {

constexpr size_t kGram = 3;
// With fewer patterns it takes longer to make an index than to try each with each cell.
constexpr size_t kFewPatterns = 64;

// Calls `add` with each part of the pattern that stands in every text that it matches.
void ForEachLiteral(std::string_view pattern,
                    const std::function<void(std::string_view)>& add) {
  size_t begin = 0;
  for (size_t i = 0; i <= pattern.size(); ++i) {
    const bool is_end = i == pattern.size() || pattern[i] == '*' || pattern[i] == '?' ||
                        pattern[i] == '[';
    if (!is_end) continue;
    add(pattern.substr(begin, i - begin));
    if (i < pattern.size() && pattern[i] == '[') {
      // As in oracle/base/glob.cc: a `]` that comes first is one of the characters.
      const size_t first =
          i + 1 < pattern.size() && (pattern[i + 1] == '!' || pattern[i + 1] == '^')
              ? i + 2
              : i + 1;
      const size_t close = pattern.find(']', first + 1);
      if (close != std::string_view::npos) i = close;
    }
    begin = i + 1;
  }
}

}  // namespace

CellSet::CellSet(size_t size, bool full) : size_(size), words_((size + 63) / 64) {
  if (!full) return;
  for (size_t place = 0; place < size; ++place) Add(place);
}

void CellSet::Intersect(const CellSet& other) {
  for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}

size_t CellSet::Next(size_t place) const {
  for (size_t word = place / 64; word < words_.size(); ++word) {
    uint64_t bits = words_[word];
    if (word == place / 64) bits &= ~uint64_t{0} << (place % 64);
    if (bits != 0) return word * 64 + static_cast<size_t>(std::countr_zero(bits));
  }
  return size_;
}

GlobIndex::GlobIndex(const std::set<std::string_view>& ids)
    : ids_(ids.begin(), ids.end()) {
  for (size_t place = 0; place < ids_.size(); ++place) {
    const std::string_view id = ids_[place];
    for (size_t i = 0; i + kGram <= id.size(); ++i) {
      having_.try_emplace(id.substr(i, kGram), ids_.size(), false)
          .first->second.Add(place);
    }
  }
}

size_t GlobIndex::PlaceOf(std::string_view id) const {
  const auto found = std::ranges::lower_bound(ids_, id);
  return found != ids_.end() && *found == id ? static_cast<size_t>(found - ids_.begin())
                                             : ids_.size();
}

void GlobIndex::ForEachMatch(std::string_view pattern, const CellSet& among,
                             const std::function<bool(size_t place)>& found) {
  CellSet left = among;
  bool none = false;
  ForEachLiteral(pattern, [&](std::string_view literal) {
    for (size_t i = 0; i + kGram <= literal.size() && !none; ++i) {
      const auto having = having_.find(literal.substr(i, kGram));
      none = having == having_.end();
      if (!none) left.Intersect(having->second);
    }
  });
  if (none) return;
  for (size_t place = left.Next(0); place < size(); place = left.Next(place + 1)) {
    ++tried_;
    if (CellGlobMatches(pattern, ids_[place]) && !found(place)) return;
  }
}

size_t MatchedGlobs::FirstUnused() const {
  return static_cast<size_t>(std::ranges::find(patterns, false) - patterns.begin());
}

MatchedGlobs MatchGlobs(std::span<const std::string> patterns,
                        std::span<const std::string> cells) {
  MatchedGlobs matched{std::vector<bool>(cells.size()),
                       std::vector<bool>(patterns.size())};
  if (patterns.size() <= kFewPatterns) {
    for (size_t i = 0; i < patterns.size(); ++i) {
      for (size_t k = 0; k < cells.size(); ++k) {
        if (CellGlobMatches(patterns[i], cells[k])) {
          matched.patterns[i] = matched.cells[k] = true;
        }
      }
    }
    return matched;
  }
  GlobIndex index({cells.begin(), cells.end()});
  const CellSet all(index.size(), true);
  CellSet left = all;  // what no pattern matches so far
  for (size_t i = 0; i < patterns.size(); ++i) {
    index.ForEachMatch(patterns[i], left, [&](size_t place) {
      left.Remove(place);
      matched.patterns[i] = true;
      return true;
    });
    if (matched.patterns[i]) continue;
    index.ForEachMatch(patterns[i], all, [&](size_t) {
      matched.patterns[i] = true;
      return false;
    });
  }
  for (size_t k = 0; k < cells.size(); ++k) {
    const size_t place = index.PlaceOf(cells[k]);
    matched.cells[k] = left.Next(place) != place;
  }
  return matched;
}

}  // namespace qconform
