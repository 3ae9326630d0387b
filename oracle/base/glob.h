// Patterns of cells, backends and names of tests, the same wherever one is given.
#ifndef QCONFORM_ORACLE_BASE_GLOB_H_
#define QCONFORM_ORACLE_BASE_GLOB_H_

#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// Returns whether the glob pattern (`*` any text, `?` one character, both
// across slashes) matches the whole of `text`.
bool GlobMatches(std::string_view pattern, std::string_view text);

// Returns whether one of the patterns does.
bool AnyGlobMatches(const std::vector<std::string>& patterns, std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_GLOB_H_
