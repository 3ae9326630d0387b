// Implementations in other processes: process:COMMAND, and any backend of this program
// that runs in a child.
//
// If a worker crashes, hangs, uses too much memory or prints garbage, only the present
// case loses its answer (BackendError: kCrashed, kTimedOut, kUnreadable), and another
// worker takes the next case. A case whose worker died is run once more alone in a fresh
// worker, and the text says whether that one died too. Some cases are asked twice;
// different bits are kNondeterministic.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_BACKEND_H_

#include <memory>
#include <string>

#include "harness/backends/backend.h"
#include "harness/backends/process/worker_link.h"
#include "oracle/base/result.h"

namespace qconform {

struct ProcessBackendOptions {
  WorkerCommand command;
  // The text of --backend, "process:COMMAND" or "plugin:PATH".
  std::string name;
  std::string kind;
  // Whether to ask some cases twice; the loader of plugins does that itself.
  bool ask_twice = true;
};

// Starts a first worker and does the handshake. If that fails, returns an Error with what
// the worker wrote to stderr. The backend is concurrent: each thread that prepares a
// model has a worker of its own. If the worker is this program, a model is prepared
// together with its first run, which then returns what Prepare would have returned. This
// saves a round trip per case.
Result<std::unique_ptr<Backend>> MakeProcessBackend(ProcessBackendOptions options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_BACKEND_H_
