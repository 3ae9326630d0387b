// Which files a process runs code of: its program and its shared libraries.
#ifndef QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_
#define QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_

#include <sys/types.h>

#include <set>
#include <string>

namespace qconform {

// Returns the paths of the files whose code the process has mapped, links resolved;
// empty where its map cannot be read. A file that was replaced or removed since keeps
// the kernel's mark behind its path, " (deleted)": what was loaded is there no more.
std::set<std::string> MappedCode(pid_t pid);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_MAPPED_CODE_H_
