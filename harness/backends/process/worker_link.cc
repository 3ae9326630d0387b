#include "harness/backends/process/worker_link.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "cases/model/text.h"
#include "harness/backends/mapped_code.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/process/process_tree.h"
#include "oracle/base/shortage.h"

namespace qconform {
namespace {

using worker::Reply;
using worker::Request;

constexpr uint64_t kAlignment = 64;
// What a request to prepare a whole model may have besides its bytes: names.
constexpr uint64_t kRoomAroundModel = uint64_t{1} << 20;

uint64_t RoundUp(uint64_t offset, uint64_t to) { return (offset + to - 1) / to * to; }

// Where the tensors of one run lie in the shared file.
struct Places {
  struct Range {
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  std::vector<Range> inputs;
  Range room;  // outputs that need more travel as messages
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

// Returns what a report keeps of a worker's text: every cell has some, and a report that
// is too long is not read.
std::string Kept(const std::string& text) {
  if (text.size() <= kLongestHelloText) return text;
  return AsUtf8(text.substr(0, kLongestHelloText)) + "... (" +
         std::to_string(text.size()) + " bytes)";
}

Tensor ToTensor(const worker::Tensor& message) {
  // Any type is taken: the comparison says what is wrong with it.
  Tensor tensor{static_cast<DataType>(message.data_type()),
                {message.dims().begin(), message.dims().end()},
                {}};
  const auto data = std::as_bytes(std::span(message.data()));
  if (!message.has_shared()) tensor.data.assign(data.begin(), data.end());
  return tensor;
}

Outputs ToOutputs(const worker::Outputs& messages) {
  Outputs outputs;
  for (const worker::Tensor& message : messages.tensors()) {
    outputs.push_back(ToTensor(message));
  }
  return outputs;
}

// `is_own`: whether the worker is qconform's own program.
BackendError ToError(const worker::Error& error, bool is_own) {
  auto kind = BackendError::Kind::kFailed;
  if (error.kind() == worker::Error::INVALID_OUTPUT) {
    kind = BackendError::Kind::kInvalidOutput;
  } else if (error.kind() == worker::Error::NONDETERMINISTIC) {
    kind = BackendError::Kind::kNondeterministic;
  } else if (is_own && error.kind() == worker::Error::HARNESS) {
    kind = BackendError::Kind::kHarness;
  }
  BackendError result{kind, Kept(error.text())};
  if (error.others().empty()) return result;
  UnsteadyAnswer unsteady{ToOutputs(error.first()), {}};
  for (const worker::OtherOutputs& other : error.others()) {
    unsteady.others.push_back(
        {Kept(other.changed()), Kept(other.text()), ToOutputs(other.outputs())});
  }
  result.unsteady = std::make_shared<const UnsteadyAnswer>(std::move(unsteady));
  return result;
}

// Returns the answer that a worker may give to any request in place of the result.
template <typename Answer>
std::optional<Answer> Instead(const Reply& reply, bool is_own) {
  if (reply.has_unsupported()) {
    return Unsupported{Kept(reply.unsupported().reason()),
                       Kept(reply.unsupported().url())};
  }
  if (reply.has_refused()) return Refused{Kept(reply.refused().reason())};
  if (reply.has_error()) return ToError(reply.error(), is_own);
  return std::nullopt;
}

// Returns what errors call the worker.
std::string NameOf(const WorkerCommand& command) {
  return command.name.empty() ? "worker '" + command.words[0] + "'"
                              : "backend " + command.name;
}

// Of qconform's own worker, which is not asked again: what it was doing may be half done.
void ThrowShortage(const Reply& reply) {
  if (reply.error().kind() != worker::Error::SHORTAGE) return;
  throw Shortage("the process that runs the backend: " + reply.error().text());
}

// The same for messages that it sent before it ended.
void ThrowShortageIn(std::string_view frames) {
  for (;;) {
    const auto length = worker::FrameLength(frames);
    if (!length || frames.size() - worker::kLengthBytes < *length) return;
    Reply reply;
    if (worker::Parse(frames.substr(worker::kLengthBytes, *length), reply)) {
      ThrowShortage(reply);
    }
    frames.remove_prefix(worker::kLengthBytes + *length);
  }
}

std::string BodyName(const Reply& reply) {
  const auto* body = Reply::descriptor()->FindFieldByNumber(reply.body_case());
  return body == nullptr ? "nothing known" : body->name();
}

}  // namespace

WorkerLink::Started WorkerLink::Start(const WorkerCommand& command) {
  auto child = ChildProcess::Start(command.words);
  if (!child) return child.error();
  return Greet(*std::move(child), command);
}

WorkerLink::Started WorkerLink::Greet(std::unique_ptr<ChildProcess> child,
                                      const WorkerCommand& command) {
  std::unique_ptr<WorkerLink> link(new WorkerLink(std::move(child), command));
  const auto fault = [&](const std::string& what) {
    return Error{NameOf(command) + ": " + what};
  };
  Request request;
  worker::Hello& hello = *request.mutable_hello();
  hello.set_protocol_version(worker::kProtocolVersion);
  hello.set_harness("qconform");
  hello.set_max_message_bytes(worker::kMaxMessageBytes);
  if (command.shared_bytes > 0) {
    // Without it all goes by messages: slower, and right.
    auto shared = SharedArea::Create(command.shared_bytes);
    if (shared) {
      link->shared_ = *std::move(shared);
      hello.set_shared_memory_path(link->shared_->path());
      hello.set_shared_memory_size(link->shared_->size());
    } else {
      link->no_shared_ = shared.error();
    }
  }
  ChildLimits limits = command.limits;
  limits.timeout = std::max(limits.timeout, command.start_timeout);
  const Status sendable = link->Append(request);
  if (!sendable) return fault(sendable.error().message);
  auto conversed = link->Converse(limits, link->seq_, "hello", {});
  if (link->shared_) link->shared_->Unlink();
  if (const auto* error = std::get_if<BackendError>(&conversed)) {
    return fault(command.is_own ? "the process that loads it " + error->text
                                : error->text);
  }
  auto& reply = std::get<Reply>(conversed);
  if (reply.has_error()) {
    if (command.is_own) return Error{ToError(reply.error(), true).text};
    return fault("answered hello with an error: " + reply.error().text());
  }
  if (!reply.has_hello()) {
    return fault("reply to hello: expected hello, got " + BodyName(reply));
  }
  worker::HelloReply& about = *reply.mutable_hello();
  // If the request is read as a reply, these are in the places of name and vendor.
  if (about.name() == hello.harness() && about.vendor() == hello.shared_memory_path()) {
    return fault("reply to hello: expected the worker's own, got an echo of the request");
  }
  if (about.protocol_version() != worker::kProtocolVersion) {
    return fault("protocol: expected version " +
                 std::to_string(worker::kProtocolVersion) + ", got " +
                 std::to_string(about.protocol_version()));
  }
  if (const Status fits = CheckHello(about); !fits) return fault(fits.error().message);
  link->about_ = std::move(about);
  if (!link->about_.shared_memory()) link->shared_.reset();
  return link;
}

BackendError WorkerLink::Give(BackendError::Kind kind, std::string text) {
  const std::string printed = Shortened(child_->TakeStderr());
  if (!printed.empty()) text += "; stderr: " + printed;
  return {kind, std::move(text)};
}

std::variant<Reply, BackendError> WorkerLink::Converse(ChildLimits limits, uint64_t seq,
                                                       const char* request,
                                                       ReplyLimits most) {
  // One output after the other could name the same shared memory.
  most.data_bytes =
      std::min(most.data_bytes, worker::kMaxMessageBytes + command_.shared_bytes);
  limits.reply_bytes = most.message_bytes();
  usable_ = false;  // until its reply is read: what is thrown on the way leaves that
  const auto got = child_->Exchange(pending_, limits);
  pending_.clear();
  // A name is known after hello; whoever prints it makes it printable.
  const std::string sender = about_.name().empty() || command_.is_own
                                 ? ""
                                 : " of worker '" + about_.name() + "'";
  const std::string what = "reply" + sender + " to " + request;
  if (const auto* failure = std::get_if<ChildFailure>(&got)) {
    if (command_.is_own) ThrowShortageIn(failure->left);
    const bool is_message = failure->kind == ChildFailure::Kind::kTooLong;
    return Give(KindOf(failure->kind), (is_message ? what + ": " : "") + failure->text);
  }
  const auto unreadable = [&](const std::string& text) {
    child_->Kill();
    return Give(BackendError::Kind::kUnreadable, text);
  };
  const auto bytes = std::get<std::string_view>(got);
  const Status fits = CheckReply(what, bytes, most);
  if (!fits) return unreadable(fits.error().message);
  Reply reply;
  const Status read = worker::Parse(bytes, reply);
  if (!read) {
    return unreadable("sent a message that cannot be read: " + read.error().message);
  }
  if (command_.is_own) ThrowShortage(reply);
  if (reply.seq() != seq) {
    return unreadable("reply: expected one to request " + std::to_string(seq) +
                      ", got one to " + std::to_string(reply.seq()));
  }
  usable_ = true;
  return reply;
}

Status WorkerLink::Append(Request& request) {
  request.set_seq(++seq_);
  return worker::AppendFrame(request, pending_);
}

Status WorkerLink::AppendPrepare(const std::string& model) {
  Request request;
  if (command_.is_own) {
    request.mutable_prepare()->set_compact_model(model);
  } else {
    request.mutable_prepare()->set_model(model);
  }
  return Append(request);
}

WorkerLink::Prepared WorkerLink::Prepare(const std::string& model) {
  const Status sendable = AppendPrepare(model);
  if (!sendable) return HarnessFailed(sendable.error());
  auto asked = Converse(command_.limits, seq_, "prepare", {});
  if (auto* error = std::get_if<BackendError>(&asked)) return std::move(*error);
  return ToPrepared(std::get<Reply>(asked));
}

WorkerLink::Prepared WorkerLink::PrepareWhole(const WholeModel& model) {
  Request request;
  worker::Prepare& prepare = *request.mutable_prepare();
  const uint64_t size = model.bytes.size();
  const bool fits = size + kRoomAroundModel <= worker::kMaxMessageBytes;
  if (!command_.is_own) {
    if (!fits) {
      return Unsupported{"the whole model has " + std::to_string(size) +
                             " bytes and does not fit into a message of the worker "
                             "protocol, which has at most " +
                             std::to_string(worker::kMaxMessageBytes),
                         ""};
    }
  }
  worker::WholeModel& whole = *prepare.mutable_whole_model();
  whole.mutable_inputs()->Add(model.inputs.begin(), model.inputs.end());
  whole.mutable_outputs()->Add(model.outputs.begin(), model.outputs.end());
  if (!command_.is_own) {
    prepare.set_model(model.bytes);
  } else {
    if (fits) {
      whole.set_model(model.bytes);
    } else {
      if (!shared_ || !shared_->Reserve(size)) {
        return HarnessFailed(
            {"the whole model has " + std::to_string(size) + " bytes: expected at most " +
             std::to_string(shared_ ? shared_->size() : worker::kMaxMessageBytes) +
             ", which can be sent to a child" +
             (no_shared_ ? "; " + no_shared_->message : "")});
      }
      std::memcpy(shared_->At(0, size).data(), model.bytes.data(), size);
      whole.mutable_shared()->set_size(size);
    }
  }
  const Status sendable = Append(request);
  if (!sendable) return HarnessFailed(sendable.error());
  auto asked = Converse(command_.limits, seq_, "prepare", {});
  if (auto* error = std::get_if<BackendError>(&asked)) return std::move(*error);
  return ToPrepared(std::get<Reply>(asked));
}

WorkerLink::Prepared WorkerLink::ToPrepared(const Reply& reply) {
  if (reply.has_prepared()) return reply.prepared().handle();
  if (auto instead = Instead<Prepared>(reply, command_.is_own)) {
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

Status WorkerLink::AppendRun(uint64_t handle, std::span<const TensorView> inputs) {
  uint64_t total = 0;
  std::vector<size_t> sizes;
  for (const TensorView& input : inputs) {
    sizes.push_back(input.data.size());
    total += input.data.size();
  }
  const bool guarded = IsGuarded(total);
  Places places;
  bool share = shared_ && total >= command_.shared_from_bytes;
  if (share) {
    places = PlacesOf(sizes, guarded);
    share = shared_->Reserve(places.end);
  }
  const auto set = [](const Places::Range& range, worker::SharedRange& message) {
    message.set_offset(range.offset);
    message.set_size(range.size);
  };
  Request request;
  worker::Run& run = *request.mutable_run();
  run.set_handle(handle);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorView& input = inputs[i];
    worker::Tensor& message = *run.add_inputs();
    message.set_data_type(static_cast<int32_t>(input.type));
    message.mutable_dims()->Add(input.shape.begin(), input.shape.end());
    if (share) {
      set(places.inputs[i], *message.mutable_shared());
      std::byte* place = shared_->At(places.inputs[i].offset, sizes[i]).data();
      if (sizes[i] > 0 && place != input.data.data()) {
        std::memmove(place, input.data.data(), sizes[i]);  // it may lie there already
      }
    } else {
      message.set_data(input.data.data(), sizes[i]);
    }
  }
  if (share) {
    set(places.room, *run.mutable_output_room());
    run.set_guarded(guarded);
  }
  return Append(request);
}

RunResult WorkerLink::Unpack(const worker::Outputs& outputs) {
  Outputs tensors;
  for (const worker::Tensor& message : outputs.tensors()) {
    tensors.push_back(ToTensor(message));
    if (!message.has_shared()) continue;
    const worker::SharedRange& shared = message.shared();
    const auto data =
        shared_ ? shared_->At(shared.offset(), shared.size()) : std::span<std::byte>();
    if (data.size() != shared.size()) {
      return Give(BackendError::Kind::kInvalidOutput,
                  "output " + std::to_string(tensors.size() - 1) +
                      ": expected a place in the shared memory, got one outside of it");
    }
    tensors.back().data.assign(data.begin(), data.end());
  }
  return tensors;
}

RunResult WorkerLink::NotSent(const Error& error) const {
  const bool offered = command_.shared_bytes > 0 && !no_shared_;
  if (!command_.is_own && offered && !about_.shared_memory()) {
    return Unsupported{
        "the inputs do not fit into a message of the worker protocol: " + error.message +
            "; a worker with shared_memory could take them",
        ""};
  }
  BackendError failed = HarnessFailed(error);
  failed.text = "the inputs cannot be sent: " + failed.text;
  if (no_shared_) failed.text += "; " + no_shared_->message;
  return failed;
}

RunResult WorkerLink::Run(uint64_t handle, std::span<const TensorView> inputs,
                          const ReplyLimits& limits) {
  const Status sendable = AppendRun(handle, inputs);
  if (!sendable) return NotSent(sendable.error());
  auto asked = Converse(command_.limits, seq_, "run", limits);
  if (auto* error = std::get_if<BackendError>(&asked)) return std::move(*error);
  return ToRunResult(std::get<Reply>(asked));
}

RunResult WorkerLink::PrepareAndRun(const std::string& model,
                                    std::span<const TensorView> inputs,
                                    const ReplyLimits& limits,
                                    std::optional<uint64_t>& handle) {
  usable_ = false;  // as long as half of a request may be pending
  Status sendable = AppendPrepare(model);
  const uint64_t prepare = seq_;
  if (sendable) sendable = AppendRun(prepare, inputs);
  if (!sendable) return NotSent(sendable.error());
  auto first = Converse(command_.limits, prepare, "prepare", {});
  if (auto* error = std::get_if<BackendError>(&first)) return std::move(*error);
  auto second = Converse(command_.limits, seq_, "run", limits);
  if (auto* error = std::get_if<BackendError>(&second)) return std::move(*error);
  auto prepared = ToPrepared(std::get<Reply>(first));
  if (auto instead = AnswerInstead<RunResult>(prepared)) return *std::move(instead);
  handle = std::get<uint64_t>(prepared);
  return ToRunResult(std::get<Reply>(second));
}

RunResult WorkerLink::ToRunResult(const Reply& reply) {
  if (reply.has_outputs()) return Unpack(reply.outputs());
  if (auto instead = Instead<RunResult>(reply, command_.is_own)) {
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
  Request request;
  request.mutable_release()->set_handle(handle);
  if (!Append(request)) usable_ = false;
}

}  // namespace qconform
