#include "harness/backends/process/worker_link.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/backends/mapped_code.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/process/process_tree.h"

namespace qconform {
namespace {

using worker::Reply;
using worker::Request;

constexpr uint64_t kAlignment = 64;

uint64_t RoundUp(uint64_t offset, uint64_t to) { return (offset + to - 1) / to * to; }

// Where the tensors of one run lie in the shared file.
struct Places {
  std::vector<worker::SharedRange> inputs;
  worker::SharedRange room;  // outputs that need more travel as messages
  uint64_t end = 0;
};

// If guarded, each ends at the end of a page, and the next page is inaccessible. The
// place of the first input depends only on its own size.
Places PlacesOf(std::span<const size_t> sizes, bool guarded) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t gap = guarded ? page : 0;
  const uint64_t step = guarded ? page : kAlignment;
  Places places;
  uint64_t total = 0;
  for (const uint64_t size : sizes) {
    const uint64_t whole = RoundUp(size, step);
    places.inputs.push_back({places.end + (guarded ? whole - size : 0), size});
    places.end += whole + gap;
    total += whole;
  }
  places.room = {places.end, std::max<uint64_t>(total, uint64_t{1} << 20)};
  places.end += places.room.size + gap;
  return places;
}

// Returns the end of what a program printed, on one line and printable.
std::string Shortened(std::string text) {
  constexpr size_t kMost = 600;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.size() > kMost) text = "..." + text.substr(text.size() - kMost);
  std::string line;
  for (const char c : text) {
    if (c == '\n')
      line += " | ";
    else
      line += (c >= ' ' && c <= '~') ? c : '?';
  }
  return line;
}

BackendError::Kind KindOf(ChildFailure::Kind kind) {
  switch (kind) {
    case ChildFailure::Kind::kExited:
    case ChildFailure::Kind::kMemory:
      return BackendError::Kind::kCrashed;
    case ChildFailure::Kind::kTimedOut:
      return BackendError::Kind::kTimedOut;
    case ChildFailure::Kind::kClosed:
    case ChildFailure::Kind::kTooLong:
      return BackendError::Kind::kUnreadable;
    case ChildFailure::Kind::kStopped:
      return BackendError::Kind::kFailed;
  }
  return BackendError::Kind::kFailed;
}

Tensor ToTensor(worker::TensorMessage&& message) {
  // Any type is taken: the comparison says what is wrong with it.
  Tensor tensor{static_cast<DataType>(message.data_type), std::move(message.dims), {}};
  const auto data = std::as_bytes(std::span(message.data));
  tensor.data.assign(data.begin(), data.end());
  return tensor;
}

Outputs ToOutputs(worker::OutputTensors&& messages) {
  Outputs outputs;
  for (worker::TensorMessage& message : messages.tensors) {
    outputs.push_back(ToTensor(std::move(message)));
  }
  return outputs;
}

// `is_own`: whether the worker is qconform's own program.
BackendError ToError(worker::ErrorReply&& error, bool is_own) {
  auto kind = BackendError::Kind::kFailed;
  if (error.kind == worker::ErrorReply::Kind::kInvalidOutput) {
    kind = BackendError::Kind::kInvalidOutput;
  } else if (error.kind == worker::ErrorReply::Kind::kNondeterministic) {
    kind = BackendError::Kind::kNondeterministic;
  } else if (is_own && error.kind == worker::ErrorReply::Kind::kHarness) {
    kind = BackendError::Kind::kHarness;
  }
  BackendError result{kind, std::move(error.text)};
  if (error.others.empty()) return result;
  UnsteadyAnswer unsteady{ToOutputs(std::move(error.first)), {}};
  for (worker::OtherOutputs& other : error.others) {
    unsteady.others.push_back({std::move(other.changed), std::move(other.text),
                               ToOutputs(std::move(other.outputs))});
  }
  result.unsteady = std::make_shared<const UnsteadyAnswer>(std::move(unsteady));
  return result;
}

