#include "harness/backends/process/serve.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "cases/model/carried_type.h"
#include "cases/model/serialize.h"
#include "cases/model/text.h"
#include "harness/backends/crash_report.h"
#include "harness/backends/in_place.h"
#include "harness/backends/process/compact_model.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/reply_limits.h"
#include "harness/backends/process/shared_area.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/shortage.h"

namespace qconform {
namespace {

using worker::Reply;
using worker::Request;

worker::SharedRange RangeOf(uint64_t offset, uint64_t size) {
  worker::SharedRange range;
  range.set_offset(offset);
  range.set_size(size);
  return range;
}

uint64_t EndOf(const worker::SharedRange& range) { return range.offset() + range.size(); }

void SetForm(DataType type, const Shape& shape, worker::Tensor& message) {
  message.set_data_type(static_cast<int32_t>(type));
  message.mutable_dims()->Add(shape.begin(), shape.end());
}

// Returns a text as a reply may have it. It may come from foreign code, and Protocol
// Buffers would not read what is no UTF-8.
std::string Sent(const std::string& text) {
  const std::string valid = AsUtf8(text);
  if (valid.size() <= kLongestReplyText) return valid;
  return AsUtf8(valid.substr(0, kLongestReplyText - 16));  // a character may be cut
}

// For something that the harness sent and that cannot be used. The harness takes it as
// its own error if it started this program as its own child, and else as the worker's.
void SetHarnessError(const std::string& text, Reply& reply) {
  reply.mutable_error()->set_text(Sent(text));
  reply.mutable_error()->set_kind(worker::Error::HARNESS);
}

void SetError(const std::string& text, Reply& reply) {
  reply.mutable_error()->set_text(Sent(text));
}

// Appends a reply to no request: the harness takes it as the end of its own child.
void AppendShortage(const std::string& text, std::string& out) {
  Reply reply;
  SetError(text, reply);
  reply.mutable_error()->set_kind(worker::Error::SHORTAGE);
  [[maybe_unused]] const Status appended = worker::AppendFrame(reply, out);
}

// The soft limits of this process whose ends look like a lack of the machine's.
std::array<rlim_t, 4> SoftLimits() {
  std::array<rlim_t, 4> limits{};
  size_t i = 0;
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, RLIMIT_NPROC}) {
    rlimit limit{};
    if (getrlimit(which, &limit) == 0) limits[i] = limit.rlim_cur;
    ++i;
  }
  return limits;
}

class Server {
 public:
  explicit Server(std::function<Result<std::unique_ptr<Backend>>()> make)
      : make_(std::move(make)) {}

  // Appends the reply to `request`; nothing for a release. What is thrown on the way is
  // no error of the backend, whose own exceptions do not come here.
  Status AppendReply(const Request& request, std::string& out) {
    const size_t begin = out.size();
    Reply reply;
    try {
      const auto answer = Answer(request);
      if (!answer) return Ok();
      const Status fits = worker::AppendFrame(*answer, out);
      if (fits) return Ok();
      SetHarnessError(fits.error().message, reply);
    } catch (const std::exception& exception) {
      out.resize(begin);
      if (const auto shortage = CaughtShortage()) {
        // Ends this process, which no other cell can use either.
        if (SoftLimits() != limits_) {
          return Error{"the backend changed the limits of its process: " + *shortage};
        }
        SetError(*shortage, reply);
        reply.mutable_error()->set_kind(worker::Error::SHORTAGE);
      } else {
        SetHarnessError(
            std::string("internal error, a bug in qconform: ") + exception.what(), reply);
      }
    }
    reply.set_seq(request.seq());
    return worker::AppendFrame(reply, out);
  }

 private:
  // Returns the reply to `request`; nothing for a release.
  std::optional<Reply> Answer(const Request& request) {
    if (!made_) made_ = make_();
    Reply reply;
    reply.set_seq(request.seq());
    switch (request.body_case()) {
      case Request::kHello:
        Greet(request.hello(), reply);
        break;
      case Request::kPrepare:
        Prepare(request.prepare(), reply);
        break;
      case Request::kRun:
        Run(request.run(), reply);
        break;
      case Request::kRelease:
        prepared_.erase(request.release().handle());
        return std::nullopt;
      case Request::BODY_NOT_SET:
        SetHarnessError("unknown request", reply);
        break;
    }
    return reply;
  }

