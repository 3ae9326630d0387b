// A process and its descendants.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_

#include <sys/types.h>

#include <vector>

namespace qconform {

// Returns `pid` and its descendants, eight levels deep. Processes whose parent has ended
// (daemons) are missing.
std::vector<pid_t> ProcessTree(pid_t pid);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_