// Returns the answer that a worker may give to any request in place of the result.
template <typename Answer>
std::optional<Answer> Instead(decltype(Reply::body)& body, bool is_own) {
  if (auto* declined = std::get_if<worker::Declined>(&body)) {
    return Unsupported{std::move(declined->reason), std::move(declined->url)};
  }
  if (auto* refused = std::get_if<worker::RefusedReply>(&body)) {
    return Refused{std::move(refused->reason)};
  }
  if (auto* error = std::get_if<worker::ErrorReply>(&body)) {
    return ToError(std::move(*error), is_own);
  }
  return std::nullopt;
}

std::string BodyName(const Reply& reply) {
  constexpr const char* kNames[] = {"nothing known", "hello",   "prepared", "outputs",
                                    "unsupported",   "refused", "error"};
  return kNames[reply.body.index()];
}

}  // namespace

Result<std::unique_ptr<WorkerLink>> WorkerLink::Start(const WorkerCommand& command) {
  auto child = ChildProcess::Start(command.words);
  if (!child) return child.error();
  return Greet(*std::move(child), command);
}

Result<std::unique_ptr<WorkerLink>> WorkerLink::Greet(std::unique_ptr<ChildProcess> child,
                                                      const WorkerCommand& command) {
  std::unique_ptr<WorkerLink> link(new WorkerLink(std::move(child), command));
  const auto fault = [&](const std::string& what) {
    if (!command.name.empty()) return Error{"backend " + command.name + ": " + what};
    return Error{"worker '" + command.words[0] + "': " + what};
  };
  worker::Hello hello{.harness = "qconform"};
  if (command.shared_bytes > 0) {
    // Without it all goes by messages: slower, and right.
    auto shared = SharedArea::Create(command.shared_bytes);
    if (shared) {
      link->shared_ = *std::move(shared);
      hello.shared_memory_path = link->shared_->path();
      hello.shared_memory_size = link->shared_->size();
    }
  }
  ChildLimits limits = command.limits;
  limits.timeout = std::max(limits.timeout, command.start_timeout);
  const Status sendable =
      worker::AppendFrame(Request{++link->seq_, hello}, link->pending_);
  if (!sendable) return fault(sendable.error().message);
  auto reply = link->Converse(limits, link->seq_);
  if (link->shared_) link->shared_->Unlink();
  if (const auto* error = std::get_if<BackendError>(&reply)) {
    return fault(command.is_own ? "the process that loads it " + error->text
                                : error->text);
  }
  auto& body = std::get<Reply>(reply).body;
  if (const auto* error = std::get_if<worker::ErrorReply>(&body)) {
    if (command.is_own) return Error{error->text};
    return fault("answered hello with an error: " + error->text);
  }
  auto* about = std::get_if<worker::HelloReply>(&body);
  if (about == nullptr) {
    return fault("reply to hello: expected hello, got " +
                 BodyName(std::get<Reply>(reply)));
  }
  // If the request is read as a reply, these are in the places of name and vendor.
  if (about->name == hello.harness && about->vendor == hello.shared_memory_path) {
    return fault("reply to hello: expected the worker's own, got an echo of the request");
  }
  if (about->protocol_version != worker::kProtocolVersion) {
    return fault("protocol: expected version " +
                 std::to_string(worker::kProtocolVersion) + ", got " +
                 std::to_string(about->protocol_version));
  }
  if (const Status fits = CheckHello(*about); !fits) return fault(fits.error().message);
  link->about_ = std::move(*about);
  if (!link->about_.shared_memory) link->shared_.reset();
  return link;
}

BackendError WorkerLink::Give(BackendError::Kind kind, std::string text) {
  const std::string printed = Shortened(child_->TakeStderr());
  if (!printed.empty()) text += "; stderr: " + printed;
  return {kind, std::move(text)};
}