  void Greet(const worker::Hello& hello, Reply& reply) {
    if (!*made_) return SetError(made_->error().message, reply);
    if (!hello.shared_memory_path().empty()) {
      auto shared =
          SharedArea::Open(hello.shared_memory_path(), hello.shared_memory_size());
      if (shared) shared_ = *std::move(shared);
    }
    const BackendInfo& info = (**made_)->info();
    worker::HelloReply& about = *reply.mutable_hello();
    about.set_protocol_version(worker::kProtocolVersion);
    about.set_name(AsUtf8(info.name));
    about.set_version(AsUtf8(info.version));
    about.set_vendor(AsUtf8(info.vendor));
    about.set_device(AsUtf8(info.device));
    for (const auto& [key, value] : info.details) {
      (*about.mutable_details())[AsUtf8(key)] = AsUtf8(value);
    }
    about.set_shared_memory(shared_ != nullptr);
  }

  void Prepare(const worker::Prepare& prepare, Reply& reply) {
    if (prepare.has_whole_model()) {
      const worker::WholeModel& whole = prepare.whole_model();
      if (prepare.model().empty()) return PrepareWhole(whole, whole.model(), reply);
      // Sent as to any worker. A backend that runs none may know it as a small graph.
      if (*made_ && dynamic_cast<RunsWholeModels*>((**made_).get()) != nullptr) {
        return PrepareWhole(whole, prepare.model(), reply);
      }
    }
    const bool compact = !prepare.compact_model().empty();
    const auto model = compact ? DecodeCompactModel(prepare.compact_model())
                               : ParseModel(prepare.model());
    if (!model && compact) {  // only qconform encodes models so
      return SetHarnessError("the model cannot be decoded: " + model.error().message,
                             reply);
    }
    if (!model && prepare.has_whole_model()) {
      return Keep(Unsupported{"it does not run whole models", ""}, reply);
    }
    if (!model) {
      reply.mutable_refused()->set_reason(Sent(model.error().message));
      return;
    }
    if (!*made_) return SetError(made_->error().message, reply);
    Keep((**made_)->Prepare(*model), reply);
  }

  void PrepareWhole(const worker::WholeModel& sent, const std::string& whole,
                    Reply& reply) {
    if (!*made_) return SetError(made_->error().message, reply);
    WholeModel model{whole,
                     {sent.inputs().begin(), sent.inputs().end()},
                     {sent.outputs().begin(), sent.outputs().end()}};
    if (sent.has_shared()) {
      const worker::SharedRange& shared = sent.shared();
      const auto bytes =
          shared_ ? shared_->At(shared.offset(), shared.size()) : std::span<std::byte>();
      if (bytes.size() != shared.size()) {
        return SetHarnessError("the model lies outside of the shared memory", reply);
      }
      shared_->Protect({});
      model.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    Keep(PrepareWholeModel(***made_, model), reply);
  }

  void Keep(PrepareResult prepared, Reply& reply) {
    if (auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared)) {
      // The request's number is the handle, so that the harness can use it at once.
      prepared_[reply.seq()] = std::move(*ready);
      reply.mutable_prepared()->set_handle(reply.seq());
    } else {
      SetInstead(prepared, reply);
    }
  }

