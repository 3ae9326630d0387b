// The harness' side of worker.proto: one worker and the protocol with it.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_LINK_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_LINK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/backends/process/child_process.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/reply_limits.h"
#include "harness/backends/process/shared_area.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/result.h"

namespace qconform {

// Everything that is needed to start a worker.
struct WorkerCommand {
  std::vector<std::string> words;
  // The worker is this program, whose errors at the start need no name in front.
  bool is_own = false;
  ChildLimits limits;
  // The text of --backend, for errors; empty: the first of `words`.
  std::string name;
  // The time limit of the handshake if limits.timeout is shorter, because libraries take
  // time to load. The help of --timeout-per-case mentions it.
  std::chrono::milliseconds start_timeout{30000};
  // The size of the file for large tensors; 0: none is offered.
  uint64_t shared_bytes = uint64_t{1} << 30;
  // Tensors of fewer bytes in total are sent as messages.
  uint64_t shared_from_bytes = uint64_t{1} << 15;
  // Inputs of at least this many bytes in total are run in place by our own program,
  // between pages that it cannot access.
  uint64_t guarded_from_bytes = uint64_t{1} << 17;
};

class WorkerLink {
 public:
  using Started = Result<std::unique_ptr<WorkerLink>>;
  // Starts the worker and does the handshake. An Error has what it wrote to stderr.
  // Throws Shortage as Spawn does, and for shared memory that needs one more file.
  static Started Start(const WorkerCommand& command);
  // The same for a worker that is already started.
  static Started Greet(std::unique_ptr<ChildProcess> child, const WorkerCommand& command);

  const worker::HelloReply& about() const { return about_; }
  // False after a failure that ended the worker, or made it untrustworthy.
  bool usable() const { return usable_; }

  // `model` is a ModelProto, or EncodeCompactModel's bytes for our own program. Both
  // return what the worker answers, or kCrashed, kTimedOut or kUnreadable with the
  // worker's stderr if it does not answer or breaks the protocol. Both throw Shortage if
  // our own child says that it lacks something. A request that cannot
  // be sent is kHarness; but a foreign worker without shared_memory has Unsupported for
  // inputs that do not fit into a message. A reply of more than `limits` is kUnreadable.
  using Prepared = std::variant<uint64_t, Unsupported, Refused, BackendError>;
  Prepared Prepare(const std::string& model);
  // The same for a whole model. One that does not fit into a message goes to our own
  // program by the shared file, and is Unsupported for a foreign worker.
  Prepared PrepareWhole(const WholeModel& model);
  RunResult Run(uint64_t handle, std::span<const TensorView> inputs,
                const ReplyLimits& limits);
  // Both in one exchange, for a worker whose handle is the seq of the prepare request, as
  // with ours. Sets `handle` if the model was prepared.
  RunResult PrepareAndRun(const std::string& model, std::span<const TensorView> inputs,
                          const ReplyLimits& limits, std::optional<uint64_t>& handle);
  // Sent together with the next request.
  void Release(uint64_t handle);

  // Returns where the first input of a run may be written instead of being copied there;
  // empty if there is no such place. Valid until the next run, and as long as shared().
  std::span<std::byte> FirstInput(size_t bytes);
  std::shared_ptr<const SharedArea> shared() const { return shared_; }

  // Returns MappedCode of the worker and its descendants.
  std::set<std::string> CodeFiles() const;
  // Returns whether the worker exits within five seconds after its input ends.
  bool LeavesAtTheEnd();

 private:
  WorkerLink(std::unique_ptr<ChildProcess> child, const WorkerCommand& command)
      : child_(std::move(child)), command_(command) {}

  // Sends what is pending and reads the reply with that seq. `request` is the name of
  // the request, for errors.
  std::variant<worker::Reply, BackendError> Converse(ChildLimits limits, uint64_t seq,
                                                     const char* request,
                                                     ReplyLimits most);
  // Each appends a request, under the next number, to those that wait to be sent.
  Status Append(worker::Request& request);
  Status AppendPrepare(const std::string& model);
  // Puts the inputs into messages or into the shared file, with room for outputs there.
  Status AppendRun(uint64_t handle, std::span<const TensorView> inputs);
  // Returns why a request with these inputs was not sent: the worker takes them only as
  // messages, whose length the protocol limits, or the harness failed.
  RunResult NotSent(const Error& error) const;
  Prepared ToPrepared(const worker::Reply& reply);
  RunResult ToRunResult(const worker::Reply& reply);
  BackendError Give(BackendError::Kind kind, std::string text);
  // Returns whether inputs of this many bytes are run in place.
  bool IsGuarded(uint64_t bytes) const {
    return command_.is_own && bytes >= command_.guarded_from_bytes;
  }
  RunResult Unpack(const worker::Outputs& outputs);

  std::unique_ptr<ChildProcess> child_;
  WorkerCommand command_;
  std::shared_ptr<SharedArea> shared_;  // null: all tensors travel as messages
  std::optional<Error> no_shared_;      // why none could be offered, if it was to be
  worker::HelloReply about_;
  std::string pending_;  // frames to send with the next request, and its own
  uint64_t seq_ = 0;
  bool usable_ = true;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_LINK_H_
