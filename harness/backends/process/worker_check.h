// The checks of a worker that `qconform worker-check` runs for its author.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/backends/process/worker_link.h"
#include "oracle/base/result.h"

namespace qconform {

struct WorkerCheckRow {
  enum class Outcome : uint8_t { kOk, kDeclined, kFailed };
  std::string what;  // "answers a model with constants"
  Outcome outcome = Outcome::kOk;
  std::string text;  // what was wrong, or worth knowing
};

struct WorkerQuestions {
  // Returns a question whose first input has that many elements. The other operands are
  // constants of the model or further inputs.
  std::function<FedModel(int64_t elements, bool with_constants)> make;
  // Returns the right answer to one of them.
  std::function<Result<Outputs>(const FedModel& question)> answer;
};

// Runs every check; a worker that is lost is replaced before the next one. There is at
// least one row; if the first check (the handshake) fails, it is the only one. Returns an
// Error that says why if the program cannot be run, a question has no answer, or the
// harness itself failed.
Result<std::vector<WorkerCheckRow>> CheckWorker(const WorkerCommand& command,
                                                const WorkerQuestions& questions);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_CHECK_H_