  void Run(const worker::Run& run, Reply& reply) {
    const auto found = prepared_.find(run.handle());
    if (found == prepared_.end()) {
      return SetHarnessError("no model has the handle " + std::to_string(run.handle()),
                             reply);
    }
    std::vector<TensorView> inputs;
    bool any_shared = false;
    for (const worker::Tensor& input : run.inputs()) {
      std::span<const std::byte> data = std::as_bytes(std::span(input.data()));
      if (input.has_shared()) {
        any_shared = true;
        const worker::SharedRange& shared = input.shared();
        data = shared_ ? shared_->At(shared.offset(), shared.size())
                       : std::span<std::byte>();
        if (data.size() != shared.size()) {
          return SetHarnessError("an input lies outside of the shared memory", reply);
        }
      }
      inputs.push_back(
          {CarriedTypeFromNumber(input.data_type()),
           std::span(input.dims().data(), static_cast<size_t>(input.dims_size())), data});
    }
    const bool guarded = run.guarded() && Guard(run);
    if (any_shared && !guarded) shared_->Protect({});
    if (guarded && RunGuarded(*found->second, inputs, run.output_room(), reply)) return;
    RunResult result = found->second->Run(inputs);
    if (const auto* outputs = std::get_if<Outputs>(&result)) {
      *reply.mutable_outputs() = Pack(*outputs, run.output_room());
    } else {
      SetInstead(result, reply);
    }
  }

  // Makes the pages of the inputs read-only, and the pages after them and after the room
  // for outputs inaccessible. Returns false if their places do not allow that.
  bool Guard(const worker::Run& run) {
    static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    std::vector<SharedArea::Pages> pages;
    if (!shared_ || EndOf(run.output_room()) % page != 0) return false;
    for (const worker::Tensor& input : run.inputs()) {
      const uint64_t end = EndOf(input.shared());
      if (!input.has_shared() || end % page != 0) return false;
      const uint64_t first = input.shared().offset() / page * page;
      if (end > first) pages.push_back({first, end - first, true});
      pages.push_back({end, page, false});
    }
    pages.push_back({EndOf(run.output_room()), page, false});
    return shared_->Protect(pages);
  }

  // Returns whether the model was run in place.
  bool RunGuarded(PreparedModel& model, std::span<const TensorView> inputs,
                  const worker::SharedRange& room, Reply& reply) {
    auto* in_place = dynamic_cast<RunsInPlace*>(&model);
    if (in_place == nullptr) return false;
    auto result = in_place->RunInPlace(inputs, shared_->At(room.offset(), room.size()));
    if (!result) return false;
    if (auto* output = std::get_if<RunsInPlace::Output>(&*result)) {
      worker::Tensor& message = *reply.mutable_outputs()->add_tensors();
      SetForm(output->type, output->shape, message);
      const std::byte* begin = shared_->At(0, 1).data();
      *message.mutable_shared() = RangeOf(
          static_cast<uint64_t>(output->data.data() - begin), output->data.size());
    } else {
      SetInstead(*result, reply);
    }
    return true;
  }

  // Sets what a result has in place of a value.
  template <typename From>
  void SetInstead(const From& result, Reply& reply) const {
    if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
      reply.mutable_unsupported()->set_reason(Sent(unsupported->reason));
      reply.mutable_unsupported()->set_url(Sent(unsupported->url));
    } else if (const auto* refused = std::get_if<Refused>(&result)) {
      reply.mutable_refused()->set_reason(Sent(refused->reason));
    } else {
      SetFailure(std::get<BackendError>(result), reply);
    }
  }

  void SetFailure(const BackendError& error, Reply& reply) const {
    SetError(error.text, reply);
    worker::Error& message = *reply.mutable_error();
    if (error.kind == BackendError::Kind::kInvalidOutput) {
      message.set_kind(worker::Error::INVALID_OUTPUT);
    } else if (error.kind == BackendError::Kind::kNondeterministic) {
      message.set_kind(worker::Error::NONDETERMINISTIC);
    } else if (error.kind == BackendError::Kind::kHarness) {
      message.set_kind(worker::Error::HARNESS);
    }
    if (error.unsteady == nullptr || error.unsteady->others.empty()) return;
    *message.mutable_first() = Pack(error.unsteady->first, {});
    for (const OtherAnswer& other : error.unsteady->others) {
      worker::OtherOutputs& added = *message.add_others();
      added.set_changed(other.changed);
      added.set_text(Sent(other.text));
      *added.mutable_outputs() = Pack(other.outputs, {});
    }
  }

  // Puts outputs into `room` as far as they fit, and the others into the message.
  worker::Outputs Pack(const Outputs& outputs, const worker::SharedRange& room) const {
    worker::Outputs packed;
    uint64_t begin = room.offset();
    uint64_t left = room.size();
    for (const Tensor& output : outputs) {
      worker::Tensor& message = *packed.add_tensors();
      SetForm(output.type, output.shape, message);
      const uint64_t size = output.data.size();
      const auto place = shared_ && size > 0 && size <= left ? shared_->At(begin, size)
                                                             : std::span<std::byte>();
      if (place.empty()) {
        message.set_data(output.data.data(), size);
        continue;
      }
      std::memcpy(place.data(), output.data.data(), size);
      *message.mutable_shared() = RangeOf(begin, size);
      begin += size;
      left -= size;
    }
    return packed;
  }

  std::function<Result<std::unique_ptr<Backend>>()> make_;
  std::optional<Result<std::unique_ptr<Backend>>> made_;  // by the first request
  const std::array<rlim_t, 4> limits_ = SoftLimits();     // before the backend is there
  std::unique_ptr<SharedArea> shared_;
  std::map<uint64_t, std::unique_ptr<PreparedModel>> prepared_;
};

}  // namespace

