// A process and what it started.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_

#include <sys/types.h>

#include <vector>

namespace qconform {

// Returns `pid`, its children, theirs, and so on, eight deep. What its parent has left
// (a daemon) is not among them.
std::vector<pid_t> ProcessTree(pid_t pid);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_TREE_H_
