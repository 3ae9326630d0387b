// Implementations in other processes: process:COMMAND, and any kind of backend of
// this program moved out of it.
//
// A worker that crashes, hangs, grows, prints rubbish or answers another question
// costs the case that it was asked its answer (BackendError: kCrashed, kTimedOut,
// kUnreadable); it is replaced, and the next case goes on. A case whose worker
// died is run once more alone in a fresh worker, and the text says whether it died
// again. Some of the cases are asked twice: other bits are kNondeterministic.
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
  // What --backend names, "process:COMMAND" or "plugin:PATH".
  std::string name;
  std::string kind;
  // Whether to ask some cases twice; a plugin's loader does that by itself.
  bool ask_twice = true;
};

// Starts a first worker and greets it. An Error where that fails, with what the
// worker wrote to stderr. The backend is concurrent: each thread that prepares a
// model has a worker of its own. Where the worker is this program, a model is
// prepared along with its first run, which then says what Prepare would have said:
// a round trip less per case.
Result<std::unique_ptr<Backend>> MakeProcessBackend(ProcessBackendOptions options);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_PROCESS_BACKEND_H_
