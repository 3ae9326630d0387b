// One worker and the protocol: the harness' side of worker.proto.
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
#include "harness/backends/process/shared_area.h"
#include "oracle/base/result.h"

namespace qconform {

// What there is to know to start a worker, again and again.
struct WorkerCommand {
  std::vector<std::string> words;
  // The worker is this program: what it says about its start needs no name in front.
  bool is_own = false;
  ChildLimits limits;
  // What --backend names, for errors; empty: the first of `words`.
  std::string name;
  // For the handshake where limits.timeout is less: libraries take their time to load.
  // The help of --timeout-per-case tells of it.
  std::chrono::milliseconds start_timeout{30000};
  // The file for large tensors; 0: none is offered.
  uint64_t shared_bytes = uint64_t{1} << 30;
  // Tensors of fewer bytes in all travel as messages.
  uint64_t shared_from_bytes = uint64_t{1} << 15;
  // Inputs of so many bytes in all are run by our own program where they lie, between
  // pages that it cannot access.
  uint64_t guarded_from_bytes = uint64_t{1} << 17;
};

class WorkerLink {
 public:
  // Starts the worker and greets it. The Error carries what it wrote to stderr.
  static Result<std::unique_ptr<WorkerLink>> Start(const WorkerCommand& command);
  // The same for a worker that the command has started.
  static Result<std::unique_ptr<WorkerLink>> Greet(std::unique_ptr<ChildProcess> child,
                                                   const WorkerCommand& command);

  const worker::HelloReply& about() const { return about_; }
  // False after a failure that leaves nobody to speak to, or nobody to believe.
  bool usable() const { return usable_; }

  // `model`: a ModelProto, or for our own program EncodeCompactModel's bytes.
  // Both return what the worker says, or kCrashed, kTimedOut and kUnreadable
  // with the worker's stderr where it does not, or says what it must not.
  std::variant<uint64_t, Unsupported, Refused, BackendError> Prepare(
      const std::string& model);
  RunResult Run(uint64_t handle, std::span<const TensorView> inputs);
  // Both in one exchange, with a worker that takes the seq of a prepare for the
  // handle, as ours does. `handle` is set where the model was prepared.
  RunResult PrepareAndRun(const std::string& model, std::span<const TensorView> inputs,
                          std::optional<uint64_t>& handle);
  // Goes along with the next request.
  void Release(uint64_t handle);

  // Where the first input of a run may be written instead of being copied there;
  // empty where there is no such place. Valid until the next run, and as long as
  // shared() is.
  std::span<std::byte> FirstInput(size_t bytes);
  std::shared_ptr<const SharedArea> shared() const { return shared_; }

  // Sends a request and returns its reply; for worker-check, which also sends what
  // a harness would not.
  std::variant<worker::Reply, BackendError> Ask(worker::Request request);
  // MappedCode of the worker and what it started.
  std::set<std::string> CodeFiles() const;
  // Whether the worker exits within five seconds after its input ends.
  bool LeavesAtTheEnd();
  // What the worker wrote to stderr since the last failure or call.
  std::string TakeStderr() { return child_->TakeStderr(); }

 private:
  WorkerLink(std::unique_ptr<ChildProcess> child, const WorkerCommand& command)
      : child_(std::move(child)), command_(command) {}

  std::variant<worker::Reply, BackendError> Converse(const ChildLimits& limits,
                                                     uint64_t seq);
  worker::Prepare ToPrepare(const std::string& model) const;
  std::variant<uint64_t, Unsupported, Refused, BackendError> ToPrepared(
      worker::Reply&& reply);
  RunResult ToRunResult(worker::Reply&& reply);
  BackendError Give(BackendError::Kind kind, std::string text);
  // Whether inputs of so many bytes are run where they lie.
  bool IsGuarded(uint64_t bytes) const {
    return command_.is_own && bytes >= command_.guarded_from_bytes;
  }
  // The inputs as messages, or by the shared file; and room for outputs there.
  Result<worker::Run> Pack(uint64_t handle, std::span<const TensorView> inputs);
  RunResult Unpack(worker::OutputTensors&& outputs);

  std::unique_ptr<ChildProcess> child_;
  WorkerCommand command_;
  std::shared_ptr<SharedArea> shared_;  // null: all tensors travel as messages
  worker::HelloReply about_;
  std::string pending_;  // frames to send with the next request, and its own
  uint64_t seq_ = 0;
  bool usable_ = true;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_WORKER_LINK_H_
