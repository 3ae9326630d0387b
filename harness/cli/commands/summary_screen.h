// How commands show a report on the screen: --verbose and --quiet, and the verdict last.
#ifndef QCONFORM_HARNESS_CLI_COMMANDS_SUMMARY_SCREEN_H_
#define QCONFORM_HARNESS_CLI_COMMANDS_SUMMARY_SCREEN_H_

#include <string>

#include "harness/cli/command_line.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"
#include "reports/report/report.h"

namespace qconform {

struct SummaryFlags {
  bool verbose = false;
  bool quiet = false;
};

// Adds --verbose and --quiet.
void AddSummaryFlags(Command& command, SummaryFlags& flags);

// Returns "backend NAME (DEVICE), 5 672 cells, level smoke, seed 1", and before it the
// profile if there is one.
std::string RunText(const RunInfo& run, int64_t cells);

// Prints the summary of a report, or its details, without the end. `path`: the report's
// file, which the next command to type names; empty: there is none.
void PrintSummary(const Report& report, const SummaryFlags& flags,
                  const std::string& path);

// Prints the next command and the verdict; only the verdict if --quiet is given. That
// goes to the stdout of the start, or to stderr if that has been taken for a file.
Status PrintVerdict(const Report& report, const SummaryFlags& flags,
                    const std::string& path, ExitCode code);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_COMMANDS_SUMMARY_SCREEN_H_
