// Patterns of cells, backends and names of tests, the same wherever one is given.
#ifndef QCONFORM_ORACLE_BASE_GLOB_H_
#define QCONFORM_ORACLE_BASE_GLOB_H_

#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// Returns whether the glob pattern matches the whole of `text`: `*` is any text, `?` any
// character, `[a-c_]` one of these and `[!a-c_]` one of the others, all across slashes. A
// `[` that nothing closes is itself.
bool GlobMatches(std::string_view pattern, std::string_view text);

// Returns whether the pattern of cells matches the id of a cell: the whole of it or, if
// the pattern has no slash, the operator that it begins with.
bool CellGlobMatches(std::string_view pattern, std::string_view cell);

// Patterns of cells, or of names without slashes, that somebody gave, each of which has
// to match something.
class GivenGlobs {
 public:
  // `patterns` must outlive it.
  explicit GivenGlobs(const std::vector<std::string>& patterns)
      : patterns_(patterns), used_(patterns.size()) {}

  // Returns whether one of them matches, or there are none.
  bool Match(std::string_view text);
  // Returns the first that matched nothing so far, or null.
  const std::string* FindUnused() const;

 private:
  const std::vector<std::string>& patterns_;
  std::vector<bool> used_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_GLOB_H_
