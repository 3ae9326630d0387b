// The rules for the source tree that a compiler does not check: which folder may include
// which, what only the folder of an operator may know, and how large a folder may be.
#ifndef QCONFORM_CMAKE_INCLUDE_DIRECTIONS_RULES_H_
#define QCONFORM_CMAKE_INCLUDE_DIRECTIONS_RULES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace qconform {

struct TreeFile {
  std::string path;  // from the root of the project, with slashes
  std::string text;
};

struct Violation {
  std::string path;  // a file, or a folder
  size_t line = 0;   // from 1; 0: the whole of it
  std::string what;
};

inline constexpr size_t kMostEntries = 40;

// Returns the violations in a tree, in the order of its files. It needs the text of
// sources only.
std::vector<Violation> FindViolations(const std::vector<TreeFile>& tree);

// Whether FindViolations reads the text of a file.
bool IsSource(const std::string& path);

}  // namespace qconform

#endif  // QCONFORM_CMAKE_INCLUDE_DIRECTIONS_RULES_H_
