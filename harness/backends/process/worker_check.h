// Tests of a worker for its author: what `qconform worker-check` prints.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_

#include <string>
#include <vector>

#include "harness/backends/process/worker_link.h"
#include "oracle/base/result.h"

namespace qconform {

struct WorkerCheckRow {
  enum class Outcome : uint8_t { kOk, kDeclined, kFailed };
  std::string what;  // "answers a model with constants"
  Outcome outcome = Outcome::kOk;
  std::string text;  // what was wrong, or worth knowing
};

// Runs every check, each that needs one in a fresh worker where the one before was
// lost. There is at least one row; where the first (the handshake) fails it is the
// only one. An Error names a program that cannot be run, and why.
Result<std::vector<WorkerCheckRow>> CheckWorker(const WorkerCommand& command);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_
