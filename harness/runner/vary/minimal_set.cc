#include "harness/runner/vary/minimal_set.h"

#include <algorithm>
#include <utility>

namespace qconform {
namespace {

// Part `index` of `count` nearly equal parts.
Names Part(const Names& names, size_t index, size_t count) {
  const size_t begin = names.size() * index / count;
  const size_t end = names.size() * (index + 1) / count;
  return {names.begin() + static_cast<std::ptrdiff_t>(begin),
          names.begin() + static_cast<std::ptrdiff_t>(end)};
}

// All names but those of that part.
Names Rest(const Names& names, size_t index, size_t count) {
  const size_t begin = names.size() * index / count;
  const size_t end = names.size() * (index + 1) / count;
  Names rest(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), names.begin() + static_cast<std::ptrdiff_t>(end), names.end());
  return rest;
}

}  // namespace

Result<std::optional<Names>> FindMinimalSet(const Names& names, size_t alone,
                                            const Passes& passes) {
  for (size_t i = 0; i < std::min(alone, names.size()); ++i) {
    const auto passed = passes({names[i]});
    if (!passed) return passed.error();
    if (*passed) return std::optional<Names>({names[i]});
  }
  if (names.empty()) return std::optional<Names>();
  const auto all = passes(names);
  if (!all) return all.error();
  if (!*all) return std::optional<Names>();
  // Delta debugging (Zeller and Hildebrandt, 2002): one part, then all but one part, of
  // ever smaller parts.
  Names left = names;
  size_t parts = 2;
  while (left.size() > 1) {
    bool smaller = false;
    for (size_t i = 0; i < parts && !smaller; ++i) {
      Names part = Part(left, i, parts);
      const auto passed = passes(part);
      if (!passed) return passed.error();
      if (!*passed) continue;
      left = std::move(part);
      parts = 2;
      smaller = true;
    }
    // With two parts, all but one part is the other part.
    for (size_t i = 0; i < parts && !smaller && parts > 2; ++i) {
      Names rest = Rest(left, i, parts);
      const auto passed = passes(rest);
      if (!passed) return passed.error();
      if (!*passed) continue;
      left = std::move(rest);
      parts = std::max<size_t>(parts - 1, 2);
      smaller = true;
    }
    if (smaller) continue;
    if (parts >= left.size()) break;
    parts = std::min(2 * parts, left.size());
  }
  return std::optional<Names>(std::move(left));
}

}  // namespace qconform