std::variant<Reply, BackendError> WorkerLink::Converse(const ChildLimits& limits,
                                                       uint64_t seq) {
  const auto got = child_->Exchange(pending_, limits);
  pending_.clear();
  if (const auto* failure = std::get_if<ChildFailure>(&got)) {
    usable_ = false;
    return Give(KindOf(failure->kind), failure->text);
  }
  auto reply = worker::ParseReply(std::get<std::string_view>(got));
  if (!reply) {
    usable_ = false;
    child_->Kill();
    return Give(BackendError::Kind::kUnreadable,
                "sent a message that cannot be read: " + reply.error().message);
  }
  if (reply->seq != seq) {
    usable_ = false;
    child_->Kill();
    return Give(BackendError::Kind::kUnreadable,
                "reply: expected one to request " + std::to_string(seq) +
                    ", got one to " + std::to_string(reply->seq));
  }
  return *std::move(reply);
}

std::variant<Reply, BackendError> WorkerLink::Ask(Request request) {
  request.seq = ++seq_;
  const Status sendable = worker::AppendFrame(std::move(request), pending_);
  if (!sendable) return HarnessFailed(sendable.error());
  return Converse(command_.limits, seq_);
}

worker::Prepare WorkerLink::ToPrepare(const std::string& model) const {
  return command_.is_own ? worker::Prepare{"", model} : worker::Prepare{model, ""};
}

std::variant<uint64_t, Unsupported, Refused, BackendError> WorkerLink::Prepare(
    const std::string& model) {
  auto asked = Ask({0, ToPrepare(model)});
  if (auto* error = std::get_if<BackendError>(&asked)) return std::move(*error);
  return ToPrepared(std::get<Reply>(std::move(asked)));
}

std::variant<uint64_t, Unsupported, Refused, BackendError> WorkerLink::ToPrepared(
    Reply&& reply) {
  auto& body = reply.body;
  if (auto* prepared = std::get_if<worker::Prepared>(&body)) return prepared->handle;
  using Prepared = std::variant<uint64_t, Unsupported, Refused, BackendError>;
  if (auto instead = Instead<Prepared>(body, command_.is_own)) {
    return *std::move(instead);
  }
  return Give(BackendError::Kind::kUnreadable,
              "reply to prepare: expected prepared, got " + BodyName(reply));
}

std::span<std::byte> WorkerLink::FirstInput(size_t bytes) {
  // Other inputs must not change its place.
  if (!shared_ ||
      bytes < std::max(command_.shared_from_bytes, command_.guarded_from_bytes)) {
    return {};
  }
  const Places places = PlacesOf({&bytes, 1}, IsGuarded(bytes));
  if (!shared_->Reserve(places.end)) return {};
  return shared_->At(places.inputs.front().offset, bytes);
}

worker::Run WorkerLink::Pack(uint64_t handle, std::span<const TensorView> inputs) {
  uint64_t total = 0;
  std::vector<size_t> sizes;
  for (const TensorView& input : inputs) {
    sizes.push_back(input.data.size());
    total += input.data.size();
  }
  const bool guarded = IsGuarded(total);
  worker::Run run{.handle = handle};
  Places places;
  bool share = shared_ && total >= command_.shared_from_bytes;
  if (share) {
    places = PlacesOf(sizes, guarded);
    share = shared_->Reserve(places.end);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    worker::TensorMessage message;
    message.data_type = static_cast<int32_t>(input.type);
    message.dims.assign(input.shape.begin(), input.shape.end());
    if (share) {
      message.shared = places.inputs[i];
      std::byte* place = shared_->At(places.inputs[i].offset, sizes[i]).data();
      if (sizes[i] > 0 && place != input.data.data()) {
        std::memmove(place, input.data.data(), sizes[i]);  // it may lie there already
      }
    } else {
      message.data.assign(reinterpret_cast<const char*>(input.data.data()), sizes[i]);
    }
    run.inputs.push_back(std::move(message));
  }
  if (share) {
    run.output_room = places.room;
    run.guarded = guarded;
  }
  return run;
}