bool FrameReader::HasAnother() const {
  const std::string_view left = std::string_view(buffer_).substr(taken_);
  const auto length = worker::FrameLength(left);
  return length && left.size() >= worker::kLengthBytes + *length;
}

Result<std::optional<std::string_view>> FrameReader::Next() {
  buffer_.erase(0, taken_);
  taken_ = 0;
  for (;;) {
    if (const auto length = worker::FrameLength(buffer_)) {
      if (*length > worker::kMaxMessageBytes) {
        return Expected("message",
                        "at most " + std::to_string(worker::kMaxMessageBytes) + " bytes",
                        std::to_string(*length));
      }
      const uint64_t size = worker::kLengthBytes + *length;
      if (buffer_.size() >= size) {
        taken_ = size;
        return std::optional(
            std::string_view(buffer_).substr(worker::kLengthBytes, *length));
      }
      buffer_.reserve(size);
    }
    std::array<char, 65536> chunk;
    const ssize_t got = read(fd_, chunk.data(), chunk.size());
    if (got < 0 && (errno == EINTR || WaitUntilReady(fd_, POLLIN))) continue;
    if (got < 0) return Error{std::string("cannot read: ") + std::strerror(errno)};
    if (got == 0 && buffer_.empty()) return std::optional<std::string_view>();
    if (got == 0) {
      return Expected("message", "all of its bytes",
                      "the end of the input after " + std::to_string(buffer_.size()));
    }
    buffer_.append(chunk.data(), static_cast<size_t>(got));
  }
}

ProtocolFiles TakeStandardFiles() {
  const ProtocolFiles files{fcntl(0, F_DUPFD_CLOEXEC, 3), fcntl(1, F_DUPFD_CLOEXEC, 3)};
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, 0);
    close(null);
  }
  dup2(2, 1);
  return files;
}

Status ServeBackend(const std::function<Result<std::unique_ptr<Backend>>()>& make) {
#ifdef __GLIBC__
  // Keeps freed memory mapped, because large tensors come and go with every case and
  // each page fault costs time. (glibc takes at most 32 MiB here.)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
  const ProtocolFiles files = TakeStandardFiles();
  ReportCrashes();
  Server server(make);
  FrameReader reader(files.in);
  std::string out;
  for (;;) {
    const auto frame = reader.Next();
    if (!frame) {
      // Unless the backend closed it, this must not look as if the backend had ended.
      if (fcntl(files.in, F_GETFD) >= 0) {
        AppendShortage(frame.error().message, out);
        WriteWhole(files.out, out);
      }
      return frame.error();
    }
    if (!frame->has_value()) return Ok();
    Request request;
    const Status read = worker::Parse(**frame, request);
    if (!read) return read.error();
    if (const Status replied = server.AppendReply(request, out); !replied) {
      return replied.error();
    }
    // Requests that came together are answered together.
    if (out.empty() || reader.HasAnother()) continue;
    if (!WriteWhole(files.out, out)) {
      return Error{std::string("cannot write: ") + std::strerror(errno)};
    }
    out.clear();
  }
}

}  // namespace qconform
