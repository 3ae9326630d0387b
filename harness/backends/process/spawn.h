// Starts a program with three pipes.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_SPAWN_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_SPAWN_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

struct Spawned {
  pid_t pid = -1;
  int in = -1;   // to its stdin; ours are non-blocking, and closed on exec
  int out = -1;  // from its stdout
  int err = -1;  // from its stderr
};

// Runs words[0], searched in PATH. The child has a process group of its own, default
// signals, no other open files and no core dumps, and gets SIGKILL when this process
// ends. An Error if the program cannot be run. Throws Shortage if this process has not
// enough memory, processes, threads or file descriptors for it, which says nothing about
// the program.
Result<Spawned> Spawn(const std::vector<std::string>& words);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_SPAWN_H_
