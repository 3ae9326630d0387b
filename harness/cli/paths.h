// The files that a command line names, checked before the work.
#ifndef QCONFORM_HARNESS_CLI_PATHS_H_
#define QCONFORM_HARNESS_CLI_PATHS_H_

#include <string>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

struct NamedPath {
  std::string what;  // the flag that names it, such as "--report"
  std::string path;  // empty: not given
  bool written = true;
};

// Returns an Error if a file that is written cannot be written, or is named for a second
// purpose. Devices, pipes and standard streams may be named twice.
Status CheckPaths(const std::vector<NamedPath>& paths);

// Returns the path of a run's journal: "REPORT.journal", or /dev/null if the report goes
// to a device, a pipe or a standard stream.
std::string JournalBeside(const std::string& report);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PATHS_H_
