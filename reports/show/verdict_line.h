// The verdict of a run in one line, for people and logs that want nothing else.
#ifndef QCONFORM_REPORTS_SHOW_VERDICT_LINE_H_
#define QCONFORM_REPORTS_SHOW_VERDICT_LINE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "reports/record/verdict.h"
#include "reports/report/report.h"

namespace qconform {

// Returns a line such as
//   FAIL  193 of 300 supported cells deviate (4472 unsupported), 6 findings
// Its first word is that of the exit code: PASS, FAIL, INCOMPLETE, UNSUPPORTED (nothing
// is supported) or INTERRUPTED. If the line is wider than `width`, the number of findings
// and that of unsupported and untested cells are left out, but nothing that deviates.
std::string VerdictLine(const Report& report, ExitCode code, size_t width = SIZE_MAX);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_VERDICT_LINE_H_