RunResult WorkerLink::Unpack(worker::OutputTensors&& outputs) {
  Outputs tensors;
  for (worker::TensorMessage& message : outputs.tensors) {
    const auto shared = message.shared;
    tensors.push_back(ToTensor(std::move(message)));
    if (!shared) continue;
    const auto data =
        shared_ ? shared_->At(shared->offset, shared->size) : std::span<std::byte>();
    if (data.size() != shared->size) {
      return Give(BackendError::Kind::kInvalidOutput,
                  "output " + std::to_string(tensors.size() - 1) +
                      ": expected a place in the shared memory, got one outside of it");
    }
    tensors.back().data.assign(data.begin(), data.end());
  }
  return tensors;
}

RunResult WorkerLink::Run(uint64_t handle, std::span<const TensorView> inputs) {
  worker::Run run = Pack(handle, inputs);
  Request request{++seq_, std::move(run)};
  const Status sendable = worker::AppendFrame(std::move(request), pending_);
  if (!sendable) {
    return Unsupported{"the inputs cannot be sent: " + sendable.error().message +
                           "; a worker with shared_memory could take them",
                       ""};
  }
  auto asked = Converse(command_.limits, seq_);
  if (auto* error = std::get_if<BackendError>(&asked)) return std::move(*error);
  return ToRunResult(std::get<Reply>(std::move(asked)));
}

RunResult WorkerLink::PrepareAndRun(const std::string& model,
                                    std::span<const TensorView> inputs,
                                    std::optional<uint64_t>& handle) {
  const uint64_t prepare = ++seq_;
  Status sendable = worker::AppendFrame(Request{prepare, ToPrepare(model)}, pending_);
  worker::Run run = Pack(prepare, inputs);
  if (sendable) {
    sendable = worker::AppendFrame(Request{++seq_, std::move(run)}, pending_);
  }
  if (!sendable) {
    usable_ = false;  // half of a request may be pending
    return Unsupported{"the case cannot be sent: " + sendable.error().message, ""};
  }
  auto first = Converse(command_.limits, prepare);
  if (auto* error = std::get_if<BackendError>(&first)) return std::move(*error);
  auto second = Converse(command_.limits, seq_);
  if (auto* error = std::get_if<BackendError>(&second)) return std::move(*error);
  auto prepared = ToPrepared(std::get<Reply>(std::move(first)));
  if (auto* unsupported = std::get_if<Unsupported>(&prepared))
    return std::move(*unsupported);
  if (auto* refused = std::get_if<Refused>(&prepared)) return std::move(*refused);
  if (auto* error = std::get_if<BackendError>(&prepared)) return std::move(*error);
  handle = std::get<uint64_t>(prepared);
  return ToRunResult(std::get<Reply>(std::move(second)));
}

RunResult WorkerLink::ToRunResult(Reply&& reply) {
  auto& body = reply.body;
  if (auto* outputs = std::get_if<worker::OutputTensors>(&body)) {
    return Unpack(std::move(*outputs));
  }
  if (auto instead = Instead<RunResult>(body, command_.is_own)) {
    return *std::move(instead);
  }
  return Give(BackendError::Kind::kUnreadable,
              "reply to run: expected outputs, got " + BodyName(reply));
}

std::set<std::string> WorkerLink::CodeFiles() const {
  std::set<std::string> paths;
  for (const pid_t process : ProcessTree(child_->pid())) paths.merge(MappedCode(process));
  return paths;
}

bool WorkerLink::LeavesAtTheEnd() {
  usable_ = false;
  return child_->Leave(5000);
}

void WorkerLink::Release(uint64_t handle) {
  const Status sendable =
      worker::AppendFrame(Request{++seq_, worker::Release{handle}}, pending_);
  if (!sendable) usable_ = false;
}

}  // namespace qconform
