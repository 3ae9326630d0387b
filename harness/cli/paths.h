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

// An Error where a file that is written is also another one of them, or cannot be
// written. Devices, pipes and standard streams may be named
// twice.
Status CheckPaths(const std::vector<NamedPath>& paths);

// Where the journal of a run goes whose report is `report`: beside it, and nowhere
// (/dev/null) where that is a device, a pipe or a standard stream.
std::string JournalBeside(const std::string& report);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_PATHS_H_
