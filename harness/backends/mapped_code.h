// The files whose code a process runs: its program and its shared libraries.
#ifndef QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_
#define QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_

#include <sys/types.h>

#include <set>
#include <string>

namespace qconform {

// Returns the paths of the files whose code the process has mapped, with links resolved;
// empty if its map cannot be read. The path of a file that was replaced or removed since
// ends in the kernel's mark " (deleted)".
std::set<std::string> MappedCode(pid_t pid);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_
