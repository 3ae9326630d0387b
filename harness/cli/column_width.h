// Widths of columns in lists that are printed for a terminal.
#ifndef QCONFORM_HARNESS_CLI_COLUMN_WIDTH_H_
#define QCONFORM_HARNESS_CLI_COLUMN_WIDTH_H_

#include <algorithm>

namespace qconform {

// Returns the number of letters of the longest of these names, but at least `least`.
template <typename Names>
int ColumnWidth(const Names& names, int least) {
  int width = least;
  for (const auto& name : names) width = std::max(width, static_cast<int>(name.size()));
  return width;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COLUMN_WIDTH_H_
