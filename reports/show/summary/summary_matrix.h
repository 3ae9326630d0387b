// The matrix of a summary: which part of the supported cells passes, by operator or
// output type, and by since_version. Private to reports/show.
#ifndef QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_MATRIX_H_
#define QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_MATRIX_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reports/report/report.h"
#include "reports/show/summary/summary_writer.h"

namespace qconform {

// What a row of the matrix is, coarse to fine.
enum class MatrixRows { kOperators, kTypeClasses, kTypes };

// Returns the cells that were supported and asked: without those that are unsupported or
// untested.
VerdictCounts Supported(const VerdictCounts& counts);

// Returns the mark of a group of cells: that of its supported ones, if there are any.
Mark GroupMark(const VerdictCounts& counts);

// Returns the lines of the matrix in the finest rows of which at most `most` lines are
// needed, or else by operator, with its legend as the last line; empty if there are no
// cells.
std::vector<std::string> MatrixLines(const Report& report, const Writer& writer,
                                     int width, size_t most);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SUMMARY_SUMMARY_MATRIX_H_
